"""Figures: what is drawn, and where its labels stand."""

import numpy as np
import pytest

from core.evaluation import ambiguity, figures
from core.evaluation.effort import Trace
from tests.core.evaluation.two_groups import two_groups


@pytest.mark.parametrize(
    ("values", "expected"),
    [([], []), ([0.5], [0.5]), ([0.2, 0.8], [0.2, 0.8]), ([0.5, 0.5], [0.55, 0.45]), ([0.0, 0.0], [0.1, 0.0])],
)
def test_labels_are_moved_apart_as_little_as_needed(values: list[float], expected: list[float]) -> None:
    assert sorted(figures.spread_apart(values, 0.1)) == pytest.approx(sorted(expected))


def test_labels_keep_their_order_and_stay_inside() -> None:
    values = [1.0, 0.98, 0.99, 0.1]
    moved = np.array(figures.spread_apart(values, 0.06))
    assert (np.argsort(moved) == np.argsort(values)).all()
    assert np.diff(np.sort(moved)).min() >= 0.06 - 1e-9
    assert moved.max() <= 1 + 1e-9


def test_curve_figure_has_ours_on_top_and_every_line_labelled() -> None:
    problem = two_groups()
    assert problem.truth is not None
    levels = ambiguity.ratio_levels(problem)
    curves = [ambiguity.curve(method, [problem.truth], problem, levels) for method in ("rollcall", "ipal", "sure")]
    figure = figures.curve_figure(curves, levels, "rollcall")
    assert [line.name for line in figure.data] == ["ipal", "sure", "rollcall"] * 2
    assert [line.line.color == figures.ACCENT for line in figure.data] == [False, False, True] * 2
    told = [note.text for note in figure.layout.annotations]
    assert all(told.count(method) == 2 for method in ("<b>rollcall</b>", "ipal", "sure"))
    assert figure.data[0].x == (6, 9)


def test_histogram_figure_shows_the_counts() -> None:
    levels = ambiguity.ratio_levels(two_groups())
    figure = figures.histogram_figure({"one": levels, "two": levels})
    assert [tuple(bars.y) for bars in figure.data] == [(0, 0, 0, 0, 0, 0, 1, 0, 0, 2)] * 2


def test_effort_figure_tells_both_shares() -> None:
    quick = Trace(100, np.array([0, 1, 2]), np.array([0.8, 0.9, 0.99]))
    slow = Trace(100, np.array([0, 20, 40]), np.array([0.8, 0.9, 1.0]))
    figure = figures.effort_figure({"one": (quick, slow)}, 0.99)
    told = [note.text for note in figure.layout.annotations]
    assert "queue 2.0%" in told
    assert "random order 40.0%" in told
    assert [line.name for line in figure.data] == ["random order", "queue"]
