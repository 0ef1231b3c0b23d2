"""Warm starts of the paper's method: the answer of a cold start in fewer epochs, and what is no checkpoint of it."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core import METHODS, Correction, Problem
from core.evaluation.generate import films
from core.problem import NOBODY
from core.solve import Solution, solve_from
from core.solvers.checkpoint import Checkpoint, read_checkpoint, write_checkpoint
from core.solvers.dbgae.settings import AUTHORS, Settings
from tests.core.solvers.solving import labels

PROBLEM = films(films=2, groups=20, names=6, dimensions=8)
SIZES = {"hidden": 16, "dense": 8, "features": 4, "attention": 3, "epochs": 40, "rounds": 2, "rerun_epochs": 16}
PAPER, WITH_EXTRAS = Settings(**SIZES, learning_rate=0.01), replace(AUTHORS, **SIZES)
NETWORKS = [method for method in METHODS if method.startswith("dbgae") and method != "dbgae-no-autoencoder"]


def run(
    checkpoint: Checkpoint | None = None,
    corrections: Sequence[Correction] = (),
    method: str = "dbgae",
    problem: Problem = PROBLEM,
    **changes: Any,
) -> tuple[Solution, list[float]]:
    """A run, and its loss epoch by epoch."""
    settings = replace(WITH_EXTRAS if method == "dbgae-authors" else PAPER, **changes)
    curve: list[float] = []

    def progress(stage: str, done: int, total: int, value: float | None = None) -> None:
        assert 0 < done <= total
        assert value is not None
        curve.append(value)

    return solve_from(checkpoint, problem, method, corrections, 0, progress, settings), curve


def truths(problem: Problem, found: Solution, many: int) -> list[Correction]:
    """What a person would say about the first faces that are wrong."""
    assert problem.truth is not None
    wrong = np.flatnonzero(found.prediction.name != problem.truth)[:many]
    assert len(wrong) == many
    said = [(int(face), int(problem.truth[face])) for face in wrong]
    return [Correction(f, "nobody") if k == NOBODY else Correction(f, "is", problem.names[k]) for f, k in said]


def same(one: Solution, other: Solution) -> None:
    assert labels(one.prediction) == labels(other.prediction)
    np.testing.assert_array_equal(one.prediction.confidence, other.prediction.confidence)


@pytest.fixture(scope="module")
def first() -> Solution:
    return run()[0]


@pytest.mark.parametrize("method", NETWORKS)
def test_a_rerun_obeys_the_correction_and_answers_like_a_cold_start_in_fewer_epochs(method: str) -> None:
    first, whole = run(method=method)
    assert len(whole) == PAPER.epochs
    said = truths(PROBLEM, first, 2)
    again, curve = run(first.checkpoint, said, method)
    assert again.warm
    assert again.checkpoint is first.checkpoint
    assert 0 < len(curve) <= PAPER.rerun_epochs
    for c in said:
        assert again.prediction.label(c.face) == (c.name or None)
    cold, both = run(None, said, method)
    assert not cold.warm
    assert both == whole + curve
    same(again, cold)


def test_the_loss_of_each_round_settles() -> None:
    first = run(epochs=120)[0]
    said = truths(PROBLEM, first, 1)
    assert first.checkpoint is not None
    _, curve = run(first.checkpoint, said, rerun_epochs=2000)
    assert curve[-1] <= curve[0] * 0.7
    loose = run(first.checkpoint, said, rerun_epochs=2000, tolerance=0.5)[1]
    strict = run(first.checkpoint, said, rerun_epochs=2000, tolerance=0.01)[1]
    assert len(loose) < len(curve) < len(strict) < 2000


def test_without_corrections_nothing_is_trained_and_nothing_changes(first: Solution) -> None:
    again, curve = run(first.checkpoint)
    assert again.warm
    assert curve == []
    same(again, first)


def test_a_rerun_does_not_depend_on_those_between(first: Solution) -> None:
    said = [*truths(PROBLEM, first, 2), Correction(8, "is", "Zoe of nowhere"), Correction(9, "is not", PROBLEM.names[0])]
    between, _ = run(first.checkpoint, said[:1])
    at_once = run(first.checkpoint, said)[0]
    assert at_once.prediction.label(8) == "Zoe of nowhere"
    same(at_once, run(between.checkpoint, said[::-1])[0])
    same(run(between.checkpoint)[0], first)


def test_a_checkpoint_works_from_its_file(first: Solution, tmp_path: Path) -> None:
    assert first.checkpoint is not None
    write_checkpoint(tmp_path / "c.npz", first.checkpoint)
    said = truths(PROBLEM, first, 1)
    again = run(read_checkpoint(tmp_path / "c.npz"), said)[0]
    assert again.warm
    same(again, run(first.checkpoint, said)[0])


def test_answers_that_split_a_track_are_a_warm_start_too() -> None:
    tracks = np.arange(PROBLEM.faces) // 3
    problem = Problem.build(PROBLEM.features, PROBLEM.group, PROBLEM.candidates(), PROBLEM.names, track=tracks)
    said = [Correction(0, "is", PROBLEM.names[0]), Correction(1, "is", PROBLEM.names[1])]
    again = run(run(problem=problem)[0].checkpoint, said, problem=problem)[0]
    assert again.warm
    assert labels(again.prediction)[:2] == list(PROBLEM.names[:2])
    same(again, run(None, said, problem=problem)[0])


def test_without_any_caption_the_corrections_alone_are_learned() -> None:
    problem = Problem.build(np.eye(4), [0, 1, 2, 3], [[], [], [], []])
    said = [Correction(0, "is", "A"), Correction(1, "is", "B")]
    found, curve = run(None, said, problem=problem)
    assert labels(found.prediction)[:2] == ["A", "B"]
    assert len(curve) == PAPER.epochs
    assert found.checkpoint is None


def test_the_checkpoint_of_another_problem_is_ignored(first: Solution) -> None:
    more = films(films=2, groups=21, names=6, dimensions=8)
    found = run(first.checkpoint, problem=more)[0]
    assert not found.warm
    same(found, run(problem=more)[0])


@pytest.mark.parametrize(
    "damage",
    [
        {"format": np.array(0)},
        {"0.u": np.zeros((2, 2), np.float32)},
        {"0.f.bias": np.full(4, np.nan, np.float32)},
        {"1.f.bias": np.array(["a", "b", "c", "d"])},
        {"more": np.zeros(1)},
        {"loss": np.zeros(3)},
    ],
    ids=lambda damage: next(iter(damage)),
)
def test_a_damaged_checkpoint_is_a_cold_start(damage: dict[str, Any], first: Solution) -> None:
    assert first.checkpoint is not None
    found = run(Checkpoint(first.checkpoint.key, {**first.checkpoint.arrays, **damage}))[0]
    assert not found.warm
    assert found.checkpoint is not None
    assert found.checkpoint.arrays.keys() == first.checkpoint.arrays.keys()
    same(found, first)
