"""Who is who: persons to the faces of one frame, names to persons; each at most once, with nobody as a way out."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from core.problem import FloatArray, IntArray

CEILING = 1e6  # odds above this are as good as certain
CELLS = 1 << 20  # of a large table, worked on at once


def frame_marginals(
    score: FloatArray, new: FloatArray, person: IntArray, group: IntArray, twice: FloatArray | float, rounds: int = 4
) -> tuple[FloatArray, FloatArray]:
    """Marginals of who each face is when a person is seen once in a frame.

    ``score`` are the log-odds of each face's candidates ``person`` (faces × candidates), ``new`` those of being none of
    them. Belief propagation on ``P ~ prod_i exp(score) prod_k [k seen once, or again at the price of twice]``: the odds of
    (i, k) against all else i could be; then k is shared among the faces of the frame that want it,
    ``(1 + twice r)/(1 + r)`` with r the odds of the others. ``twice`` is one for all, or one for each candidate.
    """
    top = np.maximum(score.max(1), new)[:, None] if score.shape[1] else new[:, None]
    weight, nobody = np.exp(score - top), np.exp(new[:, None] - top)
    many = np.bincount(group)[group] > 1
    twice = np.broadcast_to(twice, score.shape)
    if many.any() and score.shape[1]:
        weight[many] *= _share(weight[many], nobody[many], person[many], group[many], twice[many], rounds)
    total = weight.sum(1, keepdims=True) + nobody
    return weight / total, (nobody / total)[:, 0]


def _share(
    weight: FloatArray, nobody: FloatArray, person: IntArray, group: IntArray, twice: FloatArray, rounds: int
) -> FloatArray:
    """How much of each candidate the other faces of the frame leave to a face."""
    key = group[:, None] * (int(person.max()) + 2) + person
    _, slot = np.unique(key.ravel(), return_inverse=True)
    share = np.ones_like(weight)
    for _ in range(rounds):
        wanted = weight * share
        rest = nobody + wanted.sum(1, keepdims=True) - wanted
        odds = np.minimum(weight / np.maximum(rest, 1e-30), CEILING)
        rival = np.bincount(slot, odds.ravel())[slot].reshape(weight.shape) - odds
        share = (1 + twice * rival) / (1 + np.maximum(rival, 0))
    return share


def one_to_one(row: IntArray, column: IntArray, gain: FloatArray, rows: int) -> IntArray:
    """For each of the ``rows`` its column in the assignment of the greatest gain, -1 for none; a column goes to one row.

    Given are the pairs that gain. Rows and columns that no pair joins cannot be in each other's way, so each connected part
    is assigned by itself.
    """
    chosen = np.full(rows, -1, np.int64)
    if not len(row):
        return chosen
    many = rows + int(column.max()) + 1
    graph = coo_array((np.ones(len(row), np.int8), (row, rows + column)), shape=(many, many))
    part = connected_components(graph, directed=False)[1][row]
    order = np.argsort(part, kind="stable")
    for pairs in np.split(order, np.flatnonzero(np.diff(part[order])) + 1):
        r, i = np.unique(row[pairs], return_inverse=True)
        c, j = np.unique(column[pairs], return_inverse=True)
        table = np.zeros((len(r), len(c) + len(r)))  # as many empty columns as rows: a row may stay without
        table[i, j] = -gain[pairs]
        best = linear_sum_assignment(table)[1]
        taken = best < len(c)
        taken[taken] = table[np.flatnonzero(taken), best[taken]] < 0
        chosen[r[taken]] = c[best[taken]]
    return chosen


def one_to_one_marginals(gain: FloatArray, rounds: int = 8) -> FloatArray:
    """P(row has column) under ``P(assignment) ~ exp(sum of gains)``, by damped belief propagation; what is left is none."""
    left = np.zeros_like(gain)  # log share of a column that the other rows leave
    for _ in range(rounds):
        odds = gain - others(gain + left)
        left = 0.5 * left - 0.5 * others(np.ascontiguousarray(odds.T)).T
    score = gain + left
    top = np.maximum(score.max(1, keepdims=True), 0)
    share = np.exp(score - top)
    return np.asarray(share / (share.sum(1, keepdims=True) + np.exp(-top)))


def others(x: FloatArray) -> FloatArray:
    """``log(1 + sum of exp x over the other entries of the row)``, stably; a few rows at a time."""
    rest = np.empty(x.shape)
    for start in range(0, len(x), height := max(CELLS // max(x.shape[1], 1), 1)):
        _others(x[start : start + height], rest[start : start + height])
    return rest


def _others(x: FloatArray, rest: FloatArray) -> None:
    row, best = np.arange(len(x)), x.argmax(1)
    top = np.maximum(x[row, best], 0)[:, None]
    np.exp(np.subtract(x, top, out=rest), out=rest)
    greatest = rest[row, best]
    rest[row, best] = 0  # the greatest is added apart: what is left without it may be much smaller
    without = rest.sum(1) + np.exp(-top[:, 0])
    np.subtract((without + greatest)[:, None], rest, out=rest)
    rest[row, best] = without
    np.log(rest, out=rest)
    rest += top
