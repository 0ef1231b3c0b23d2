"""Leave-one-out kernel ridge regression of names on faces: the closed form of a linear graph autoencoder.

``Y' = K (K + RIDGE)^-1 Y`` with K the Gaussian kernel between faces and Y their probabilities of names (faces × names). The
paper trains a graph autoencoder to reconstruct the links it is given; with one linear layer the optimum needs no training.
A face's own row is left out exactly, by its leverage h: ``(Y'_i - h_i Y_i)/(1 - h_i)``. K is approximated from landmarks
(Nyström; Williams and Seeger 2001). Half of the result is this; the other half is the average over the nearest neighbours.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import solve_triangular

from core.prediction import NO_NEIGHBOUR
from core.problem import FloatArray, IntArray
from core.solvers.mixture.neighbours import NeighbourGraph
from core.solvers.mixture.sparse_tables import Sparse, coo, from_coo, lookup, soft_counts, sparse

LANDMARKS = 512  # at most
WIDTH = 1.0  # inverse kernel width, in units of the median squared distance
RIDGE = 0.1  # regularisation
JITTER = 1e-4  # keeps the system regular where faces are identical
MIN_OTHER_FACES = 0.5  # soft count of other faces that a name needs to be predicted
PRIOR_POWER = 0.25  # power of the old probability, beside the ridge
NEIGHBOUR_PRIOR_POWER = 0.5  # power of the old probability, beside the neighbours' mean
NEAREST = 5  # neighbours in that mean
SMOOTHING = 0.05  # added to the neighbours' mean of every name
MIN_RESIDUAL = 0.05  # least value of 1 - leverage
INVERSE_TEMPERATURES = 1 / np.array([0.03, 0.05, 0.08, 0.12, 0.18, 0.25, 0.4])  # temperature grid
CELLS = 1 << 20  # entries in one block


def nystrom_features(faces: FloatArray) -> FloatArray:
    """B with ``B B' = K (K + RIDGE)^-1``: one row for each face, one column for each landmark."""
    landmark = np.unique(np.linspace(0, len(faces) - 1, min(len(faces), LANDMARKS)).astype(np.int64))
    kernel = _kernel(faces, faces[landmark])
    few = kernel[landmark].astype(np.float64)
    both, height = RIDGE * (few + few.T) / 2 + JITTER * np.eye(len(few)), CELLS // len(few)
    parts = [slice(start, start + height) for start in range(0, len(faces), height)]
    for part in parts:
        some = kernel[part].astype(np.float64)
        both += some.T @ some
    decode = solve_triangular(np.linalg.cholesky(both), np.eye(len(few)), lower=True).T
    for part in parts:
        kernel[part] = kernel[part].astype(np.float64) @ decode
    return kernel


def leave_one_out_ridge(features: FloatArray, graph: NeighbourGraph, links: Sparse) -> Sparse:
    """Each face's probabilities ``links`` (faces × names), redistributed by the other faces.

    ``features`` are the ``nystrom_features``. A probability stays as it is if no other face has the name.
    """
    face, name, chance = coo(links)
    able = soft_counts(links)[name] - chance >= MIN_OTHER_FACES
    if not able.any():
        return links
    some = face[able], name[able], chance[able]
    smooth = _at_best_temperature(_leave_one_out(features, links, *some), face[able], chance[able], len(features))
    new = chance.copy()
    new[able] = (smooth + _neighbour_average(graph, links, *some)) / 2
    return from_coo(new, face, name, links.shape)


def _neighbour_average(
    graph: NeighbourGraph, links: Sparse, face: IntArray, name: IntArray, chance: FloatArray
) -> FloatArray:
    """Each face's probabilities, redistributed by the mean of its nearest neighbours times a power of the old values."""
    n, (one, slot) = links.shape[0], np.nonzero(graph.cosine[:, :NEAREST] > NO_NEIGHBOUR)
    many = np.bincount(one, minlength=n)
    they = from_coo(1 / many[one], one, graph.index[one, slot], (n, n))
    share = (lookup(sparse(they @ links), face, name) + SMOOTHING) * chance**NEIGHBOUR_PRIOR_POWER
    total, new = np.bincount(face, chance, minlength=n), np.bincount(face, share, minlength=n)
    return np.where(many[face] > 0, share * (total / np.maximum(new, 1e-12))[face], chance)


def _leave_one_out(features: FloatArray, links: Sparse, face: IntArray, name: IntArray, chance: FloatArray) -> FloatArray:
    """The prediction at (face, name) without the face itself: ``(b_i B'Y - h_i Y_i) / (1 - h_i)`` with ``h_i = b_i b_i``."""
    names, own, value = np.asarray(links.T @ features), np.einsum("ij,ij->i", features, features)[face], np.empty(len(face))
    for start in range(0, len(face), height := CELLS // features.shape[1]):
        part = slice(start, start + height)
        value[part] = np.einsum("ij,ij->i", features[face[part]], names[name[part]])
    return np.asarray((value - own * chance) / np.maximum(1 - own, MIN_RESIDUAL))


def _kernel(faces: FloatArray, landmarks: FloatArray) -> FloatArray:
    """The Gaussian kernel ``exp(- WIDTH distance^2 / median)``, with the median over pairs of landmarks."""
    usual = max(float(np.median(_squared_distances(landmarks, landmarks))), 1e-12)
    kernel = _squared_distances(faces, landmarks)
    kernel *= np.float32(-WIDTH / usual)
    return np.exp(kernel, out=kernel)


def _squared_distances(faces: FloatArray, landmarks: FloatArray) -> FloatArray:
    """Squared Euclidean distances."""
    apart: FloatArray = faces @ (-2 * landmarks.T)
    apart += (faces**2).sum(1)[:, None]
    apart += (landmarks**2).sum(1)
    return np.maximum(apart, 0, out=apart)


def _at_best_temperature(value: FloatArray, face: IntArray, chance: FloatArray, n: int) -> FloatArray:
    """Each face's probabilities, redistributed by ``exp(value / T) chance^PRIOR_POWER``.

    T is the temperature of the grid with the best log-likelihood of the old values.
    """
    total, top = np.bincount(face, chance, minlength=n)[face], np.full(n, -np.inf)
    np.maximum.at(top, face, value)
    below = value - top[face]
    best, found = -np.inf, chance
    for power in INVERSE_TEMPERATURES:
        share = np.exp(power * below) * chance**PRIOR_POWER
        share /= np.bincount(face, share, minlength=n)[face]
        fit = float(chance @ np.log(np.maximum(share, 1e-6)))
        if fit > best:
            best, found = fit, total * share
    return np.asarray(found)
