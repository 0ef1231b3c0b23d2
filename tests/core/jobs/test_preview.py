"""What would come in is told before anything is computed."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import pytest
from PIL import Image

from core.errors import BadInput
from core.evaluation.generate import films
from core.formats.write.npz import write_problem
from core.jobs import preview as previews
from core.jobs.ingest import ingest, project_at
from core.jobs.preview import preview
from core.jobs.requests import IngestPictures, IngestProblem, IngestVideo
from tests.core.formats.read.test_xmp import packet, region, regions
from tests.core.media.films import film, noisy, plain
from tests.core.media.pretended import pretended_finder

SRT = "1\n00:00:00,000 --> 00:00:00,400\nANN: Where is Bob?\n"


@pytest.fixture
def album(tmp_path: Path) -> Path:
    """Four pictures in two people's folders; a table names two of them and one that is not there; one has a face tag."""
    folder = tmp_path / "album"
    colours = {"ann/1.png": (200, 10, 10), "ann/2.png": (190, 20, 10), "bob/1.png": (10, 200, 10), "both.png": (10, 10, 200)}
    for name, colour in colours.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(plain(colour)).save(folder / name)
    (folder / "captions.csv").write_text("image,caption\nann/1.png,Ann waits.\nboth.png,Ann and Bob.\nnone.png,Bob.\n")
    (folder / "bob" / "1.png.xmp").write_bytes(packet(regions(region("Bob")), more=' digiKam:Pick="0"'))
    return folder


@pytest.mark.parametrize("zipped", [False, True])
def test_pictures(album: Path, tmp_path: Path, zipped: bool) -> None:
    images = album
    if zipped:
        images = tmp_path / "album.zip"
        with zipfile.ZipFile(images, "w") as archive:
            for path in sorted(album.rglob("*")):
                archive.write(path, path.relative_to(album).as_posix())
    found = preview(IngestPictures(images))
    assert (found.pictures, found.captioned, found.uncaptioned, found.missing) == (4, 2, 2, 1)
    assert (found.tagged, found.tagged_pictures, found.people, found.programs) == (1, 1, ("Bob",), ("digiKam",))
    assert found.folders == {"Ann": 2, "Bob": 1}
    told = dict(found.said())
    assert told["Captions"] == "2 pictures with a caption, from captions.csv, which was found there"
    assert told["Without"] == "2 pictures without a caption: they come in without one"
    assert told["Face tags"] == "1 face in 1 picture named by digiKam: Bob. They become decisions"
    assert told["Folders"] == "2 folders may be called after people: Ann, Bob"


def test_what_is_foretold_comes_in(album: Path, tmp_path: Path) -> None:
    with project_at(tmp_path / "p") as project:
        summary = ingest(project, IngestPictures(album, folders=True), finder=pretended_finder())
        assert (summary.frames, summary.uncaptioned, summary.tagged) == (4, 2, 1)
        assert "captions from captions.csv" in summary.notes
        assert {frame.path: frame.caption for frame in project.frames()}["both.png"] == "Ann and Bob."
        by_path = {frame.path: [m.name for m in project.mentions(frame.id)] for frame in project.frames()}
        assert by_path == {"ann/1.png": ["Ann"], "both.png": ["Ann", "Bob"], "ann/2.png": ["Ann"], "bob/1.png": ["Bob"]}
        assert '"tagged": 1' in project.sources()[0].summary
        again = preview(IngestPictures(shutil.copytree(album, tmp_path / "copy")), project)
        assert (again.pictures, again.known) == (4, 4)
        assert dict(again.said())["Known"] == "4 pictures are in the project already and will not be added again"


def test_a_broken_table_is_told_and_the_pictures_come_in(album: Path) -> None:
    (album / "captions.csv").write_text("picture,words\na,b\n")
    found = preview(IngestPictures(album))
    assert (found.captioned, found.uncaptioned) == (0, 4)
    assert any("no columns image and caption" in note for note in found.notes)


def test_what_is_no_table_of_these_pictures_is_not_used(album: Path) -> None:
    (album / "captions.csv").unlink()
    (album / "about.json").write_text('{"title": "Our summer", "place": "the sea"}')
    found = preview(IngestPictures(album))
    assert (found.captions_from, found.captioned, found.notes) == ("", 0, ())
    (album / "captions.json").write_text('{"x.png": "Ann."}')
    assert "captions.json: none of its 1 pictures is there" in preview(IngestPictures(album)).notes[0]


def test_what_would_fail_later_is_refused_at_once(album: Path, tmp_path: Path) -> None:
    table = tmp_path / "others.csv"
    table.write_text("image,caption\nx.png,Ann.\n")
    with pytest.raises(BadInput, match=r"no picture of the table is there, such as x.png; check the paths in it"):
        preview(IngestPictures(album, table))
    late = tmp_path / "late.srt"
    late.write_text(SRT.replace("00:00:0", "01:00:0"))
    with pytest.raises(BadInput, match=r"the captions begin at 1:00:00, but the video ends at 0:00"):
        preview(IngestVideo(film(tmp_path / "film.mp4", [noisy(0)] * 10), late))
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "a.jpg").write_bytes(b"no picture")
    with pytest.raises(BadInput, match=r"the only picture cannot be used \(a.jpg: this is no picture of a known kind\)"):
        preview(IngestPictures(tmp_path / "broken"))
    whole = (album / "both.png").read_bytes()
    for name in ("a.jpg", "b.png"):
        (tmp_path / "broken" / name).write_bytes(whole[: len(whole) // 2])
    with pytest.raises(BadInput, match=r"none of 2 pictures can be used \(a.jpg: the picture is damaged\)"):
        preview(IngestPictures(tmp_path / "broken"))


def test_a_broken_picture_among_others_is_told(album: Path) -> None:
    (album / "bad.jpg").write_bytes(b"no picture")
    assert preview(IngestPictures(album)).notes == ("bad.jpg: this is no picture of a known kind",)


def test_a_folder_without_pictures_is_refused(tmp_path: Path) -> None:
    (tmp_path / "album").mkdir()
    with pytest.raises(BadInput, match="no picture"):
        preview(IngestPictures(tmp_path / "album"))


def test_no_longer_is_looked_than_a_person_waits(album: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(previews, "PATIENCE", -1.0)
    found = preview(IngestPictures(album))
    assert (found.pictures, found.looked) == (4, 0)
    assert "only 0 of 4 pictures" in dict(found.said())["Note"]


def test_a_film_with_captions_beside_it_and_without(tmp_path: Path) -> None:
    video = film(tmp_path / "film.mp4", [noisy(0)] * 10)
    assert dict(preview(IngestVideo(video)).said())["Captions"] == "none found: its people have no names yet"
    (tmp_path / "film.de.srt").write_text(SRT.replace("Where", "Wo"))
    (tmp_path / "film.en.srt").write_text(SRT)
    (tmp_path / "filmed.srt").write_text(SRT)
    found = preview(IngestVideo(video))
    assert (found.lines, found.captions_from) == (1, "film.en.srt beside the film")
    (tmp_path / "film.srt").write_text("no times")
    found = preview(IngestVideo(video))
    assert found.lines == 0
    assert any("film.srt: no line" in note for note in found.notes)
    (tmp_path / "film.srt").write_text(SRT + "\n2\n01:00:00,000 --> 01:00:01,000\nBOB: Here.\n")
    (note,) = preview(IngestVideo(video)).notes
    assert note == "1 of 2 lines begin after the film has ended: are these another film's captions?"


def test_a_problem_file(tmp_path: Path) -> None:
    problem = tmp_path / "p.npz"
    write_problem(films(films=1, groups=6, names=3, dimensions=8, seed=3), problem)
    found = preview(IngestProblem(problem))
    assert (found.kind, found.groups, found.known) == ("problem", 6, 0)
    with project_at(tmp_path / "p") as project:
        ingest(project, IngestProblem(problem))
        assert preview(IngestProblem(problem), project).known == 1
        assert ingest(project, IngestProblem(problem)).text().endswith("is in the project already")
        assert len(project.sources()) == 1
