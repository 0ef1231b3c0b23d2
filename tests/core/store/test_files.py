"""Nothing in a project's folder leads out of it, and nobody else may look into it."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from core.errors import BadInput
from core.formats import whole_file
from core.records import Box
from core.store import files
from core.store.first_start import seed_demo
from core.store.project import Project

SECRET = b"nobody's business"


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "secret.jpg"
    path.write_bytes(SECRET)
    return path


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_nobody_else_may_look_into_a_project(project: Project, tmp_path: Path) -> None:
    assert mode(project.folder) == 0o700
    project.export("json", tmp_path / "film.json")
    with Project.from_json(tmp_path / "film.json", tmp_path / "again") as again:
        assert mode(again.folder) == 0o700
    project.close()
    project.folder.chmod(0o755)
    (tmp_path / "projects").mkdir()
    demo = seed_demo(tmp_path / "projects", project.folder)
    assert demo is not None
    assert mode(demo) == 0o700


@pytest.mark.parametrize(
    "place", ["project.sqlite", "embeddings.f32", "crops", "frames", "runs", "crops/0000", "frames/0000", "runs/000001.npz"]
)
def test_a_project_with_a_link_in_it_is_not_opened(project: Project, tmp_path: Path, place: str) -> None:
    project.close()
    path = project.folder / place
    moved = path.rename(tmp_path / "elsewhere")
    path.symlink_to(moved)
    with pytest.raises(BadInput, match="this is a link, which may lead anywhere"):
        Project.open(project.folder)


def test_a_picture_that_is_a_link_is_neither_shown_nor_handed_over_nor_written_through(
    project: Project, secret: Path, tmp_path: Path
) -> None:
    crop, frame = files.crop_path(project.folder, 0), files.frame_path(project.folder, 0)
    for path in (crop, frame):
        path.unlink()
        path.symlink_to(secret)
    with pytest.raises(OSError, match="symbolic links"):
        files.read_file(crop)
    with pytest.raises(OSError, match="symbolic links"):
        files.write_file(crop, b"x")
    with pytest.raises(OSError, match="symbolic links"):
        files.blank_box(frame, Box(0, 0, 9, 9), 100)
    project.export("json", tmp_path / "film.json")
    assert base64.b64encode(SECRET).decode() not in (tmp_path / "film.json").read_text()
    project.export("lfw", tmp_path / "faces")
    assert SECRET not in [path.read_bytes() for path in (tmp_path / "faces").rglob("*.jpg")]
    files.erase(crop)
    assert secret.read_bytes() == SECRET


def test_a_face_of_a_copy_is_not_taken_through_a_link(project: Project, secret: Path, tmp_path: Path) -> None:
    project.export("json", tmp_path / "film.json")
    with Project.from_json(tmp_path / "film.json", tmp_path / "copy") as copy:
        added = copy.add_face("Eve", 0, Box(0, 0, 9, 9), copy.embeddings()[0], b"crop")
        crop = files.crop_path(copy.folder, added)
        crop.unlink()
        crop.symlink_to(secret)
        with pytest.raises((OSError, BadInput)):
            project.merge(copy)
    assert SECRET not in [path.read_bytes() for path in project.folder.rglob("*.jpg")]


@pytest.mark.parametrize(
    "name",
    ["../secret.jpg", "/tmp/secret.jpg", "crops/../../secret.jpg", "crops/0000/../../../x.jpg", "project.sqlite", "crops",
     "crops/0000/0000001.jpg/x", "crops\\0000\\0000001.jpg", "uploads/1/x.jpg", "crops/0000/0000001.jpg\n"],
)  # fmt: skip
def test_a_whole_project_as_json_writes_only_where_a_projects_files_lie(project: Project, tmp_path: Path, name: str) -> None:
    project.export("json", tmp_path / "film.json")
    content = json.loads((tmp_path / "film.json").read_text())
    content["files"][name] = base64.b64encode(SECRET).decode()
    (tmp_path / "bad.json").write_text(json.dumps(content))
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(BadInput, match="has no place in a project"):
        Project.from_json(tmp_path / "bad.json", tmp_path / "again")
    assert sorted(tmp_path.rglob("*")) == before


def test_a_link_beside_an_export_is_not_written_through(tmp_path: Path, secret: Path) -> None:
    import os
    import threading

    beside = tmp_path / f".{os.getpid()}.{threading.get_ident()}.part"
    beside.symlink_to(secret)
    whole_file(tmp_path / "labels.csv", lambda file: file.write(b"labels"))
    assert secret.read_bytes() == SECRET
    assert (tmp_path / "labels.csv").read_bytes() == b"labels"
    assert not beside.is_symlink()
