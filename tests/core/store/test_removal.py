"""Real deletion, checked by searching every byte of the project's folder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.errors import BadInput
from core.project import Change, Project
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
