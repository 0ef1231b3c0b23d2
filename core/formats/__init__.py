"""The file formats Rollcall reads and writes, one module each."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from core.errors import BadInput
from core.problem import Problem

if TYPE_CHECKING:
    from core.prediction import Prediction


def read_problem(path: Path) -> Problem:
    """The problem in ``path``, whichever of the readable formats it is in; refuses bad data in one sentence."""
    try:
        if path.is_dir():
            raise BadInput(f"{path}: this is a folder, not a problem file; name an .npz or .mat file in it")
        with path.open("rb") as file:
            start = file.read(10)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise BadInput(f"{path}: there is no such file; check the path") from error
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
    names = [quoted(prediction.label(face) or "") for face in range(len(prediction.name))]
    rows = [f"{face},{name},{c:.6f}\n" for face, (name, c) in enumerate(zip(names, prediction.confidence, strict=True))]
    return "face,name,confidence\n" + "".join(rows)


def quoted(field: str) -> str:
    """A CSV field; the csv module would leave a lone carriage return bare, at which readers end the row."""
    return '"' + field.replace('"', '""') + '"' if set(field) & set(',"\r\n') else field


def check_can_write(path: Path) -> None:
    """Refuses a place that cannot be written, before any work is done for it."""
    try:
        if path.is_dir():
            raise BadInput(f"{path}: this is a folder; name the file to write")
        if path.exists() and not path.is_file():  # a pipe or a device is written to, not replaced
            return
        if not path.resolve().parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, "there is no such folder")
        if not os.access(path.resolve().parent, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise BadInput(f"{path}: cannot be written ({error.strerror}); choose another place") from error


def whole_file(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Writes ``path`` whole or not at all: into a file beside it first, which then takes its place."""
    check_can_write(path)
    path = path.resolve()  # what a link points to is replaced, not the link
    beside = path.with_name(f".{os.getpid()}.{threading.get_ident()}.part")
    try:
        if path.exists() and not path.is_file():  # a pipe or a device stays what it is
            with path.open("wb") as stream:
                write(stream)
            return
        try:
            beside.unlink(missing_ok=True)
            with beside.open("xb") as file:  # never through a link that somebody put there
                write(file)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written ({error.strerror}); choose another place") from error
