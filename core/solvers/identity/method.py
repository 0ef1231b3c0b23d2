"""The method behind the interface that all methods share."""

from __future__ import annotations

from core.prediction import Scores
from core.solvers.identity.config import DEFAULTS, Config
from core.solvers.method import Task
from core.solvers.threads import one_blas_thread


@one_blas_thread
def identity(task: Task) -> Scores:
    """One generative model of persons, their faces and the captions that name them: see ``model.py``."""
    from core.solvers.identity.answer import scores_of  # numba takes a second to load
    from core.solvers.identity.inference import fit, inputs_of

    config = task.settings if isinstance(task.settings, Config) else DEFAULTS
    inputs = inputs_of(task.problem, task.constraints, config, task.seed)
    return scores_of(inputs, fit(inputs, task.seed, task.progress))
