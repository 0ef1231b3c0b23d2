"""One frame as a graph, the faces that belong together, and what a click means."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import BadInput
from core.store.project import Change, Project
from core.store.views.graph import same_person, same_track
from tests.made import made_project


def test_a_frame_shows_its_names_its_faces_from_left_to_right_and_what_the_machine_thinks(project: Project) -> None:
    drawn = project.review.graph(0)
    assert [mention.name for mention in drawn.mentions] == ["Anna", "Boris"]
    assert [links.face.id for links in drawn.faces] == [0, 1, 2]
    assert [links.face.box.left for links in drawn.faces] == [40.0, 180.0, 320.0]
    assert [links.thought[0].name for links in drawn.faces] == ["Anna", "Boris", ""]
    assert all(links.said == () and links.refused == () for links in drawn.faces)
    assert drawn.elsewhere == ()
    with pytest.raises(BadInput, match="there is no frame 99"):
        project.review.graph(99)


def test_before_the_first_run_nothing_is_thought(tmp_path: Path) -> None:
    with made_project(tmp_path / "film", frames=3, run=False) as project:
        assert [links.thought for links in project.review.graph(0).faces] == [(), (), ()]


def test_the_answer_comes_first_then_the_runners_up_the_likeliest_first(tmp_path: Path) -> None:
    with made_project(tmp_path / "film", frames=24, noise=2.5, seed=3) as project:
        frames = [project.review.graph(frame.id) for frame in project.frames()]
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
    drawn = project.review.graph(0)
    assert [(said.name, said.who) for said in drawn.faces[0].said] == [("Chloe", "ann"), ("", "ben")]
    assert drawn.faces[1].refused == ("Boris",)
    assert drawn.elsewhere == ("Chloe",)


def test_a_merged_name_is_one_name(project: Project) -> None:
    project.decide("ann", Change("merge", name="Boris", other="Anna"))
    drawn = project.review.graph(0)
    assert [mention.name for mention in drawn.mentions] == ["Anna"]
    assert [links.thought[0].name for links in drawn.faces[:2]] == ["Anna", "Anna"]


def test_faces_of_one_person_are_counted_and_found_as_long_as_they_are_open(project: Project) -> None:
    anna = project.review.graph(0).faces[0]
    others = same_person(project.current_labels(), project.solved(), 0)
    assert anna.person == len(others) > 0
    assert 0 not in others
    truth = {face.id: face.truth for face in project.faces()}
    assert {truth[int(face)] for face in others} == {"Anna"}
    project.decide("ann", Change("is", face=int(others[0]), name="Anna"))
    assert project.review.graph(0).faces[0].person == len(others) - 1
    assert len(same_track(project.current_labels(), 0)) == anna.track == 0


# --- What a click means ---
