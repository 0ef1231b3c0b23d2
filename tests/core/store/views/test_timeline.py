"""When each frame is."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from core.records import NewFrame, NewSource
from tests.made import SECONDS, made_project


def test_one_video_runs_by_its_clock(tmp_path: Path) -> None:
    with made_project(tmp_path / "film", frames=5, run=False) as project:
        timeline = project.timeline()
        assert timeline.seconds == 5 * SECONDS
        assert timeline.share.tolist() == [0.0, 0.2, 0.4, 0.6, 0.8]
        assert (timeline.at(0.0), timeline.at(0.44), timeline.at(1.0)) == (0, 2, 4)
        assert (timeline.before(0), timeline.before(3), timeline.after(3), timeline.after(4)) == (None, 2, 4, None)
        assert timeline.where(3) == 0.6


def test_pictures_and_several_sources_run_by_their_order_and_new_ones_are_seen(tmp_path: Path) -> None:
    with made_project(tmp_path / "film", frames=3, kind="pictures", run=False) as project:
        assert project.timeline().share.tolist() == [0.0, 0.5, 1.0]
        later = [NewFrame("", [], [], time=9.0), NewFrame("", [], [], time=1.0)]
        project.add(NewSource("video", "/films/b.mp4", "b.mp4", duration=10.0), later)
        timeline = project.timeline()
        assert timeline.frame.tolist() == [0, 1, 2, 4, 3]
        assert timeline.seconds is None
        assert np.allclose(timeline.share, [0, 0.25, 0.5, 0.75, 1])
