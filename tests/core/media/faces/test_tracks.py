"""Tracks: the same person in one shot is one track; two faces of a frame, or of two shots, never are."""

import numpy as np
import pytest

from core.media.faces.tracks import GAP, tracks
from core.records import Box

A, B, C = np.eye(8)[:3]


def box(left: float, top: float = 0.0, side: float = 100.0) -> Box:
    return Box(left, top, left + side, top + side)


def tilted(vector: np.ndarray, cosine: float) -> np.ndarray:
    """A vector at this cosine from another."""
    return cosine * vector + np.sqrt(1 - cosine**2) * np.eye(8)[7]


def test_two_people_who_stay_are_two_tracks() -> None:
    found = tracks([0, 0, 1, 1], [0] * 4, [box(0), box(300), box(5), box(305)], np.array([A, B, A, B]))
    assert found == [0, 1, 0, 1]


def test_likeness_goes_before_place_when_two_change_seats() -> None:
    found = tracks([0, 0, 1, 1], [0] * 4, [box(0), box(300), box(0), box(300)], np.array([A, B, B, A]))
    assert found == [0, 1, 1, 0]


def test_the_same_place_helps_a_face_that_turned() -> None:
    vectors = np.array([A, tilted(A, 0.5)])
    assert tracks([0, 1], [0, 0], [box(0), box(20)], vectors) == [0, 0]
    assert tracks([0, 1], [0, 0], [box(0), box(300)], vectors) == [0, 1]


def test_a_face_that_turns_and_turns_back_is_one_track() -> None:
    vectors = np.array([A, tilted(A, 0.5), A])
    assert tracks([0, 1, 2], [0] * 3, [box(0), box(20), box(300)], vectors) == [0, 0, 0]


def test_small_faces_are_all_alike_so_they_must_touch() -> None:
    for side, one in [(30.0, False), (50.0, True)]:
        found = tracks([0, 1], [0, 0], [box(0, side=side), box(200, side=side)], np.array([A, tilted(A, 0.8)]))
        assert (found[0] == found[1]) is one
    assert tracks([0, 1], [0, 0], [box(0, side=30), box(25, side=30)], np.array([A, tilted(A, 0.8)])) == [0, 0]


def test_another_person_in_the_same_place_is_another_track() -> None:
    assert tracks([0, 1], [0, 0], [box(0), box(0)], np.array([A, B])) == [0, 1]


def test_two_faces_of_one_frame_are_never_one() -> None:
    assert len(set(tracks([0, 0, 0], [0] * 3, [box(0), box(1), box(2)], np.array([A, A, A])))) == 3
    found = tracks([0, 1, 1], [0] * 3, [box(0), box(0), box(1)], np.array([A, A, A]))
    assert sorted(found) == [0, 0, 1]


def test_no_track_goes_over_a_cut() -> None:
    assert tracks([0, 1], [0, 1], [box(0), box(0)], np.array([A, A])) == [0, 1]


def test_a_face_may_be_away_for_a_while() -> None:
    def away(frames: int) -> list[int]:
        between = list(range(1, frames + 1))  # frames with somebody else
        vectors = np.array([A, *[B] * frames, A])
        return tracks([0, *between, frames + 1], [0] * (frames + 2), [box(0), *[box(300)] * frames, box(0)], vectors)

    assert away(GAP - 1)[-1] == 0
    assert away(GAP)[-1] != 0


def test_the_assignment_is_the_best_as_a_whole() -> None:
    # greedily the first old face would take the likeliest new one and leave the second with nothing
    old, new = np.array([A, tilted(A, 0.9)]), np.array([tilted(A, 0.95), tilted(A, 0.6)])
    found = tracks([0, 0, 1, 1], [0] * 4, [box(0), box(50), box(30), box(60)], np.concatenate([old, new]))
    assert sorted(found[:2]) == sorted(found[2:]) == [0, 1]


def test_no_faces_have_no_tracks() -> None:
    assert tracks([], [], [], np.zeros((0, 8))) == []


@pytest.mark.parametrize("seed", range(5))
def test_tracks_of_noise_never_join_one_frame(seed: int) -> None:
    draw = np.random.default_rng(seed)
    frame = np.sort(draw.integers(0, 20, 60))
    vectors = draw.normal(size=(60, 8))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    boxes = [box(*draw.uniform(0, 200, 2)) for _ in range(60)]
    shot = frame // 5
    found = tracks(frame.tolist(), shot.tolist(), boxes, vectors)
    assert len({(f, t) for f, t in zip(frame.tolist(), found, strict=True)}) == 60
    assert all(len({s for s, t in zip(shot.tolist(), found, strict=True) if t == track}) == 1 for track in set(found))
