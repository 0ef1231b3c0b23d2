"""From pictures and problems to a project, with the real networks; whatever goes wrong leaves nothing half-made."""

import json
import shutil
import zipfile
from pathlib import Path

import numpy as np
import pytest

from core.errors import BadInput
from core.media.ingest import ingest_pictures, ingest_problem, ingest_video, project_at
from core.problem import Problem
from core.project import Project
from tests.core.media.ingest.people import Counting

# --- Pictures ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def album(data: Path, tmp_path: Path) -> Path:
    """Three good pictures, a broken one, one that is missing, one outside, and one that is not listed."""
    folder = tmp_path / "album"
    (folder / "sub").mkdir(parents=True)
    shutil.copy(data / "photos" / "raj" / "raj1.png", folder / "sub" / "raj.png")
    shutil.copy(data / "photos" / "penny" / "penny1.png", folder / "penny.png")
    shutil.copy(data / "photos" / "amy" / "amy1.png", folder / "amy.png")
    shutil.copy(data / "photos" / "amy" / "amy2.png", folder / "unlisted.png")
    shutil.copy(data / "photos" / "amy" / "amy2.png", tmp_path / "outside.png")
    (folder / "broken.png").write_bytes((folder / "amy.png").read_bytes()[:300])
    rows = [("sub/raj.png", "Raj."), ("penny.png", "A portrait of Penny."), ("amy.png", "Amy and Penny.")]
    rows += [("broken.png", "Amy."), ("missing.png", "Amy."), ("../outside.png", "Amy.")]
    table = [{"image": image, "caption": caption} for image, caption in rows]
    (tmp_path / "captions.json").write_text(json.dumps(table))
    return folder


SKIPPED = (
    ("broken.png", "the picture is damaged"),
    ("missing.png", "it is not there"),
    ("../outside.png", "it lies outside of the folder"),
)


@pytest.mark.parametrize("way", ["folder", "zip", "wrapped zip"])
def test_pictures_with_a_table(album: Path, finder: Counting, tmp_path: Path, way: str) -> None:
    images = album
    if way != "folder":
        images = tmp_path / "album.zip"
        with zipfile.ZipFile(images, "w") as archive:
            for path in sorted(album.rglob("*.png")):
                wrap = "my photos/" if way == "wrapped zip" else ""
                archive.write(path, wrap + path.relative_to(album).as_posix())
    with project_at(tmp_path / "p") as project:
        summary = ingest_pictures(project, images, tmp_path / "captions.json", finder=finder)
        assert (summary.frames, summary.faces, summary.left_out, summary.skipped) == (3, 3, 1, SKIPPED)
        assert "3 skipped; 1 not listed and left out" in summary.text()
        (source,) = project.sources()
        assert (source.kind, source.title) == ("pictures", images.name)
        frames = project.frames()
        assert [(frame.path, frame.caption, frame.time) for frame in frames] == [
            ("sub/raj.png", "Raj.", None),
            ("penny.png", "A portrait of Penny.", None),
            ("amy.png", "Amy and Penny.", None),
        ]
        assert [[mention.name for mention in project.mentions(frame.id)] for frame in frames] == [
            ["Raj"],
            ["Penny"],
            ["Amy", "Penny"],
        ]
        assert all(face.track is None for face in project.faces())
    assert not list(tmp_path.glob("p/**/outside*"))


def test_the_same_pictures_come_in_once(album: Path, finder: Counting, tmp_path: Path) -> None:
    with project_at(tmp_path / "p") as project:
        ingest_pictures(project, album, tmp_path / "captions.json", finder=finder)
        again = ingest_pictures(project, album, tmp_path / "captions.json", finder=finder)
        assert (again.frames, finder.looked, len(project.frames())) == (0, 3, 3)
        copied = shutil.copytree(album, tmp_path / "copy")  # elsewhere they are others, but known by what is in them
        other = ingest_pictures(project, copied, tmp_path / "captions.json", finder=finder)
        assert (other.frames, finder.looked) == (3, 3)


def test_pictures_without_a_table_all_come_in(album: Path, finder: Counting, tmp_path: Path) -> None:
    with project_at(tmp_path / "p") as project:
        summary = ingest_pictures(project, album, finder=finder)
        assert (summary.frames, summary.names, summary.left_out) == (4, (), 0)
        assert summary.skipped == (("broken.png", "the picture is damaged"),)


def test_a_table_of_other_pictures_is_refused(album: Path, finder: Counting, tmp_path: Path) -> None:
    (tmp_path / "captions.csv").write_text("image,caption\nx.png,Amy.\ny.png,Raj.\n")
    with (
        pytest.raises(BadInput, match=r"none of 2 pictures can be used \(x.png: it is not there\)"),
        project_at(tmp_path / "p") as project,
    ):
        ingest_pictures(project, album, tmp_path / "captions.csv", finder=finder)
    assert not (tmp_path / "p").exists()


def test_a_folder_without_pictures_is_refused(finder: Counting, tmp_path: Path) -> None:
    (tmp_path / "album").mkdir()
    with pytest.raises(BadInput, match="no pictures"), project_at(tmp_path / "p") as project:
        ingest_pictures(project, tmp_path / "album", finder=finder)


def test_the_photos(photos: Path) -> None:
    with Project.open(photos) as project:
        faces = {frame.path: len(project.faces(frame.id)) for frame in project.frames()}
        assert sum(number >= 1 for path, number in faces.items() if "/" in path) >= 39
        assert sum(number for path, number in faces.items() if "/" not in path) == 23
        project.run()
        right = [
            frame.frame.path.split("/")[0] in [face.name.lower() for face in frame.faces]
            for frame in project.labels().frames
            if "/" in frame.frame.path
        ]
    assert sum(right) >= 37


# --- Problems ----------------------------------------------------------------------------------------------------------


def test_a_problem_comes_in_with_its_numbers(tmp_path: Path) -> None:
    draw = np.random.default_rng(0)
    features = draw.normal(size=(6, 4)).astype(np.float32)
    group, truth = [2, 0, 1, 0, 2, 1], [0, 1, -1, 0, 1, 1]
    names, candidates = ["Ross", "Rachel"], [["Ross", "Rachel"], [], ["Rachel"], ["Ross"]]
    path = tmp_path / "a.npz"
    np.savez(path, features=features, group=group, names=names, truth=truth, candidates_json=json.dumps(candidates))
    with project_at(tmp_path / "p") as project:
        summary = ingest_problem(project, path)
        assert (summary.frames, summary.faces, summary.names) == (4, 6, ("Ross", "Rachel"))
        assert [(face.id, face.frame) for face in project.faces()] == list(enumerate(group))
        assert [face.truth for face in project.faces()] == ["Ross", "Rachel", "", "Ross", "Rachel", "Rachel"]
        assert np.array_equal(project.embeddings(), features)
        assert [frame.caption for frame in project.frames()] == ["Ross, Rachel", "", "Rachel", "Ross"]
        assert project.mentions(0)[1].spans == ((6, 12),)
        problem, ids = project.problem()
    assert ids == list(range(6))
    true = Problem.read(path)
    assert problem.candidates() == true.candidates()
    assert problem.group.tolist() == group


def test_faces_of_two_kinds_are_never_mixed(penny_and_raj: Path, finder: Counting, tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    np.savez(path, features=np.eye(3, dtype=np.float32), group=[0, 1, 1], names=["A"], candidates_json='[["A"], []]')
    with project_at(tmp_path / "p") as project:
        ingest_problem(project, path)
        with pytest.raises(BadInput, match="cannot be compared"):
            ingest_video(project, penny_and_raj, finder=finder)
        assert [source.kind for source in project.sources()] == ["problem"]


# --- The project around it ---------------------------------------------------------------------------------------------


def test_a_project_that_got_nothing_is_not_left_behind(tmp_path: Path) -> None:
    with project_at(tmp_path / "a" / "b"):
        pass
    assert list(tmp_path.iterdir()) == []
    Project.create(tmp_path / "c").close()
    with project_at(tmp_path / "c") as project:
        assert project.title == "c"
    assert (tmp_path / "c").is_dir()  # it was there before
