"""Two people answer the same frame, and neither sees the other's answer before both have given one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.store.decisions.blind import waiting_faces
from core.store.project import Change, Project
from core.store.runs.solving import question
from tests.made import made_project


@pytest.fixture
def people(tmp_path: Path) -> Iterator[tuple[Project, Project, Project]]:
    """The project as the owner, Ann and Bob see it; both have frame 0, blind."""
    made_project(tmp_path / "film", frames=4).close()
    with (
        Project.open(tmp_path / "film") as owner,
        Project.open(tmp_path / "film", "Ann") as ann,
        Project.open(tmp_path / "film", "Bob") as bob,
    ):
        owner.team.assign("Eve", [0], ["Ann", "Bob"], double=1.0)
        yield owner, ann, bob


def answers(project: Project, face: int) -> list[tuple[str, str]]:
    log = project.log()
    return [(answer.who, log.text(answer.name)) for answer in log.standing(face).answers]


def test_answers_are_hidden_until_all_have_answered_and_then_differ(people: tuple[Project, Project, Project]) -> None:
    owner, ann, bob = people
    faces = [face.id for face in owner.faces(0)]
    ann.decide("Ann", *(Change("is", face=face, name="Anna") for face in faces), seen=ann.log().version)
    assert [answers(project, faces[0]) for project in (owner, ann, bob)] == [[("Ann", "Anna")], [("Ann", "Anna")], []]
    assert bob.log().version == owner.log().version
    assert int(bob.current_labels().waiting[:2].sum()) == 2
    for face in faces:
        assert answers(ann, face) == [("Ann", "Anna")]
        bob.decide("Bob", Change("is", face=face, name="Boris" if face == faces[0] else "Anna"), seen=bob.log().version)
    for project in people:
        assert answers(project, faces[0]) == [("Ann", "Anna"), ("Bob", "Boris")]
        assert project.log().conflicts == {faces[0]}
        assert set(faces[1:]) <= set(project.log().settled)


def test_no_run_knows_what_waits(people: tuple[Project, Project, Project]) -> None:
    owner, ann, bob = people
    faces = [face.id for face in owner.faces(0)]
    ann.decide("Ann", *(Change("is", face=face, name="Anna") for face in faces))
    assert waiting_faces(owner.database, owner.log()) == set(faces)
    assert question(owner.reader).corrections == []
    bob.decide("Bob", *(Change("is", face=face, name="Anna") for face in faces))
    assert waiting_faces(owner.database, owner.log()) == frozenset()
    assert len(question(owner.reader).corrections) == len(faces)


def test_undoing_hides_it_again_and_other_frames_are_open_to_all(people: tuple[Project, Project, Project]) -> None:
    owner, ann, bob = people
    faces = [face.id for face in owner.faces(0)]
    other = owner.faces(1)[0].id
    ann.decide("Ann", *(Change("is", face=face, name="Anna") for face in faces))
    ann.decide("Ann", Change("is", face=other, name="Dev"))
    assert answers(bob, other) == [("Ann", "Dev")]
    bob.decide("Bob", *(Change("is", face=face, name="Boris") for face in faces))
    assert len(answers(bob, faces[0])) == 2
    bob.undo("Bob")
    assert answers(bob, faces[0]) == []
    assert answers(owner, faces[0]) == [("Ann", "Anna")]
