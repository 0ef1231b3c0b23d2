"""The front door of the methods: a problem and what people said about it -> who is who."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

import numpy as np

from core.corrections import Correction, bind
from core.errors import BadInput
from core.prediction import Prediction
from core.problem import NOBODY, Problem
from core.progress import Progress, silent
from core.solvers.baselines.method import baseline
from core.solvers.checkpoint import Checkpoint, checkpoint_key
from core.solvers.dbgae.method import dbgae
from core.solvers.identity.method import rollcall
from core.solvers.method import Method, Task
from core.solvers.order import canonical_order

METHODS: dict[str, Method] = {
    "rollcall": rollcall,
    "rollcall-no-absence": partial(rollcall, without="absence"),
    "rollcall-no-exclusivity": partial(rollcall, without="exclusivity"),
    "rollcall-no-learning": partial(rollcall, without="learning"),
    "rollcall-no-likeness": partial(rollcall, without="likeness"),
    "rollcall-no-prior": partial(rollcall, without="prior"),
    "dbgae": dbgae,
    "dbgae-authors": partial(dbgae, variant="authors"),
    "dbgae-no-autoencoder": partial(dbgae, variant="no-autoencoder"),
    "dbgae-no-dual": partial(dbgae, variant="no-dual"),
    "dbgae-no-cross": partial(dbgae, variant="no-cross"),
    "dbgae-no-attention": partial(dbgae, variant="no-attention"),
    "pair-clustering": partial(baseline, name="pair-clustering"),
    "cluster-voting": partial(baseline, name="cluster-voting"),
    "ipal": partial(baseline, name="ipal"),
    "pl-leaf": partial(baseline, name="pl-leaf"),
    "sure": partial(baseline, name="sure"),
    "pl-aggd": partial(baseline, name="pl-aggd"),
}


@dataclass(frozen=True, eq=False)
class Solution:
    """A prediction, the checkpoint from which the next run may start, and whether this run started from one."""

    prediction: Prediction
    checkpoint: Checkpoint | None
    warm: bool


def solve(
    problem: Problem,
    method: str = "rollcall",
    corrections: Iterable[Correction] = (),
    seed: int = 0,
    progress: Progress = silent,
    settings: object | None = None,
) -> Prediction:
    """Names the faces of ``problem``. Corrections are fixed; everything else is predicted around them.

    ``settings`` replaces a method's own settings. The answer does not depend on the order of faces, groups and names.
    """
    return solve_from(None, problem, method, corrections, seed, progress, settings).prediction


def solve_from(
    checkpoint: Checkpoint | None,
    problem: Problem,
    method: str = "rollcall",
    corrections: Iterable[Correction] = (),
    seed: int = 0,
    progress: Progress = silent,
    settings: object | None = None,
) -> Solution:
    """As ``solve``, from the checkpoint of an earlier run where it is of the same problem, method, seed and settings."""
    if method not in METHODS:
        raise BadInput(f"there is no method {method!r}; choose one of {', '.join(METHODS)}")
    problem, constraints = bind(problem, corrections)
    ordered, constraints, face_order, name_order = canonical_order(problem, constraints)
    key = checkpoint_key(ordered, constraints, method, seed, settings)
    last = checkpoint if checkpoint is not None and checkpoint.key == key else None
    scores = METHODS[method](Task(ordered, constraints, seed, progress, settings, last))
    if last is None or scores.state is not last.arrays:
        last = None if scores.state is None else Checkpoint(key, scores.state)
    name, confidence = scores.allowed(constraints).answer(constraints)
    back = np.argsort(face_order)
    prediction = Prediction(
        names=problem.names,
        name=np.r_[name_order, NOBODY][name[back]],  # index -1 stays nobody
        confidence=confidence[back],
        scores=scores.allowed(constraints).sorted_back(face_order, name_order),
    )
    return Solution(prediction, last, scores.warm)
