"""Names that are in pictures become decisions of whoever gave them; what is damaged loses nothing."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PIL import Image

from core.formats.write.beside import write_beside
from core.jobs.ingest import ingest, project_at
from core.jobs.recaption import recaption
from core.jobs.requests import IngestPictures, Recaption
from core.media.ingest import Summary
from core.store.project import Change, Project
from tests.core.formats.read.test_xmp import packet, region, regions
from tests.core.media.films import plain
from tests.core.media.pretended import pretended_finder


@pytest.fixture
def album(tmp_path: Path) -> Path:
    folder = tmp_path / "album"
    folder.mkdir()
    for name, colour in (("a.png", (200, 10, 10)), ("b.png", (10, 200, 10)), ("c.png", (10, 10, 200))):
        Image.fromarray(plain(colour)).save(folder / name)
    return folder


def said(project: Project) -> dict[str, list[tuple[str, str]]]:
    log, paths = project.log(), {frame.id: frame.path for frame in project.frames()}
    found: dict[str, list[tuple[str, str]]] = {}
    for face in project.faces():
        answers = [(a.who, log.text(a.name) if a.name >= 0 else "") for a in log.standing(face.id).answers]
        found.setdefault(paths[face.frame], []).extend(answers)
    return found


def taken_in(tmp_path: Path, album: Path) -> tuple[Project, Summary]:
    made = Project.create(tmp_path / "p")
    return made, ingest(made, IngestPictures(album), finder=pretended_finder())


def test_marked_faces_are_joined_with_found_ones_and_missed_ones_added(album: Path, tmp_path: Path) -> None:
    both = regions(
        region("Ann", ".5", ".5", ".9", ".9"), region("Bo", ".2", ".2", ".2", ".2"), region("", ".8", ".8", ".1", ".1")
    )
    (album / "a.png.xmp").write_bytes(packet(both, more=' digiKam:Pick="0"'))
    (album / ".picasa.ini").write_text("[Contacts2]\nab=Cleo;;\n[b.png]\nfaces=rect64(0000000fffffffff),ab\n")
    people = "<Iptc4xmpExt:PersonInImage><rdf:Bag><rdf:li>Dev</rdf:li></rdf:Bag></Iptc4xmpExt:PersonInImage>"
    people += "<dc:description><rdf:Alt><rdf:li>Monica waits.</rdf:li></rdf:Alt></dc:description>"
    (album / "c.xmp").write_bytes(packet(people))
    project, summary = taken_in(tmp_path, album)
    with project:
        assert (summary.faces, summary.tagged, summary.uncaptioned) == (4, 3, 2)
        assert said(project) == {
            "a.png": [("digiKam", "Ann"), ("digiKam", "Bo")],
            "b.png": [("Picasa", "Cleo")],
            "c.png": [],
        }
        frames = {frame.path: frame for frame in project.frames()}
        assert frames["c.png"].caption == "Monica waits."
        assert {m.name for m in project.mentions(frames["c.png"].id)} == {"Monica", "Dev"}
        assert {m.name for m in project.mentions(frames["a.png"].id)} == {"Ann", "Bo"}
        assert "3 faces named by tags in the pictures" in summary.text()
        again = ingest(project, IngestPictures(album), finder=pretended_finder())
        assert (again.frames, again.tagged, len(project.faces())) == (0, 0, 4)


def test_damaged_and_absurd_notes_lose_nothing(album: Path, tmp_path: Path) -> None:
    (album / "a.png.xmp").write_bytes(b"<x:xmpmeta")
    (album / "b.png.xmp").write_bytes(packet(regions(region("Ann", "7", "7"), region("Bo", ".5", ".5", "1", "1"))))
    (album / "c.png.xmp").write_bytes(packet(regions(region("Dev", ".5", ".5", ".001", ".001"))))
    (album / ".picasa.ini").write_bytes(bytes(range(256)))
    project, summary = taken_in(tmp_path, album)
    with project:
        assert (summary.frames, summary.faces, summary.skipped) == (3, 3, ())
        told = " ".join(summary.notes)
        assert "a.png: the XMP file beside it cannot be read (it is damaged or cut short)" in told
        assert "b.png: the XMP file beside it: the face region of Ann lies nowhere" in told
        assert "c.png: the face region of Dev is too large or too small" in told
        frames = {frame.path: frame.id for frame in project.frames()}
        assert {m.name for m in project.mentions(frames["b.png"])} == {"Ann", "Bo"}
        assert [m.name for m in project.mentions(frames["c.png"])] == ["Dev"]


def test_what_rollcall_writes_beside_pictures_it_reads(album: Path, tmp_path: Path) -> None:
    project, _ = taken_in(tmp_path, album)
    with project:
        one, two, _ = project.faces()
        project.decide("Ann", Change("is", face=one.id, name="Zoë <b>"), Change("nobody", face=two.id))
        write_beside(project.labels())
    with project_at(tmp_path / "q") as again:
        summary = ingest(again, IngestPictures(album), finder=pretended_finder())
        assert summary.tagged == 2
        assert said(again) == {"a.png": [("Ann", "Zoë <b>")], "b.png": [("Ann", "")], "c.png": []}


def test_a_table_replaces_captions_later_and_decisions_stay(album: Path, tmp_path: Path) -> None:
    project, _ = taken_in(tmp_path, album)
    with project:
        face = project.faces()[0].id
        project.decide("Ann", Change("is", face=face, name="Ann"))
        (tmp_path / "table.csv").write_text("image,caption\na.png,Bo waits.\nB.PNG,Cleo and Bo.\nother.png,Dev.\n")
        summary = recaption(project, Recaption(1, tmp_path / "table.csv"))
        assert (summary.captions, set(summary.names), summary.uncaptioned) == (2, {"Bo", "Cleo"}, 1)
        assert [frame.caption for frame in project.frames()] == ["Bo waits.", "Cleo and Bo.", ""]
        assert project.log().standing(face).answers
        copy = shutil.copytree(album, tmp_path / "copy")
        (copy / "captions.csv").write_text("image,caption\nc.png,Dev.\n")
        added = ingest(project, IngestPictures(copy), finder=pretended_finder())
        assert (added.frames, added.captions) == (0, 1)
        assert [frame.caption for frame in project.frames()] == ["Bo waits.", "Cleo and Bo.", "Dev."]
