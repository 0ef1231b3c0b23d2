"""Names the faces of a problem, corrects one, names them again: ``python -m benchmarks.rerun PROBLEM.npz``.

Only the naming again is told, with how right it is and how far a cold start agrees, as one line of JSON: the median
of a few faces, each corrected alone.
"""

from __future__ import annotations

import json
import sys
import time
from statistics import mean, median

import numpy as np

from core.corrections import Correction
from core.evaluation.metrics import accuracy
from core.formats import read_problem
from core.prediction import Prediction
from core.problem import NOBODY, Problem
from core.solve import solve, solve_from

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
    problem = read_problem(sys.argv[1])
    assert problem.truth is not None
    cold = solve_from(None, problem)
    first = cold.prediction
    seconds, right, moved, agree = [], [], [], []
    for said in corrections(problem, first):
        started = time.perf_counter()
        again = solve_from(cold.checkpoint, problem, corrections=[said]).prediction
        seconds.append(time.perf_counter() - started)
        right.append(accuracy(again.name, problem.truth))
        moved.append(int((again.name != first.name).sum()))
        agree.append(accuracy(again.name, solve(problem, corrections=[said]).name))
    note = f"{median(moved):g} faces changed, the longest took {max(seconds):.2g} s, "
    note += f"{mean(agree):.2%} named as by a cold start"
    print(json.dumps({"seconds": median(seconds), "accuracy": mean(right), "note": note}))


if __name__ == "__main__":
    main()
