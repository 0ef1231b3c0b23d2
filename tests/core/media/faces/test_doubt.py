"""Tracks that are perhaps no faces: those that are never sure though large, and those that never change."""

import tracemalloc

import numpy as np

from core.media.faces.doubt import LARGE, LOOKS, doubtful

SURE = 0.8


def looks(change: float, many: int = LOOKS) -> np.ndarray:
    """Small grey faces, of which each differs from the first by some noise."""
    random = np.random.default_rng(0)
    first = random.uniform(50, 200, (40, 40))
    return np.array([first + (k > 0) * change * random.normal(0, 40, (40, 40)) for k in range(many)]).clip(0, 255)


def marked(*tracks: tuple[np.ndarray, float, float], shots: tuple[int, ...] | None = None) -> list[bool]:
    """Of tracks as (small faces, score, side)."""
    many = [len(small) for small, _, _ in tracks]
    number = np.repeat(np.arange(len(tracks)), many)
    box = np.repeat([(0.0, 0, side, side) for *_, side in tracks], many, axis=0)
    score = np.repeat([score for _, score, _ in tracks], many)
    small = np.concatenate([small for small, _, _ in tracks]).astype(np.uint8)
    shot = np.repeat(np.zeros(len(tracks), int) if shots is None else shots, many)
    return doubtful(number, shot, score, box, small, SURE).tolist()


def test_a_large_face_that_is_not_sure_on_the_whole_is_doubtful_and_a_small_one_is_not() -> None:
    assert marked((looks(1), 0.75, LARGE + 10), (looks(1), 0.75, LARGE - 6), (looks(1), 0.9, 60)) == [True, False, False]


def test_tracks_that_follow_each_other_in_one_place_are_one_thing() -> None:
    bag, large = (looks(1), 0.7, LARGE + 10), LARGE + 10
    assert marked(bag, (looks(1, 2), 0.82, large)) == [True, True]  # as seldom sure as it is on the whole
    assert marked((looks(1, 2), 0.7, large), (looks(1), 0.9, large)) == [False, False]  # somebody who turns to the camera
    assert marked(bag, (looks(1, 2), 0.82, large), shots=(0, 1)) == [True, False]


def test_a_poster_never_changes_while_others_do() -> None:
    assert marked((looks(0.02), 0.95, 60), (looks(1), 0.95, 60)) == [True, False]


def test_where_nothing_moves_nobody_is_a_poster() -> None:
    still = looks(0.02)
    assert marked((still, 0.95, 60), (still, 0.95, 60)) == [False, False]
    assert marked((still, 0.95, 60), (looks(1), 0.95, 60), shots=(0, 1)) == [False, False]


def test_a_short_look_tells_nothing() -> None:
    assert marked((looks(0.02, 4), 0.95, 60), (looks(1), 0.95, 60)) == [False, False]


def test_no_tracks() -> None:
    none = np.zeros(0, np.int64)
    assert len(doubtful(none, none, np.zeros(0), np.zeros((0, 4)), np.zeros((0, 40, 40), np.uint8), SURE)) == 0


def test_a_film_of_many_looks_takes_little_memory() -> None:
    """Of twenty thousand looks at one track: not as much as one copy of them as numbers."""
    many = 20_000
    small = np.tile(np.arange(1600, dtype=np.uint8).reshape(1, 40, 40), (many, 1, 1))
    box = np.tile(np.array([0.0, 0.0, 40.0, 40.0]), (many, 1))
    zeros = np.zeros(many, np.int64)
    tracemalloc.start()
    doubtful(zeros, zeros, np.ones(many), box, small, 0.75)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1600 * many * 4
