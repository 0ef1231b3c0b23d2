"""How many threads linear algebra uses inside a method."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from core.prediction import Scores
from core.solvers.method import Task

P = ParamSpec("P")


def one_blas_thread(method: Callable[Concatenate[Task, P], Scores]) -> Callable[Concatenate[Task, P], Scores]:
    """The method with one thread for BLAS: for many small products, waking threads takes longer than multiplying."""

    @wraps(method)
    def limited(task: Task, /, *args: P.args, **options: P.kwargs) -> Scores:
        import scipy.linalg  # noqa: F401  only what is loaded by now can be limited
        from threadpoolctl import threadpool_limits

        with threadpool_limits(1, user_api="blas"):
            return method(task, *args, **options)

    return limited
