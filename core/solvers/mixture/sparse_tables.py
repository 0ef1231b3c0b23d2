"""Sparse tables (rows × columns, float32 CSR), and the operations that the mixture needs on them."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from scipy import sparse as sp
from scipy.sparse import coo_array, csr_array, diags_array

from core.problem import BoolArray, FloatArray, IntArray

Sparse: TypeAlias = csr_array[Any, tuple[int, int]]


def from_coo(value: FloatArray, row: IntArray, column: IntArray, shape: tuple[int, int]) -> Sparse:
    """The table with these values at these (row, column)."""
    return sparse(coo_array((value, (row, column)), shape=shape))


def sparse(rows: Any) -> Sparse:
    """Any table or shape as a sparse table."""
    result: Sparse = csr_array(rows, dtype=np.float32)
    return result


def soft_counts(resp: Sparse | coo_array[Any, tuple[int, int]]) -> FloatArray:
    """Column sums: the expected number of faces in each cluster."""
    return np.asarray(resp.sum(0), np.float64)


def coo(values: Sparse) -> tuple[IntArray, IntArray, FloatArray]:
    """Rows, columns and values of the stored entries, by row."""
    rows = np.repeat(np.arange(values.shape[0]), np.diff(values.indptr))
    return rows, values.indices.astype(np.int64), values.data


def lookup(values: Sparse, row: IntArray, column: IntArray) -> FloatArray:
    """The values at these (row, column); 0 where nothing is stored."""
    place, found = positions(values, row, column)
    return np.where(found, values.data[place], np.float32(0)) if values.nnz else np.zeros(len(row), np.float32)


def positions(values: Sparse, row: IntArray, column: IntArray) -> tuple[IntArray, BoolArray]:
    """The positions of these (row, column) in the table's data, and whether they are stored."""
    values.sort_indices()
    many, (rows, columns, _) = max(values.shape[1], 1), coo(values)
    key, wanted = rows * many + columns, row * many + column
    place = np.minimum(np.searchsorted(key, wanted), max(len(key) - 1, 0))
    return place, key[place] == wanted if len(key) else np.zeros(len(wanted), bool)


def hstack(*tables: Sparse) -> Sparse:
    """Tables with the same rows, side by side."""
    return sparse(sp.hstack(tables))


def scale_rows(weight: FloatArray, resp: Sparse) -> Sparse:
    """Each row times its weight."""
    return sparse(diags_array(weight) @ resp)
