"""The ``.mat`` files of the partial-label benchmarks: ``data``, ``partial_target`` and optionally ``target``.

There each instance has a candidate set of its own, so every face becomes a group with one caption.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import BadInput
from core.problem import NOBODY, Problem


def read(path: Path) -> Problem:
    """The checked problem in ``path``; its labels are called "label 1", "label 2", and so on."""
    from scipy.io import loadmat

    try:
        content = loadmat(path)
    except NotImplementedError as error:
        raise BadInput("this is a MATLAB 7.3 file, which is not read; save it with -v7") from error
    except Exception as error:  # a damaged file may fail in any way inside SciPy's reader
        raise BadInput("this is not a readable .mat file, or it was cut short; save it again with -v7") from error
    missing = [name for name in ("data", "partial_target") if name not in content]
    if missing:
        raise BadInput(f"the array {missing[0]!r} is missing; a benchmark file needs data and partial_target")
    data = _dense(content["data"])
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


def _dense(array: Any) -> NDArray[Any]:
    if not hasattr(array, "toarray"):
        return np.asarray(array)
    try:
        array.check_format(full_check=True)  # else a damaged table would write over memory that is not its own
        return np.asarray(array.toarray())
    except (ValueError, MemoryError) as error:
        raise BadInput("a sparse table points outside itself, the file is damaged; save it again") from error


def _label_rows(array: Any, faces: int, what: str) -> NDArray[np.bool_]:
    """One row a face; the benchmarks store one column a face."""
    table = _dense(array)
    if table.ndim != 2 or faces not in table.shape or table.dtype.kind not in "buif":
        raise BadInput(f"{what} must be a table of numbers with {faces} columns, one a face, but its shape is {table.shape}")
    return np.asarray((table.T if table.shape[1] == faces else table) > 0)
