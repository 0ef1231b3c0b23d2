"""Small operations on arrays that NumPy lacks: loops in chunks, ragged ranges, look-ups and joins in sorted keys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

CELLS = 1 << 22  # entries of a table worked on at once: 32 MB of float64

IntArray = NDArray[np.int64]


def chunks(rows: int, width: int = 1, cells: int | None = None) -> Iterator[slice]:
    """Slices that together cover ``rows`` rows of ``width`` entries, each of at most ``cells`` entries, or of one row.

    >>> list(chunks(5, width=10, cells=20))
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    height = max((CELLS if cells is None else cells) // max(width, 1), 1)
    for start in range(0, rows, height):
        yield slice(start, min(start + height, rows))


def ragged(start: NDArray[np.integer[Any]], length: NDArray[np.integer[Any]]) -> IntArray:
    """The numbers of several ranges one after the other: ``start[k]``, ``start[k] + 1``, ... ``length[k]`` of each.

    >>> ragged(np.array([7, 0, 4]), np.array([2, 0, 3])).tolist()
    [7, 8, 4, 5, 6]
    """
    first = np.cumsum(length) - length  # where each range begins in the result
    return np.asarray(np.repeat(start - first, length) + np.arange(length.sum()), dtype=np.int64)


def sums(rows: NDArray[Any], label: IntArray, many: int) -> NDArray[Any]:
    """By label, 0 to ``many`` - 1, the sum of its rows, added in their order.

    >>> sums(np.array([[1.0], [2.0], [4.0]]), np.array([1, 0, 1]), 3).tolist()
    [[2.0], [5.0], [0.0]]
    """
    from scipy.sparse import csr_array

    which = csr_array((np.ones(len(label), rows.dtype), (label, np.arange(len(label)))), shape=(many, len(label)))
    return np.asarray(which @ rows)


def find(keys: NDArray[Any], wanted: NDArray[Any]) -> IntArray:
    """Where each wanted value stands in the sorted ``keys``; -1 where it does not.

    >>> find(np.array([2, 3, 5]), np.array([5, 4, 2])).tolist()
    [2, -1, 0]
    """
    if not len(keys):
        return np.full(np.shape(wanted), -1, dtype=np.int64)
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[place] == wanted, place, -1)


def between(keys: NDArray[Any], low: float, high: float) -> slice:
    """The places of the sorted ``keys`` that are at least ``low`` and below ``high``.

    >>> between(np.array([2, 3, 3, 5]), 3, 5)
    slice(1, 3, None)
    """
    start, stop = np.searchsorted(keys, [low, high]).tolist()
    return slice(start, stop)


def starts(keys: NDArray[Any], many: int) -> IntArray:
    """Where each of the numbers 0 to ``many`` begins in the sorted ``keys``; number k ends where k + 1 begins.

    >>> starts(np.array([0, 0, 2]), 4).tolist()
    [0, 2, 2, 3, 3]
    """
    return np.asarray(np.searchsorted(keys, np.arange(many + 1)), dtype=np.int64)


def join(keys: NDArray[Any], wanted: NDArray[Any]) -> tuple[IntArray, IntArray]:
    """Every pair of equal values in ``wanted`` and the sorted ``keys``: the place in ``wanted``, and that in ``keys``.

    >>> [places.tolist() for places in join(np.array([2, 3, 3, 5]), np.array([3, 4, 2]))]
    [[0, 0, 2], [1, 2, 0]]
    """
    start, stop = (np.searchsorted(keys, wanted, side=side) for side in ("left", "right"))
    return np.repeat(np.arange(len(wanted)), stop - start), ragged(start, stop - start)


def lookup(keys: NDArray[Any], values: NDArray[Any], wanted: NDArray[Any], default: float = 0.0) -> NDArray[Any]:
    """The value of each wanted key in the sorted ``keys``; ``default`` where it does not stand there.

    >>> lookup(np.array([2, 3, 5]), np.array([.2, .3, .5]), np.array([5, 4, 2])).tolist()
    [0.5, 0.0, 0.2]
    """
    if not len(keys):
        return np.full(np.shape(wanted), default, dtype=values.dtype)
    place = find(keys, wanted)
    return np.where(place >= 0, values[place], values.dtype.type(default))
