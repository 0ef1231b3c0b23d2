"""A description that names as many people as it has shots shows them in turn."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.records import Box, Face, Frame, Mention
from core.store.runs.told_order import IN_ORDER, Evidence, told_in_order

TEXT = "Ada asks Bruno."
ADA, BRUNO = Mention("Ada", ((0, 3),), kind="described"), Mention("Bruno", ((9, 14),), kind="described")


def told(*shots: Sequence[int | None], mentions: Sequence[Mention] = (BRUNO, ADA), text: str = TEXT) -> Evidence:
    """What the order says where each shot of a line has one frame with faces of these tracks."""
    frames = [Frame(k, 1, float(k), "", 640, 360, text, k, None) for k in range(len(shots))]
    rows = [(k, track) for k, some in enumerate(shots) for track in some]
    faces = [Face(n, k, Box(0, 0, 9, 9), 1.0, "", track, None, None) for n, (k, track) in enumerate(rows)]
    return told_in_order(frames, faces, dict.fromkeys(range(len(shots)), mentions))


def test_each_shot_is_of_the_one_whose_turn_it_is() -> None:
    assert told([1, 3], [2]) == {(1, "Ada"): IN_ORDER, (3, "Ada"): IN_ORDER, (2, "Bruno"): IN_ORDER}


def test_a_shot_without_a_face_does_not_count() -> None:
    assert told([1], [], [2]) == {(1, "Ada"): IN_ORDER, (2, "Bruno"): IN_ORDER}


def test_nothing_is_said_of_one_shot_or_of_others_than_names() -> None:
    assert told([1, 2]) == told([1], [2], [3]) == told([None], [None]) == {}


@pytest.mark.parametrize("other", [Mention("Ada", ((0, 3),), kind="speaker"), Mention("Ada", (), added=True)])
def test_only_descriptions_are_told_in_order(other: Mention) -> None:
    assert told([1], [2], mentions=(other, BRUNO)) == {}


def test_who_is_away_has_no_turn() -> None:
    away = Mention("Carla", ((16, 21),), kind="absent")
    assert told([1], [2], mentions=(ADA, BRUNO, away)) == told([1], [2])
