"""Faces that go on from one look at a film to the next: which they are, and when they are embedded."""

from dataclasses import replace

import numpy as np
import pytest

from core.media.faces.finder import FaceFinder
from core.media.faces.following import EVERY, goes_on, is_still, joined, needs_vector, outline
from core.media.faces.kinds import Found
from core.records import Box
from tests.core.media.drawn import drawn_face, drawn_picture
from tests.core.media.pretended import pretended_finder

LOOKS = [np.random.default_rng(k).integers(0, 255, (40, 40)).astype(np.uint8) for k in range(3)]


def face(left: float, look: int = 0, quality: float = 0.5) -> Found:
    box = Box(left, 0.0, left + 100, 100.0)
    vector, small = np.zeros(4, np.float32), LOOKS[look]
    return Found(box, 0.9, np.zeros((5, 2), np.float32), "", quality, vector, small, known=quality)


@pytest.mark.parametrize(
    ("before", "here", "expected"),
    [
        ([face(0)], [face(10)], [0]),
        ([face(0), face(300, 1)], [face(305, 1), face(5)], [1, 0]),
        ([face(0)], [face(10, look=1)], [-1]),
        ([face(0)], [face(80)], [-1]),
        ([face(0), face(50)], [face(10)], [-1]),
        ([], [face(0)], [-1]),
        ([face(0)], [], []),
    ],
    ids=["stays", "two stay", "looks otherwise", "has moved far", "another is near", "is new", "is gone"],
)
def test_a_face_goes_on_where_one_like_it_was(before: list[Found], here: list[Found], expected: list[int]) -> None:
    assert goes_on(before, here).tolist() == expected


def test_a_face_that_stays_gets_a_vector_now_and_then() -> None:
    looks = [joined([], [face(0)])]
    for k in range(1, 2 * EVERY + 1):
        looks.append(joined(looks[-1], [face(float(k % 3))]))
    embedded = [k for k, (one,) in enumerate(looks) if one.since == 0]
    assert embedded == [0, EVERY, 2 * EVERY]
    assert [one.follows for (one,) in looks] == [-1] + [0] * 2 * EVERY


def test_a_face_that_is_seen_better_gets_one_at_once_and_one_seen_badly_later() -> None:
    last = replace(face(0, quality=0.4), since=1, known=0.4)
    assert needs_vector(last, 0.9)
    assert not needs_vector(last, 0.45)
    late = replace(last, since=EVERY - 1)
    assert needs_vector(late, 0.4)
    assert not needs_vector(late, 0.1)
    assert needs_vector(None, 0.0)


def test_a_picture_is_still_until_something_in_it_moves() -> None:
    picture = drawn_picture(0, 5)
    noise = np.random.default_rng(0).integers(0, 3, picture.shape).astype(np.uint8)
    assert is_still(outline(picture), outline(np.minimum(picture, 252) + noise))
    moved = picture.copy()
    moved[150:170, 100:140] = 0
    assert not is_still(outline(picture), outline(moved))
    assert not is_still(outline(picture), outline(np.ascontiguousarray(picture[..., ::-1])))  # as bright, in other colours


class Counting(FaceFinder):
    """Counts the pictures that are looked at, and the faces that are embedded."""

    def __init__(self) -> None:
        made = pretended_finder()
        super().__init__(made.embedder, made.detector, threads=1)
        self.detected = self.embedded = 0

    def _look(self, *arguments: object, **more: object):  # type: ignore[no-untyped-def]
        self.detected += 1
        return super()._look(*arguments, **more)  # type: ignore[arg-type]

    def _embed(self, faces):  # type: ignore[no-untyped-def]
        self.embedded += len(faces)
        return super()._embed(faces)


def test_a_film_that_stands_still_is_looked_at_once() -> None:
    finder, picture = Counting(), drawn_face(0)
    found = finder.follow([picture] * 5, [False, False, True, False, False], [None, 0, 1, 2, 3])
    assert (finder.detected, finder.embedded) == (1, 1)
    assert [(one.since, one.follows, bool(one.crop)) for (one,) in found] == [
        (0, -1, False),
        (1, 0, False),
        (2, 0, True),
        (3, 0, False),
        (4, 0, False),
    ]
    assert found[0][0].embedding.any()
    assert not found[4][0].embedding.any()


def test_looks_go_on_from_those_of_the_call_before_and_not_over_a_cut() -> None:
    finder, one, other = Counting(), drawn_face(0), drawn_face(0) // 2 + 60
    (first,) = finder.follow([one], [False], [None])
    second, third = finder.follow([other, one], [False, False], [first, None])
    assert (second[0].since, third[0].since) == (1, 0)
    assert finder.embedded == 2
