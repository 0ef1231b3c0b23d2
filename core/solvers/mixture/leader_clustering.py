"""Unnamed persons: leader clustering of the faces that no name explains, then agglomeration by PLDA."""

from __future__ import annotations

from heapq import heapify, heappop, heappush

import numpy as np

from core.problem import BoolArray, FloatArray, IntArray
from core.solvers.mixture.likelihoods import leave_one_out_llr
from core.solvers.mixture.plda import PldaSpace, cluster_log_marginal
from core.solvers.mixture.sparse_tables import Sparse, from_coo, lookup, soft_counts, sparse

MIN_NEIGHBOUR_WEIGHT = 0.3  # neighbours below this weight do not follow a leader
CELLS = 1 << 20  # pairs of clusters in one block
MIN_CLUSTER_SIZE = 1.5  # soft count that an unnamed cluster needs


def leader_clusters(space: PldaSpace, free: BoolArray, weight: Sparse, need: float) -> Sparse:
    """Clusters among the ``free`` faces (faces × clusters): leaders with their neighbours, agglomerated.

    Kept are clusters with ``log P(faces | one person) - log P(faces | all different) > need`` and at least MIN_CLUSTER_SIZE.
    """
    y, between_variance = space.y, space.between_variance
    face = np.flatnonzero(free)
    follow = _leader_of(weight[face][:, face]) if len(face) > 1 else np.full(len(face), -1)
    face, follow = face[follow >= 0], follow[follow >= 0]
    if not len(face):
        return sparse((len(y), 0))
    one = np.ones(len(face))
    first = from_coo(one, face, follow, (len(y), int(follow.max()) + 1))
    root = _agglomerate(soft_counts(first), np.asarray(first.T @ y, np.float64), between_variance)
    _, cluster = np.unique(root[follow], return_inverse=True)
    shape = (len(y), int(cluster.max()) + 1)
    fits = lookup(leave_one_out_llr(space, from_coo(one, face, cluster, shape)), face, cluster) > 0
    resp = from_coo(one[fits], face[fits], cluster[fits], shape)
    size = soft_counts(resp)
    apart = resp.T @ cluster_log_marginal(np.ones(len(y)), y, between_variance)
    together = cluster_log_marginal(size, resp.T @ y, between_variance)
    return sparse(resp[:, (together - apart > need) & (size > MIN_CLUSTER_SIZE)])


def _leader_of(weight: Sparse) -> IntArray:
    """The leader of each face, numbered from 0; -1 for none.

    Leader clustering (Hartigan 1975): in order of total neighbour weight, a face without a leader leads all of its
    neighbours without one. The leaders are thus the greedy maximal independent set in that order. It is computed in
    parallel: a face leads as soon as all neighbours before it have a leader.
    """
    n = weight.shape[0]
    weight = sparse(weight.maximum(weight.T))
    rank = np.empty(n, np.int64)
    rank[np.argsort(-weight.sum(1), kind="stable")] = np.arange(n)
    pairs = weight.tocoo()
    close = pairs.data > MIN_NEIGHBOUR_WEIGHT
    one, other = pairs.coords[0][close], pairs.coords[1][close]
    before = rank[other] < rank[one]
    one, other = one[before], other[before]  # each pair once, ``other`` is earlier
    waiting, leads = np.ones(n, bool), np.zeros(n, bool)
    while waiting.any():
        held = np.bincount(one[waiting[other]], minlength=n) > 0
        led = np.bincount(one[leads[other]], minlength=n) > 0
        leads |= waiting & ~held & ~led
        waiting &= held & ~led
    whom = np.full(n, n)
    np.minimum.at(whom, one[leads[other]], rank[other[leads[other]]])
    whom[leads] = rank[leads]
    followed = np.isin(rank, whom[~leads]) & leads
    number = np.full(n + 1, -1)
    number[np.sort(rank[followed])] = np.arange(followed.sum())
    return np.asarray(number[whom])


def _agglomerate(size: FloatArray, total: FloatArray, between_variance: FloatArray) -> IntArray:
    """Greedy agglomeration: the pair with the greatest gain of log-marginal merges, until none gains. Gives each root."""
    value, root = cluster_log_marginal(size, total, between_variance), np.arange(len(size))
    gain, one, other = _positive_merges(size, total, value, between_variance)
    waiting = list(zip((-gain).tolist(), one.tolist(), other.tolist(), strict=True))
    heapify(waiting)
    partners: list[set[int]] = [set() for _ in root]
    for a, b in zip(one.tolist(), other.tolist(), strict=True):
        partners[a].add(b)
        partners[b].add(a)
    standing = {(a, b): lost for lost, a, b in waiting}  # minus the gain of each current pair
    while waiting:
        lost, a, b = heappop(waiting)
        if standing.get((a, b)) != lost:
            continue
        size[a], total[a] = size[a] + size[b], total[a] + total[b]
        value[a] = cluster_log_marginal(size[a : a + 1], total[a : a + 1], between_variance)[0]
        root[root == b] = a
        for gone in (a, b):
            for c in partners[gone]:
                standing.pop((min(gone, c), max(gone, c)), None)
                partners[c].discard(gone)
        near = np.array(sorted(partners[a] | partners[b] - {a}), np.int64)
        near = near[near != b]
        partners[a], partners[b] = set(), set()
        gains = cluster_log_marginal(size[near] + size[a], total[near] + total[a], between_variance) - value[near] - value[a]
        for c, won in zip(near[gains > 0].tolist(), gains[gains > 0].tolist(), strict=True):
            pair = min(a, c), max(a, c)
            partners[a].add(c)
            partners[c].add(a)
            standing[pair] = -won
            heappush(waiting, (-won, *pair))
    return root


def _positive_merges(
    size: FloatArray, total: FloatArray, value: FloatArray, between_variance: FloatArray
) -> tuple[FloatArray, IntArray, IntArray]:
    """The pairs of clusters whose merge gains log-marginal, and the gain; each pair once.

    The gain of a pair with n faces is a product of their sums, with weights that depend on n alone. So clusters are compared
    by size.
    """
    found: list[tuple[FloatArray, IntArray, IntArray]] = []
    sizes = np.unique(size)
    for m in sizes:
        for n in sizes[sizes >= m]:
            weight = between_variance / (1 + (m + n) * between_variance)
            a, b = np.flatnonzero(size == m), np.flatnonzero(size == n)
            own = 0.5 * (total[a] ** 2 @ weight) - value[a], 0.5 * (total[b] ** 2 @ weight) - value[b]
            level = 0.5 * np.log1p((m + n) * between_variance).sum()
            for start in range(0, len(a), height := max(CELLS // len(b), 1)):
                part = slice(start, start + height)
                gain = (total[a[part]] * weight) @ total[b].T + own[0][part, None] + own[1] - level
                row, column = np.nonzero(gain > 0)
                one, other = a[part][row], b[column]
                once = (one < other) if m == n else one != other
                pair = np.minimum(one, other)[once], np.maximum(one, other)[once]
                found.append((gain[row, column][once], *pair))
    gains, ones, others = zip(*found, strict=True)
    return np.concatenate(gains), np.concatenate(ones), np.concatenate(others)
