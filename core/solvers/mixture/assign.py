"""Exclusive assignments, with "none" as an option: persons to the faces of one frame, and names to clusters."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from core.problem import FloatArray, IntArray

MAX_ODDS = 1e6  # odds above this are as good as certain
CELLS = 1 << 20  # entries in one block


def frame_marginals(
    score: FloatArray, new: FloatArray, cluster: IntArray, group: IntArray, penalty: FloatArray | float, rounds: int = 4
) -> tuple[FloatArray, FloatArray]:
    """Marginals of the joint assignment of persons to the faces of each frame.

    Loopy belief propagation on ``P ~ prod_i exp(score_i) prod_k penalty^(faces of k in the frame - 1)``: the odds of (i, k)
    against all other candidates of i; then each face gets the share ``(1 + penalty r)/(1 + r)`` of k, with r the sum of the
    odds of the other faces.

    ``score`` holds the log-odds of each face's candidates ``cluster`` (faces × candidates), ``new`` those of none of them.
    ``penalty`` is one number, or one for each candidate. Returns the probability of each candidate, and of none.
    """
    top = np.maximum(score.max(1), new)[:, None] if score.shape[1] else new[:, None]
    weight, nobody = np.exp(score - top), np.exp(new[:, None] - top)
    many = np.bincount(group)[group] > 1
    penalty = np.broadcast_to(penalty, score.shape)
    if many.any() and score.shape[1]:
        weight[many] *= _share(weight[many], nobody[many], cluster[many], group[many], penalty[many], rounds)
    total = weight.sum(1, keepdims=True) + nobody
    return weight / total, (nobody / total)[:, 0]


def _share(
    weight: FloatArray, nobody: FloatArray, cluster: IntArray, group: IntArray, penalty: FloatArray, rounds: int
) -> FloatArray:
    """The share of each candidate that the other faces of the frame leave to a face."""
    key = group[:, None] * (int(cluster.max()) + 2) + cluster
    _, slot = np.unique(key.ravel(), return_inverse=True)
    share = np.ones_like(weight)
    for _ in range(rounds):
        wanted = weight * share
        rest = nobody + wanted.sum(1, keepdims=True) - wanted
        odds = np.minimum(weight / np.maximum(rest, 1e-30), MAX_ODDS)
        rival = np.bincount(slot, odds.ravel())[slot].reshape(weight.shape) - odds
        share = (1 + penalty * rival) / (1 + np.maximum(rival, 0))
    return share


def one_to_one(row: IntArray, column: IntArray, gain: FloatArray, rows: int) -> IntArray:
    """The assignment of rows to columns with the greatest total gain: the column of each row, -1 for none.

    ``row``, ``column`` and ``gain`` list the pairs with a positive gain. Connected components of these pairs do not
    interact, so each is solved by itself (Hungarian method).
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
        cost = np.zeros((len(r), len(c) + len(r)))  # as many empty columns as rows: a row may get none
        cost[i, j] = -gain[pairs]
        best = linear_sum_assignment(cost)[1]
        taken = best < len(c)
        taken[taken] = cost[np.flatnonzero(taken), best[taken]] < 0
        chosen[r[taken]] = c[best[taken]]
    return chosen


def one_to_one_marginals(gain: FloatArray, rounds: int = 8) -> FloatArray:
    """P(row has column) under ``P(assignment) ~ exp(sum of gains)``, by damped belief propagation. The rest is P(none)."""
    left = np.zeros_like(gain)  # log share of a column that the other rows leave
    for _ in range(rounds):
        odds = gain - log_sum_others(gain + left)
        left = 0.5 * left - 0.5 * log_sum_others(np.ascontiguousarray(odds.T)).T
    score = gain + left
    top = np.maximum(score.max(1, keepdims=True), 0)
    share = np.exp(score - top)
    return np.asarray(share / (share.sum(1, keepdims=True) + np.exp(-top)))


def log_sum_others(x: FloatArray) -> FloatArray:
    """``log(1 + sum of exp x over the other entries of the row)``, computed stably and in blocks of rows."""
    rest = np.empty(x.shape)
    for start in range(0, len(x), height := max(CELLS // max(x.shape[1], 1), 1)):
        _log_sum_others(x[start : start + height], rest[start : start + height])
    return rest


def _log_sum_others(x: FloatArray, rest: FloatArray) -> None:
    row, best = np.arange(len(x)), x.argmax(1)
    top = np.maximum(x[row, best], 0)[:, None]
    np.exp(np.subtract(x, top, out=rest), out=rest)
    greatest = rest[row, best]
    rest[row, best] = 0  # for precision: the rest may be much smaller than the greatest
    without = rest.sum(1) + np.exp(-top[:, 0])
    np.subtract((without + greatest)[:, None], rest, out=rest)
    rest[row, best] = without
    np.log(rest, out=rest)
    rest += top
