"""Which frames are one group, and who is in it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.records import Box, Face, Frame
from core.store.runs.lines import Looks, grouped

HERE, THERE = Box(0, 0, 9, 9), Box(20, 0, 29, 9)
TOGETHER = {1: dict.fromkeys((0.0, 1.0), HERE), 2: dict.fromkeys((1.0, 2.0), HERE), 3: dict.fromkeys((2.0, 3.0), HERE)}


def frame(number: int, time: float | None, caption: str, shot: int | None = 0, source: int = 1) -> Frame:
    return Frame(number, source, time, "", 640, 360, caption, shot, None)


def groups(
    *frames: Frame, tracks: Sequence[Sequence[int | None]] = (), named: Sequence[int] = (), looks: Looks = TOGETHER
) -> tuple[list[list[int]], list[int]]:
    """The numbers of the frames of each group, and the group of each face; ``tracks`` are those of each frame's faces."""
    shown = [(one.id, track) for one, some in zip(frames, tracks, strict=False) for track in some]
    faces = [Face(k, of, Box(0, 0, 9, 9), 1.0, "", track, None, None) for k, (of, track) in enumerate(shown)]
    found, group = grouped(frames, faces, looks, named)
    return [[one.id for one in some] for some in found], group.tolist()


def test_the_frames_of_a_line_in_one_shot_are_one_group() -> None:
    frames = frame(0, 1.0, "Hi."), frame(1, 2.0, "Hi."), frame(2, 3.0, "Oh."), frame(3, 4.0, "Oh.", shot=1)
    assert groups(*frames) == ([[0, 1], [2], [3]], [])


def test_a_line_that_is_said_again_later_is_another_group() -> None:
    assert groups(frame(0, 1.0, "Hi."), frame(1, 2.0, "Oh."), frame(2, 3.0, "Hi."))[0] == [[0], [1], [2]]


def test_frames_that_came_later_join_by_their_times() -> None:
    assert groups(frame(0, 1.0, "Hi."), frame(1, 9.0, "Oh."), frame(2, 1.5, "Hi."))[0] == [[0, 2], [1]]


@pytest.mark.parametrize(
    "other",
    [frame(1, None, "", None), frame(1, 2.0, "", source=2), frame(1, 2.0, "Hi.")],
    ids=["a picture", "another film", "another line"],
)
def test_what_stays_apart(other: Frame) -> None:
    assert groups(frame(0, 1.0, ""), other)[0] == [[0], [1]]


def test_two_pictures_are_two_groups() -> None:
    assert groups(frame(0, None, "", None), frame(1, None, "", None))[0] == [[0], [1]]


def test_frames_with_faces_in_no_track_stay_by_themselves() -> None:
    frames = [frame(k, float(k), "Hi.") for k in range(4)]
    assert groups(*frames, tracks=([1], [None], [1], [1]))[0] == [[0], [1], [2, 3]]


def test_people_who_were_never_seen_at_once_are_in_two_groups_of_a_line() -> None:
    frames = [frame(k, float(k), "Hi.") for k in range(3)]
    assert groups(*frames, tracks=([1, 2], [2], [3, 2])) == ([[0, 1], [2]], [0, 0, 0, 1, 1])


@pytest.mark.parametrize(
    ("where", "when", "together"),
    [(THERE, 5.0, True), (HERE, 5.0, False), (THERE, 12.0, False)],
    ids=["elsewhere", "where the other must be", "after the other"],
)
def test_somebody_who_is_missed_for_a_moment_is_still_there(where: Box, when: float, together: bool) -> None:
    """Track 1 is seen at 0 and 10 seconds, track 2 once."""
    looks = {1: {0.0: HERE, 10.0: HERE}, 2: {when: where}}
    found, _ = groups(frame(0, 0.0, "Hi."), frame(1, when, "Hi."), tracks=([1], [2]), looks=looks)
    assert found == ([[0, 1]] if together else [[0], [1]])


def test_somebody_who_is_there_during_a_line_counts_there_alone() -> None:
    """Track 1 is in view before the line, during it, and in the next shot; track 2 only before it."""
    frames = frame(0, 0.0, ""), frame(1, 1.0, "Hi."), frame(2, 2.0, "", shot=1)
    assert groups(*frames, tracks=([1, 2], [1], [1])) == ([[0], [1], [2]], [1, 0, 1, 2])
    assert groups(*frames, tracks=([1], [1], [1])) == ([[1], [2]], [0, 0, 1])  # nobody is left in the silence


def test_a_name_that_people_add_to_a_silent_frame_holds_there() -> None:
    frames = frame(0, 0.0, ""), frame(1, 0.5, ""), frame(2, 1.0, "Hi.")
    assert groups(*frames, tracks=([1], [1], [1])) == ([[2]], [0, 0, 0])
    assert groups(*frames, tracks=([1], [1], [1]), named=[1]) == ([[0, 1], [2]], [0, 0, 1])
