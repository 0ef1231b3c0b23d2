"""Which frame comes next, why, and what people did since."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.errors import BadInput
from core.records import Box, NewFace, NewFrame, NewMention, NewSource
from core.store.project import Change, Project
from core.store.views.frame_queue import recent_names
from tests.known import known_run
from tests.made import made_project


def vector(*values: float) -> np.ndarray:
    return np.array(values, np.float32)


def source(title: str = "a.mp4") -> NewSource:
    return NewSource("video", f"/films/{title}", title)


def test_the_queue_forgets_settled_frames_and_remembers_skips(project):
    queue = project.review.queue("time", "Ann")
    assert queue.left == 12
    first, second = int(queue.frame[0]), int(queue.frame[1])
    project.review.skip("Ann", first)
    assert project.review.queue("time", "Ann").frame[11] == first
    assert project.review.queue("time", "Bob").frame[0] == first
    project.decide("Ann", *(Change("nobody", face=face.id) for face in project.faces(second)))
    queue = project.review.queue("time", "Ann")
    assert queue.left == 11
    assert queue.frame[11] == second
    assert queue.face[11] == -1
    with Project.open(project.folder) as again:
        assert again.review.queue("time", "Ann").frame.tolist() == queue.frame.tolist()


def test_the_queue_asks_about_a_track_once(tmp_path):
    faces = [NewFace(vector(1, 0.01 * k), track=0) for k in range(3)] + [NewFace(vector(0, 1), track=1)]
    frames = [NewFrame("Ross", [NewMention("Ross")], [face], time=float(k)) for k, face in enumerate(faces)]
    with Project.create(tmp_path / "p") as project:
        project.add(source(), frames, "kind")
        project.run()
        project.decide("Ann", Change("is", face=1, name="Ross"))
        assert project.review.queue().frame[0] == 3


def test_of_a_track_the_best_picture_is_asked_about(tmp_path):
    boxes = [Box(0, 0, 30, 30), Box(0, 0, 90, 90), Box(0, 0, 60, 60), Box(0, 0, 200, 200)]
    marks = ["", "", "", "blurred"]
    faces = [NewFace(vector(1, 0.01 * k), boxes[k], mark=marks[k], track=0) for k in range(4)]
    frames = [NewFrame("Ross", [NewMention("Ross")], [face], time=float(k)) for k, face in enumerate(faces)]
    with Project.create(tmp_path / "p") as project:
        project.add(source(), frames, "kind")
        project.run()
        assert project.review.queue().frame[0] == 1


def test_orders_by_time_person_and_state(project):
    assert project.review.queue("time").frame.tolist() == list(range(12))
    person = project.review.queue("person").frame.tolist()
    assert sorted(person) == list(range(12))
    project.decide("Ann", Change("is", face=0, name="Anna"))
    project.decide("Bob", Change("nobody", face=0), seen=0)
    assert project.review.queue("state").frame[0] == 0
    assert project.review.why(0) == "People disagree here"
    anna = project.review.queue("time", person="Anna").frame.tolist()
    named = {frame.frame.id for frame in project.labels().frames if any(f.name == "Anna" for f in frame.faces)}
    assert set(anna) == named
    with pytest.raises(BadInput, match="no order"):
        project.review.queue("mood")  # type: ignore[arg-type]


def test_after_the_last_open_frame_comes_the_first(project):
    queue = project.review.queue("time")
    assert queue.after(0) == 1
    assert queue.after(11) == 0
    project.decide("Ann", *(Change("nobody", face=face.id) for face in project.faces()))
    assert project.review.queue("time").after(3) is None


def settle(project: Project, frame: int) -> None:
    project.decide("ann", *(Change("nobody", face=face.id) for face in project.faces(frame)))


def test_in_the_order_of_time_the_queue_goes_on_from_where_one_is(tmp_path: Path) -> None:
    with made_project(tmp_path / "film", frames=6) as project:
        settle(project, 2)
        queue = project.review.queue("time", "ann")
        assert queue.after(2) == 3  # though 0 and 1 are open, too
        assert queue.after(5) == 0
        project.review.skip("ann", 3)
        assert project.review.queue("time", "ann").after(2) == 4
        assert project.review.queue("time", "ben").after(2) == 3
        for frame in (0, 1, 4, 5):
            settle(project, frame)
        assert project.review.queue("time", "ann").after(2) == 3  # what was skipped comes last, but comes
        settle(project, 3)
        assert project.review.queue("time", "ann").after(2) is None


def test_corrections_are_counted_by_face_since_the_last_run(tmp_path: Path) -> None:
    with made_project(tmp_path / "film", frames=6) as project:
        assert project.review.corrected_since() == 0
        project.decide("ann", Change("is", face=0, name="Dev"))
        project.decide("ann", Change("is", face=0, name="Anna"))
        project.decide("ben", Change("is not", face=1, name="Anna"))
        project.decide("ben", Change("mention", frame=0, name="Zoe"))
        assert project.review.corrected_since() == 2
        project.undo("ben")
        project.undo("ben")
        assert project.review.corrected_since() == 1
        known_run(project)
        assert project.review.corrected_since() == 0


def test_a_step_leads_to_its_frame_unless_it_is_about_several(tmp_path: Path) -> None:
    with made_project(tmp_path / "film", frames=6) as project:
        first, last = project.faces(1)[0].id, project.faces(4)[0].id
        project.decide("ann", Change("nobody", face=last))
        assert project.review.frame_of(project.undo("ann")) == 4
        project.decide("ann", Change("mention", frame=3, name="Zoe"))
        assert project.review.frame_of(project.undo("ann")) == 3
        project.decide("ann", Change("nobody", face=first), Change("nobody", face=last))
        assert project.review.frame_of(project.undo("ann")) is None
        project.decide("ann", Change("rename", name="Anna", other="Annabel"))
        assert project.review.frame_of(project.undo("ann")) is None


def test_the_names_somebody_gave_last_come_first(tmp_path: Path) -> None:
    with made_project(tmp_path / "film", frames=6) as project:
        for face, name in enumerate(("Dev", "Anna", "Zoe", "Dev")):
            project.decide("ann", Change("is", face=face, name=name))
        project.decide("ben", Change("is", face=5, name="Boris"))
        assert project.review.recent_names("ann") == ["Dev", "Zoe", "Anna"]
        assert recent_names(project.log(), "ann", many=1) == ["Dev"]
        assert project.review.recent_names("cat") == []


def test_kappa_where_both_answered(project):
    said = [("A", "A"), ("A", "B"), ("B", "B"), ("B", "B"), ("A", "A"), ("A", "B")]
    for face, (one, other) in enumerate(said):
        project.decide("Ann", Change("is", face=face, name=one))
        project.decide("Bob", Change("is", face=face, name=other))  # it replaces Ann's, whose word still counts here
    project.decide("Ann", Change("is", face=7, name="A"))
    both, kappa = project.review.agreement("Ann", "Bob")
    # by hand: 4 of 6 alike; chance = 4/6 * 2/6 + 2/6 * 4/6 = 4/9; (6/9 - 4/9) / (5/9) = 0.4
    assert both == 6
    assert kappa == pytest.approx(0.4)
    assert project.review.agreement("Ann", "Zoe") == (0, None)
    assert project.review.annotators() == ["Ann", "Bob"]


def test_after_an_answer_the_most_helpful_frame_that_was_not_passed_comes_next(project):
    known_run(project, doubt=0.4)
    before = project.review.queue()
    first, second, third = before.frame[:3].tolist()
    project.decide("Ann", Change("nobody", face=int(before.face[0])))
    queue = project.review.queue()
    place = dict(zip(queue.frame.tolist(), queue.place.tolist(), strict=True))
    best = sorted(
        (frame for frame in queue.frame[queue.open > 0].tolist() if frame != first), key=lambda frame: place[frame]
    )
    assert queue.ahead(first, [], 3) == best[:3]
    assert queue.ahead(first, [best[0]], 2) == best[1:3]
    assert queue.ahead(first, best, 3) == []
    project.review.skip("Ann", best[1])
    assert best[1] not in project.review.queue(who="Ann").ahead(first, [], 12)
    assert {second, third} <= set(best)
