"""Which moments are looked at: by caption, by shot, every so often."""

import numpy as np
import pytest

from core.errors import BadInput
from core.media.video.reader import Timeline
from core.media.video.sampling import FOLLOWED, LONGEST, Sampling, dense, parts, stretches


def timeline(cuts: list[float], duration: float) -> Timeline:
    times = np.arange(0, duration, 0.04)
    number = np.arange(len(times))
    return Timeline(number, times, number % 10 == 0, np.array(cuts), duration, 0, False)


def moments(sampling: Sampling, film: Timeline, spoken: list[tuple[float, float]]) -> np.ndarray:
    """The middles of the stretches."""
    return np.unique([(start + stop) / 2 for start, stop in stretches(sampling, film, spoken)])


THREE = timeline([2.0, 6.0], 10.0)  # 0–2, 2–6, 6–10


def test_a_caption_is_looked_at_in_its_middle_and_other_shots_in_theirs() -> None:
    assert moments(Sampling(), THREE, [(3.0, 4.0)]).tolist() == [1.0, 3.5, 8.0]


def test_a_caption_over_two_shots_is_looked_at_in_both() -> None:
    assert moments(Sampling(), THREE, [(1.0, 5.0)]).tolist() == [1.5, 3.5, 8.0]


def test_two_captions_of_one_shot_are_both_looked_at() -> None:
    assert moments(Sampling(), THREE, [(2.0, 3.0), (4.0, 5.0)]).tolist() == [1.0, 2.5, 4.5, 8.0]


def test_a_sliver_in_the_next_shot_is_no_caption_of_it() -> None:
    assert moments(Sampling(), THREE, [(3.0, 6.2)]).tolist() == [1.0, 4.5, 8.0]


def test_a_short_caption_is_never_lost() -> None:
    assert moments(Sampling(), THREE, [(5.9, 6.2)]).tolist() == [1.0, 4.0, 6.1]


def test_captions_outside_of_the_video_are_nothing() -> None:
    assert moments(Sampling(), THREE, [(20.0, 30.0)]).tolist() == moments(Sampling("shot"), THREE, []).tolist()


def test_a_long_shot_is_looked_at_more_than_once() -> None:
    long = timeline([], 60.0)
    found = moments(Sampling("shot"), long, [])
    assert len(found) == 60 / LONGEST
    assert np.diff(found) == pytest.approx(LONGEST)


def test_every_so_many_seconds() -> None:
    assert moments(Sampling.each(4.0), THREE, [(0.0, 1.0)]).tolist() == [2.0, 6.0]
    assert moments(Sampling.each(60.0), THREE, []).tolist() == [5.0]  # never nothing


@pytest.mark.parametrize("seconds", [0.0, -1.0, float("nan"), float("inf"), 1e-9])
def test_seconds_that_make_no_sense_are_refused(seconds: float) -> None:
    with pytest.raises(BadInput, match="seconds"):
        Sampling.each(seconds)


def test_faces_are_followed_several_times_a_second_in_every_shot() -> None:
    times = dense(THREE)
    assert np.diff(times).max() <= FOLLOWED + 1e-9
    assert [int(((times >= start) & (times < stop)).sum()) for start, stop in THREE.shots()] == [9, 17, 17]
    assert times[0] <= FOLLOWED / 2
    assert len(dense(timeline([], 0.01))) == 1
    flashes = timeline(np.arange(0.1, 10, 0.1).tolist(), 10.0)  # shorter than a step
    assert len(dense(flashes)) == len(flashes.shots())


def test_a_film_in_parts_is_cut_at_its_cuts() -> None:
    times = np.arange(0, 3000, 0.5)
    cuts = np.array([10.0, 550.0, 640.0, 1190.0, 1800.0])
    film = Timeline(np.arange(len(times)), times, np.ones(len(times), bool), cuts, 3000.0, 0, False)
    found = parts(film, 600.0)
    assert [start for start, _ in found] == [0.0, 640.0, 1190.0, 1800.0, 2400.0]  # the last shot is too long for one part
    assert [stop for _, stop in found][:-1] == [start for start, _ in found][1:]
    assert found[-1][1] > film.duration
    assert parts(film, 10_000.0) == [(0.0, 3001.0)]
