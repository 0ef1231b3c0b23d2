"""Folds: small cases by hand, and what a method is shown."""

import numpy as np
import pytest

from core.evaluation import folds
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
