"""Who is this, who is on screen when, and everything as files: over all projects of an archive."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import BadInput
from core.jobs.archive.search import changed, export_all, find, names, on_screen, refresh, vector_of
from core.store.archives.archive import Archive, NewFilm
from core.store.project import Change, Project
from tests.made import made_project

ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture(autouse=True)
def here() -> None:
    """These tests need no networks."""


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    """Two projects in which the same people are, and one of vectors of another kind."""
    with Archive.at(tmp_path / "archive") as made:
        made.states.add([NewFilm(name, name.title(), Path("/films") / f"{name}.mp4") for name in ("one", "two")])
        for name in ("one", "two"):
            made_project(made.project_folder(name), 8).close()
        yield made


def test_a_person_is_found_in_all_films(archive: Archive) -> None:
    assert refresh(archive) == 2
    assert refresh(archive) == 0  # nothing has changed
    with Project.open(archive.project_folder("one")) as project:
        embedder, vector = vector_of(project, 0)
        truth = project.faces(ids=[0])[0].truth
    hits = find(archive, embedder, vector)
    assert hits[0].cosine == pytest.approx(1.0, abs=1e-3)
    assert {hit.face.project for hit in hits} == {"one", "two"}
    with Project.open(archive.project_folder("two")) as project:
        there = [hit.face.face for hit in hits[:4] if hit.face.project == "two"]
        assert {face.truth for face in project.faces(ids=there)} == {truth}
    assert find(archive, "another embedder", vector) == []  # kinds never mix


def test_who_is_on_screen_when(archive: Archive) -> None:
    refresh(archive)
    everybody = names(archive)
    assert {one.name for one in everybody} == {"Anna", "Boris", "Chloe", "Dev"}
    assert all(one.projects == 2 for one in everybody)
    assert [one.name for one in names(archive, "ANN")] == ["Anna"]
    seen = on_screen(archive, "Anna")
    assert {one.source for one in seen} == {"one.mp4", "two.mp4"}
    assert all(one.start < one.stop for one in seen)
    assert on_screen(archive, "Anna", many=1) == seen[:1]


def test_what_people_decide_later_is_taken_in(archive: Archive) -> None:
    refresh(archive)
    before = on_screen(archive, "Anna")
    with Project.open(archive.project_folder("one")) as project:
        for face in project.faces():
            project.decide("me", Change("is", face=face.id, name="Zoe"))
    assert refresh(archive) == 1
    assert {one.project for one in on_screen(archive, "Anna")} == {"two"}
    assert len(on_screen(archive, "Anna")) < len(before)
    assert [one.projects for one in names(archive, "Zoe")] == [1]
    with Project.open(archive.project_folder("one")) as project:
        embedder, vector = vector_of(project, 0)
    faces = [(hit.face.project, hit.face.face) for hit in find(archive, embedder, vector)]
    assert len(faces) == len(set(faces))  # no face is there twice
    assert {hit.face.name for hit in find(archive, embedder, vector) if hit.face.project == "one"} == {"Zoe"}


def test_a_project_that_is_gone_is_found_no_more(archive: Archive) -> None:
    refresh(archive)
    Project.remove(archive.project_folder("one"))
    refresh(archive)
    assert {one.project for one in on_screen(archive, "Anna")} == {"two"}


def test_of_a_person_who_is_removed_nothing_is_left(archive: Archive) -> None:
    refresh(archive)
    for name in ("one", "two"):
        with Project.open(archive.project_folder(name)) as project:
            for face in project.faces():
                if face.truth == "Anna":
                    project.decide("me", Change("is", face=face.id, name="Anna"))
            embedder, vector = vector_of(project, next(face.id for face in project.faces() if face.truth == "Anna"))
            project.remove_person("Anna")
    refresh(archive)
    assert names(archive, "Anna") == []
    assert all(hit.cosine < 0.6 for hit in find(archive, embedder, vector))
    files = [path for path in archive.search_folder().rglob("*") if path.is_file()]
    assert len(files) > 2
    assert not [path for path in files if b"Anna" in path.read_bytes()]


def test_everything_is_exported(archive: Archive, tmp_path: Path) -> None:
    assert export_all(archive, "csv", tmp_path / "out") == 2
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["one.csv", "two.csv"]
    with pytest.raises(BadInput, match="there is something here"):
        export_all(archive, "csv", tmp_path / "out")
    with pytest.raises(BadInput, match="no format"):
        export_all(archive, "xlsx", tmp_path / "other")


def test_a_project_of_an_older_version_is_taken_in_once(archive: Archive) -> None:
    """Opening it brings it up to date, which is no change that somebody made."""
    shutil.rmtree(archive.project_folder("two"))
    shutil.copytree(ROOT / "assets" / "demo" / "project", archive.project_folder("two"))
    assert refresh(archive) == 2
    assert changed(archive) == 0
