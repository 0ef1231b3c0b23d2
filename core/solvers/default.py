"""The default method: the identity model for few faces and for scatters learned offline, the mixture for the rest."""

from __future__ import annotations

from core.prediction import Scores
from core.solvers.identity.method import identity
from core.solvers.identity.prior import offline_prior
from core.solvers.method import Task
from core.solvers.mixture.method import mixture

HANDFUL, FEW = 30, 500
"""From so many faces of an unknown embedder on, and up to so many, the identity model answers. A handful cannot tell it how
faces vary, and the mixture is the less sure there; many do, and the mixture is the more accurate and the faster one."""


def rollcall(task: Task) -> Scores:
    """Few faces cannot tell how faces vary: the identity model has priors that hold, learned offline or not."""
    problem = task.problem
    known = offline_prior(problem.embedder, problem.features.shape[1]) is not None
    return identity(task) if known or HANDFUL <= problem.faces < FEW else mixture(task)
