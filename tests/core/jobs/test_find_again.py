"""Faces are found again: numbers and decisions stay with the faces that are still there, films get tracks."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from core.errors import BadInput
from core.jobs.find_again import find_again
from core.jobs.ingest import ingest
from core.jobs.missed import is_dated
from core.jobs.requests import IngestVideo
from core.media.faces.finder import FaceFinder
from core.media.faces.registry import EMBEDDER
from core.records import Box, NewFace, NewFrame, NewSource
from core.store.project import Change, Project
from core.store.tables import project_table, track_table
from tests.core.media.films import film
from tests.core.media.portraits import portrait, scene

DATED = "facenet-vggface2"


@pytest.fixture(scope="module")
def taken_in(finder: FaceFinder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four seconds: Ada, then Ada and Bruno."""
    folder = tmp_path_factory.mktemp("again")
    shots = [scene(portrait("Ada")), scene(portrait("Ada"), portrait("Bruno"), wall=(60, 30, 20))]
    video = film(folder / "film.mp4", [shot for shot in shots for _ in range(50)])
    with Project.create(folder / "p") as project:
        ingest(project, IngestVideo(video), finder=finder)
    return folder / "p"


@pytest.fixture
def dated(taken_in: Path, tmp_path: Path) -> Iterator[Project]:
    """The same as an older version would have made it: other boxes and vectors, no tracks, no quality."""
    with Project.open(Path(shutil.copytree(taken_in, tmp_path / "p"))) as project:
        database = project.database
        database.run("UPDATE face SET left_ = left_ + 4, bottom = bottom - 5, track = NULL, quality = 1")
        database.run("DELETE FROM track")
        project_table.set_embedder(database, DATED, 512)
        (project.folder / "embeddings.f32").write_bytes(np.ones((len(project.faces()), 512), np.float32).tobytes())
        yield project


def test_a_dated_project_is_known_by_its_embedder(dated: Project, taken_in: Path) -> None:
    assert is_dated(dated)
    with Project.open(taken_in) as project:
        assert not is_dated(project)


def test_every_decision_stays_with_its_face(dated: Project, finder: FaceFinder) -> None:
    first, *others = (face.id for face in dated.faces())
    frame = dated.faces(ids=[first])[0].frame
    added = dated.add_face("me", frame, Box(2, 2, 40, 40), np.ones(512, np.float32), b"crop")
    dated.decide("me", Change("is", face=first, name="Ada"), Change("not a face", face=others[-1]))
    dated.decide("me", Change("is", face=added, name="A poster"))
    dated.run()
    before = {face.id: face.box for face in dated.faces()}
    assert "faces found again" in find_again(dated, finder=finder)
    labels = {label.face.id: label.name for shown in dated.labels().frames for label in shown.faces}
    assert (labels[first], labels[added]) == ("Ada", "A poster")
    assert others[-1] not in labels
    assert dated.faces(ids=[added])[0].box == before[added]
    assert dated.faces(ids=[first])[0].box != before[first]
    assert set(before) <= {face.id for face in dated.faces()}
    assert dated.runs() == []  # they spoke of other vectors
    assert not is_dated(dated)


def test_vectors_and_tracks_are_those_of_a_new_project(dated: Project, taken_in: Path, finder: FaceFinder) -> None:
    find_again(dated, finder=finder)
    with Project.open(taken_in) as new:
        np.testing.assert_allclose(dated.embeddings(), new.embeddings(), atol=1e-3)
        assert [face.track for face in dated.faces()] == [face.track for face in new.faces()]
        tracks = [[(t.start, t.stop) for t in track_table.read(one.database)] for one in (dated, new)]
        assert tracks[0] == tracks[1]
        assert dated.fact("embedder") == new.fact("embedder") == EMBEDDER


def test_without_its_film_the_frames_pictures_do(
    dated: Project, finder: FaceFinder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object) -> Path:
        raise BadInput("it is no longer there")

    monkeypatch.setattr(Project, "to_play", gone)
    numbers = [face.id for face in dated.faces()]
    find_again(dated, finder=finder)
    assert [face.id for face in dated.faces()] == numbers
    assert track_table.read(dated.database) == []


def test_a_stop_changes_nothing(dated: Project, finder: FaceFinder) -> None:
    before = dated.faces()
    assert "stopped" in find_again(dated, stop=lambda: True, finder=finder)
    assert (dated.faces(), dated.fact("embedder")) == (before, DATED)


def test_problem_files_hold_no_pictures(tmp_path: Path, finder: FaceFinder) -> None:
    with Project.create(tmp_path / "p") as project:
        with pytest.raises(BadInput, match="holds nothing yet"):
            find_again(project, finder=finder)
        faces = [NewFace(np.ones(4, np.float32))]
        project.add(NewSource("problem", "/a.npz", "a.npz"), [NewFrame("", [], faces)], "facenet-old")
        assert not is_dated(project)
        with pytest.raises(BadInput, match="holds no pictures"):
            find_again(project, finder=finder)


def test_what_mouths_said_goes_over_to_the_tracks_of_the_same_faces(
    taken_in: Path, finder: FaceFinder, tmp_path: Path
) -> None:
    with Project.open(Path(shutil.copytree(taken_in, tmp_path / "p"))) as project:
        faces = project.faces()
        project.decide("me", Change("is", face=faces[-1].id, name="Ada"))
        name = int(project.database.one("SELECT id FROM name WHERE text = 'Ada'"))
        track_table.insert_evidence(project.database, [(faces[-1].track, name, 1.5)])
        find_again(project, finder=finder)
        again = project.faces(ids=[faces[-1].id])[0]
        assert track_table.read_evidence(project.database) == [(again.track, name, 1.5)]
