"""What a run says about its faces, as far as nobody has contradicted it since."""

from __future__ import annotations

import numpy as np

from core.problem import NOBODY, FloatArray, IntArray
from core.store.decisions import Log
from core.store.runs import Solved, named

STOPGAP = 0.5  # the most confidence in a name that takes the place of a refused one until the next run


def opinion(solved: Solved, log: Log) -> tuple[IntArray, FloatArray]:
    """By row of the run: a number of the name table or ``NOBODY``, and the confidence.

    A name that people have refused since gives way to the likeliest of the others.
    """
    name, confidence = named(solved, log.merged()).copy(), solved.prediction.confidence.copy()
    for face in log.answered:
        refused = log.standing(face).refused
        row = solved.row(face) if refused else None
        if row is not None and int(name[row]) in refused:
            name[row], confidence[row] = _next(solved, row, log, refused)
    return name, confidence


def _next(solved: Solved, row: int, log: Log, refused: frozenset[int]) -> tuple[int, float]:
    scores = solved.prediction.scores
    rows = slice(*np.searchsorted(scores.face, [row, row + 1]))
    names = [log.root(int(solved.name_id[name])) for name in scores.name[rows]]
    left = {NOBODY: 0.0 if scores.nobody is None else float(scores.nobody[row])}
    for name, score in zip(names, scores.score[rows].tolist(), strict=True):
        if name not in refused:
            left[name] = left.get(name, 0.0) + score
    best = max(left, key=lambda name: left[name])
    return best, STOPGAP * left[best] / (sum(left.values()) or 1.0)
