"""Whom groups look like, by hand: three directions are three people."""

from __future__ import annotations

import numpy as np

from core.store.views.group_looks import looks, outsiders

ANNA, BEN, BOTH = [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]
ALONE = np.full(8, -1)


def test_who_looks_like_another_group_is_an_outsider_unless_they_are_seen_together() -> None:
    vectors = np.array([*4 * [ANNA], BEN, BEN, BEN, BOTH])  # the fifth is called Anna; the last is between the two
    group = np.array([0, 0, 0, 0, 0, 1, 1, 1])
    found = outsiders(vectors, group, ALONE, np.arange(8))
    assert np.flatnonzero(found).tolist() == [4]
    together = np.array([0, 1, 2, 3, 5, 5, 6, 7])
    assert not outsiders(vectors, group, ALONE, together).any()
    assert outsiders(vectors[:0], group[:0], ALONE[:0], group[:0]).tolist() == []


def test_who_is_hardly_like_the_own_group_is_an_outsider_if_like_another() -> None:
    def beside(own: float, other: float) -> list[float]:
        return [own, other, float(np.sqrt(1 - own**2 - other**2))]

    def found(own: float, other: float) -> list[int]:
        vectors = np.array([ANNA, ANNA, BEN, BEN, beside(own, other)])
        return np.flatnonzero(outsiders(vectors, np.array([0, 0, 1, 1, 0]), ALONE[:5], np.arange(5))).tolist()

    assert found(0.3, 0.48) == [4]
    assert found(0.3, 0.4) == []  # like nobody: it may be a bad picture
    assert found(0.56, 0.7) == []  # like both


def test_a_track_is_an_outsider_as_a_whole() -> None:
    vectors = np.array([ANNA, ANNA, BEN, BOTH, BEN, BEN])
    track = np.array([-1, -1, 7, 7, -1, -1])
    found = outsiders(vectors, np.array([0, 0, 0, 0, 1, 1]), track, np.arange(6))
    assert np.flatnonzero(found).tolist() == [2, 3]


def test_a_face_is_like_the_bearer_of_another_name_and_the_bearer_like_nobody() -> None:
    vectors = np.array([ANNA, ANNA, BEN, BEN, BEN])
    groups = [np.array([0, 1]), np.array([2, 3]), np.array([4])]  # the last one is called Anna (0), and looks like Ben (1)
    seen = looks(vectors, groups, [{0, 1}, {2, 3}, {4}], [])
    assert seen.like(2, [0, 1, 0]) == [1]
    assert seen.like(0, [0, 1, 0]) == []
    assert seen.like(1, [0, 1, 0]) == []
    beside = looks(vectors, groups, [{0, 1}, {2, 4}, {4}], [])
    assert beside.like(2, [0, 1, 0]) == []  # a frame shows both


def test_whom_a_person_named_counts_as_a_bearer_and_pairs_are_of_one_person() -> None:
    vectors = np.array([ANNA, ANNA, BEN, ANNA, ANNA])
    faces = [np.array([0, 1]), np.array([2]), np.array([3, 4])]
    seen = looks(vectors, faces, [{0}, {1}, {2, 3}], [5])
    assert seen.like(0, [-1, -1]) == []  # who is no larger is no bearer
    assert seen.like(1, [-1, -1]) == []
    (pair,) = seen.pairs(["Anna"], [])
    assert (pair.one, pair.other, pair.name) == (0, 3, "Anna")
    assert seen.pairs(["Anna"], [{1, 4}]) == ()  # somebody said that these are two
