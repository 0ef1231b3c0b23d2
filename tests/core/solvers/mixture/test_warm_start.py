"""Reruns that take up where a run ended: they agree with runs from nothing, whatever people say and unsay."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core import Correction, Prediction, Problem, solve
from core import memory as remembered
from core.generate import films, mpii_md
from core.problem import NOBODY
from core.warm import AT_LEAST, FEW, SHARE

PROBLEM = films(films=4, groups=300, names=32, dimensions=64, noise=0.75, named=0.75, seed=4)
FIRST = solve(PROBLEM)


def truth(problem: Problem, face: int) -> Correction:
    assert problem.truth is not None
    name = int(problem.truth[face])
    return Correction(face, "nobody") if name == NOBODY else Correction(face, "is", problem.names[name])


def wrong(problem: Problem, found: Prediction, many: int) -> list[Correction]:
    """The truth about the faces that are wrong, those the method was surest of first."""
    assert problem.truth is not None
    faces = np.flatnonzero(found.name != problem.truth)
    return [truth(problem, int(face)) for face in faces[np.argsort(-found.confidence[faces], kind="stable")][:many]]


def again(problem: Problem, said: list[Correction], first: Prediction) -> Prediction:
    found = solve(problem, corrections=said, memory=first.memory)
    assert found.warm
    assert found.memory is first.memory
    return found


def labels(found: Prediction) -> list[str | None]:
    return [found.label(face) for face in range(len(found.name))]


def agreement(one: Prediction, other: Prediction) -> float:
    return float(np.mean([a == b for a, b in zip(labels(one), labels(other), strict=True)]))


def cases(problem: Problem, first: Prediction) -> dict[str, list[Correction]]:
    named, nobody = np.flatnonzero(first.name != NOBODY), np.flatnonzero(first.name == NOBODY)
    sure = named[np.argsort(-first.confidence[named], kind="stable")]
    return {
        "what was wrong": wrong(problem, first, 1),
        "many at once": [Correction(int(face), "nobody") for face in sure[:AT_LEAST]],
        "a new name": [Correction(int(nobody[0]), "is", "Zoe of nowhere")],
        "what was right": [truth(problem, int(face)) for face in named[:3]],
        "is not": [Correction(int(named[4]), "is not", first.label(int(named[4])) or "")],
    }


@pytest.mark.parametrize("case", cases(PROBLEM, FIRST))
def test_a_rerun_agrees_with_a_run_from_nothing(case: str) -> None:
    said = cases(PROBLEM, FIRST)[case]
    found = again(PROBLEM, said, FIRST)
    assert agreement(found, solve(PROBLEM, corrections=said)) >= 0.995
    for c in said:
        assert found.label(c.face) == (c.name if c.kind == "is" else None) or c.kind == "is not"
        assert c.kind != "is not" or found.label(c.face) != c.name


@pytest.mark.parametrize("name", ["tv_bbt", "films", "lfw_strangers"])
def test_reruns_on_real_faces_agree_with_runs_from_nothing(name: str, data: Path) -> None:
    problem = Problem.read(data / f"{name}.npz")
    assert problem.truth is not None
    first = solve(problem)
    agreed = []
    for said in (wrong(problem, first, 1), wrong(problem, first, AT_LEAST))[name == "lfw_strangers" :]:
        found, fresh = again(problem, said, first), solve(problem, corrections=said)
        agreed.append(agreement(found, fresh))
        assert (found.name == problem.truth).mean() >= (fresh.name == problem.truth).mean() - 0.005
    assert min(agreed) >= 0.995


def test_a_run_from_nothing_settles_before_it_hears_a_few_answers() -> None:
    """A hard problem: told one answer from the beginning, a run gives other names to many faces it does not speak of."""
    problem = mpii_md(600, 420, 135)
    first = solve(problem)
    said = wrong(problem, first, 1)
    fresh = solve(problem, corrections=said)
    assert not fresh.warm
    assert fresh.memory is not None
    assert fresh.label(said[0].face) == (said[0].name or None)
    np.testing.assert_array_equal(fresh.name, again(problem, said, first).name)


def test_large_problems_are_asked_around_the_correction_only() -> None:
    large = films(films=30, groups=2400, names=240, dimensions=64, noise=0.85, named=0.75, seed=4)
    assert large.faces > FEW
    first = solve(large)
    said = [*wrong(large, first, 1), Correction(8, "is", large.names[0])]
    assert agreement(again(large, said, first), solve(large, corrections=said)) >= 0.995


def test_nothing_said_changes_nothing_and_what_is_undone_is_as_if_never_said() -> None:
    same = again(PROBLEM, [], FIRST)
    assert (same.name == FIRST.name).all()
    np.testing.assert_array_equal(same.confidence, FIRST.confidence)
    said = [*wrong(PROBLEM, FIRST, 1), Correction(0, "is", "Zoe of nowhere")]
    corrected = solve(PROBLEM, corrections=said)
    undone = again(PROBLEM, [], corrected)
    assert agreement(undone, FIRST) >= 0.995


def test_a_rerun_repeats_exactly_whatever_came_between() -> None:
    one, two = [truth(PROBLEM, 3)], [truth(PROBLEM, 3), Correction(8, "is", PROBLEM.names[0])]
    at_once = again(PROBLEM, two, FIRST)
    step_by_step = again(PROBLEM, two[::-1], again(PROBLEM, one, FIRST))
    np.testing.assert_array_equal(at_once.name, step_by_step.name)
    np.testing.assert_array_equal(at_once.confidence, step_by_step.confidence)


def test_too_much_else_said_or_another_problem_is_run_from_nothing() -> None:
    many = [truth(PROBLEM, face) for face in range(int(SHARE * PROBLEM.faces) + 1)]
    found = solve(PROBLEM, corrections=many, memory=FIRST.memory)
    assert not found.warm
    assert again(PROBLEM, many, found).warm
    others = {
        "seed": {"seed": 1},
        "method": {"method": "rollcall-no-strangers"},
        "captions": {"problem": replace(PROBLEM, mention_name=PROBLEM.mention_name[::-1].copy())},
        "faces": {"problem": replace(PROBLEM, features=PROBLEM.features[::-1].copy())},
        "names": {"problem": replace(PROBLEM, names=("Zoe of nowhere", *PROBLEM.names[1:]))},
    }
    for what, changed in others.items():
        found = solve(**({"problem": PROBLEM, "memory": FIRST.memory} | changed))  # type: ignore[arg-type]
        assert not found.warm, what


def test_a_memory_outlives_its_process_as_a_file(tmp_path: Path) -> None:
    said = [*wrong(PROBLEM, FIRST, 2), Correction(1, "is", "Zoë of nowhere")]
    corrected = solve(PROBLEM, corrections=said)
    assert corrected.memory is not None
    remembered.write(tmp_path / "a folder" / "memory.npz", corrected.memory)
    read = remembered.read(tmp_path / "a folder" / "memory.npz")
    assert read is not None
    more = [*said, Correction(9, "nobody")]
    one, two = (solve(PROBLEM, corrections=more, memory=memory) for memory in (corrected.memory, read))
    assert one.warm
    assert two.warm
    np.testing.assert_array_equal(one.name, two.name)
    np.testing.assert_array_equal(one.confidence, two.confidence)


def test_a_lost_or_damaged_memory_is_none(tmp_path: Path) -> None:
    path = tmp_path / "memory.npz"
    assert remembered.read(path) is None
    assert FIRST.memory is not None
    remembered.write(path, FIRST.memory)
    whole = path.read_bytes()
    for damaged in (b"", b"no such thing", whole[: len(whole) // 2]):
        path.write_bytes(damaged)
        assert remembered.read(path) is None
