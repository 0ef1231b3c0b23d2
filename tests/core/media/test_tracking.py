"""Films as tracks: who is kept, from when to when, and which further frames show those whom the chosen ones do not."""

from pathlib import Path

import numpy as np
import pytest

from core.media.cache import Cache, Seen
from core.media.faces.kinds import Found
from core.media.tracking import Sample, Tracked, track, uncovered
from core.media.video.reader import Timeline
from core.records import Box

SURE = 0.8
STEP = 0.2


def film(cuts: list[float], seconds: float) -> Timeline:
    times = np.arange(0, seconds, STEP)
    number = np.arange(len(times))
    return Timeline(number, times, number == 0, np.array(cuts), seconds, 0, False)


def face(person: int, score: float = 0.9, quality: float = 1.0) -> Found:
    box = Box(200.0 * person, 0, 200.0 * person + 100, 100)
    small = np.zeros((40, 40), np.uint8)
    return Found(box, score, np.zeros((5, 2), np.float32), "", quality, np.eye(4, dtype=np.float32)[person], small, b"")


def tracked(folder: Path, timeline: Timeline, faces: list[list[Found]]) -> Tracked:
    """The tracks of a film that has these faces on its frames."""
    cache = Cache(folder, "kind")
    cache.put((str(k), Seen(800, 100, some, b"")) for k, some in enumerate(faces))
    return track(cache, timeline, [Sample(k, str(k)) for k in range(len(faces))], SURE)


def test_a_track_lasts_from_half_a_step_before_it_until_half_a_step_behind(tmp_path: Path) -> None:
    found = tracked(tmp_path, film([], 2.0), [[], [face(0)], [face(0), face(1)], [face(1)], [face(1)], []])
    first, second = found.records()
    assert (first.start, first.stop) == pytest.approx((0.5 * STEP, 2.5 * STEP))
    assert (second.start, second.stop) == pytest.approx((1.5 * STEP, 4.5 * STEP))
    assert [time for time, _ in second.boxes] == pytest.approx([2 * STEP, 3 * STEP, 4 * STEP])
    assert [box.left for _, box in first.boxes] == [0, 0]


def test_a_track_ends_at_a_cut_and_with_the_film(tmp_path: Path) -> None:
    found = tracked(tmp_path, film([0.5], 1.0), [[face(0)]] * 5)
    assert [(one.start, one.stop) for one in found.records()] == [(0.0, 0.5), (0.5, 1.0)]


def test_what_is_seen_once_and_not_for_sure_is_nobody(tmp_path: Path) -> None:
    doubtful, seen_again = face(1, score=0.85), face(2, score=0.7)
    frames = [[face(0, score=0.95), doubtful, seen_again], [face(2, score=0.7)], [face(2, score=0.81)], [face(3, score=0.7)]]
    frames += [[face(3, score=0.75)]]
    found = tracked(tmp_path, film([], 2.0), frames)
    assert found.many == 2
    assert found.at(0) == {0: 0, 2: 1}
    assert found.at(2) == {0: 1}
    assert found.at(3) == {}


def test_a_film_without_faces_has_no_tracks(tmp_path: Path) -> None:
    found = tracked(tmp_path, film([], 1.0), [[], [], []])
    assert (found.many, list(found.records()), found.at(0)) == (0, [], {})
    assert uncovered(found, 0.0, 1.0, [0]) == []


def test_the_fewest_frames_that_show_everybody(tmp_path: Path) -> None:
    frames = [[face(0)], [face(0), face(1)], [face(1), face(2)], [face(1), face(2), face(3)], [face(0), face(3)]]
    found = tracked(tmp_path, film([], 1.0), frames)
    assert uncovered(found, 0.0, 1.0, [0]) == [3]
    assert uncovered(found, 0.0, 0.5, [0]) == [2]  # only this part of the film is asked for
    assert uncovered(found, 0.0, 1.0, [0, 3]) == []
