"""Who belongs to whom: sparse tables (faces × persons), and what is asked of them everywhere."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from scipy.sparse import coo_array, csr_array, diags_array, hstack

from core.problem import BoolArray, FloatArray, IntArray

Sparse: TypeAlias = csr_array[Any, tuple[int, int]]


def table(value: FloatArray, row: IntArray, column: IntArray, shape: tuple[int, int]) -> Sparse:
    """The sparse table with these values at these places."""
    return sparse(coo_array((value, (row, column)), shape=shape))


def sparse(rows: Any) -> Sparse:
    """Any table as a sparse one."""
    result: Sparse = csr_array(rows, dtype=np.float32)
    return result


def size_of(members: Sparse | coo_array[Any, tuple[int, int]]) -> FloatArray:
    """How many faces each person has."""
    return np.asarray(members.sum(0), np.float64)


def entries(values: Sparse) -> tuple[IntArray, IntArray, FloatArray]:
    """The places and values of what a table holds, row by row."""
    rows = np.repeat(np.arange(values.shape[0]), np.diff(values.indptr))
    return rows, values.indices.astype(np.int64), values.data


def value_at(values: Sparse, row: IntArray, column: IntArray) -> FloatArray:
    """The values at these places, 0 where the table has none."""
    place, found = places(values, row, column)
    return np.where(found, values.data[place], np.float32(0)) if values.nnz else np.zeros(len(row), np.float32)


def places(values: Sparse, row: IntArray, column: IntArray) -> tuple[IntArray, BoolArray]:
    """Where in the table's data these places are, and whether they are there at all."""
    values.sort_indices()
    many, (rows, columns, _) = max(values.shape[1], 1), entries(values)
    key, wanted = rows * many + columns, row * many + column
    place = np.minimum(np.searchsorted(key, wanted), max(len(key) - 1, 0))
    return place, key[place] == wanted if len(key) else np.zeros(len(wanted), bool)


def beside(*tables: Sparse) -> Sparse:
    """Tables of the same faces as one."""
    return sparse(hstack(tables))


def times(weight: FloatArray, members: Sparse) -> Sparse:
    """Every face's memberships times its weight."""
    return sparse(diags_array(weight) @ members)
