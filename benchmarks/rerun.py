"""Names the faces of a problem, corrects one, names them again: ``python -m benchmarks.rerun PROBLEM.npz``.

Only the naming again is told, with how right it is, as one line of JSON: the median of a few faces, each corrected alone.
"""

from __future__ import annotations

import json
import sys
import time
from inspect import signature
from statistics import mean, median
from typing import Any

import numpy as np

from core.corrections import Correction
from core.metrics import accuracy
from core.problem import NOBODY, Problem
from core.solve import Prediction, solve

TURNS = 5


def corrections(problem: Problem, first: Prediction) -> list[Correction]:
    """What a person would say about the least sure of the faces that are wrong."""
    assert problem.truth is not None
    wrong = np.flatnonzero(first.name != problem.truth)
    least = wrong[np.argsort(first.confidence[wrong])][:TURNS].tolist() or [0]
    return [_said(face, int(problem.truth[face]), problem) for face in least]


def _said(face: int, who: int, problem: Problem) -> Correction:
    return Correction(face, "nobody") if who == NOBODY else Correction(face, "is", problem.names[who])


def main() -> None:
    problem = Problem.read(sys.argv[1])
    assert problem.truth is not None
    first = solve(problem)
    # a solver that remembers how its last run ended takes that up
    remembered: Any = {"memory": getattr(first, "memory", None)} if "memory" in signature(solve).parameters else {}
    seconds, right, moved = [], [], []
    for said in corrections(problem, first):
        started = time.perf_counter()
        again = solve(problem, corrections=[said], **remembered)
        seconds.append(time.perf_counter() - started)
        right.append(accuracy(again.name, problem.truth))
        moved.append(int((again.name != first.name).sum()))
    note = f"{median(moved):g} faces changed, the longest took {max(seconds):.2g} s"
    print(json.dumps({"seconds": median(seconds), "accuracy": mean(right), "note": note}))


if __name__ == "__main__":
    main()
