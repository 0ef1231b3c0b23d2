"""The ``.mat`` files of the partial-label benchmarks: ``data``, ``partial_target`` and optionally ``target``.

There each instance has a candidate set of its own, so every face becomes a group with one caption.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import BadInput
from core.formats.read.matlab import Table, tables
from core.problem import NOBODY, Problem

LARGEST = 1 << 30  # bytes of a file


def read(path: Path) -> Problem:
    """The checked problem in ``path``; its labels are called "label 1", "label 2", and so on."""
    if path.stat().st_size > LARGEST:
        raise BadInput(f"this is larger than {LARGEST >> 30} GB; save the problem as .npz")
    content = tables(path.read_bytes(), ("data", "partial_target", "target"))
    missing = [name for name in ("data", "partial_target") if name not in content]
    if missing:
        raise BadInput(f"the array {missing[0]!r} is missing; a benchmark file needs data and partial_target")
    data = content["data"]
    if data.ndim != 2:
        raise BadInput(f"data must be a table, one row a face, but its shape is {data.shape}")
    candidates = _label_rows(content["partial_target"], len(data), "partial_target")
    truth = None
    if "target" in content:
        target = _label_rows(content["target"], len(data), "target")
        if target.shape != candidates.shape:
            raise BadInput(f"target has {target.shape[1]} labels, partial_target {candidates.shape[1]}")
        truth = np.where(target.any(axis=1), target.argmax(axis=1), NOBODY)
    names = [f"label {k + 1}" for k in range(candidates.shape[1])]
    return Problem.build(
        features=data,
        group=np.arange(len(data)),
        names=names,
        candidates=[[names[k] for k in np.flatnonzero(row)] for row in candidates],
        truth=truth,
    )


def _label_rows(table: Table, faces: int, what: str) -> NDArray[np.bool_]:
    """One row a face; the benchmarks store one column a face."""
    if table.ndim != 2 or faces not in table.shape or table.dtype.kind not in "buif":
        raise BadInput(f"{what} must be a table of numbers with {faces} columns, one a face, but its shape is {table.shape}")
    return np.asarray((table.T if table.shape[1] == faces else table) > 0)
