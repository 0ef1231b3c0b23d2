"""How right an answer is."""

from __future__ import annotations

import numpy as np

from core.problem import NOBODY, FloatArray, IntArray


def accuracy(predicted: IntArray, truth: IntArray) -> float:
    """The share of all faces that are right, nobody counted as a class."""
    return float(np.mean(predicted == truth))


def f1(predicted: IntArray, truth: IntArray) -> float:
    """Micro F1 over named faces: precision of the names given, recall of the names due."""
    right = int(np.sum((predicted == truth) & (truth != NOBODY)))
    given, due = int(np.sum(predicted != NOBODY)), int(np.sum(truth != NOBODY))
    return 2 * right / (given + due) if given + due else 1.0


def calibration_error(confidence: FloatArray, right: IntArray, bins: int = 10) -> float:
    """Expected calibration error: how far confidence and the share of right answers lie apart, over equal-width bins."""
    place = np.minimum((confidence * bins).astype(np.int64), bins - 1)
    told = np.bincount(place, confidence, minlength=bins)
    held = np.bincount(place, right, minlength=bins)
    return float(np.abs(told - held).sum() / len(confidence))
