"""What people are promised of the default method, whatever that is, with margins for other processors and other faces."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from core import Correction, Prediction, Problem, solve
from core.evaluation.generate import MEASURED, films
from core.evaluation.metrics import calibration_error
from core.formats import read_problem
from core.problem import NOBODY, IntArray
from core.solve import Solution, solve_from
from tests.private import private_cases

SEEDS = (0,)
KINDS: dict[str, tuple[Callable[[int], Problem], float]] = {  # a generated film, and the accuracy that it must reach
    "plain": (lambda seed: films(films=4, groups=150, names=40, dimensions=128, seed=seed), 0.87),
    "like FaceNet": (lambda seed: films(films=4, groups=150, names=40, scatter=MEASURED, seed=seed), 0.82),
    "half are strangers": (lambda seed: films(films=2, groups=150, names=12, dimensions=128, extras=0.5, seed=seed), 0.87),
}
PRIVATE = {"lost.npz": 0.88}


@dataclass(frozen=True, eq=False)
class Solved:
    problem: Problem
    prediction: Prediction

    @property
    def right(self) -> np.ndarray:
        return np.asarray(self.prediction.name == truth(self.problem))


@pytest.fixture(scope="module")
def solved() -> dict[str, list[Solved]]:
    made = {kind: [make(seed) for seed in SEEDS] for kind, (make, _) in KINDS.items()}
    return {kind: [Solved(problem, solve(problem)) for problem in problems] for kind, problems in made.items()}


def truth(problem: Problem) -> IntArray:
    assert problem.truth is not None
    return problem.truth


def answer(problem: Problem, face: int) -> Correction:
    """The truth about a face, as a person says it."""
    name = int(truth(problem)[face])
    return Correction(face, "nobody") if name == NOBODY else Correction(face, "is", problem.names[name])


@pytest.mark.parametrize("kind", [*KINDS, *private_cases(*PRIVATE)])
def test_most_faces_are_named_right(kind: str | Path, solved: dict[str, list[Solved]]) -> None:
    if isinstance(kind, Path):
        problem = read_problem(kind)
        assert Solved(problem, solve(problem)).right.mean() >= PRIVATE[kind.name]
    else:
        assert np.mean([one.right.mean() for one in solved[kind]]) >= KINDS[kind][1]


@pytest.mark.parametrize("kind", KINDS)
def test_it_does_better_than_the_captions_alone(kind: str, solved: dict[str, list[Solved]]) -> None:
    for one in solved[kind]:
        captions = solve(one.problem, "ipal").name == truth(one.problem)
        assert one.right.mean() > captions.mean() + 0.1


def test_confidence_is_how_often_it_is_right(solved: dict[str, list[Solved]]) -> None:
    every = [one for problems in solved.values() for one in problems]
    right = np.concatenate([one.right for one in every])
    confidence = np.concatenate([one.prediction.confidence for one in every])
    assert calibration_error(confidence, right) <= 0.07
    assert right[confidence > 0.95].mean() >= 0.96
    assert (confidence > 0.95).mean() > 0.4  # it is sure of something
    assert right[confidence < 0.7].mean() < 0.85


# --- What people say ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Hard:
    """A film on which much is wrong at first, some true answers, and a cold start that is told them."""

    problem: Problem
    first: Solution
    said: list[Correction]
    told: Prediction


@pytest.fixture(scope="module")
def hard() -> Hard:
    problem = films(films=4, groups=150, names=32, dimensions=64, noise=0.75, named=0.75, seed=1)
    first = solve_from(None, problem)
    faces = wrong(problem, first.prediction)
    assert len(faces) >= 6
    said = [answer(problem, face) for face in faces[:: len(faces) // 4][:4]]
    return Hard(problem, first, said, solve(problem, corrections=said))


def wrong(problem: Problem, found: Prediction) -> list[int]:
    return np.flatnonzero(found.name != truth(problem)).tolist()


def test_true_answers_mend_more_than_they_speak_of(hard: Hard) -> None:
    left = wrong(hard.problem, hard.told)
    assert len(left) < len(wrong(hard.problem, hard.first.prediction)) - len(hard.said)
    assert not {correction.face for correction in hard.said} & set(left)


def test_a_rerun_agrees_with_a_cold_start(hard: Hard) -> None:
    again = solve_from(hard.first.checkpoint, hard.problem, corrections=hard.said)
    assert again.warm
    assert (again.prediction.name == hard.told.name).mean() >= 0.97
    assert len(wrong(hard.problem, again.prediction)) <= len(wrong(hard.problem, hard.told)) + 0.02 * hard.problem.faces


def test_a_right_answer_about_a_rare_name_leaves_strangers_nobody(solved: dict[str, list[Solved]]) -> None:
    """Half of these faces are strangers. One answer about somebody who is seldom seen must not give them that name."""
    before = solved["half are strangers"][0]
    problem = before.problem
    seen = np.bincount(truth(problem)[truth(problem) != NOBODY], minlength=len(problem.names))
    rare = int(np.where(seen > 0, seen, problem.faces).argmin())
    face = int(np.flatnonzero(truth(problem) == rare)[0])
    after = solve(problem, corrections=[answer(problem, face)])
    strangers = truth(problem) == NOBODY
    assert (after.name[strangers] == rare).mean() < 0.03
    assert (after.name == truth(problem)).mean() >= before.right.mean() - 0.02


@pytest.mark.parametrize("path", [pytest.param(None, id="made"), *private_cases("lost.npz")])
def test_one_known_name_does_not_take_everybody(path: Path | None) -> None:
    """One face a frame, and captions that know one person of the whole cast."""
    whole = read_problem(path) if path else films(
        films=1, groups=300, names=10, dimensions=64, noise=1.2, named=1.0, extras=0.0, absent=0.0, faces=300
    )  # fmt: skip
    known = int(np.argsort(-np.bincount(truth(whole)))[3])
    name = whole.names[known]
    captions = [[name] if name in caption else [] for caption in whole.candidates()]
    found = solve(Problem.build(whole.features, whole.group, captions, names=[name]))
    assert (found.name == np.where(truth(whole) == known, 0, NOBODY)).mean() > 0.85
