"""The default method: the identity model for faces of the product's own embedders, the mixture for all others.

The identity model (``identity/``) knows from photographs how faces of such an embedder vary, so a scene of sixty faces is
enough for it. Its reruns start cold; where they would take too long, and where nothing is known of the embedder, the
mixture (``mixture/``) is used.
"""

from __future__ import annotations

from core.prediction import Scores
from core.problem import Problem
from core.solvers.identity.method import rollcall_next
from core.solvers.method import Task
from core.solvers.mixture.method import rollcall as mixture

MOST_FACES = 3000  # that a cold start of the identity model names within some seconds


def rollcall(task: Task) -> Scores:
    return rollcall_next(task) if knows_faces_of(task.problem) else mixture(task)


def knows_faces_of(problem: Problem) -> bool:
    """Whether the identity model has an offline prior for these faces, and they are not too many."""
    from core.solvers.identity.appearance import offline_prior  # it loads numba

    return problem.faces <= MOST_FACES and offline_prior(problem.embedder, problem.features.shape[1]) is not None
