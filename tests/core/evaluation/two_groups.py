"""A problem small enough to work everything out by hand."""

import numpy as np

from core.problem import NOBODY, Problem

ANN, BOB, CAL, DEE, EVE = range(5)


def two_groups() -> Problem:
    """Group 0 shows Ann, Bob and a stranger and names Ann and Cal; group 1 shows Ann and Cal and names Ann."""
    return Problem.build(
        features=np.eye(5),
        group=[0, 0, 0, 1, 1],
        candidates=[["Ann", "Cal"], ["Ann"], ["Dee"]],
        names=["Ann", "Bob", "Cal", "Dee", "Eve"],
        truth=[ANN, BOB, NOBODY, ANN, CAL],
    )
