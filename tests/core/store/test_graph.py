"""One frame as a graph, the faces that belong together, and what a click means."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import BadInput
from core.project import Change, Project
from core.store import answering
from core.store.decisions import Kind
from core.store.graph import graph, same_person, same_track
from core.store.now import OPEN
from tests.made import made_project


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with made_project(tmp_path / "film", frames=12) as made:
        yield made


def kinds(changes: list[Change]) -> list[tuple[Kind, str]]:
    return [(change.kind, change.name) for change in changes]


def test_a_frame_shows_its_names_its_faces_from_left_to_right_and_what_the_machine_thinks(project: Project) -> None:
    drawn = graph(project, 0)
    assert [mention.name for mention in drawn.mentions] == ["Anna", "Boris"]
    assert [links.face.id for links in drawn.faces] == [0, 1, 2]
    assert [links.face.box.left for links in drawn.faces] == [40.0, 180.0, 320.0]
    assert [links.thought[0].name for links in drawn.faces] == ["Anna", "Boris", ""]
    assert all(links.said == () and links.refused == () for links in drawn.faces)
    assert drawn.elsewhere == ()
    with pytest.raises(BadInput, match="there is no frame 99"):
        graph(project, 99)


def test_before_the_first_run_nothing_is_thought(tmp_path: Path) -> None:
    with made_project(tmp_path / "film", frames=3, run=False) as project:
        assert [links.thought for links in graph(project, 0).faces] == [(), (), ()]


def test_the_answer_comes_first_then_the_runners_up_the_likeliest_first(tmp_path: Path) -> None:
    with made_project(tmp_path / "film", frames=24, noise=2.5, seed=3) as project:
        frames = [graph(project, frame.id) for frame in project.frames()]
        several = [links.thought for drawn in frames for links in drawn.faces if len(links.thought) > 2]
        assert several
        for thought in several:
            runners_up = [other.confidence for other in thought[1:]]
            assert runners_up == sorted(runners_up, reverse=True)
            assert len({other.name for other in thought}) == len(thought)


def test_what_people_said_and_refused_is_there_and_two_who_differ_are_both(project: Project) -> None:
    seen = project.log().version
    project.decide("ann", Change("is", face=0, name="Chloe"), seen=seen)
    project.decide("ben", Change("nobody", face=0), seen=seen)
    project.decide("ann", Change("is not", face=1, name="Boris"))
    drawn = graph(project, 0)
    assert [(said.name, said.who) for said in drawn.faces[0].said] == [("Chloe", "ann"), ("", "ben")]
    assert drawn.faces[1].refused == ("Boris",)
    assert drawn.elsewhere == ("Chloe",)


def test_a_merged_name_is_one_name(project: Project) -> None:
    project.decide("ann", Change("merge", name="Boris", other="Anna"))
    drawn = graph(project, 0)
    assert [mention.name for mention in drawn.mentions] == ["Anna"]
    assert [links.thought[0].name for links in drawn.faces[:2]] == ["Anna", "Anna"]


def test_faces_of_one_person_are_counted_and_found_as_long_as_they_are_open(project: Project) -> None:
    anna = graph(project, 0).faces[0]
    others = same_person(project, 0)
    assert anna.person == len(others) > 0
    assert 0 not in others
    truth = {face.id: face.truth for face in project.faces()}
    assert {truth[int(face)] for face in others} == {"Anna"}
    project.decide("ann", Change("is", face=int(others[0]), name="Anna"))
    assert graph(project, 0).faces[0].person == len(others) - 1
    assert len(same_track(project, 0)) == anna.track == 0


# --- What a click means ---


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
    assert {said.name for said in graph(project, 0).faces[0].said} == {"Chloe", ""}


def test_an_answer_spreads_over_the_person_and_only_over_open_faces(project: Project) -> None:
    with pytest.raises(BadInput, match="say who this face is first"):
        answering.spread(project, 0, "person")
    others = same_person(project, 0).tolist()
    project.decide("ben", Change("nobody", face=others[0]))
    project.decide("ann", Change("is", face=0, name="Anna"))
    changes = answering.spread(project, 0, "person")
    assert [change.face for change in changes] == others[1:]
    assert {(change.kind, change.name) for change in changes} == {("is", "Anna")}


def test_a_stranger_is_ignored_everywhere_but_a_named_person_only_here(project: Project) -> None:
    stranger = next(face.id for face in project.faces() if face.truth == "")
    changes = answering.ignore(project, stranger)
    truth = {face.id: face.truth for face in project.faces()}
    assert len(changes) > 1
    assert {truth[change.face or 0] for change in changes} == {""}
    assert [change.face for change in answering.ignore(project, 0)] == [0]
    project.decide("ann", *changes)
    state = project.now().state[project.now().rows(project.now().face)]
    assert (state != OPEN).sum() == len(changes)
