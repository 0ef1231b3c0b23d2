"""Significance: small cases by hand."""

import numpy as np
import pytest
from scipy.stats import binomtest

from core.evaluation import significance
from core.problem import Problem


def named(faces: int) -> Problem:
    return Problem.build(np.ones((faces, 1)), np.arange(faces), [["Ann"]] * faces, truth=[0] * faces)


def test_a_clear_difference_is_significant_and_none_is_not() -> None:
    problem, right = named(400), np.zeros(400, dtype=np.int64)
    worse = np.where(np.arange(400) < 40, -1, 0)
    found = significance.difference(problem, [right], [worse])
    assert found.mean == pytest.approx(0.1)
    spread = 1.96 * np.sqrt(0.1 * 0.9 / 400)  # of a mean of 400 zeros and ones
    assert (found.low, found.high) == pytest.approx((0.1 - spread, 0.1 + spread), abs=0.005)
    assert found.significant
    assert significance.difference(problem, [worse], [right]).high < 0
    same = significance.difference(problem, [worse], [worse])
    assert (same.mean, same.low, same.high, same.significant) == (0, 0, 0, False)


def test_a_difference_that_mcnemar_doubts_is_not_significant() -> None:
    problem = named(100)
    ours, other = (np.where(np.isin(np.arange(100), wrong), -1, 0) for wrong in (range(4), range(4, 10)))
    assert binomtest(4, 10).pvalue > 0.05
    assert not significance.difference(problem, [ours], [other]).significant


def test_faces_of_one_frame_are_drawn_together() -> None:
    one_frame_each, few_frames = named(100), Problem.build(
        np.ones((100, 1)), np.arange(100) // 25, [["Ann"]] * 4, truth=[0] * 100
    )  # fmt: skip
    right, worse = np.zeros(100, dtype=np.int64), np.where(np.arange(100) < 25, -1, 0)
    wide = significance.difference(few_frames, [right], [worse])
    narrow = significance.difference(one_frame_each, [right], [worse])
    assert narrow.significant
    assert not wide.significant


def test_seeds_that_disagree_widen_the_interval() -> None:
    problem, right = named(100), np.zeros(100, dtype=np.int64)
    worse = np.where(np.arange(100) < 50, -1, 0)
    found = significance.difference(problem, [right, right], [worse, right])
    assert found.mean == pytest.approx(0.25)
    assert not found.significant  # one draw in four takes the second seed twice


def test_holm_by_hand() -> None:
    # smallest 0.01 × 3; then 0.02 × 2 = 0.04; then 0.03 × 1, but never less than the one before
    assert significance.holm({"a": 0.02, "b": 0.01, "c": 0.03}) == pytest.approx({"a": 0.04, "b": 0.03, "c": 0.04})
    assert significance.holm({"a": 0.9, "b": 0.8}) == {"a": 1.0, "b": 1.0}


def test_over_sets_by_hand() -> None:
    ours = np.array([0.9, 0.91, 0.92, 0.93, 0.94, 0.95, 0.96])
    ahead = np.array([0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07])
    found = significance.over_sets(ours, {"worse": ours - ahead, "same": ours})
    assert found == pytest.approx({"worse": 2 * 2 / 2**7, "same": 1.0})  # all seven ahead: 2/2⁷, times two methods


def test_significance_table_by_hand() -> None:
    right, wrong = np.zeros(50, dtype=np.int64), np.full(50, -1)
    answers = {"one": {"ours": [right], "bad": [wrong], "good": [right]}, "two": {"ours": [right], "good": [right]}}
    lines = significance.significance_table({"one": named(50), "two": named(50)}, answers, "ours").splitlines()
    assert lines == [
        "| ours minus | one | two | p over sets |",
        "| --- | --- | --- | --- |",
        "| bad | **+1.000 [+1.000, +1.000]** | – | 1.000 |",
        "| good | +0.000 [+0.000, +0.000] | +0.000 [+0.000, +0.000] | 1.000 |",
    ]
