"""Strangers: persons whom no name explains but who return, found among the faces that are left over."""

from __future__ import annotations

from heapq import heapify, heappop, heappush

import numpy as np

from core.evidence import Picture, left_out, one_person
from core.members import Sparse, size_of, sparse, table, value_at
from core.problem import BoolArray, FloatArray, IntArray

ALIKE = 0.3  # look-alikes below this weight do not follow a leader
CELLS = 1 << 20  # persons compared with persons at once
RETURNS = 1.5  # faces that make an unnamed person worth keeping


def leaders(picture: Picture, free: BoolArray, alike: Sparse, need: float) -> Sparse:
    """Persons among the ``free`` faces: leaders with their look-alikes, joined while one person is likelier than two.

    Kept (faces × persons) are those whose faces are one person with log-odds ``need`` against as many as faces.
    """
    y, psi = picture.y, picture.psi
    face = np.flatnonzero(free)
    follow = _follow(alike[face][:, face]) if len(face) > 1 else np.full(len(face), -1)
    face, follow = face[follow >= 0], follow[follow >= 0]
    if not len(face):
        return sparse((len(y), 0))
    one = np.ones(len(face))
    first = table(one, face, follow, (len(y), int(follow.max()) + 1))
    root = _join(size_of(first), np.asarray(first.T @ y, np.float64), psi)
    _, person = np.unique(root[follow], return_inverse=True)
    shape = (len(y), int(person.max()) + 1)
    looks = value_at(left_out(picture, table(one, face, person, shape)), face, person) > 0
    members = table(one[looks], face[looks], person[looks], shape)
    size = size_of(members)
    apart = members.T @ one_person(np.ones(len(y)), y, psi)
    together = one_person(size, members.T @ y, psi)
    return sparse(members[:, (together - apart > need) & (size > RETURNS)])


def _follow(alike: Sparse) -> IntArray:
    """The leader each face follows, -1 for none, leaders counted from 0.

    Faces are asked in the order of how many look-alikes they have; one that follows nobody yet leads all of its look-alikes
    that do not either. So the leaders are the first maximal independent set in that order, found a wave at a time: a face
    leads as soon as all look-alikes before it follow somebody.
    """
    n = alike.shape[0]
    alike = sparse(alike.maximum(alike.T))
    rank = np.empty(n, np.int64)
    rank[np.argsort(-alike.sum(1), kind="stable")] = np.arange(n)
    pairs = alike.tocoo()
    close = pairs.data > ALIKE
    one, other = pairs.coords[0][close], pairs.coords[1][close]
    before = rank[other] < rank[one]
    one, other = one[before], other[before]  # each pair once, ``other`` asked first
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


def _join(size: FloatArray, total: FloatArray, psi: FloatArray) -> IntArray:
    """Persons joined, the likeliest pair first, while one is likelier than two; for each person whom it went to."""
    value, root = one_person(size, total, psi), np.arange(len(size))
    gain, one, other = _pairs(size, total, value, psi)
    waiting = list(zip((-gain).tolist(), one.tolist(), other.tolist(), strict=True))
    heapify(waiting)
    partners: list[set[int]] = [set() for _ in root]
    for a, b in zip(one.tolist(), other.tolist(), strict=True):
        partners[a].add(b)
        partners[b].add(a)
    standing = {(a, b): lost for lost, a, b in waiting}  # what a pair loses by now; a pair that is not here is gone
    while waiting:
        lost, a, b = heappop(waiting)
        if standing.get((a, b)) != lost:
            continue
        size[a], total[a] = size[a] + size[b], total[a] + total[b]
        value[a] = one_person(size[a : a + 1], total[a : a + 1], psi)[0]
        root[root == b] = a
        for gone in (a, b):
            for c in partners[gone]:
                standing.pop((min(gone, c), max(gone, c)), None)
                partners[c].discard(gone)
        near = np.array(sorted(partners[a] | partners[b] - {a}), np.int64)
        near = near[near != b]
        partners[a], partners[b] = set(), set()
        gains = one_person(size[near] + size[a], total[near] + total[a], psi) - value[near] - value[a]
        for c, won in zip(near[gains > 0].tolist(), gains[gains > 0].tolist(), strict=True):
            pair = min(a, c), max(a, c)
            partners[a].add(c)
            partners[c].add(a)
            standing[pair] = -won
            heappush(waiting, (-won, *pair))
    return root


def _pairs(size: FloatArray, total: FloatArray, value: FloatArray, psi: FloatArray) -> tuple[FloatArray, IntArray, IntArray]:
    """The pairs of persons who are likelier one than two, and by how much; each pair once.

    What a pair of ``n`` faces gains is a product of their sums with weights that depend on n alone, so persons are
    compared by size.
    """
    found: list[tuple[FloatArray, IntArray, IntArray]] = []
    sizes = np.unique(size)
    for m in sizes:
        for n in sizes[sizes >= m]:
            weight = psi / (1 + (m + n) * psi)
            a, b = np.flatnonzero(size == m), np.flatnonzero(size == n)
            own = 0.5 * (total[a] ** 2 @ weight) - value[a], 0.5 * (total[b] ** 2 @ weight) - value[b]
            level = 0.5 * np.log1p((m + n) * psi).sum()
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
