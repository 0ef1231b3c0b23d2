"""Non-maximum suppression: of boxes that overlap much, the best one stays."""

from __future__ import annotations

from typing import Literal

import numpy as np

from core.arrays import chunks
from core.problem import BoolArray, FloatArray, IntArray

Overlap = Literal["union", "smaller"]
BLOCK = 256  # boxes compared at a time, so that a crowded picture needs no square of its thousands of candidates


def suppress(boxes: FloatArray, scores: FloatArray, threshold: float, of: Overlap = "union") -> IntArray:
    """Indices of the boxes that stay, best first: none overlaps a better one that stays by more than ``threshold``.

    Overlap is the shared area as a share ``of`` the union of both boxes, or of the smaller one, whose sides then count their
    last pixel too, as in MTCNN's last step.

    >>> boxes = np.array([[0.0, 0, 10, 10], [1, 0, 11, 10], [20, 0, 30, 10]])
    >>> suppress(boxes, np.array([0.8, 0.9, 0.7]), 0.5).tolist()
    [1, 2]
    """
    order = np.argsort(-scores, kind="stable")
    boxes = boxes[order]
    stays = np.zeros(len(order), bool)
    for block in chunks(len(order), cells=BLOCK):
        better = boxes[: block.start][stays[: block.start]]
        beaten = overlaps(better, boxes[block], of) > threshold
        alive = np.logical_not(np.any(beaten, axis=0))
        stays[block] = _settle(alive, overlaps(boxes[block], boxes[block], of) > threshold)
    return order[stays]


def _settle(alive: BoolArray, overlapping: BoolArray) -> BoolArray:
    """Which of the boxes, best first, stay: decided anew until nothing changes, as often as the longest chain is long."""
    beats = np.triu(overlapping, k=1).astype(np.float32)
    stays = alive
    while True:
        again = alive & (stays.astype(np.float32) @ beats == 0)
        if (again == stays).all():
            return stays
        stays = again


def overlaps(ones: FloatArray, others: FloatArray, of: Overlap = "union") -> FloatArray:
    """By how much each of ``ones`` overlaps each of ``others``."""
    extra = 1 if of == "smaller" else 0
    left, top, right, bottom = (side[:, None] for side in ones.T)
    other_left, other_top, other_right, other_bottom = others.T
    width = np.minimum(right, other_right) - np.maximum(left, other_left) + extra
    height = np.minimum(bottom, other_bottom) - np.maximum(top, other_top) + extra
    shared = np.maximum(width, 0) * np.maximum(height, 0)
    area = (right - left + extra) * (bottom - top + extra)
    other = (other_right - other_left + extra) * (other_bottom - other_top + extra)
    whole = np.minimum(area, other) if of == "smaller" else area + other - shared
    return np.asarray(np.divide(shared, whole, out=np.zeros_like(shared), where=whole > 0))  # without area: nothing
