"""Strangers: persons whom no name explains but who return, found among the faces that are left over."""

from __future__ import annotations

import numpy as np

from core.evidence import Picture, Sparse, left_out, one_person, size_of, sparse, table, value_at
from core.problem import BoolArray, FloatArray, IntArray

ALIKE = 0.3  # look-alikes below this weight do not follow a leader
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
    many = len(size)
    value, root, gone = one_person(size, total, psi), np.arange(many), np.zeros(many, bool)

    def gains(a: int) -> FloatArray:
        gain = one_person(size + size[a], total + total[a], psi) - value - value[a]
        gain[gone] = gain[a] = -np.inf
        return np.asarray(gain)

    gain = np.stack([gains(a) for a in range(many)])
    while many > 1:
        a, b = (int(place) for place in np.unravel_index(gain.argmax(), gain.shape))
        if gain[a, b] <= 0:
            break
        size[a], total[a] = size[a] + size[b], total[a] + total[b]
        value[a] = one_person(size[a : a + 1], total[a : a + 1], psi)[0]
        gone[b] = True
        root[root == b] = a
        gain[b] = gain[:, b] = -np.inf
        gain[a] = gain[:, a] = gains(a)
    return root
