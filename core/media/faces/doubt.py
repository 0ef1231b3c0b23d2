"""A second look at tracks: which of them are perhaps no faces at all.

A real face that is large enough to be seen well is sure in most of its looks, not in its best one alone; a bag or a clock
seldom is. Tracks of one shot that follow each other in one place are looked at as one. A poster or a statue is sure, but
never changes, while others in its shot do.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from core.arrays import chunks
from core.media.faces.kinds import Picture
from core.media.faces.suppress import overlaps
from core.problem import BoolArray, FloatArray, IntArray

# On one film the only false thing, two tracks of 32, has a mean score below the detector's, and 31 pixels at its largest;
# true faces with such scores have at most 27. On three other films this marks none of 28.
LARGE = 28  # pixels of the largest look
LOOKS = 12  # from which on somebody has moved: three seconds
# The least correlation of a track's looks with its first one, in tracks of that many looks: people have at most .73, those
# that are drawn .966.
NEVER_CHANGES, CHANGES = 0.98, 0.9
PLACE = 0.5  # intersection over union of the end of one track and the beginning of the next, where both are of one thing


def doubtful(number: IntArray, shot: IntArray, score: FloatArray, box: FloatArray, small: Picture, sure: float) -> BoolArray:
    """By track, whether it is perhaps no face. ``sure`` is the score of a face."""
    looks = np.bincount(number)
    side = np.zeros(len(looks))
    np.maximum.at(side, number, (box[:, 2:] - box[:, :2]).min(axis=1))
    thing = _things(number, shot, box)
    largest = np.zeros(int(thing.max(initial=-1)) + 1)
    np.maximum.at(largest, thing, side)
    mean = np.bincount(thing[number], score) / np.maximum(np.bincount(thing[number]), 1)
    unsure = (mean < sure)[thing] & (largest >= LARGE)[thing]
    least = _least_alike(number, small)
    first = np.unique(number, return_index=True)[1]
    alive = np.unique(shot[first[(least < CHANGES) & (looks >= LOOKS)]])
    statue = (least >= NEVER_CHANGES) & (looks >= LOOKS) & np.isin(shot[first], alive)
    return np.asarray(unsure | statue)


def _things(number: IntArray, shot: IntArray, box: FloatArray) -> IntArray:
    """By track, which thing it is of: tracks that begin where another of their shot ended are of one. Rows come in the order
    of their times."""
    first = np.unique(number, return_index=True)[1]
    last = len(number) - 1 - np.unique(number[::-1], return_index=True)[1]
    order = np.argsort(shot[first], kind="stable")
    one, other = [order[:0]], [order[:0]]
    # shot by shot, since a long film has too many tracks to compare each with all others
    for here in np.split(order, np.flatnonzero(np.diff(shot[first][order])) + 1):
        after = (last[here][:, None] < first[here]) & (overlaps(box[last[here]], box[first[here]]) >= PLACE)
        before, behind = np.nonzero(after)
        one.append(here[before])
        other.append(here[behind])
    pairs = np.concatenate(one), np.concatenate(other)
    graph = coo_array((np.ones(len(pairs[0])), pairs), shape=(len(first), len(first)))
    return np.asarray(connected_components(graph, directed=False)[1])


def _least_alike(number: IntArray, small: Picture) -> FloatArray:
    """By track, the least correlation of a look with the first one."""
    first = np.unique(number, return_index=True)[1]
    least = np.ones(len(first))
    for part in chunks(len(number), small[0].size if len(small) else 1):
        alike = (_plain(small[part]) * _plain(small[first[number[part]]])).mean(axis=1)
        np.minimum.at(least, number[part], alike)
    return least


def _plain(small: Picture) -> FloatArray:
    """Pictures as rows with the mean 0 and the variance 1."""
    rows = small.reshape(len(small), -1).astype(np.float32)
    rows -= rows.mean(axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(rows.std(axis=1, keepdims=True), 1e-3))
