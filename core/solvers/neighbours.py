"""Distances between faces, exactly and in chunks: near pairs, and given pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import chunks
from core.problem import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Neighbours:
    """Pairs of faces nearer than some distance, each pair once (``left < right``)."""

    left: IntArray
    right: IntArray
    distance: FloatArray

    def nearer(self, keep: BoolArray) -> Neighbours:
        return Neighbours(self.left[keep], self.right[keep], self.distance[keep])


def find_neighbours(features: FloatArray, radius: float) -> Neighbours:
    """All pairs of faces at most ``radius`` apart, exactly, in chunks of the distance matrix."""
    centred = features - features.mean(axis=0)  # the same distances, from smaller numbers
    square = np.einsum("ij,ij->i", centred, centred)
    # products in float32 are off by a few 1e-6 of the squares: take a little more, then measure those again
    slack = 1e-5 * float(square.max()) + 1e-12
    found: list[tuple[IntArray, IntArray]] = []
    for part in chunks(len(features), len(features)):
        product = centred[part] @ centred[part.start :].T
        gap = square[part, None] + square[None, part.start :] - 2 * product
        left, right = np.nonzero(gap <= radius * radius + slack)
        later = right > left
        found.append((left[later] + part.start, right[later] + part.start))
    left, right = (np.concatenate(side) for side in zip(*found, strict=True))
    distance = pair_distances(features, left, right)
    near = distance <= radius
    return Neighbours(left[near], right[near], distance[near])


def distances_between(features: FloatArray, asked: IntArray) -> FloatArray:
    """Distances of the asked faces to all faces."""
    square = np.einsum("ij,ij->i", features, features)
    gap = square[asked][:, None] + square[None, :] - 2 * features[asked] @ features.T
    return np.asarray(np.sqrt(np.maximum(gap, 0.0)))


def pair_distances(features: FloatArray, left: IntArray, right: IntArray) -> FloatArray:
    """The L2 distance of each given pair, measured in float64 so that a limit of 1.0 cuts where it says."""
    distance = np.empty(len(left))
    for part in chunks(len(left), features.shape[1]):
        gap = features[left[part]].astype(np.float64) - features[right[part]]
        distance[part] = np.sqrt(np.einsum("ij,ij->i", gap, gap))
    return distance


def pair_cosines(features: FloatArray, left: IntArray, right: IntArray) -> FloatArray:
    """The cosine of the raw features of each given pair of faces."""
    unit = features / np.linalg.norm(features, axis=1, keepdims=True)
    cosine = np.empty(len(left))
    for part in chunks(len(left), features.shape[1]):
        cosine[part] = np.einsum("ij,ij->i", unit[left[part]], unit[right[part]])
    return cosine
