"""Who looks like whom: the nearest faces in other groups, exactly for a film or two, through an index for a library."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.evidence import Sparse, table
from core.problem import FloatArray, IntArray

BLOCK = 2048  # faces compared with all others at once
ROUNDING = 1e-9  # a smaller difference from the mean face is none


def unit(rows: FloatArray) -> FloatArray:
    """Every row at length 1."""
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12))


def prepare(features: FloatArray, dimensions: int) -> FloatArray:
    """Unit length, centred, unit length again, on the leading principal directions. All zero if all faces are the same."""
    rows = unit(features.astype(np.float64))
    if len(rows) > 2:  # the difference of two faces would be all that is left of them
        rows = rows - rows.mean(0)
        rows = unit(np.where(np.abs(rows) < ROUNDING, 0.0, rows))
    _, axes = np.linalg.eigh(rows.T @ rows / len(rows))
    return np.ascontiguousarray(rows @ axes[:, ::-1][:, :dimensions], np.float32)


@dataclass(frozen=True, eq=False)
class LookAlikes:
    """The nearest faces in other groups: ``index`` and ``cosine``, nearest first, and ``weight`` (faces × faces, 0 to 1)."""

    index: IntArray
    cosine: FloatArray
    weight: Sparse

    @property
    def typical(self) -> float:
        """The cosine of a face and its nearest look-alike, usually."""
        return float(np.clip(np.median(self.cosine[:, 0]), 0.05, 0.5))


def look_alikes(faces: FloatArray, group: IntArray, many: int, rng: np.random.Generator) -> LookAlikes:
    """The ``many`` nearest faces of other groups.

    The weight is 0 at two standard deviations above the cosine of unrelated faces, and 1 at that of the typical nearest.
    """
    index, cosine = _nearest(faces, group, many)
    unrelated = np.einsum("ij,ij->i", faces, faces[rng.permutation(len(faces))])
    middle = np.median(unrelated)  # most pairs are different people
    low = middle + 2 * 1.48 * np.median(np.abs(unrelated - middle))
    high = max(np.median(cosine[:, :3]), low + 1e-3)
    weight = np.clip((cosine - low) / (high - low), 0, 1)
    row = np.repeat(np.arange(len(faces)), index.shape[1])
    return LookAlikes(index, cosine, table(weight.ravel(), row, index.ravel(), (len(faces), len(faces))))


def _nearest(faces: FloatArray, group: IntArray, many: int) -> tuple[IntArray, FloatArray]:
    n = len(faces)
    many = max(min(many, n - 1), 1)
    index, cosine = np.zeros((n, many), np.int64), np.full((n, many), -2.0, np.float32)
    for start in range(0, n, BLOCK):
        part = slice(start, start + BLOCK)
        similarity = faces[part] @ faces.T
        similarity[group[part][:, None] == group[None]] = -2.0
        near = np.argpartition(-similarity, many - 1, axis=1)[:, :many]
        value = np.take_along_axis(similarity, near, 1)
        order = np.argsort(-value, axis=1, kind="stable")
        index[part], cosine[part] = np.take_along_axis(near, order, 1), np.take_along_axis(value, order, 1)
    return index, cosine
