"""Names the faces of a problem, corrects one, names them again: ``python -m benchmarks.rerun PROBLEM.npz``.

Only the second time is told, with how right it is, as one line of JSON.
"""

from __future__ import annotations

import json
import sys
import time
from inspect import signature
from typing import Any

import numpy as np

from core.corrections import Correction
from core.metrics import accuracy
from core.problem import NOBODY, Problem
from core.solve import Prediction, solve


def correction(problem: Problem, first: Prediction) -> Correction:
    """What a person would say about the least sure of the faces that are wrong."""
    assert problem.truth is not None
    wrong = np.flatnonzero(first.name != problem.truth)
    face = int(wrong[np.argmin(first.confidence[wrong])]) if len(wrong) else 0
    who = int(problem.truth[face])
    return Correction(face, "nobody") if who == NOBODY else Correction(face, "is", problem.names[who])


def main() -> None:
    problem = Problem.read(sys.argv[1])
    assert problem.truth is not None
    first = solve(problem)
    said = [correction(problem, first)]
    # a solver that remembers how its last run ended takes that up
    remembered: Any = {"memory": getattr(first, "memory", None)} if "memory" in signature(solve).parameters else {}
    started = time.perf_counter()
    second = solve(problem, corrections=said, **remembered)
    seconds = time.perf_counter() - started
    moved = int((second.name != first.name).sum())
    told = {"seconds": seconds, "accuracy": accuracy(second.name, problem.truth), "note": f"{moved} faces changed"}
    print(json.dumps(told))


if __name__ == "__main__":
    main()
