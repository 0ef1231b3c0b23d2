"""How much of a person's time the review queue saves: a simulated person answers what it asks, from the truth."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.corrections import Correction
from core.errors import BadInput
from core.evaluation import metrics
from core.evaluation.measure import markdown
from core.prediction import Prediction
from core.problem import NOBODY, BoolArray, FloatArray, IntArray, Problem
from core.progress import Progress, silent
from core.review.queue import next_faces
from core.solve import solve_from
from core.solvers.checkpoint import Checkpoint

BATCHES = 100  # of all faces, a run after each

SolveAgain = Callable[[Problem, Sequence[Correction]], Prediction]
Ask = Callable[[Problem, Prediction, BoolArray, int], IntArray]  # problem, prediction, answered faces, how many -> faces


@dataclass(frozen=True)
class Effort:
    """The share of faces a person touched before accuracy reached the target; 1.0: never before all were touched."""

    target: float
    faces: int
    first_accuracy: float
    queue: float
    random: float


@dataclass(frozen=True, eq=False)
class Trace:
    """Accuracy over all faces, answered ones included, after each batch; ``touched`` begins with 0."""

    faces: int
    touched: IntArray
    accuracy: FloatArray

    def share(self, target: float) -> float:
        """The share of faces touched when accuracy first reached the target."""
        reached = self.accuracy >= target
        return float(self.touched[int(np.argmax(reached))] / self.faces) if reached.any() else 1.0


def measure_effort(
    problem: Problem,
    solve_again: SolveAgain,
    ask: Ask | None = None,
    target: float = 0.99,
    seed: int = 0,
    progress: Progress = silent,
) -> Effort:
    """Both orders, each until the target is reached. ``ask`` stands in for the review queue."""
    queue, random = traces(problem, solve_again, ask, target, seed, progress)
    return Effort(target, problem.faces, float(queue.accuracy[0]), queue.share(target), random.share(target))


def traces(
    problem: Problem,
    solve_again: SolveAgain,
    ask: Ask | None = None,
    target: float = 0.99,
    seed: int = 0,
    progress: Progress = silent,
) -> tuple[Trace, Trace]:
    """The whole curves, with the queue and in random order."""
    if problem.truth is None:
        raise BadInput("this problem has no truth for the simulated person to answer from; add the array truth")
    first = solve_again(problem, [])
    queue = trace(problem, first, solve_again, ask or by_queue, target, _named(progress, "queue"))
    return queue, trace(problem, first, solve_again, in_random_order(seed), target, _named(progress, "random order"))


def trace(
    problem: Problem,
    prediction: Prediction,
    solve_again: SolveAgain,
    ask: Ask,
    target: float = 0.99,
    progress: Progress = silent,
) -> Trace:
    """One order, from a first ``prediction``: ask a batch, answer from the truth, run again; until the target is reached."""
    truth = problem.truth
    assert truth is not None
    batch = max(1, problem.faces // BATCHES)
    answered = np.zeros(problem.faces, dtype=bool)
    corrections: list[Correction] = []
    touched, accuracy = [0], [metrics.accuracy(prediction.name, truth)]
    while accuracy[-1] < target and not answered.all():
        left = problem.faces - int(answered.sum())
        asked = np.asarray(ask(problem, prediction, answered.copy(), min(batch, left)))
        _check_asked(asked, answered, min(batch, left))
        corrections += [answer(problem, face) for face in asked.tolist()]
        answered[asked] = True
        prediction = solve_again(problem, corrections)
        told = np.where(answered, truth, prediction.name)  # what a person said stands, whatever the method does with it
        touched.append(int(answered.sum()))
        accuracy.append(metrics.accuracy(told, truth))
        progress("effort", touched[-1], problem.faces)
    return Trace(problem.faces, np.array(touched, dtype=np.int64), np.array(accuracy))


def answer(problem: Problem, face: int) -> Correction:
    """What a person who knows the truth says of a face."""
    assert problem.truth is not None
    name = int(problem.truth[face])
    return Correction(face, "nobody") if name == NOBODY else Correction(face, "is", problem.names[name])


def by_method(method: str, seed: int = 0) -> SolveAgain:
    """Runs a method with all corrections so far, from the checkpoint of its last run, as a project does."""
    checkpoint: Checkpoint | None = None

    def again(problem: Problem, corrections: Sequence[Correction]) -> Prediction:
        nonlocal checkpoint
        solution = solve_from(checkpoint, problem, method, corrections, seed)
        checkpoint = solution.checkpoint
        return solution.prediction

    return again


def by_queue(problem: Problem, prediction: Prediction, answered: BoolArray, many: int) -> IntArray:
    """What the review queue asks."""
    return next_faces(prediction, answered, many)


def in_random_order(seed: int) -> Ask:
    """Asks for faces in one order drawn beforehand."""

    def ask(problem: Problem, prediction: Prediction, answered: BoolArray, many: int) -> IntArray:
        order = np.random.default_rng(seed).permutation(problem.faces)
        return order[~answered[order]][:many].astype(np.int64)

    return ask


def effort_table(found: Mapping[str, tuple[Trace, Trace]], target: float) -> str:
    """For each problem the share of faces touched with the queue and in random order."""
    rows = []
    for name, both in found.items():
        queue, random = (one.share(target) for one in both)
        times = f"{random / queue:.1f} times as many" if queue else "–"
        rows.append([name, str(both[0].faces), f"{both[0].accuracy[0]:.3f}", f"{queue:.1%}", f"{random:.1%}", times])
    head = ["set", "faces", "accuracy before", "touched with the queue", "in random order", "random order needs"]
    return markdown(head, rows)


def _check_asked(asked: IntArray, answered: BoolArray, many: int) -> None:
    """A queue that asks for nothing, too much, or twice would make the simulation endless or the shares wrong."""
    if not 0 < len(asked) <= many or len(np.unique(asked)) < len(asked) or answered[asked].any():
        raise ValueError(f"the queue must ask for 1 to {many} different faces that are still open, not {asked.tolist()}")


def _named(progress: Progress, stage: str) -> Progress:
    return lambda _, done, total, value=None: progress(stage, done, total, value)
