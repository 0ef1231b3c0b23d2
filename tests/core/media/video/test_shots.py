"""Shots: cuts are found where they are, whatever the frame rate; nothing is found where there are none."""

from pathlib import Path

import numpy as np
import pytest

from core.media.video.reader import Timeline
from core.media.video.shots import scan
from tests.core.media.films import encoded, every_encoding, film, noisy


def scanned(path: Path) -> Timeline:
    timeline = scan(path)
    assert timeline is not None
    return timeline


@every_encoding
def test_a_camera_that_moves_makes_no_cut(encoding: str, tmp_path: Path) -> None:
    """Five shots of a second, in each of which the picture moves."""
    frames = [np.roll(noisy(k // 25, 144, 256), k, axis=1) for k in range(125)]
    timeline = scanned(encoded(tmp_path, encoding, frames))
    assert timeline.cuts == pytest.approx([1.0, 2.0, 3.0, 4.0], abs=0.05)
    assert len(timeline.times) == 125
    assert timeline.shots()[0][0] == 0
    assert timeline.shots()[-1][1] == timeline.duration == pytest.approx(5.0, abs=0.05)
    assert timeline.damaged == 0


def test_a_cut_is_where_the_picture_changes(tmp_path: Path) -> None:
    path = film(tmp_path / "a.mp4", [noisy(k // 30) for k in range(90)])
    timeline = scanned(path)
    assert timeline.cuts == pytest.approx([1.2, 2.4], abs=0.05)
    assert timeline.shot([0.0, 1.0, 1.3, 2.5]).tolist() == [0, 0, 1, 2]


def test_cuts_are_told_in_seconds_when_the_frame_rate_varies(tmp_path: Path) -> None:
    times = np.r_[np.arange(20) * 0.04, 1 + np.arange(20) * 0.2, 6 + np.arange(20) * 0.04]
    path = film(tmp_path / "a.mkv", [noisy(k // 20) for k in range(60)], times=times.tolist())
    assert scanned(path).cuts == pytest.approx([1.0, 6.0], abs=0.21)


def test_a_still_has_one_shot(tmp_path: Path) -> None:
    timeline = scanned(film(tmp_path / "a.mp4", [noisy(1)] * 60))
    assert timeline.shots() == [(0.0, timeline.duration)]


def test_one_frame_is_enough(tmp_path: Path) -> None:
    timeline = scanned(film(tmp_path / "a.mp4", [noisy(1)]))
    assert len(timeline.times) == 1
    assert timeline.duration == pytest.approx(0.04)


def test_progress_counts_seconds_and_stop_is_heard(tmp_path: Path) -> None:
    path = film(tmp_path / "a.mp4", [noisy(k // 30) for k in range(90)])
    heard: list[tuple[str, int, int]] = []
    assert scan(path, lambda *said: heard.append(said)) is not None
    assert heard[-1] == ("shots", 3, 3)
    assert [done for _, done, _ in heard] == sorted(done for _, done, _ in heard)
    assert scan(path, stop=lambda: True) is None
