"""Rollcall's own problem file: a NumPy ``.npz`` without pickles.

``features`` float (faces × d), ``group`` int (faces), ``names`` str, ``candidates_json`` (a JSON list, per group, of
the names in its caption), and optionally ``truth`` int (faces; -1 = nobody), ``captions_json`` (the texts), ``track`` int
and ``quality`` float (faces), ``evidence_face`` int, ``evidence_name`` int and ``evidence_logodds`` float (links),
``mention_kind_json`` (as ``candidates_json``, of kinds), ``film`` int (groups), ``embedder`` str. Other arrays are ignored.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from numpy.lib import format as npy
from numpy.typing import NDArray

from core.errors import BadInput
from core.formats.read.arrays import Arrays, Damaged
from core.problem import Problem

REQUIRED = ("features", "group", "names", "candidates_json")
OPTIONAL = ("truth", "track", "quality", "evidence_face", "evidence_name", "evidence_logodds", "film")


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
            captions=captions if captions is None else [str(caption) for caption in captions],
            mention_kind=_json_list(archive, "mention_kind_json") if "mention_kind_json" in archive else None,
            embedder=_text(archive, "embedder") if "embedder" in archive else "",
            **{name: _array(archive, name) for name in OPTIONAL if name in archive},
        )


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


def _text(archive: Arrays, name: str) -> str:
    array = _array(archive, name)
    if array.size != 1 or array.dtype.kind != "U":
        raise BadInput(f"{name} must be one text, but it is {array.dtype} of shape {array.shape}")
    try:
        return str(array.reshape(-1)[0])
    except SystemError as error:  # a damaged array may hold what is no character
        raise BadInput(f"{name} holds something that is no text, the file is damaged; make it anew") from error


def _json_list(archive: Arrays, name: str) -> list[Any]:
    text = _text(archive, name)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{name} is broken JSON ({error}); write it with json.dumps") from error
    if not isinstance(value, list):
        raise BadInput(f"{name} must be a JSON list with one entry a group, not {type(value).__name__}")
    return value
