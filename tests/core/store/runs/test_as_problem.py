"""A project as a problem: which frames are one group, and who is in it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.records import Frame, NewFace, NewFrame, NewMention, NewSource, NewTrack
from core.store.project import Change, Project
from core.store.runs.as_problem import grouped


def frame(number: int, time: float | None, caption: str, shot: int | None = 0, source: int = 1) -> Frame:
    return Frame(number, source, time, "", 640, 360, caption, shot, None)


def groups(*frames: Frame, loose: frozenset[int] = frozenset()) -> list[list[int]]:
    return [[one.id for one in group] for group in grouped(frames, loose)]


def test_the_frames_of_a_line_in_one_shot_are_one_group() -> None:
    assert groups(frame(0, 1.0, "Hi."), frame(1, 2.0, "Hi."), frame(2, 3.0, "Oh."), frame(3, 4.0, "Oh.", shot=1)) == [
        [0, 1],
        [2],
        [3],
    ]


def test_a_line_that_is_said_again_later_is_another_group() -> None:
    assert groups(frame(0, 1.0, "Hi."), frame(1, 2.0, "Oh."), frame(2, 3.0, "Hi.")) == [[0], [1], [2]]


def test_frames_that_came_later_join_by_their_times() -> None:
    assert groups(frame(0, 1.0, "Hi."), frame(1, 9.0, "Oh."), frame(2, 1.5, "Hi.")) == [[0, 2], [1]]


@pytest.mark.parametrize(
    "other",
    [frame(1, None, "", None), frame(1, 2.0, "", source=2), frame(1, 2.0, "Hi.")],
    ids=["a picture", "another film", "another line"],
)
def test_what_stays_apart(other: Frame) -> None:
    assert groups(frame(0, 1.0, ""), other) == [[0], [1]]


def test_two_pictures_are_two_groups() -> None:
    assert groups(frame(0, None, "", None), frame(1, None, "", None)) == [[0], [1]]


def test_frames_with_faces_in_no_track_stay_by_themselves() -> None:
    frames = [frame(k, float(k), "Hi.") for k in range(4)]
    assert groups(*frames, loose=frozenset({1})) == [[0], [1], [2, 3]]


def test_everybody_in_view_during_a_line_is_in_its_group(tmp_path: Path) -> None:
    """Two are on the first frame, one on the second; a name that people add to a frame holds for the line."""
    one, two, three = np.eye(3, dtype=np.float32)
    mentions = [NewMention("Ada", ((0, 3),), "speaker")]
    frames = [
        NewFrame("Ada: Hi.", mentions, [NewFace(one, track=0), NewFace(two, track=1)], 1.0, shot=0),
        NewFrame("Ada: Hi.", mentions, [NewFace(three, track=2), NewFace(one, track=0)], 2.0, shot=0),
        NewFrame("", [], [NewFace(one, track=0)], 5.0, shot=0),
    ]
    tracks = (NewTrack(0, 6, ()), NewTrack(0, 1.5, ()), NewTrack(1.5, 3, ()))
    with Project.create(tmp_path / "film") as project:
        project.add(NewSource("video", "/film.mp4", "film.mp4", "content", 6.0, tracks), frames, "made")
        project.decide("me", Change("mention", frame=1, name="Bruno"))
        problem, faces = project.problem()
    assert faces == [0, 1, 2, 3, 4]
    assert problem.group.tolist() == [0, 0, 0, 0, 1]
    assert problem.candidates() == [["Ada", "Bruno"], []]
    assert problem.mention_kinds() == [["speaker", ""], []]
    assert problem.captions == ("Ada: Hi.", "")


def test_faces_that_people_call_one_person_are_one_track_unless_a_frame_shows_both(project):
    first, second = (project.faces(frame)[0].id for frame in (0, 1))
    here, beside = (face.id for face in project.faces(2)[:2])
    for pair in ((first, second), (here, beside)):
        project.decide("Ann", *(Change("same person", face=face) for face in pair))
    problem, faces = project.problem()
    track = dict(zip(faces, problem.track.tolist(), strict=True))
    assert track[first] == track[second] >= 0
    assert (track[here], track[beside]) == (-1, -1)
    assert sum(number >= 0 for number in track.values()) == 2
    project.undo("Ann")
    project.undo("Ann")
    assert set(project.problem()[0].track.tolist()) == {-1}
