"""What a click means: the changes it makes."""

from __future__ import annotations

import pytest

from core.errors import BadInput
from core.store.decisions import answering
from core.store.decisions.log import Kind
from core.store.project import Change, Project
from core.store.views.current_labels import OPEN
from core.store.views.graph import same_person


def kinds(changes: list[Change]) -> list[tuple[Kind, str]]:
    return [(change.kind, change.name) for change in changes]


def test_an_answer_taken_back_leaves_what_was_refused(project: Project) -> None:
    project.decide("ann", Change("is not", face=0, name="Boris"), Change("is", face=0, name="Anna"))
    changes = answering.take_back(project.log(), 0)
    project.decide("ann", *changes)
    standing = project.log().standing(0)
    assert standing.answers == ()
    assert [project.log().text(name) for name in standing.refused] == ["Boris"]


def test_one_refusal_can_be_taken_back_and_the_rest_stays(project: Project) -> None:
    project.decide("ann", Change("is not", face=0, name="Boris"), Change("is not", face=0, name="Dev"))
    project.decide("ann", Change("nobody", face=0))
    project.decide("ann", *answering.allow_again(project.log(), 0, "Boris"))
    standing = project.log().standing(0)
    assert [project.log().text(name) for name in standing.refused] == ["Dev"]
    assert standing.answer is not None
    assert standing.answer.kind == "nobody"


def test_striking_one_of_two_answers_leaves_the_other(project: Project) -> None:
    seen = project.log().version
    project.decide("ann", Change("is", face=0, name="Chloe"), seen=seen)
    project.decide("ben", Change("nobody", face=0), seen=seen)
    assert kinds(answering.strike(project.log(), 0, "Chloe")) == [("nobody", "")]
    assert kinds(answering.strike(project.log(), 0, "")) == [("is", "Chloe")]
    project.decide("cat", Change("is", face=0, name="Dev"), seen=seen)
    assert kinds(answering.strike(project.log(), 0, "Dev")) == [("is not", "Dev")]
    project.decide("cat", *answering.strike(project.log(), 0, "Dev"))
    assert {said.name for said in project.review.graph(0).faces[0].said} == {"Chloe", ""}


def test_an_answer_spreads_over_the_person_and_only_over_open_faces(project: Project) -> None:
    with pytest.raises(BadInput, match="say who this face is first"):
        project.review.spread(0, "person")
    others = same_person(project.current_labels(), project.solved(), 0).tolist()
    project.decide("ben", Change("nobody", face=others[0]))
    project.decide("ann", Change("is", face=0, name="Anna"))
    changes = project.review.spread(0, "person")
    assert [change.face for change in changes] == others[1:]
    assert {(change.kind, change.name) for change in changes} == {("is", "Anna")}


def test_a_stranger_is_ignored_everywhere_but_a_named_person_only_here(project: Project) -> None:
    stranger = next(face.id for face in project.faces() if face.truth == "")
    changes = project.review.ignore(stranger)
    truth = {face.id: face.truth for face in project.faces()}
    assert len(changes) > 1
    assert {truth[change.face or 0] for change in changes} == {""}
    assert [change.face for change in project.review.ignore(0)] == [0]
    project.decide("ann", *changes)
    state = project.current_labels().state[project.current_labels().rows(project.current_labels().face)]
    assert (state != OPEN).sum() == len(changes)
