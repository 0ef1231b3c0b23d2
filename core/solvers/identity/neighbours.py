"""Nearest vectors in other groups, by faiss: exact, or by an inverted index where there are many."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import numpy as np

from core.prediction import NO_NEIGHBOUR
from core.problem import FloatArray, IntArray

MAX_EXACT = 30_000  # with more vectors, neighbours come from an index,
PROBED = 16  # and of so many of its cells one is looked through
BLOCK = 1 << 13  # vectors that are asked at once

Search = Callable[[FloatArray, int], tuple[FloatArray, IntArray]]


def neighbours_of(rows: FloatArray, group: IntArray, many: int) -> tuple[IntArray, FloatArray]:
    """The ``many`` nearest vectors of other groups and their cosines (-2: there is none), nearest first.

    Whoever has too many of its own group among its nearest is asked again, for twice as many.
    """
    search = _search(np.ascontiguousarray(rows, np.float32))
    index, cosine = np.zeros((len(rows), many), np.int64), np.full((len(rows), many), -2.0, np.float32)
    asked, wide, most = np.arange(len(rows)), many + 2, min(len(rows), many + int(np.bincount(group).max(initial=0)))
    while True:
        wide = min(wide, most)
        for start in range(0, len(asked), BLOCK):
            part = asked[start : start + BLOCK]
            value, found = search(rows[part], wide)
            value[(found < 0) | (group[found] == group[part][:, None])] = -2.0
            best = np.argsort(-value, axis=1, kind="stable")[:, :many]
            index[part, : best.shape[1]] = np.take_along_axis(np.maximum(found, 0), best, 1)
            cosine[part, : best.shape[1]] = np.take_along_axis(value, best, 1)
        asked = asked[cosine[asked, -1] < NO_NEIGHBOUR]
        if wide == most or not len(asked):
            return index, cosine
        wide *= 2


def _search(rows: FloatArray) -> Search:
    """What finds the vectors with the greatest inner products: (vectors, how many) -> (products, rows)."""
    import faiss

    flat = faiss.IndexFlatIP(rows.shape[1])
    if len(rows) <= MAX_EXACT:
        flat.add(rows)
        return cast(Search, flat.search)
    cells = int(4 * np.sqrt(len(rows)))
    index = faiss.IndexIVFFlat(flat, rows.shape[1], cells, faiss.METRIC_INNER_PRODUCT)
    index.cp.niter, index.cp.max_points_per_centroid, index.nprobe = 8, 40, cells // PROBED
    index.train(rows)
    index.add(rows)
    return cast(Search, index.search)
