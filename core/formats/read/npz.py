"""Rollcall's own problem file: a NumPy ``.npz`` without pickles.

``features`` float (faces × d), ``group`` int (faces), ``names`` str, ``candidates_json`` (a JSON list, per group, of
the names in its caption), and optionally ``truth`` int (faces; -1 = nobody) and ``captions_json`` (the texts).
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from core.errors import BadInput
from core.formats import whole_file
from core.formats.arrays import Arrays, Damaged
from core.problem import Problem

REQUIRED = ("features", "group", "names", "candidates_json")


def read(path: Path) -> Problem:
    """The checked problem in ``path``."""
    with path.open("rb") as file:
        start = file.read(npy.MAGIC_LEN + 1)
        if start.startswith(npy.MAGIC_PREFIX) and len(start) > npy.MAGIC_LEN:
            raise BadInput("this holds a single array, not a problem; save its arrays together with numpy.savez")
    try:
        archive = Arrays(path)
    except Damaged as error:
        raise BadInput("this is not an .npz file, or it was cut short; make it anew with numpy.savez") from error
    with archive:
        missing = [name for name in REQUIRED if name not in archive]
        if missing:
            raise BadInput(f"the array {missing[0]!r} is missing; a problem needs {', '.join(REQUIRED)}")
        names = _array(archive, "names")
        if names.ndim != 1 or (names.size and names.dtype.kind != "U"):
            raise BadInput(f"names must be a list of texts, but it is {names.dtype} of shape {names.shape}")
        captions = _json_list(archive, "captions_json") if "captions_json" in archive else None
        return Problem.build(
            features=_array(archive, "features"),
            group=_array(archive, "group"),
            names=_texts(names),
            candidates=_json_list(archive, "candidates_json"),
            truth=_array(archive, "truth") if "truth" in archive else None,
            captions=captions if captions is None else [str(caption) for caption in captions],
        )


def write(problem: Problem, path: Path) -> None:
    """Writes ``problem`` so that ``read`` gives it back."""
    arrays: dict[str, Any] = {
        "features": problem.features,
        "group": problem.group,
        "names": np.array(problem.names, dtype=np.str_),
        "candidates_json": np.array(json.dumps(problem.candidates(), ensure_ascii=False)),
    }
    if problem.truth is not None:
        arrays["truth"] = problem.truth
    if problem.captions is not None:
        arrays["captions_json"] = np.array(json.dumps(problem.captions, ensure_ascii=False))
    whole_file(path, lambda file: _zip(file, arrays))


def _zip(file: BinaryIO, arrays: dict[str, NDArray[Any]]) -> None:
    """As ``numpy.savez_compressed``, but features as they are: squeezing takes them long and makes them hardly smaller."""
    with zipfile.ZipFile(file, "w") as archive:
        for name, array in arrays.items():
            entry = zipfile.ZipInfo(f"{name}.npy")
            entry.compress_type = zipfile.ZIP_STORED if name == "features" else zipfile.ZIP_DEFLATED
            with archive.open(entry, "w", force_zip64=True) as part:
                npy.write_array(part, np.asanyarray(array), allow_pickle=False)


def _array(archive: Arrays, name: str) -> NDArray[Any]:
    try:
        return archive[name]
    except BadInput:
        raise
    except ValueError as error:
        raise BadInput(f"the array {name!r} cannot be read, the file is damaged; make it anew with numpy.savez") from error


def _texts(array: NDArray[Any]) -> list[str]:
    try:
        return [str(text) for text in array.tolist()]
    except SystemError as error:  # a damaged array may hold what is no character
        raise BadInput("names holds something that is no text, the file is damaged; make it anew") from error


def _json_list(archive: Arrays, name: str) -> list[Any]:
    array = _array(archive, name)
    if array.size != 1 or array.dtype.kind != "U":
        raise BadInput(f"{name} must be one text, but it is {array.dtype} of shape {array.shape}")
    try:
        value = json.loads(str(array.reshape(-1)[0]))
    except (ValueError, RecursionError, SystemError) as error:
        raise BadInput(f"{name} is broken JSON ({error}); write it with json.dumps") from error
    if not isinstance(value, list):
        raise BadInput(f"{name} must be a JSON list with one entry a group, not {type(value).__name__}")
    return value
