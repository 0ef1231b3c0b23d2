"""How faces scatter: within persons, and between them. What the pictures say is measured by these two."""

from __future__ import annotations

import numpy as np

from core.members import Sparse, size_of
from core.problem import FloatArray

SURE_MEAN = 2.0  # a person of this many faces counts half when persons are compared
BALL = 1.5  # how many directions one person tells of the scatter between persons
FACES_A_DIMENSION = 4.0  # with fewer faces than this for each dimension, directions of scatter are hardly believed
HANDFUL = 30.0  # with fewer faces than this, the scatter of all of them is hardly believed either: see ``handful``


def scatter_basis(faces: FloatArray, members: Sparse, shrink: float, typical: float) -> tuple[FloatArray, FloatArray]:
    """A and psi with ``A'WA = I`` and ``A'BA = diag psi``: W the scatter within persons, B between them.

    ``shrink`` is the pull of W towards ``a I + b T``, T the scatter of all faces: 1 learns nothing about directions.
    A few hundred faces cannot tell what varies within persons: then both scatters are ``_guessed`` from that of all faces
    and from ``typical``, the cosine of the usual faces of one person. A handful cannot tell even that: then both are balls.
    """
    n, d = faces.shape
    everything = (faces.T @ faces / n).astype(np.float64)
    everything += np.eye(d) * 1e-3 * np.trace(everything) / d
    size = size_of(members)
    members, size = members[:, size > 1.0], size[size > 1.0]
    total = np.asarray(members.T @ faces, np.float64)
    member = np.asarray(members.sum(1), np.float64)
    freedom = max(float(member.sum() - (size_of(members.multiply(members)) / size).sum()), 0.0)
    within = 0.6 * everything
    if freedom > 1:
        within = ((faces * member[:, None]).T @ faces - (total / size[:, None]).T @ total) / freedom
    within = _plain(everything, within, shrink)
    between = _between(size, total, within) if len(size) else everything - within
    few = 1 / (1 + (freedom / (FACES_A_DIMENSION * d)) ** 4)
    flat, rest = _guessed(_shrunk(everything, n), _sure(size).sum(), typical)
    ball = handful(n) * np.eye(d) * np.trace(everything) / d
    within = (1 - few) * within + few * ((1 - handful(n)) * flat + (1 - typical) * ball)
    between = (1 - few) * between + few * ((1 - handful(n)) * rest + typical * ball)
    e, v = np.linalg.eigh(within)
    floor = 1e-3 * max(e.max(), 1e-3 * np.trace(everything) / d)  # without it, faces of persons without scatter fly apart
    whiten = v / np.sqrt(np.maximum(e, floor))
    psi, turn = np.linalg.eigh(whiten.T @ between @ whiten)
    return (whiten @ turn).astype(np.float32), np.maximum(psi, 1e-3).astype(np.float32)


def handful(faces: int) -> float:
    """How far so many faces are too few to tell even how they scatter as a whole: 1 for none, 0 for very many."""
    return HANDFUL / (HANDFUL + faces)


def _guessed(everything: FloatArray, persons: float, typical: float) -> tuple[FloatArray, FloatArray]:
    """W and B from T alone: W the same in all directions, B what it leaves of T.

    Faces of unit length whose cosine is c have the share 1 - c of their scatter within persons. Persons differ in fewer
    directions than there are, and T shows in which; taken for differing in all of them, look-alikes would seem one person.
    Few ``persons`` do not show it: then B is pulled towards ``b W``.
    """
    e, v = np.linalg.eigh(everything)
    within = np.minimum((1 - typical) * e.mean(), 0.95 * e)
    between = e - within
    pull = _pull(len(e), persons)
    between = (1 - pull) * between + pull * within * between.sum() / within.sum()
    return (v * within) @ v.T, (v * between) @ v.T


def _shrunk(everything: FloatArray, faces: int) -> FloatArray:
    """T pulled towards a ball by as much as so few ``faces`` overstate its directions (OAS, Chen et al. 2010)."""
    d, trace, square = len(everything), np.trace(everything), (everything**2).sum()
    uneven = (faces + 1 - 2 / d) * (square - trace**2 / d)
    pull = min(((1 - 2 / d) * square + trace**2) / max(uneven, 1e-12 * square), 1.0)
    return np.asarray((1 - pull) * everything + pull * np.eye(d) * trace / d)


def _plain(everything: FloatArray, within: FloatArray, shrink: float) -> FloatArray:
    """W pulled towards the ``a I + b T`` that fits it best along the axes of T."""
    e, v = np.linalg.eigh(everything)
    w = np.einsum("ij,ij->j", v, within @ v)
    line = np.stack([np.ones(len(e)), e], 1)
    plain = np.maximum(line @ np.linalg.lstsq(line, w, rcond=None)[0], 0.05 * max(w.mean(), 1e-6))
    return np.asarray((1 - shrink) * within + shrink * (v * plain) @ v.T)


def _between(size: FloatArray, total: FloatArray, within: FloatArray) -> FloatArray:
    """How unlike persons are, each person counting once and not by faces; with few persons pulled towards ``b W``."""
    d = len(within)
    weight = _sure(size)
    persons = weight.sum()
    weight = weight / persons
    mean = total / size[:, None]
    between = (mean * weight[:, None]).T @ mean - (weight / size).sum() * within
    ball = within * max(np.trace(np.linalg.solve(within, between)) / d, 1e-3)
    pull = _pull(d, persons)
    return np.asarray((1 - pull) * between + pull * ball)


def _sure(size: FloatArray) -> FloatArray:
    """How much persons of this many faces count when persons are compared."""
    return np.asarray(size / (size + SURE_MEAN))


def _pull(dimensions: int, persons: float) -> float:
    """How little so many persons tell of the directions in which persons differ: 1 nothing, 0 all."""
    return dimensions / (dimensions + BALL * persons)
