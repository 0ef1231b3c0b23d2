"""The track is the unit of decisions: an answer holds for all of it, two that differ split it, and doubtful ones wait."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from core.corrections import Correction
from core.records import Mark, NewFace, NewFrame, NewMention, NewSource, NewTrack
from core.store.project import Change, Project
from core.store.runs.solving import question
from core.store.views.current_labels import CORRECTED, OPEN

ADA, BRUNO, BAG = np.eye(4, dtype=np.float32)[:3]


def frame(time: float, *faces: tuple[np.ndarray, int, Mark]) -> NewFrame:
    mentions = [NewMention("Ada", ((0, 3),), "speaker"), NewMention("Bruno", ((5, 10),), "spoken")]
    return NewFrame("Ada: Bruno?", mentions, [NewFace(v, track=t, mark=m) for v, t, m in faces], time, shot=0)


@pytest.fixture
def film(tmp_path: Path) -> Iterator[Project]:
    """Faces 0, 2, 4 are Ada's track, 1 and 3 Bruno's, 5 is perhaps no face."""
    frames = [
        frame(1.0, (ADA, 0, ""), (BRUNO, 1, "")),
        frame(2.0, (ADA, 0, ""), (BRUNO, 1, "")),
        frame(3.0, (ADA, 0, ""), (BAG, 2, "doubtful")),
    ]
    tracks = (NewTrack(0, 4, ()), NewTrack(0, 3, ()), NewTrack(2, 4, ()))
    with Project.create(tmp_path / "film") as project:
        project.add(NewSource("video", "/film.mp4", "film.mp4", "content", 4.0, tracks), frames, "made")
        yield project


def who(project: Project) -> dict[int, str]:
    return {label.face.id: label.name for frame in project.labels().frames for label in frame.faces}


def said(project: Project) -> dict[int, str | None]:
    asked = question(project.reader)
    return {int(asked.face[c.face]): c.name if c.kind == "is" else None for c in asked.corrections}


def test_an_answer_holds_for_the_whole_track_and_an_undo_takes_all_of_it_back(film: Project) -> None:
    film.decide("me", Change("is", face=2, name="Ada"))
    labels = film.current_labels()
    assert labels.state.tolist() == [CORRECTED, OPEN, CORRECTED, OPEN, CORRECTED, OPEN]
    assert who(film) == {0: "Ada", 1: "", 2: "Ada", 3: "", 4: "Ada", 5: ""}
    assert said(film) == {0: "Ada", 2: "Ada", 4: "Ada"}
    assert [links.said[0].name for links in film.review.graph(0).faces if links.said] == ["Ada"]
    film.undo("me")
    assert not film.current_labels().settled
    assert said(film) == {}


def test_two_answers_split_a_track_and_the_rest_of_it_is_open_again(film: Project) -> None:
    film.decide("me", Change("is", face=0, name="Ada"))
    film.decide("me", Change("is", face=2, name="Bruno"))
    assert said(film) == {0: "Ada", 2: "Bruno"}
    assert film.current_labels().state.tolist() == [CORRECTED, OPEN, CORRECTED, OPEN, OPEN, OPEN]


def test_a_changed_answer_changes_the_track(film: Project) -> None:
    film.decide("me", Change("is", face=0, name="Ada"))
    film.decide("me", Change("is", face=0, name="Bruno"))
    assert said(film) == {0: "Bruno", 2: "Bruno", 4: "Bruno"}


def test_a_refused_name_does_not_come_by_the_track(film: Project) -> None:
    film.decide("me", Change("is not", face=4, name="Ada"), Change("is", face=0, name="Ada"))
    asked = question(film.reader)
    assert {(int(asked.face[c.face]), c.kind) for c in asked.corrections} == {(0, "is"), (2, "is"), (4, "is not")}


def test_what_is_no_face_is_none_in_the_whole_track(film: Project) -> None:
    film.decide("me", Change("not a face", face=1))
    assert [face.id for face in film.faces()] == [0, 2, 4, 5]
    assert film.problem()[1] == [0, 2, 4]
    film.undo("me")
    assert len(film.faces()) == 6


def test_people_who_differ_on_a_face_leave_its_track_open(film: Project) -> None:
    film.decide("me", Change("is", face=0, name="Ada"), seen=0)
    film.decide("you", Change("is", face=0, name="Bruno"), seen=0)
    assert said(film) == {}


def test_a_doubtful_face_is_not_asked_about_and_in_no_problem_until_a_person_says_who_it_is(film: Project) -> None:
    assert film.problem()[1] == [0, 1, 2, 3, 4]
    assert film.current_labels().waiting.tolist() == [True] * 5 + [False]
    film.decide("me", Change("is", face=5, name="Bruno"))
    problem, faces = film.problem()
    assert faces == [0, 1, 2, 3, 4, 5]
    assert problem.faces == 6
    assert Correction(5, "is", "Bruno") in question(film.reader).corrections


def test_where_all_faces_are_doubtful_they_are_asked_about_as_a_whole(tmp_path: Path) -> None:
    with Project.create(tmp_path / "bag") as project:
        source = NewSource("video", "/film.mp4", "film.mp4", "content", 4.0, (NewTrack(0, 4, ()),))
        project.add(source, [frame(1.0, (BAG, 0, "doubtful"))], "made")
        assert project.problem()[1] == [0]
