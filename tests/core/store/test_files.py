"""Nothing in a project's folder leads out of it, and nobody else may look into it."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from core import jobs
from core.errors import BadInput
from core.first_start import seed_demo
from core.formats import everything, whole_file
from core.project import Project
from core.records import Box, NewFrame, NewSource
from core.store import files
from core.store.merging import merge
from tests.made import made_project

SECRET = b"nobody's business"


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "secret.jpg"
    path.write_bytes(SECRET)
    return path


@pytest.fixture
def film(tmp_path: Path) -> Project:
    return made_project(tmp_path / "film", frames=3)


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_nobody_else_may_look_into_a_project(film: Project, tmp_path: Path) -> None:
    assert mode(film.folder) == 0o700
    film.export("json", tmp_path / "film.json")
    with everything.read(tmp_path / "film.json", tmp_path / "again") as again:
        assert mode(again.folder) == 0o700
    film.close()
    film.folder.chmod(0o755)
    (tmp_path / "projects").mkdir()
    demo = seed_demo(tmp_path / "projects", film.folder)
    assert demo is not None
    assert mode(demo) == 0o700


@pytest.mark.parametrize(
    "place", ["project.sqlite", "embeddings.f32", "crops", "frames", "runs", "crops/0000", "frames/0000", "runs/000001.npz"]
)
def test_a_project_with_a_link_in_it_is_not_opened(film: Project, tmp_path: Path, place: str) -> None:
    film.close()
    path = film.folder / place
    moved = path.rename(tmp_path / "elsewhere")
    path.symlink_to(moved)
    with pytest.raises(BadInput, match="this is a link, which may lead anywhere"):
        Project.open(film.folder)


def test_a_picture_that_is_a_link_is_neither_shown_nor_handed_over_nor_written_through(
    film: Project, secret: Path, tmp_path: Path
) -> None:
    crop, frame = files.crop_path(film.folder, 0), files.frame_path(film.folder, 0)
    for path in (crop, frame):
        path.unlink()
        path.symlink_to(secret)
    with pytest.raises(OSError, match="symbolic links"):
        files.read_file(crop)
    with pytest.raises(OSError, match="symbolic links"):
        files.write_file(crop, b"x")
    with pytest.raises(OSError, match="symbolic links"):
        files.blank_box(frame, Box(0, 0, 9, 9), 100)
    film.export("json", tmp_path / "film.json")
    assert base64.b64encode(SECRET).decode() not in (tmp_path / "film.json").read_text()
    film.export("lfw", tmp_path / "faces")
    assert SECRET not in [path.read_bytes() for path in (tmp_path / "faces").rglob("*.jpg")]
    files.erase(crop)
    assert secret.read_bytes() == SECRET


def test_a_face_of_a_copy_is_not_taken_through_a_link(film: Project, secret: Path, tmp_path: Path) -> None:
    film.export("json", tmp_path / "film.json")
    with everything.read(tmp_path / "film.json", tmp_path / "copy") as copy:
        added = copy.add_face("Eve", 0, Box(0, 0, 9, 9), copy.embeddings()[0], b"crop")
        crop = files.crop_path(copy.folder, added)
        crop.unlink()
        crop.symlink_to(secret)
        with pytest.raises((OSError, BadInput)):
            merge(film, copy)
    assert SECRET not in [path.read_bytes() for path in film.folder.rglob("*.jpg")]


@pytest.mark.parametrize(
    "name",
    ["../secret.jpg", "/tmp/secret.jpg", "crops/../../secret.jpg", "crops/0000/../../../x.jpg", "project.sqlite", "crops",
     "crops/0000/0000001.jpg/x", "crops\\0000\\0000001.jpg", "uploads/1/x.jpg", "crops/0000/0000001.jpg\n"],
)  # fmt: skip
def test_a_whole_project_as_json_writes_only_where_a_projects_files_lie(film: Project, tmp_path: Path, name: str) -> None:
    film.export("json", tmp_path / "film.json")
    content = json.loads((tmp_path / "film.json").read_text())
    content["files"][name] = base64.b64encode(SECRET).decode()
    (tmp_path / "bad.json").write_text(json.dumps(content))
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(BadInput, match="has no place in a project"):
        everything.read(tmp_path / "bad.json", tmp_path / "again")
    assert sorted(tmp_path.rglob("*")) == before


def test_a_film_is_shown_only_if_it_is_the_one_that_was_taken_in(tmp_path: Path, secret: Path) -> None:
    from core.media.video import content_key

    with Project.create(tmp_path / "film") as project:
        for kind, content in (("video", ""), ("video", "of another file"), ("pictures", content_key(secret))):
            project.add(NewSource(kind, str(secret), "film.mp4", content), [NewFrame("", [], [])])  # type: ignore[arg-type]
        for source in project.sources():
            with pytest.raises(BadInput, match=r"not the file that was taken in|no longer there"):
                project.to_play(source)
        project.add(NewSource("video", str(secret), "film.mp4", content_key(secret)), [NewFrame("", [], [])])
        assert project.to_play(project.sources()[-1]) == secret
        secret.write_bytes(b"another film")
        with pytest.raises(BadInput, match="not the file that was taken in"):
            project.to_play(project.sources()[-1])


def test_a_folder_is_no_film_however_it_is_named(tmp_path: Path, film: Project) -> None:
    with pytest.raises(BadInput, match="this is not the video"):
        film.relocate(film.sources()[0].id, tmp_path)


@pytest.mark.parametrize(
    "words", [["run", "--project", "/another"], ["export", "--project", "{here}", "--out", "/x"], ["remove"], []]
)
def test_work_that_a_project_remembers_is_its_own_or_not_started(film: Project, words: list[str]) -> None:
    with pytest.raises(BadInput, match="not this project's"):
        jobs.start(film, "run", [word.format(here=film.folder) for word in words])
    assert jobs.jobs(film) == []


def test_a_link_beside_an_export_is_not_written_through(tmp_path: Path, secret: Path) -> None:
    import os
    import threading

    beside = tmp_path / f".{os.getpid()}.{threading.get_ident()}.part"
    beside.symlink_to(secret)
    whole_file(tmp_path / "labels.csv", lambda file: file.write(b"labels"))
    assert secret.read_bytes() == SECRET
    assert (tmp_path / "labels.csv").read_bytes() == b"labels"
    assert not beside.is_symlink()
