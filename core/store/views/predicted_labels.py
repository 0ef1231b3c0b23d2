"""Predicted labels: what a run says about its faces, as far as nobody has contradicted it since."""

from __future__ import annotations

from core.problem import NOBODY, FloatArray, IntArray
from core.store.decisions.log import Log
from core.store.runs.answers import Solved

STOPGAP = 0.5  # the most confidence in a name that takes the place of a refused one until the next run


def predicted_labels(solved: Solved, log: Log) -> tuple[IntArray, FloatArray]:
    """By row of the run: a number of the name table or ``NOBODY``, and the confidence.

    A name that people have refused since gives way to the likeliest of the others.
    """
    name, confidence = solved.name.copy(), solved.prediction.confidence.copy()
    for face in log.answered:
        refused = log.standing(face).refused
        row = solved.row(face) if refused else None
        if row is not None and int(name[row]) in refused:
            name[row], confidence[row] = _next(solved, row, refused)
    return name, confidence


def _next(solved: Solved, row: int, refused: frozenset[int]) -> tuple[int, float]:
    """The likeliest name that is not refused; nobody can always be the answer."""
    left = [(number, chance) for number, chance in solved.ranked(row) if number == NOBODY or number not in refused]
    best, chance = max(left, key=lambda pair: pair[1])
    return best, STOPGAP * chance / (sum(chance for _, chance in left) or 1.0)
