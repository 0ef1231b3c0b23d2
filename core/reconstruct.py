"""The autoencoder of the bipartite graph, in closed form: each face's links to names, made from the links of all others.

The paper trains a graph autoencoder to give back the links it is shown, those within a group and those across groups. Here
encoder and decoder are one linear layer over what faces look like, so the best weights are known without training: with
``K`` how alike faces are and ``Y`` their links to names, ``K (K + RIDGE)^-1 Y`` is closest to Y. A face's own links must not
tell: they are left out (exactly, by its leverage ``h``), so that what comes back is what the *other* faces and names say.
With many faces, ``K`` is taken through some of them, the *landmarks* (Nyström). Half of the answer is that; the other half
comes across groups, from the few faces that look most alike, whom a smooth layer passes over.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import solve_triangular

from core.lookalikes import MISSING, LookAlikes
from core.members import Sparse, entries, size_of, sparse, table, value_at
from core.problem import FloatArray, IntArray

LANDMARKS = 512
WIDTH = 1.0  # the kernel's, of the faces' median distance
RIDGE = 0.1
JITTER = 1e-4  # so that faces which are all the same do no harm
ALONE = 0.5  # other faces that a name must have, for its links to be made from them
BEFORE = 0.25  # the power to which what a link was before still counts,
BEFORE_NEAR = 0.5  # and beside what the nearest look-alikes say
NEAREST = 5  # look-alikes that say it
HEARD = 0.05  # of a name that none of them bears
LEAST = 0.05  # of a face's links is never its own, however alone it looks
SHARPNESS = 1 / np.array([0.03, 0.05, 0.08, 0.12, 0.18, 0.25, 0.4])  # which of these fits, the links themselves tell
CELLS = 1 << 20  # of a large table, worked on at once


def encoded(faces: FloatArray) -> FloatArray:
    """B with ``B B' = K (K + RIDGE)^-1``: as many numbers for each face as there are landmarks."""
    landmark = np.unique(np.linspace(0, len(faces) - 1, min(len(faces), LANDMARKS)).astype(np.int64))
    alike = _kernel(faces, faces[landmark])
    few = alike[landmark].astype(np.float64)
    both, height = RIDGE * (few + few.T) / 2 + JITTER * np.eye(len(few)), CELLS // len(few)
    parts = [slice(start, start + height) for start in range(0, len(faces), height)]
    for part in parts:
        some = alike[part].astype(np.float64)
        both += some.T @ some
    decode = solve_triangular(np.linalg.cholesky(both), np.eye(len(few)), lower=True).T
    for part in parts:
        alike[part] = alike[part].astype(np.float64) @ decode
    return alike


def reconstructed(code: FloatArray, alike: LookAlikes, links: Sparse) -> Sparse:
    """Each face's ``links`` (faces × names, chances) shared out anew, as its likeness to the other faces would have it.

    ``code`` are the faces as ``encoded``. What a face has for a name that no other face bears stays as it is.
    """
    face, name, chance = entries(links)
    able = size_of(links)[name] - chance >= ALONE
    if not able.any():
        return links
    some = face[able], name[able], chance[able]
    smooth = _shared_out(_from_others(code, links, *some), face[able], chance[able], len(code))
    new = chance.copy()
    new[able] = (smooth + _as_look_alikes(alike, links, *some)) / 2
    return table(new, face, name, links.shape)


def _as_look_alikes(alike: LookAlikes, links: Sparse, face: IntArray, name: IntArray, chance: FloatArray) -> FloatArray:
    """Each face's chances shared among its names by what its nearest look-alikes are, and what the links were before."""
    n, (one, slot) = links.shape[0], np.nonzero(alike.cosine[:, :NEAREST] > MISSING)
    many = np.bincount(one, minlength=n)
    they = table(1 / many[one], one, alike.index[one, slot], (n, n))
    share = (value_at(sparse(they @ links), face, name) + HEARD) * chance**BEFORE_NEAR
    total, new = np.bincount(face, chance, minlength=n), np.bincount(face, share, minlength=n)
    return np.where(many[face] > 0, share * (total / np.maximum(new, 1e-12))[face], chance)


def _from_others(code: FloatArray, links: Sparse, face: IntArray, name: IntArray, chance: FloatArray) -> FloatArray:
    """The links at (face, name), made without the face's own: ``(b_i B'Y - h_i Y_i) / (1 - h_i)`` with ``h_i = b_i b_i``."""
    names, own, value = np.asarray(links.T @ code), np.einsum("ij,ij->i", code, code)[face], np.empty(len(face))
    for start in range(0, len(face), height := CELLS // code.shape[1]):
        part = slice(start, start + height)
        value[part] = np.einsum("ij,ij->i", code[face[part]], names[name[part]])
    return np.asarray((value - own * chance) / np.maximum(1 - own, LEAST))


def _kernel(faces: FloatArray, landmarks: FloatArray) -> FloatArray:
    """How alike faces and landmarks are: ``exp(- WIDTH distance^2 / median)``, the median that of the landmarks."""
    usual = max(float(np.median(_apart(landmarks, landmarks))), 1e-12)
    alike = _apart(faces, landmarks)
    alike *= np.float32(-WIDTH / usual)
    return np.exp(alike, out=alike)


def _apart(faces: FloatArray, landmarks: FloatArray) -> FloatArray:
    """Distances, squared."""
    apart: FloatArray = faces @ (-2 * landmarks.T)
    apart += (faces**2).sum(1)[:, None]
    apart += (landmarks**2).sum(1)
    return np.maximum(apart, 0, out=apart)


def _shared_out(value: FloatArray, face: IntArray, chance: FloatArray, n: int) -> FloatArray:
    """Each face's chances shared among its names by ``exp(sharp value) chance^BEFORE``, as sharp as fits them best."""
    total, top = np.bincount(face, chance, minlength=n)[face], np.full(n, -np.inf)
    np.maximum.at(top, face, value)
    below = value - top[face]
    best, found = -np.inf, chance
    for sharp in SHARPNESS:
        share = np.exp(sharp * below) * chance**BEFORE
        share /= np.bincount(face, share, minlength=n)[face]
        fit = float(chance @ np.log(np.maximum(share, 1e-6)))
        if fit > best:
            best, found = fit, total * share
    return np.asarray(found)
