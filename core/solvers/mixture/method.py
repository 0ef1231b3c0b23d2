"""The mixture as a method: a run starts from the checkpoint of the last cold start where it can."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.corrections import unbind
from core.prediction import Evidence, Scores
from core.solvers.method import Task
from core.solvers.threads import one_blas_thread

MIN_PROBABILITY = 1e-3  # a name less probable than this is not listed


@one_blas_thread
def mixture(task: Task, without: str = "") -> Scores:
    """The mixture model of ``inference``. Scores are probabilities. ``without`` names an ablation."""
    from core.solvers.mixture.checkpoint import pack, starts_without_corrections, unpack
    from core.solvers.mixture.inference import infer
    from core.solvers.mixture.settings import DEFAULTS, WITHOUT
    from core.solvers.mixture.sparse_tables import coo
    from core.solvers.mixture.warm_start import changed_faces

    problem, constraints = task.problem, task.constraints
    settings = replace(DEFAULTS, **WITHOUT[without]) if without else DEFAULTS
    state = None if task.checkpoint is None else unpack(task.checkpoint.arrays)
    if state is not None and changed_faces(state, problem, constraints) is None:
        state = None
    last = state
    if state is None and starts_without_corrections(problem, constraints):
        state = infer(*unbind(problem, constraints), task.seed, task.progress, settings).state
    result = infer(problem, constraints, task.seed, task.progress, settings, state)
    result.names.sort_indices()
    face, name, score = coo(result.names)
    listed = score > MIN_PROBABILITY
    warm = last is not None
    return Scores(
        face=face[listed],
        name=name[listed],
        score=score[listed].astype(np.float64),
        nobody=result.nobody.astype(np.float64),
        evidence=Evidence(result.clusters, result.neighbours, result.cosine),
        state=task.checkpoint.arrays if warm and task.checkpoint else pack(result.state),
        warm=warm,
    )
