"""From pictures to a project, with the real networks; whatever goes wrong leaves nothing half-made."""

import json
import shutil
import zipfile
from pathlib import Path

import pytest
from PIL import Image

from core.errors import BadInput
from core.jobs.ingest import ingest, project_at
from core.jobs.requests import IngestPictures
from core.store.project import Project
from tests.core.jobs.ingest.people import Counting
from tests.core.media.portraits import Album, portrait


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three good pictures, a broken one, one that is missing, one outside, and one that is not listed."""
    folder = tmp_path / "album"
    (folder / "sub").mkdir(parents=True)
    Image.fromarray(portrait("Bruno")).save(folder / "sub" / "bruno.png")
    Image.fromarray(portrait("Ada")).save(folder / "ada.png")
    Image.fromarray(portrait("Cleo")).save(folder / "cleo.png")
    Image.fromarray(portrait("Cleo", 2)).save(folder / "unlisted.png")
    shutil.copy(folder / "unlisted.png", tmp_path / "outside.png")
    (folder / "broken.png").write_bytes((folder / "cleo.png").read_bytes()[:300])
    rows = [("sub/bruno.png", "Bruno."), ("ada.png", "A portrait of Ada."), ("cleo.png", "Cleo and Ada.")]
    rows += [("broken.png", "Cleo."), ("missing.png", "Cleo."), ("../outside.png", "Cleo.")]
    table = [{"image": image, "caption": caption} for image, caption in rows]
    (tmp_path / "captions.json").write_text(json.dumps(table))
    return folder


SKIPPED = (
    ("broken.png", "the picture is damaged"),
    ("missing.png", "it is not there"),
    ("../outside.png", "it lies outside of the folder"),
)


@pytest.mark.parametrize("way", ["folder", "zip", "wrapped zip"])
def test_pictures_with_a_table(folder: Path, counted: Counting, tmp_path: Path, way: str) -> None:
    images = folder
    if way != "folder":
        images = tmp_path / "album.zip"
        with zipfile.ZipFile(images, "w") as archive:
            for path in sorted(folder.rglob("*.png")):
                wrap = "my photos/" if way == "wrapped zip" else ""
                archive.write(path, wrap + path.relative_to(folder).as_posix())
    with project_at(tmp_path / "p") as project:
        summary = ingest(project, IngestPictures(images, tmp_path / "captions.json"), finder=counted)
        assert (summary.frames, summary.faces, summary.uncaptioned, summary.skipped) == (4, 4, 1, SKIPPED)
        assert "3 skipped; 1 without a caption" in summary.text()
        (source,) = project.sources()
        assert (source.kind, source.title) == ("pictures", images.name)
        frames = project.frames()
        assert [(frame.path, frame.caption, frame.time) for frame in frames] == [
            ("sub/bruno.png", "Bruno.", None),
            ("ada.png", "A portrait of Ada.", None),
            ("cleo.png", "Cleo and Ada.", None),
            ("unlisted.png", "", None),
        ]
        assert [[mention.name for mention in project.mentions(frame.id)] for frame in frames] == [
            ["Bruno"],
            ["Ada"],
            ["Cleo", "Ada"],
            [],
        ]
        assert all(face.track is None for face in project.faces())
    assert not list(tmp_path.glob("p/**/outside*"))


def test_the_same_pictures_come_in_once(folder: Path, counted: Counting, tmp_path: Path) -> None:
    with project_at(tmp_path / "p") as project:
        ingest(project, IngestPictures(folder, tmp_path / "captions.json"), finder=counted)
        again = ingest(project, IngestPictures(folder, tmp_path / "captions.json"), finder=counted)
        assert (again.frames, counted.looked, len(project.frames())) == (0, 4, 4)
        copied = shutil.copytree(folder, tmp_path / "copy")  # elsewhere they are known by what is in them
        other = ingest(project, IngestPictures(copied, tmp_path / "captions.json"), finder=counted)
        assert (other.frames, counted.looked, len(project.frames())) == (0, 4, 4)


def test_pictures_without_a_table_all_come_in(folder: Path, counted: Counting, tmp_path: Path) -> None:
    with project_at(tmp_path / "p") as project:
        summary = ingest(project, IngestPictures(folder), finder=counted)
        assert (summary.frames, summary.names, summary.uncaptioned) == (4, (), 4)
        assert summary.skipped == (("broken.png", "the picture is damaged"),)


def test_a_table_of_other_pictures_is_refused(folder: Path, counted: Counting, tmp_path: Path) -> None:
    (tmp_path / "captions.csv").write_text("image,caption\nx.png,Amy.\ny.png,Raj.\n")
    with (
        pytest.raises(BadInput, match=r"no picture of the table is there, such as x\.png"),
        project_at(tmp_path / "p") as project,
    ):
        ingest(project, IngestPictures(folder, tmp_path / "captions.csv"), finder=counted)
    assert not (tmp_path / "p").exists()


def test_a_folder_without_pictures_is_refused(counted: Counting, tmp_path: Path) -> None:
    (tmp_path / "album").mkdir()
    with pytest.raises(BadInput, match="no pictures"), project_at(tmp_path / "p") as project:
        ingest(project, IngestPictures(tmp_path / "album"), finder=counted)


def test_an_album(album: Album, photo_project: Path) -> None:
    with Project.open(photo_project) as project:
        faces = {frame.path: len(project.faces(frame.id)) for frame in project.frames() if frame.caption}
        assert len(faces) >= album.portraits
        assert sum(number >= 1 for path, number in faces.items() if "/" in path) >= 0.95 * album.portraits
        assert sum(number for path, number in faces.items() if "/" not in path) == pytest.approx(album.on_stills, abs=1)
        project.run()
        right = [
            frame.frame.path.split("/")[0] in [face.name.lower() for face in frame.faces]
            for frame in project.labels().frames
            if "/" in frame.frame.path
        ]
    assert sum(right) >= 0.9 * album.portraits
