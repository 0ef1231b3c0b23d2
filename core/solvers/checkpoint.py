"""Warm starts: what a run leaves for the next run on the same problem, as plain arrays and as a file."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.corrections import Constraints, unbind
from core.formats import whole_file
from core.formats.read.arrays import Arrays
from core.problem import Problem

VERSION = 1  # of the file and of the key
KEY = "key"  # the file's array that holds the key


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """Arrays that a method left, and the key of the problem, method, seed and settings that they belong to.

    What is in ``arrays`` only the method knows. They refer to the problem in its canonical order without corrections.
    """

    key: str
    arrays: Mapping[str, NDArray[Any]]


def checkpoint_key(ordered: Problem, constraints: Constraints, method: str, seed: int, settings: object) -> str:
    """A hash of everything that a run depends on, except the corrections."""
    problem, _ = unbind(ordered, constraints)
    digest = hashlib.blake2b(repr((VERSION, method, seed, settings)).encode(errors="surrogatepass"), digest_size=16)
    for field in fields(problem):
        value = getattr(problem, field.name)
        if isinstance(value, np.ndarray):
            digest.update(repr((field.name, value.shape, value.dtype.str)).encode())
            digest.update(np.ascontiguousarray(value).data)
        else:
            digest.update(repr((field.name, value)).encode(errors="surrogatepass"))
    return digest.hexdigest()


def write_checkpoint(path: Path, checkpoint: Checkpoint) -> None:
    """Writes the file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    content: dict[str, Any] = {**checkpoint.arrays, KEY: np.array(checkpoint.key)}
    whole_file(path, lambda file: np.savez(file, **content))


def read_checkpoint(path: Path) -> Checkpoint | None:
    """The checkpoint in ``path``; None if there is no file, or none that can be read."""
    try:
        with Arrays(path) as archive:
            arrays = dict(archive)
        return Checkpoint(str(arrays.pop(KEY)), arrays)
    except (OSError, ValueError, KeyError):
        return None
