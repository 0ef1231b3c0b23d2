"""Folds, significance and cost: small cases by hand."""

import numpy as np
import pytest
from scipy.stats import binomtest

from core.evaluation import cost, folds, significance
from core.evaluation.cost import Timed
from core.evaluation.folds import Fold
from core.evaluation.generate import films
from core.problem import BoolArray, FloatArray, Problem
from core.solvers.baselines.registry import LEARNERS


def film() -> Problem:
    return films(films=2, groups=40, names=8, dimensions=8)


def test_folds_never_part_a_frame_and_are_of_one_size() -> None:
    problem = film()
    fold = folds.split(problem)
    assert all(len(np.unique(fold[problem.group == group])) == 1 for group in range(problem.groups))
    frames = [len(np.unique(problem.group[fold == k])) for k in range(10)]
    assert sum(frames) == len(np.unique(problem.group))
    assert max(frames) - min(frames) <= 1
    assert (fold == folds.split(problem)).all()
    assert (fold != folds.split(problem, seed=1)).any()


def test_a_part_of_a_problem_by_hand() -> None:
    problem = Problem.build(
        [[1.0], [2.0], [3.0]], [0, 2, 2], [["Ann"], ["Bob"], ["Cal", "Ann"]], truth=[0, 2, -1], captions=["a", "b", "c"]
    )
    part = folds.only(problem, np.array([False, True, True]))
    assert part.features.ravel().tolist() == [2.0, 3.0]
    assert part.group.tolist() == [0, 0]
    assert part.names == problem.names
    assert part.candidates() == [["Cal", "Ann"]]
    assert part.captions == ("c",)
    assert part.truth is not None
    assert part.truth.tolist() == [2, -1]


class Spy:
    """A learner that remembers what it was shown and always answers the last name."""

    def __init__(self) -> None:
        self.fitted: list[tuple[FloatArray, BoolArray]] = []
        self.asked: list[FloatArray] = []

    def __call__(self, features: FloatArray, candidates: BoolArray) -> "Spy":
        self.fitted.append((features, candidates))
        return self

    @property
    def confidence(self) -> FloatArray:
        raise AssertionError("the faces fitted on are not what is asked")

    def predict(self, features: FloatArray) -> FloatArray:
        self.asked.append(features)
        return np.tile(np.arange(8.0), (len(features), 1))


def test_a_learner_sees_neither_the_last_tenth_nor_its_captions(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, spy = film(), Spy()
    monkeypatch.setitem(LEARNERS, "ipal", spy)
    found = folds.cross_validate(problem, ["ipal"])
    fold = folds.split(problem)
    mentioned = np.zeros((problem.groups, 8), dtype=bool)
    mentioned[problem.mention_group, problem.mention_name] = True
    for k in range(10):
        features, candidates = spy.fitted[k]
        assert (features == problem.features[fold != k]).all()
        assert (candidates == mentioned[problem.group[fold != k]]).all()
        assert (spy.asked[k] == problem.features[fold == k]).all()
        assert problem.truth is not None
        assert found[k] == Fold("ipal", k, found[k].accuracy, found[k].f1)
        assert found[k].accuracy == np.mean(problem.truth[fold == k] == 7)


def test_other_methods_see_the_last_tenth_alone_and_no_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, seen = film(), []
    real = folds.solve

    def watched(part: Problem, method: str, seed: int) -> object:
        seen.append(part)
        return real(part, method, seed=seed)

    monkeypatch.setattr(folds, "solve", watched)
    folds.cross_validate(problem, ["pair-clustering"], folds=4)
    fold = folds.split(problem, 4)
    for k, part in enumerate(seen):
        assert (part.features == problem.features[fold == k]).all()
        assert part.truth is None
        assert part.groups == len(np.unique(problem.group[fold == k]))


def test_learners_learn_from_the_other_tenths() -> None:
    rng = np.random.default_rng(0)
    truth = np.arange(60) % 3
    features = np.eye(3, 5)[truth] + 0.1 * rng.normal(size=(60, 5))
    names = ["Ann", "Bob", "Cal"]
    captions = [[names[who], names[(who + 1 + place % 2) % 3]] for place, who in enumerate(truth.tolist())]
    problem = Problem.build(features, np.arange(60), captions, names=names, truth=truth)
    found = folds.cross_validate(problem, ["sure"], folds=5)
    assert np.mean([row.accuracy for row in found]) > 0.9


def test_fold_table_by_hand() -> None:
    rows = [Fold("ipal", 0, 0.5, 0.25), Fold("rollcall", 0, 1.0, 1.0), Fold("ipal", 1, 0.7, 0.25)]
    assert folds.fold_table(rows).splitlines()[2:] == [
        "| ipal | nine tenths, and the faces of the last | 0.600 ± 0.141 | 0.250 ± 0.000 |",
        "| rollcall | the last tenth and its captions | 1.000 | 1.000 |",
    ]


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


def timed(method: str, grows: str, size: int, seconds: float) -> Timed:
    return Timed(method, grows, **{"faces": 1, "links": 1, "names": 1, grows: size}, seconds=seconds)


def test_exponents_by_hand() -> None:
    assert cost.exponent([timed("m", "faces", n, 3e-6 * n**2) for n in (10, 20, 40)]) == pytest.approx(2)
    assert cost.exponent([timed("m", "links", n, 0.5) for n in (10, 20)]) == pytest.approx(0)
    assert np.isnan(cost.exponent([timed("m", "names", 10, 0.5)]))


def test_cost_table_by_hand() -> None:
    rows = [timed("m", "faces", n, n / 100) for n in (100, 1000)] + [timed("m", "names", n, 2.0) for n in (5, 10)]
    assert cost.cost_table(rows).splitlines() == [
        "| method | faces 100 → 1,000 | exponent | names 5 → 10 | exponent |",
        "| --- | --- | --- | --- | --- |",
        "| m | 1 → 10 s | 1.0 | 2 → 2 s | 0.0 |",
    ]


def test_what_grows_grows_and_the_rest_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cost, "_seconds", lambda problem, method: 1.0)
    found = cost.time_growth(["m"])
    for grows, other in (("faces", None), ("links", "faces"), ("names", "faces")):
        rows = [row for row in found if row.grows == grows]
        assert len(rows) == 4
        assert (np.diff([row.size for row in rows]) > 0).all()
        if other:
            same = [getattr(row, other) for row in rows]
            assert max(same) < 1.15 * min(same)


def test_real_methods_are_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(cost.SERIES, "faces", (film,))
    (row,) = cost.time_growth(["pair-clustering"], ["faces"], repeats=1)
    assert row.faces == film().faces
    assert row.names == 8
    assert row.links > 0
    assert row.seconds > 0
