"""Frames are dealt out, differing answers are put side by side, and agreement is measured over time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import BadInput
from core.store.project import Change, Project
from core.store.tables import assignment_table
from tests.made import made_project


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with made_project(tmp_path / "film", frames=12) as made:
        yield made


def test_frames_are_dealt_out_evenly_and_some_twice(project: Project) -> None:
    frames = project.team.frames()
    assert project.team.assign("Eve", frames, ["Ann", " Bob ", "Ann", "Cleo"], double=0.25) == 12
    given = assignment_table.read(project.database)
    twice = [frame for frame, many in Counter(one.frame for one in given).items() if many == 2]
    assert len(twice) == 3
    assert {one.frame for one in given if one.blind} == set(twice)
    assert all(len({one.who for one in given if one.frame == frame}) == 2 for frame in twice)
    assert {one.who for one in given} == {"Ann", "Bob", "Cleo"}
    assert {member.frames - member.double for member in project.team.members()} <= {2, 3, 4}
    assert project.team.assign("Eve", frames, ["Dev"]) == 0
    project.team.take_back("Bob")
    assert "Bob" not in [member.who for member in project.team.members()]


def test_the_queue_holds_what_one_was_given(project: Project) -> None:
    whole = project.review.queue(who="Ann").frame.tolist()
    project.team.assign("Eve", [2, 5], ["Ann"])
    assert sorted(project.review.queue(who="Ann").frame.tolist()) == [2, 5]
    assert project.review.queue(who="Bob").frame.tolist() == whole
    project.decide("Ann", *(Change("nobody", face=face.id) for face in project.faces(2)))
    (ann,) = [member for member in project.team.members() if member.who == "Ann"]
    assert (ann.frames, ann.done, ann.double) == (2, 1, 0)


def test_frames_of_a_person_or_a_source(project: Project) -> None:
    of_anna = project.team.frames(person="Anna")
    assert of_anna
    assert all(any(m.name == "Anna" for m in project.mentions(frame)) for frame in of_anna)
    assert project.team.frames(source=7) == []
    with pytest.raises(BadInput, match="nobody called 'Zed'"):
        project.team.frames(person="Zed")


@pytest.mark.parametrize(("people", "double"), [([], 0.0), (["Ann"], 0.5), (["Ann", "Bob"], 1.5)])
def test_what_cannot_be_dealt_out_is_refused(project: Project, people: list[str], double: float) -> None:
    with pytest.raises(BadInput):
        project.team.assign("Eve", [1], people, double)


def test_differences_are_shown_with_who_said_what_and_can_be_settled(project: Project) -> None:
    one, other = (face.id for face in project.faces(1)[:2])
    seen = project.log().version
    for face, first, second in ((one, "Anna", "Boris"), (other, "Dev", "Dev")):
        project.decide("Ann", Change("is", face=face, name=first), seen=seen)
        project.decide("Bob", Change("is", face=face, name=second) if second else Change("nobody", face=face), seen=seen)
    (found,) = project.team.differences()
    assert (found.face.id, [(said.who, said.name) for said in found.answers]) == (one, [("Ann", "Anna"), ("Bob", "Boris")])
    project.decide("Eve", Change("is", face=one, name="Anna"))
    assert project.team.differences() == []
    (day,) = project.team.over_time("Ann", "Bob")
    assert (day.faces, day.same) == (2, 1)  # what was settled since does not change how they agreed
    assert day.kappa == pytest.approx(1 / 3)


def test_an_answer_that_replaced_the_others_is_no_agreement(project: Project) -> None:
    face = project.faces(1)[0].id
    project.decide("Ann", Change("is", face=face, name="Anna"))
    project.decide("Bob", Change("is", face=face, name="Boris"))  # Bob saw Ann's answer
    assert project.team.over_time("Ann", "Bob") == []
