"""A second episode: people whom the first confirmed come with a suggestion; deleting them deletes them there."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from core.records import NewFace, NewFrame, NewSource
from core.solvers.embeddings import FACENET
from core.store.library.shelf import FILE, Library
from core.store.project import Change, Project
from tests.core.store.library.drawn import drawn_people

NAMES = ("Ann", "Bo", "Cleo")


def episode(folder: Path, vectors: np.ndarray, embedder: str = FACENET) -> Project:
    """One frame a face, each face a track of its own; the faces of one person follow each other."""
    project = Project.create(folder, folder.name)
    rows = [NewFrame("", [], [NewFace(row, crop=b"jpeg")], time=float(k)) for k, row in enumerate(vectors.reshape(-1, 512))]
    project.add(NewSource("video", "/film.mp4", "film.mp4", folder.name, 100.0), rows, embedder)
    return project


@pytest.fixture
def episodes(tmp_path: Path, library: Path) -> Iterator[tuple[Project, Project]]:
    """The second episode has the people of the first, and a stranger."""
    faces = drawn_people(4, 8)
    with episode(tmp_path / "One", faces[:3, :4]) as one, episode(tmp_path / "Two", faces[:, 4:]) as two:
        yield one, two


def confirm(project: Project) -> None:
    changes = [Change("is", face=face.id, name=NAMES[k // 4]) for k, face in enumerate(project.faces())]
    project.decide("me", *changes)


def test_known_people_are_suggested_and_strangers_are_not(episodes: tuple[Project, Project]) -> None:
    one, two = episodes
    confirm(one)
    assert one.library.give() == 0  # it is off
    assert two.library.ask([np.arange(4)]) == [None]
    Library().turn(True)
    assert one.library.give() == 3
    found = two.library.ask([np.arange(k, k + 4) for k in range(0, 16, 4)])
    assert [(likely.name, likely.reason) for likely in found if likely and likely.sure] == [
        (name, "like 4 faces in One") for name in NAMES
    ]
    assert one.library.ask([np.arange(4)]) == [None]  # nobody knows themselves from their own project
    shown = [group.suggestions for group in two.groups.overview().groups]
    assert {some[0].reason for some in shown if some} == {"like 4 faces in One"}
    assert not two.log().entries  # a suggestion is no decision


def test_who_refused_a_name_is_not_offered_it_again(episodes: tuple[Project, Project]) -> None:
    one, two = episodes
    Library().turn(True)
    confirm(one)
    one.library.give()
    group = next(group for group in two.groups.overview().groups if group.suggestions)
    name = group.suggestions[0].name
    two.decide("me", *[Change("is not", face=face, name=name) for face in group.faces.tolist()])
    same = next(other for other in two.groups.overview().groups if other.key == group.key)
    assert name not in [one.name for one in same.suggestions]


def test_deleting_a_person_deletes_them_in_the_library(episodes: tuple[Project, Project], library: Path) -> None:
    one, two = episodes
    Library().turn(True)
    confirm(one)
    one.library.give()
    two.decide("me", Change("is", face=0, name="Ann"))
    two.remove_person("Ann")
    assert [person.name for person in Library().people()] == ["Bo", "Cleo"]
    one.undo("me")
    assert one.library.give() == 0
    assert Library().people() == []


def test_a_damaged_library_stops_nobody(episodes: tuple[Project, Project], library: Path) -> None:
    library.mkdir()
    (library / FILE).write_bytes(b"no database" * 99)
    assert episodes[1].library.ask([np.arange(4)]) == [None]
    assert episodes[1].groups.overview().groups


def test_embedders_never_mix(tmp_path: Path, library: Path) -> None:
    Library().turn(True)
    faces = drawn_people(3, 8)
    with episode(tmp_path / "One", faces[:, :4]) as one, episode(tmp_path / "Two", faces[:, 4:], "facenet-vggface2") as two:
        confirm(one)
        one.library.give()
        assert two.library.ask([np.arange(4)]) == [None]
