"""Real deletion, checked by searching every byte of the project's folder."""

from __future__ import annotations

import base64
import json
import os
import sqlite3
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.errors import BadInput
from core.media.cache import Cache, Seen
from core.media.faces.kinds import Found
from core.records import Box, NewFace, NewFrame, NewMention, NewSource
from core.store import files
from core.store.project import Change, Project
from core.store.tables import job_table
from tests.made import made_project


def everything(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


@pytest.fixture
def project(tmp_path: Path):
    with made_project(tmp_path / "film", frames=12, names=("Annabella", "Boris", "Chloe")) as made:
        yield made


def test_a_removed_person_leaves_no_byte(project):
    project.decide("Ann", Change("rename", name="Annabella", other="Queen Annabella"))
    project.decide("Ann", Change("mention", frame=1, name="Lady Anna"))
    project.decide("Ann", Change("merge", name="Lady Anna", other="Queen Annabella"))
    uploads = project.folder / "uploads" / "1"
    uploads.mkdir(parents=True)
    (uploads / "film.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nANNABELLA: Hello.\n")
    (uploads / "film.mp4").write_bytes(bytes(100))
    project.cache.mkdir(exist_ok=True)
    (project.cache / "x").write_bytes(project.embeddings()[0].tobytes())
    faces = [label.face for frame in project.labels().frames for label in frame.faces if label.name == "Queen Annabella"]
    vectors = [np.array(project.embeddings()[face.id]).tobytes() for face in faces]
    crops = [face.crop.read_bytes() for face in faces]
    pictures = {frame.id: frame.picture.read_bytes() for frame in project.frames({face.frame for face in faces})}
    entries = len(project.log().entries)
    assert faces
    assert vectors[0] in everything(project.folder)
    assert b"Annabella" in everything(project.folder)

    assert project.remove_person("Queen Annabella") == len(faces)

    left = everything(project.folder)
    assert [path.name for path in uploads.iterdir()] == ["film.mp4"]
    for text in (b"Annabella", b"ANNABELLA", b"Queen", b"Lady Anna"):
        assert text not in left
    for vector in vectors:
        assert vector not in left
    other = {face.crop.read_bytes() for face in project.faces()}
    for crop in crops:
        assert crop in other or crop not in left  # drawn faces may be alike; none of theirs is left
    assert not any(face.crop.exists() for face in faces)
    for frame in project.frames(sorted(pictures)):
        assert frame.picture.read_bytes() != pictures[frame.id]
    assert len(project.log().entries) == entries  # the log keeps its entries
    assert all("nnabella" not in frame.caption for frame in project.frames())
    assert sorted(project.names()) == ["Boris", "Chloe"]
    project.run()
    assert {label.name for frame in project.labels().frames for label in frame.faces} <= {"", "Boris", "Chloe"}


def noisy_project(folder: Path) -> Project:
    """Three people in turn, alone in a frame each; every crop and every vector is like no other."""
    random = np.random.default_rng(1)
    frames = []
    for number in range(9):
        name = ("Boris", "Chloe", "Annabella")[number % 3]
        crop = BytesIO()
        Image.fromarray(random.integers(0, 255, (64, 64, 3), np.uint8)).save(crop, "JPEG", quality=90)
        face = NewFace(random.normal(size=32).astype(np.float32), Box(10, 10, 60, 60), crop.getvalue())
        caption = f"{name} waits."
        frames.append(
            NewFrame(caption, [NewMention(name, ((0, len(name)),))], [face], picture=crop.getvalue(), width=64, height=64)
        )
    project = Project.create(folder, "film")
    project.add(NewSource("pictures", "/pictures", "pictures"), frames, "made")
    for number in range(9):
        project.decide("Ann", Change("is", face=number, name=("Boris", "Chloe", "Annabella")[number % 3]))
    project.run()
    return project


def photo(path: Path) -> bytes:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"a photo " + os.urandom(64))
    return path.read_bytes()


def test_no_trace_of_a_crop_or_vector_is_left_in_any_form_or_file(tmp_path: Path) -> None:
    with noisy_project(tmp_path / "film") as project, Project.open(project.folder) as elsewhere:
        theirs, others = [2, 5, 8], [0, 1, 3, 4, 6, 7]
        vectors = {face: np.array(project.embeddings()[face]) for face in range(9)}
        crops = {face: project.faces(ids=[face])[0].crop.read_bytes() for face in range(9)}
        small = np.zeros((40, 40), np.uint8)
        seen = [
            Found(Box(1, 1, 9, 9), 1.0, np.zeros((5, 2)), "", 1.0, vectors[face], small, crops[face]) for face in range(9)
        ]
        Cache(project.cache, "finder").put([(str(face), Seen(64, 64, [one], crops[face])) for face, one in enumerate(seen)])
        project.comparison.compare(["rollcall"])
        (project.cache / "job.log").write_text("skipped people/Annabella.jpg: no face in it")
        asked = {"project": str(project.folder), "work": {"captions": "/films/Annabella.srt", "every": 2.0}}
        for request in (asked, ["ingest", "--captions", "/films/Annabella.srt"]):  # as it is kept, and was before
            job_table.add(project.database, "ingest", "failed", json.dumps(request))
        project.database.run("UPDATE job SET message = 'Annabella.srt: no line has a time' WHERE id = 2")
        left_behind = project.folder / "incoming-1"
        files.write_file(files.crop_path(left_behind, 0), crops[2])
        with (project.folder / "embeddings.f32").open("ab") as table:
            table.write(vectors[2].tobytes())  # of an ingest that was killed
        uploads = project.folder / "uploads" / "1"
        photos = [
            photo(uploads / "people" / place) for place in ("folk/annabella/1.jpg", "folk/Boris/1.jpg", "Annabella 2.jpg")
        ]
        (uploads / "film.srt").write_bytes("1\n00:00:01,000 --> 00:00:02,000\nAnnabella: Zoë?\n".encode("utf-16"))
        elsewhere.log()  # the app, say
        before = everything(project.folder)
        for face in theirs:
            assert all(form in before for form in (*forms(vectors[face])[:1], *parts(crops[face])))

        assert project.remove_person("Annabella") == 3

        left = everything(project.folder)
        for face in theirs:
            assert not any(form in left for form in (*forms(vectors[face]), *parts(crops[face])))
        for text in ("Annabella", "annabella", "ANNABELLA"):
            assert not any(text.encode(encoding) in left for encoding in ("utf-8", "utf-16-le", "utf-16-be"))
        assert not any("nnabella" in path.name for path in project.folder.rglob("*"))
        assert [content in left for content in photos] == [False, True, False]
        for face in others:
            assert vectors[face].tobytes() in left
            assert crops[face] in left
        project.add(
            NewSource("pictures", "/more", "more"), [NewFrame("", [], [NewFace(vectors[1], Box(0, 0, 9, 9), None)])], "made"
        )
        assert project.faces()[-1].id == 9  # no number that the log knows of somebody removed


def forms(vector: np.ndarray) -> list[bytes]:
    """How a vector may be written: as it is, and exactly or roughly in other kinds of number or as text."""
    kinds = [vector.astype(kind).tobytes() for kind in ("<f4", "<f2", ">f4", "<f8")]
    return [*kinds, repr(vector.tolist()).encode(), base64.b64encode(vector.tobytes())[:40]]


def parts(crop: bytes) -> list[bytes]:
    """Pieces of a picture's own data, behind what all JPEG files begin with."""
    return [crop[start : start + 48] for start in range(len(crop) // 2, len(crop) - 48, len(crop) // 8)]


def test_nobody_is_removed_while_something_runs(project: Project, tmp_path: Path) -> None:
    import fcntl  # not on every system

    with (project.folder / "job.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        project.database.run(
            "INSERT INTO job (kind, state, stage, done, total, started, updated, message, pid, stop)"
            " VALUES ('run', 'running', 'people', 0, 0, 0, 0, '', 0, 0)"
        )
        with pytest.raises(BadInput, match="something is running"):
            project.remove_person("Boris")
    assert "Boris" in project.names()


def test_traces_that_another_reader_keeps_are_told(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.database.run("PRAGMA busy_timeout = 100")
    reader = sqlite3.connect(project.folder / "project.sqlite", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM face").fetchone()
    with pytest.raises(BadInput, match=r"it is removed, but another program reads the project"):
        project.remove_person("Boris")
    reader.execute("COMMIT")
    reader.close()
    assert "Boris" not in project.names()
    project.close()
    assert b"Boris" not in everything(project.folder)


def test_the_rest_stays_and_still_works(project):
    project.decide("Ann", Change("is", face=0, name="Boris"))
    others = [label.face.id for frame in project.labels().frames for label in frame.faces if label.name == "Boris"]
    project.remove_person("Chloe")
    assert {face.id for face in project.faces()} >= set(others)
    assert project.log().text(project.log().standing(0).answer.name) == "Boris"
    with Project.open(project.folder) as again:
        assert again.run().faces == len(again.faces())


def test_nobody_of_that_name_is_said(project):
    with pytest.raises(BadInput, match="nobody called Zed"):
        project.remove_person("Zed")


def test_a_removed_project_is_gone_and_nothing_else(tmp_path):
    made_project(tmp_path / "film", frames=3).close()
    (tmp_path / "other.txt").write_text("stays")
    Project.remove(tmp_path / "film")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other.txt"]


def test_a_folder_with_other_files_is_not_removed(tmp_path):
    made_project(tmp_path / "film", frames=3).close()
    (tmp_path / "film" / "thesis.txt").write_text("mine")
    with pytest.raises(BadInput, match=r"thesis\.txt is not the project's"):
        Project.remove(tmp_path / "film")
    assert (tmp_path / "film" / "project.sqlite").exists()
    with pytest.raises(BadInput, match="no project"):
        Project.remove(tmp_path)
