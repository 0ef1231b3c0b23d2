"""Nearest vectors in other groups: exact search, or an inverted index for large problems."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from core.arrays import chunks
from core.prediction import NO_NEIGHBOUR
from core.problem import FloatArray, IntArray

MAX_EXACT = 30_000  # with more vectors, neighbours come from an index
CALIBRATION_FACES = 512  # vectors on which the number of probed cells is calibrated
RECALL = 0.993  # share of true neighbours that the index must find
MAX_PROBED_SHARE = 0.15  # share of cells beyond which exact search is faster
MAX_SAME_GROUP = 20  # extra results asked from the index, for vectors of the same group


def neighbours_of(rows: FloatArray, group: IntArray, many: int, seed: int) -> tuple[IntArray, FloatArray]:
    """The ``many`` nearest vectors of other groups and their cosines, nearest first."""
    if len(rows) > MAX_EXACT:
        return nearest_by_index(rows, group, many, np.random.default_rng(seed))
    return nearest(rows, group, np.arange(len(rows)), many)


def nearest(faces: FloatArray, group: IntArray, asked: IntArray, many: int) -> tuple[IntArray, FloatArray]:
    """The nearest faces of other groups for each face ``asked``, by exact search in blocks, one on each core."""
    n = len(faces)
    index, cosine = np.zeros((len(asked), many), np.int64), np.full((len(asked), many), -2.0, np.float32)
    order = np.argsort(group, kind="stable")
    first, last = (np.searchsorted(group[order], group, side=side) for side in ("left", "right"))

    def search(part: slice) -> None:
        face = asked[part]
        similarity = faces[face] @ faces.T
        size = last[face] - first[face]
        offset = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size)
        similarity[np.repeat(np.arange(len(face)), size), order[np.repeat(first[face], size) + offset]] = -2.0
        found = np.full((len(face), 4 * many), -np.inf, np.float32)
        where = np.zeros(found.shape, np.int64)
        pick(similarity, _at_least(similarity, many), where, found)
        best = np.argsort(-found, axis=1, kind="stable")[:, :many]
        index[part] = np.take_along_axis(where, best, 1)
        cosine[part] = np.take_along_axis(found, best, 1)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(search, chunks(len(asked), n)))
    return index, cosine


def _at_least(rows: FloatArray, many: int) -> FloatArray:
    """A lower bound of each row's ``many``-th greatest value, from the maxima of interleaved subsets of columns."""
    heaps = max(32 * many, 1)
    deal = rows.shape[1] // heaps
    if deal < 2:
        return np.asarray(np.partition(rows, -min(many, rows.shape[1]), axis=1)[:, -min(many, rows.shape[1])])
    greatest = rows[:, : deal * heaps].reshape(len(rows), deal, heaps).max(1)
    return np.asarray(np.partition(greatest, -many, axis=1)[:, -many])


def pick(block: FloatArray, least: FloatArray, place: IntArray, value: FloatArray) -> None:
    """Writes each row's entries of at least ``least``, or the greatest of too many, to ``place`` and ``value``."""
    enough, width = block >= least[:, None], min(place.shape[1], block.shape[1])
    crowded = np.flatnonzero(np.count_nonzero(enough, axis=1) > width)
    enough[crowded] = False
    row, column = np.divmod(np.flatnonzero(enough), max(block.shape[1], 1))
    at = np.arange(len(row)) - np.searchsorted(row, row)
    place[row, at], value[row, at] = column, block[row, column]
    if len(crowded):
        best = np.argpartition(-block[crowded], width - 1, axis=1)[:, :width]
        place[crowded, :width], value[crowded, :width] = best, np.take_along_axis(block[crowded], best, 1)


# --- Approximate search ----------------------------------------------------------------------------------------------


def nearest_by_index(faces: FloatArray, group: IntArray, many: int, rng: np.random.Generator) -> tuple[IntArray, FloatArray]:
    """The nearest faces of other groups by an inverted index (faiss IVF).

    The number of probed cells is calibrated on a few faces to reach RECALL. If that takes too many cells, the search is
    exact.
    """
    cells = int(4 * np.sqrt(len(faces)))
    search, probed = _index(faces, group, many, cells), 8
    tried = np.sort(rng.permutation(len(faces))[:CALIBRATION_FACES])
    last = nearest(faces, group, tried, many)[1][:, -1:] - 1e-6
    while (search(tried, probed)[1] >= last).mean() < RECALL:
        probed *= 2
        if probed > MAX_PROBED_SHARE * cells:
            return nearest(faces, group, np.arange(len(faces)), many)
    index, cosine = search(np.arange(len(faces)), probed)
    short = np.flatnonzero(cosine[:, -1] < NO_NEIGHBOUR)
    index[short], cosine[short] = nearest(faces, group, short, many)
    return index, cosine


def _index(
    faces: FloatArray, group: IntArray, many: int, cells: int
) -> Callable[[IntArray, int], tuple[IntArray, FloatArray]]:
    """A search for the nearest faces of other groups in so many cells; the cosine is -2 where it finds too few."""
    import faiss

    d = faces.shape[1]
    index = faiss.IndexIVFFlat(faiss.IndexFlatIP(d), d, cells, faiss.METRIC_INNER_PRODUCT)
    index.cp.niter, index.cp.max_points_per_centroid = 8, 40
    index.train(faces)
    index.add(faces)
    wide = many + min(int(np.bincount(group).max()), MAX_SAME_GROUP)

    def search(asked: IntArray, probed: int) -> tuple[IntArray, FloatArray]:
        index.nprobe = min(probed, cells)
        where, cosine = np.zeros((len(asked), many), np.int64), np.full((len(asked), many), -2.0, np.float32)
        for start in range(0, len(asked), 1 << 13):
            part = slice(start, start + (1 << 13))
            value, found = index.search(faces[asked[part]], wide)
            value[(found < 0) | (group[found] == group[asked[part]][:, None])] = -2.0
            best = np.argsort(-value, axis=1, kind="stable")[:, :many]
            where[part], cosine[part] = np.take_along_axis(np.maximum(found, 0), best, 1), np.take_along_axis(value, best, 1)
        return where, cosine

    return search
