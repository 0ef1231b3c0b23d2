"""The baselines as methods: each face takes the names of its own caption as candidates."""

from __future__ import annotations

import numpy as np

from core.corrections import Constraints
from core.prediction import Scores
from core.problem import BoolArray, Problem
from core.solvers.dbgae.links import calibrate
from core.solvers.method import Task
from core.solvers.threads import one_blas_thread
from core.solvers.tracks import per_track


@one_blas_thread
@per_track
def baseline(task: Task, name: str) -> Scores:
    """The baseline of this name."""
    from core.solvers.baselines.registry import CLUSTERINGS, LEARNERS

    features, candidates = task.problem.features, candidate_table(task.problem, task.constraints)
    if not candidates.any():
        return Scores(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
    if name in CLUSTERINGS:
        confidence = CLUSTERINGS[name](features, candidates, calibrate(task.problem).neighbour).confidence
    else:
        confidence = LEARNERS[name](features, candidates).confidence
    face, label = np.nonzero(confidence > 0)
    return Scores(face, label, confidence[face, label])


def candidate_table(problem: Problem, constraints: Constraints) -> BoolArray:
    """Which names each face could have by its own caption and under the constraints (faces × names)."""
    table = np.zeros((problem.groups, len(problem.names)), dtype=bool)
    table[problem.mention_group, problem.mention_name] = True
    candidates = table[problem.group]
    face, name = np.nonzero(candidates)
    candidates[face, name] = constraints.allows(face, name)
    return candidates
