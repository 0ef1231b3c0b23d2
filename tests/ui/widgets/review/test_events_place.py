"""Where a tab is among the frames: what was passed does not come up again before the next run."""

from __future__ import annotations

from ui.widgets.review.events import Here


def test_frames_are_passed_until_a_run_and_going_back_leads_to_the_one_that_was_left() -> None:
    tab = Here("film", None)
    for frame in (4, 4, 7, 2):
        tab.move_on(frame, 1)
    assert (tab.at, tab.passed) == (2, {4, 7})
    tab.move_on(7, 1)  # back: frame 2 was not passed
    assert (tab.at, tab.passed) == (7, {4})
    tab.move_on(2, 1)
    assert (tab.at, tab.passed) == (2, {4, 7})
    tab.move_on(9, 2)
    assert (tab.at, tab.passed) == (9, {2})
