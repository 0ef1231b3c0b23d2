"""Tracks: the same person in one shot is one track; two faces of a moment, or of two shots, never are."""

from collections.abc import Sequence

import numpy as np
import pytest

from core.media.faces.tracks import AWAY, GAP, mean_vectors, tracks

A, B, C = np.eye(8)[:3]
STEP = 0.25  # seconds from one moment to the next
Corners = tuple[float, float, float, float]


def box(left: float, top: float = 0.0, side: float = 100.0) -> Corners:
    return left, top, left + side, top + side


def tilted(vector: np.ndarray, cosine: float) -> np.ndarray:
    """A vector at this cosine from another."""
    return cosine * vector + np.sqrt(1 - cosine**2) * np.eye(8)[7]


def found(
    moment: Sequence[float], boxes: Sequence[Corners], vectors: Sequence[np.ndarray], shot: Sequence[int] | None = None
) -> list[int]:
    """The tracks of faces of equal quality."""
    shots = np.zeros(len(moment), np.int64) if shot is None else np.array(shot, np.int64)
    corners = np.array(boxes, np.float64).reshape(-1, 4)
    table = np.array(vectors, np.float64).reshape(-1, 8)
    return tracks(STEP * np.array(moment, np.float64), shots, corners, table, np.ones(len(moment))).tolist()


def test_two_people_who_stay_are_two_tracks() -> None:
    assert found([0, 0, 1, 1], [box(0), box(300), box(5), box(305)], [A, B, A, B]) == [0, 1, 0, 1]


def test_likeness_goes_before_place_when_two_change_seats() -> None:
    assert found([0, 0, 1, 1], [box(0), box(60), box(0), box(60)], [A, B, B, A]) == [0, 1, 1, 0]


def test_the_same_place_helps_a_face_that_turned() -> None:
    vectors = [A, tilted(A, 0.4)]
    assert found([0, 1], [box(0), box(20)], vectors) == [0, 0]
    assert found([0, 1], [box(0), box(80)], vectors) == [0, 1]


def test_a_face_that_moves_on_is_found_where_it_goes() -> None:
    moving = [box(60.0 * k) for k in range(5)]  # two moments overlap less than the same place does
    assert found(range(5), moving, [A] * 5) == [0] * 5
    assert len(set(found(range(5), moving, [A, tilted(A, 0.4), B, C, A]))) > 1


def test_a_face_that_turns_and_turns_back_is_one_track() -> None:
    assert found([0, 1, 2], [box(0), box(20), box(40)], [A, tilted(A, 0.4), A]) == [0, 0, 0]


def test_another_person_in_the_same_place_is_another_track() -> None:
    assert found([0, 1], [box(0), box(0)], [A, B]) == [0, 1]


def test_a_look_that_was_missed_goes_to_the_one_who_is_away_meanwhile() -> None:
    """In the moments 2 and 3 the face looks and moves as neither the piece before them nor behind them does."""
    aside = tilted(A, 0.4)
    here, there = [box(0)] * 6, [box(0), box(0), box(90), box(90), box(0), box(0)]
    assert found(range(6), there, [A, A, aside, aside, A, A]) == [0] * 6
    assert found(range(6), there, [A, A, B, B, A, A]) == [0, 0, 1, 1, 0, 0]  # somebody who passes by
    far = [box(0), box(0), box(400), box(400), box(0), box(0)]
    assert found(range(6), far, [A, A, aside, aside, A, A]) == [0, 0, 1, 1, 0, 0]
    assert found([0, 1, 2, 2, 3, 4], here, [A, A, aside, aside, A, A]) in ([0, 0, 0, 1, 0, 0], [0, 0, 1, 0, 0, 0])


def test_one_bad_look_does_not_end_a_track() -> None:
    """The first look behind the gap is like nothing before; all looks behind it together are."""
    bad = tilted(A, 0.1)
    assert found(range(6), [box(0)] * 6, [A, A, A, bad, tilted(A, 0.5), tilted(A, 0.5)]) == [0] * 6


def test_two_faces_of_one_moment_are_never_one() -> None:
    assert len(set(found([0, 0, 0], [box(0), box(1), box(2)], [A, A, A]))) == 3
    assert sorted(found([0, 1, 1], [box(0), box(0), box(1)], [A, A, A])) == [0, 0, 1]


def test_no_track_goes_over_a_cut() -> None:
    assert found([0, 1], [box(0), box(0)], [A, A], [0, 1]) == [0, 1]


@pytest.mark.parametrize(
    ("seconds", "left", "cosine", "one"),
    [
        (AWAY / 2, 0, 0.4, True),  # turned for a moment, in the same place
        (AWAY * 2, 0, 0.4, False),  # somebody else may have come
        (AWAY * 2, 0, 0.7, True),  # the same place and alike
        (AWAY * 2, 900, 0.7, False),  # elsewhere, and only somewhat alike
        (AWAY * 2, 900, 0.9, True),  # elsewhere, but clearly the same
        (GAP * 2, 0, 1.0, False),  # away for too long
    ],
)
def test_a_face_may_be_away_for_a_while(seconds: float, left: float, cosine: float, one: bool) -> None:
    first, second = found([0, seconds / STEP], [box(0), box(left)], [A, tilted(A, cosine)])
    assert (first == second) is one


def test_pieces_that_are_in_view_at_once_are_not_joined() -> None:
    """A leaves and comes back while somebody just like her is there the whole time."""
    moment = [0, 0, 2, 4, 6, 8, 8]
    boxes = [box(0), box(500), box(500), box(500), box(500), box(0), box(500)]
    numbers = found(moment, boxes, [A] * 7)
    assert len(set(numbers)) == 2
    assert numbers[0] == numbers[5]


def test_the_assignment_is_the_best_as_a_whole() -> None:
    # greedily the first old face would take the likeliest new one and leave the second with nothing
    vectors = [A, tilted(A, 0.9), tilted(A, 0.95), tilted(A, 0.6)]
    numbers = found([0, 0, 1, 1], [box(0), box(50), box(30), box(60)], vectors)
    assert sorted(numbers[:2]) == sorted(numbers[2:]) == [0, 1]


def test_no_faces_have_no_tracks() -> None:
    assert found([], [], []) == []


def test_a_long_shot_of_a_crowd_is_quick() -> None:
    """A hundred people for a minute, each of whom is missed now and then."""
    draw = np.random.default_rng(0)
    moment, person = (each.ravel() for each in np.meshgrid(np.arange(240), np.arange(100), indexing="ij"))
    seen = draw.random(len(moment)) < 0.5
    moment, person = moment[seen], person[seen]
    vectors = np.linalg.qr(draw.normal(size=(128, 128)))[0][person]
    left = 150.0 * person
    boxes = np.stack([left, left * 0, left + 100, left * 0 + 100], axis=1)
    numbers = tracks(STEP * moment, moment * 0, boxes, vectors, np.ones(len(moment)))
    assert len(np.unique(numbers)) == 100
    assert len(np.unique(np.stack([numbers, person]), axis=1).T) == 100


def test_a_mean_vector_is_weighted_by_quality() -> None:
    (mean,) = mean_vectors(np.array([0, 0]), np.array([A, B]), np.array([0.9, 0.1]))
    assert np.linalg.norm(mean) == pytest.approx(1)
    assert mean[0] / mean[1] == pytest.approx(9)


@pytest.mark.parametrize("seed", range(5))
def test_tracks_of_noise_never_join_one_moment(seed: int) -> None:
    draw = np.random.default_rng(seed)
    moment = np.sort(draw.integers(0, 20, 60))
    vectors = draw.normal(size=(60, 8))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    boxes = [box(*draw.uniform(0, 200, 2)) for _ in range(60)]
    shot = (moment // 5).tolist()
    numbers = found(moment.tolist(), boxes, list(vectors), shot)
    assert len({(f, t) for f, t in zip(moment.tolist(), numbers, strict=True)}) == 60
    assert all(len({s for s, t in zip(shot, numbers, strict=True) if t == track}) == 1 for track in set(numbers))
