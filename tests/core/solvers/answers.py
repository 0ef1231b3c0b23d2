"""What methods say about a generated film, printed as JSON: ``python -m tests.core.solvers.answers GROUPS METHOD ...``"""

import json
import sys
from collections.abc import Sequence

import numpy as np

from core import solve
from core.evaluation.generate import films
from core.problem import NOBODY

Answers = dict[str, list[tuple[int, float]]]  # of each method: every face's name and confidence


def answers(methods: Sequence[str], groups: int) -> Answers:
    problem = films(films=2, groups=groups, names=10, dimensions=64, seed=3)
    found = {method: solve(problem, method, settings=_small(method)) for method in methods}
    return {method: list(zip(one.name.tolist(), one.confidence.tolist(), strict=True)) for method, one in found.items()}


def check_same(here: Answers, there: Answers) -> None:
    """Where a method is sure it says the same on both machines, and elsewhere nearly so."""
    for method, ours in here.items():
        (name, sure), (other, confidence) = np.array(ours).T, np.array(there[method]).T
        assert (name != NOBODY).any(), method
        assert (name == other).mean() >= 0.97, method
        assert (name == other)[sure > 0.9].all(), method
        assert np.abs(sure - confidence).mean() < 0.02, method


def _small(method: str) -> object | None:
    """Settings of a small network where there is one."""
    if method not in ("dbgae", "dbgae-authors"):
        return None
    from tests.core.solvers.solving import SMALL, SMALL_AUTHORS  # torch comes with it: some seconds

    return SMALL if method == "dbgae" else SMALL_AUTHORS


if __name__ == "__main__":
    print(json.dumps(answers(sys.argv[2:], int(sys.argv[1]))))
