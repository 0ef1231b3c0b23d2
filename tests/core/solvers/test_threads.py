"""BLAS has one thread inside a method of many small products, and as many as before outside."""

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from core import METHODS, Problem
from core.corrections import bind
from core.prediction import Scores
from core.solvers.method import Task
from core.solvers.threads import one_blas_thread

TASK = Task(*bind(Problem.build(np.eye(2), [0, 1], [["A"], []]), []))
NOTHING = Scores(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))


def threads() -> list[int]:
    return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]


def test_one_thread_inside_and_as_many_as_before_outside() -> None:
    seen: list[list[int]] = []

    @one_blas_thread
    def method(task: Task, fails: bool = False) -> Scores:
        seen.append(threads())
        if fails:
            raise ValueError
        return NOTHING

    with threadpool_limits(2, user_api="blas"):
        before = threads()
        assert 2 in before
        assert method(TASK) is NOTHING
        with pytest.raises(ValueError, match=r"^$"):
            method(TASK, fails=True)
        assert [set(inside) for inside in seen] == [{1}, {1}]
        assert threads()[: len(before)] == before


@pytest.mark.parametrize(("method", "limited"), [("rollcall", True), ("ipal", True), ("dbgae", False)])
def test_torch_keeps_its_threads(method: str, limited: bool) -> None:
    run = METHODS[method]
    names = []
    while run is not None:
        names.append(run.__code__.co_name if hasattr(run, "__code__") else "")
        run = getattr(run, "func", None) or getattr(run, "__wrapped__", None)
    assert ("limited" in names) == limited
