"""Tracks: faces of one shot that are the same person, joined by where they are and how alike they are."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np
from scipy.optimize import linear_sum_assignment

from core.problem import FloatArray, IntArray
from core.records import Box

ALIKE = 0.70  # cosine of two embeddings that are one person wherever they stand ...
CLEAR = 40  # ... if both faces have so many pixels a side: those of smaller ones are all alike
MAYBE = 0.40  # cosine of one person if they also stand in the same place
OVERLAP = 0.25  # intersection over union that is the same place
GAP = 3  # sampled frames that a face may be away (hidden, turned, missed) and still be the same track
NEVER = 1e6


def tracks(frame: Sequence[int], shot: Sequence[int], boxes: Sequence[Box], embeddings: FloatArray) -> list[int]:
    """A track number for each face. Faces come in the order of their frames, whose numbers rise; two faces of one frame
    never share a track, nor do faces of two shots. Splitting one person costs a click, joining two costs the truth."""
    numbers = np.full(len(frame), -1, dtype=np.int64)
    corners = np.array([[box.left, box.top, box.right, box.bottom] for box in boxes], dtype=np.float64).reshape(-1, 4)
    vectors = np.asarray(embeddings, dtype=np.float64)
    new = 0
    for _, members in groupby(range(len(frame)), key=lambda face: shot[face]):
        running: dict[int, tuple[list[int], int]] = {}  # track: its faces, and the place of the last one's frame in the shot
        for place, (_, group) in enumerate(groupby(members, key=lambda face: frame[face])):
            here = np.fromiter(group, dtype=np.int64)
            running = {track: last for track, last in running.items() if place - last[1] <= GAP}
            known = list(running)
            for row, column in _joined(corners, vectors, [running[track][0] for track in known], here):
                numbers[here[column]] = known[row]
            for face in here.tolist():
                if numbers[face] < 0:
                    numbers[face], new = new, new + 1
                earlier = running.get(int(numbers[face]), ([], 0))[0]
                running[int(numbers[face])] = ([*earlier, face][-2 * GAP :], place)
    return [int(number) for number in numbers]


def _joined(corners: FloatArray, vectors: FloatArray, before: list[list[int]], here: IntArray) -> list[tuple[int, int]]:
    """Which tracks go on in which faces: one to one, the likeliest as a whole."""
    if not before:
        return []
    last = [faces[-1] for faces in before]
    overlap = _overlap(corners[last], corners[here])
    alike = np.array([(vectors[faces] @ vectors[here].T).max(axis=0) for faces in before])  # a face turns and turns back
    clear = np.minimum(_side(corners[last])[:, None], _side(corners[here])[None]) >= CLEAR
    fits = ((alike >= ALIKE) & (clear | (overlap > 0))) | ((alike >= MAYBE) & (overlap >= OVERLAP))
    rows, columns = linear_sum_assignment(np.where(fits, -(alike + overlap), NEVER))
    return [(int(r), int(c)) for r, c in zip(rows, columns, strict=True) if fits[r, c]]


def _side(corners: FloatArray) -> FloatArray:
    return np.asarray((corners[:, 2:] - corners[:, :2]).min(axis=1))


def _overlap(one: FloatArray, other: FloatArray) -> FloatArray:
    """Intersection over union of every pair of boxes."""
    low = np.maximum(one[:, None, :2], other[None, :, :2])
    high = np.minimum(one[:, None, 2:], other[None, :, 2:])
    shared = np.prod(np.clip(high - low, 0, None), axis=2)
    areas = [np.prod(boxes[:, 2:] - boxes[:, :2], axis=1) for boxes in (one, other)]
    return np.asarray(shared / np.maximum(areas[0][:, None] + areas[1][None] - shared, 1e-9))
