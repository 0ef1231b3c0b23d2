"""A source is taken out: nothing of it is left in any file, and what was said of it no longer counts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.errors import BadInput
from core.records import NewFace, NewFrame, NewMention, NewSource
from core.store.project import Change, Project
from tests.made import DIMENSION, drawn_face, made_project


@pytest.fixture
def project(tmp_path: Path):
    """A film, and two pictures from the browser, one of which bears a face of its own look."""
    with made_project(tmp_path / "film", frames=6) as made:
        upload = made.folder / "uploads" / "1" / "pictures"
        upload.mkdir(parents=True)
        (upload / "a.jpg").write_bytes(b"a picture")
        vector = np.full(DIMENSION, 0.125, np.float32)
        frames = [
            NewFrame(
                "Zelda waits.", [NewMention("Zelda")], [NewFace(vector, crop=drawn_face(k))], path=f"{k}.jpg", picture=b"x"
            )
            for k in (1, 2)
        ]
        made.add(NewSource("pictures", str(upload), "pictures", "p"), frames, "made")
        yield made


def test_its_faces_files_and_captions_are_gone_and_the_rest_stays(project: Project) -> None:
    before = {face.id: face for face in project.faces()}
    film = [face for face in before.values() if face.frame < 6]
    mine = [face for face in before.values() if face.frame >= 6]
    project.decide("Ann", Change("is", face=mine[0].id, name="Zelda"), Change("is", face=film[0].id, name="Anna"))
    project.decide("Ann", Change("mention", frame=mine[0].frame, name="Boris"))
    crops = [face.crop for face in mine]
    assert project.remove_source("Bob", 2) == 2
    assert [source.id for source in project.sources()] == [1]
    assert [face.id for face in project.faces()] == [face.id for face in film]
    assert not any(crop and crop.exists() for crop in crops)
    assert not (project.folder / "uploads" / "1").exists()
    assert len(project.embeddings()) == len(film)
    row = np.full(DIMENSION, 0.125, np.float32).tobytes()
    assert not any(row in path.read_bytes() for path in project.folder.rglob("*") if path.is_file())
    assert not any(b"Zelda waits" in path.read_bytes() for path in project.folder.rglob("*") if path.is_file())
    assert project.log().standing(mine[0].id).answers == ()
    assert project.log().standing(film[0].id).answers
    assert project.log().settled == {film[0].id}
    assert "took pictures (2 faces) out" in [project.log().said(entry) for entry in project.log().entries]


def test_it_cannot_be_undone_and_its_numbers_are_not_used_again(project: Project) -> None:
    face = project.faces()[-1]
    project.decide("Ann", Change("is", face=face.id, name="Zelda"))
    project.decide("Ann", Change("mention", frame=face.frame, name="Boris"))
    project.remove_source("Ann", 2)
    assert [entry.kind for entry in project.undo("Ann")] == ["mention"]  # the step before, not the taking out
    project.redo("Ann")
    vector = np.ones(DIMENSION, np.float32) / 8
    project.add(NewSource("pictures", "/p", "p", "q"), [NewFrame("", [], [NewFace(vector)], path="n.jpg")], "made")
    new = project.faces()[-1]
    assert new.id > face.id
    assert new.frame > face.frame
    assert project.log().standing(new.id).answers == ()
    assert project.mentions(new.frame) == ()
    assert len(project.timeline().frame) == 7


def test_a_run_and_an_export_go_on(project: Project, tmp_path: Path) -> None:
    project.remove_source("Ann", 1)
    assert project.solved() is None
    project.run("pair-clustering")
    project.export("json", tmp_path / "all.json")
    with Project.from_json(tmp_path / "all.json", tmp_path / "again") as again:
        assert [source.title for source in again.sources()] == ["pictures"]


def test_what_is_not_there_is_refused(project: Project) -> None:
    with pytest.raises(BadInput, match="no source 9"):
        project.remove_source("Ann", 9)


def test_a_copy_that_still_has_it_keeps_what_was_said(project: Project, tmp_path: Path) -> None:
    import shutil

    face = project.faces()[-1].id
    project.decide("Ann", Change("is", face=face, name="Zelda"))
    shutil.copytree(project.folder, tmp_path / "copy")
    project.remove_source("Ann", 2)
    with Project.open(tmp_path / "copy") as copy:
        assert copy.merge(project).decisions == 0
        assert copy.log().standing(face).answers
