"""Warm starts agree with cold starts for all kinds of corrections."""

from pathlib import Path

import numpy as np
import pytest

from core import Correction, Prediction, Problem, solve
from core.evaluation.generate import films, mpii_md
from core.problem import NOBODY
from core.solve import Solution, solve_from
from core.solvers.checkpoint import Checkpoint, read_checkpoint, write_checkpoint
from core.solvers.mixture.warm_start import ALL_BELOW, MAX_CHANGED_SHARE, MIN_CHANGED

PROBLEM = films(films=4, groups=300, names=32, dimensions=64, noise=0.75, named=0.75, seed=4)
CASES = ("what was wrong", "many at once", "a new name", "what was right", "is not")


@pytest.fixture(scope="module")
def first() -> Solution:
    """A cold start without corrections."""
    return solve_from(None, PROBLEM)


def truth(problem: Problem, face: int) -> Correction:
    assert problem.truth is not None
    name = int(problem.truth[face])
    return Correction(face, "nobody") if name == NOBODY else Correction(face, "is", problem.names[name])


def wrong(problem: Problem, found: Prediction, many: int) -> list[Correction]:
    """The truth about the faces that are wrong, those the method was surest of first."""
    assert problem.truth is not None
    faces = np.flatnonzero(found.name != problem.truth)
    return [truth(problem, int(face)) for face in faces[np.argsort(-found.confidence[faces], kind="stable")][:many]]


def again(problem: Problem, said: list[Correction], first: Solution) -> Prediction:
    found = solve_from(first.checkpoint, problem, corrections=said)
    assert found.warm
    assert found.checkpoint is first.checkpoint
    return found.prediction


def labels(found: Prediction) -> list[str | None]:
    return [found.label(face) for face in range(len(found.name))]


def agreement(one: Prediction, other: Prediction) -> float:
    return float(np.mean([a == b for a, b in zip(labels(one), labels(other), strict=True)]))


def cases(problem: Problem, first: Prediction) -> dict[str, list[Correction]]:
    named, nobody = np.flatnonzero(first.name != NOBODY), np.flatnonzero(first.name == NOBODY)
    sure = named[np.argsort(-first.confidence[named], kind="stable")]
    return {
        "what was wrong": wrong(problem, first, 1),
        "many at once": [Correction(int(face), "nobody") for face in sure[:MIN_CHANGED]],
        "a new name": [Correction(int(nobody[0]), "is", "Zoe of nowhere")],
        "what was right": [truth(problem, int(face)) for face in named[:3]],
        "is not": [Correction(int(named[4]), "is not", first.label(int(named[4])) or "")],
    }


@pytest.mark.parametrize("case", CASES)
def test_a_warm_start_agrees_with_a_cold_start(case: str, first: Solution) -> None:
    said = cases(PROBLEM, first.prediction)[case]
    found = again(PROBLEM, said, first)
    assert agreement(found, solve(PROBLEM, corrections=said)) >= 0.995
    for c in said:
        assert found.label(c.face) == (c.name if c.kind == "is" else None) or c.kind == "is not"
        assert c.kind != "is not" or found.label(c.face) != c.name


def test_a_cold_start_first_runs_without_a_few_corrections() -> None:
    """A hard problem: told one answer from the beginning, a run gives other names to many faces it does not speak of."""
    problem = mpii_md(600, 420, 135)
    first = solve_from(None, problem)
    said = wrong(problem, first.prediction, 1)
    fresh = solve_from(None, problem, corrections=said)
    assert not fresh.warm
    assert fresh.checkpoint is not None
    assert fresh.prediction.label(said[0].face) == (said[0].name or None)
    np.testing.assert_array_equal(fresh.prediction.name, again(problem, said, first).name)


def test_large_problems_are_recomputed_around_the_correction() -> None:
    large = films(films=30, groups=2400, names=240, dimensions=64, noise=0.85, named=0.75, seed=4)
    assert large.faces > ALL_BELOW
    first = solve_from(None, large)
    said = [*wrong(large, first.prediction, 1), Correction(8, "is", large.names[0])]
    assert agreement(again(large, said, first), solve(large, corrections=said)) >= 0.995


def test_no_correction_changes_nothing_and_undoing_restores_the_answer(first: Solution) -> None:
    same = again(PROBLEM, [], first)
    assert (same.name == first.prediction.name).all()
    np.testing.assert_array_equal(same.confidence, first.prediction.confidence)
    said = [*wrong(PROBLEM, first.prediction, 1), Correction(0, "is", "Zoe of nowhere")]
    undone = again(PROBLEM, [], solve_from(None, PROBLEM, corrections=said))
    assert agreement(undone, first.prediction) >= 0.995


def test_a_warm_start_does_not_depend_on_those_between(first: Solution) -> None:
    one, two = [truth(PROBLEM, 3)], [truth(PROBLEM, 3), Correction(8, "is", PROBLEM.names[0])]
    at_once = again(PROBLEM, two, first)
    between = solve_from(first.checkpoint, PROBLEM, corrections=one)
    step_by_step = again(PROBLEM, two[::-1], between)
    np.testing.assert_array_equal(at_once.name, step_by_step.name)
    np.testing.assert_array_equal(at_once.confidence, step_by_step.confidence)


def test_many_changed_corrections_give_a_cold_start(first: Solution) -> None:
    many = [truth(PROBLEM, face) for face in range(int(MAX_CHANGED_SHARE * PROBLEM.faces) + 1)]
    found = solve_from(first.checkpoint, PROBLEM, corrections=many)
    assert not found.warm
    assert found.checkpoint is not first.checkpoint
    again(PROBLEM, many, found)


def test_a_checkpoint_works_from_its_file(first: Solution, tmp_path: Path) -> None:
    said = [*wrong(PROBLEM, first.prediction, 2), Correction(1, "is", "Zoë of nowhere")]
    corrected = solve_from(None, PROBLEM, corrections=said)
    assert corrected.checkpoint is not None
    write_checkpoint(tmp_path / "checkpoint.npz", corrected.checkpoint)
    more = [*said, Correction(9, "nobody")]
    one, two = (
        solve_from(checkpoint, PROBLEM, corrections=more)
        for checkpoint in (corrected.checkpoint, read_checkpoint(tmp_path / "checkpoint.npz"))
    )
    assert one.warm
    assert two.warm
    np.testing.assert_array_equal(one.prediction.name, two.prediction.name)
    np.testing.assert_array_equal(one.prediction.confidence, two.prediction.confidence)


def test_arrays_of_another_format_are_not_used(first: Solution) -> None:
    assert first.checkpoint is not None
    older = Checkpoint(first.checkpoint.key, {**first.checkpoint.arrays, "format": np.array(0)})
    assert not solve_from(older, PROBLEM).warm
