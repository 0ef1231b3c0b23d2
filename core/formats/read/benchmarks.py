"""What the readers of the film benchmarks share: tab-separated lines, tables of features, names in sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.errors import BadInput
from core.formats.read.arrays import load_array
from core.problem import FloatArray
from core.records import NewMention


def lines(path: Path, fields: Sequence[int]) -> list[tuple[int, list[str]]]:
    """(line number, its fields) of a tab-separated text; each line must have one of the given numbers of fields."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}); check the path") from error
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252", errors="replace")  # some of the benchmarks' files are older than their UTF-8
    found = []
    for place, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        parts = [part.strip() for part in line.split("\t")]
        if len(parts) not in fields:
            counts = " or ".join(map(str, fields))
            raise BadInput(f"{path}: line {place} has {len(parts)} fields, not {counts}; put a tab between the fields")
        found.append((place, parts))
    return found


def rows_of(path: Path) -> FloatArray:
    """The table in an ``.npy`` file."""
    try:
        table = load_array(path)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from error
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror or 'it is no .npy file'}); save features there") from error
    except Exception as error:  # a damaged or hostile file may fail in any way inside NumPy
        raise BadInput(f"{path}: this is no plain .npy array; save the features with numpy.save") from error
    if table.ndim != 2 or table.dtype.kind not in "fiu":
        raise BadInput(f"{path}: must be a table of numbers, one row a face; save the features with numpy.save")
    return table


def unit(table: FloatArray, path: Path) -> FloatArray:
    """The rows at unit length; refuses a row that has no direction."""
    with np.errstate(over="ignore", invalid="ignore"):
        length = np.linalg.norm(table.astype(np.float64), axis=1, keepdims=True)
    wrong = ~np.isfinite(length[:, 0]) | (length[:, 0] < 1e-12)
    if wrong.any():
        raise BadInput(f"{path}: row {int(np.argmax(wrong))} is all zero or holds no finite number; leave that face out")
    return np.asarray(table / length, dtype=np.float32)


def mentions_of(caption: str, names: Sequence[str]) -> list[NewMention]:
    """The names that stand in the caption as words of their own, whatever their capitals, and where."""
    found = []
    for name in names:
        pattern = rf"(?<!\w){re.escape(name)}(?!\w)"
        spans = tuple(match.span() for match in re.finditer(pattern, caption, re.IGNORECASE))
        if spans:
            found.append(NewMention(name, spans))
    return sorted(found, key=lambda mention: mention.spans[0])
