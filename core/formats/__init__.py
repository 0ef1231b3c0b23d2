"""The file formats Rollcall reads and writes, one module each."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from core.errors import BadInput
from core.problem import Problem

if TYPE_CHECKING:
    from core.solve import Prediction


def read_problem(path: Path) -> Problem:
    """The problem in ``path``, whichever of the readable formats it is in; refuses bad data in one sentence."""
    if not path.exists():
        raise BadInput(f"{path}: there is no such file; check the path")
    if path.is_dir():
        raise BadInput(f"{path}: this is a folder, not a problem file; name an .npz or .mat file in it")
    try:
        with path.open("rb") as file:
            start = file.read(10)
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}); check its permissions") from error
    if not start:
        raise BadInput(f"{path}: the file is empty; write it again")
    try:
        if path.suffix.lower() == ".mat" or start.startswith(b"MATLAB"):
            from core.formats import mat

            return mat.read(path)
        from core.formats import npz

        return npz.read(path)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from error


def prediction_csv(prediction: Prediction) -> str:
    """``face,name,confidence``, one row a face in their order; an empty name is nobody."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["face", "name", "confidence"])
    names = [prediction.label(face) or "" for face in range(len(prediction.name))]
    writer.writerows(zip(range(len(names)), names, [f"{c:.6f}" for c in prediction.confidence], strict=True))
    return text.getvalue()


def whole_file(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Writes ``path`` whole or not at all: into a file beside it first, which then takes its place."""
    if path.is_dir():
        raise BadInput(f"{path}: this is a folder; name the file to write")
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        try:
            with beside.open("wb") as file:
                write(file)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written ({error.strerror}); choose another place") from error
