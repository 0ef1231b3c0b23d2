"""The default method: the identity model for few faces and for scatters learned offline, the mixture for the rest."""

from __future__ import annotations

from core.prediction import Scores
from core.solvers.identity.method import identity
from core.solvers.identity.prior import offline_prior
from core.solvers.method import Task
from core.solvers.mixture.method import mixture

FEW = 500  # faces. Below, the mixture calls too many of them nobody; above, it is the more accurate and the faster one.


def rollcall(task: Task) -> Scores:
    """Few faces cannot tell how faces vary: the identity model has priors that hold, learned offline or not."""
    problem = task.problem
    known = offline_prior(problem.embedder, problem.features.shape[1]) is not None
    return identity(task) if known or problem.faces < FEW else mixture(task)
