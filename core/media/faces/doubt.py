"""A second look at tracks: which of them are perhaps no faces at all.

A real face that is large enough to be seen well is sure in most of its looks, not in its best one alone; a bag or a clock
seldom is. A poster or a statue is sure, but never changes, while others in its shot do.
"""

from __future__ import annotations

import numpy as np

from core.media.faces.kinds import Picture
from core.problem import BoolArray, FloatArray, IntArray

# On one film the only false track of 29 has a mean score below the detector's, and 31 pixels at its largest; true faces with
# such scores have at most 27. On three other films this marks one track of 28: a profile of which little is seen.
LARGE = 28  # pixels of the largest look
LOOKS = 12  # from which on somebody has moved: three seconds
# The least correlation of a track's looks with its first one, in tracks of that many looks: people have at most .73, those
# that are drawn .966.
NEVER_CHANGES, CHANGES = 0.98, 0.9


def doubtful(number: IntArray, shot: IntArray, score: FloatArray, box: FloatArray, small: Picture, sure: float) -> BoolArray:
    """By track, whether it is perhaps no face. ``sure`` is the score of a face."""
    looks = np.bincount(number)
    side = np.zeros(len(looks))
    np.maximum.at(side, number, (box[:, 2:] - box[:, :2]).min(axis=1))
    unsure = (np.bincount(number, score) / np.maximum(looks, 1) < sure) & (side >= LARGE)
    least = _least_alike(number, small)
    first = np.unique(number, return_index=True)[1]
    alive = np.unique(shot[first[(least < CHANGES) & (looks >= LOOKS)]])
    statue = (least >= NEVER_CHANGES) & (looks >= LOOKS) & np.isin(shot[first], alive)
    return np.asarray(unsure | statue)


def _least_alike(number: IntArray, small: Picture) -> FloatArray:
    """By track, the least correlation of a look with the first one."""
    rows = small.reshape(len(small), small.shape[1] * small.shape[2]).astype(np.float32)
    rows -= rows.mean(axis=1, keepdims=True)
    rows /= np.maximum(rows.std(axis=1, keepdims=True), 1e-3)
    first = np.unique(number, return_index=True)[1]
    least = np.ones(len(first))
    np.minimum.at(least, number, (rows * rows[first[number]]).mean(axis=1))
    return least
