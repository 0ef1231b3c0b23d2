"""What methods say about a small film, printed as JSON: ``python -m tests.core.solvers.answers METHOD ...``"""

import json
import sys
from collections.abc import Sequence

from core import solve
from core.evaluation.generate import films

Answers = dict[str, list[tuple[int, float]]]  # of each method: every face's name and confidence


def answers(methods: Sequence[str]) -> Answers:
    problem = films(films=2, groups=50, names=10, dimensions=64, seed=3)
    found = {method: solve(problem, method, settings=_small(method)) for method in methods}
    return {method: list(zip(one.name.tolist(), one.confidence.tolist(), strict=True)) for method, one in found.items()}


def _small(method: str) -> object | None:
    """Settings of a small network where there is one."""
    if method != "dbgae":
        return None
    from tests.core.solvers.solving import SMALL  # torch comes with it: some seconds

    return SMALL


if __name__ == "__main__":
    print(json.dumps(answers(sys.argv[1:])))
