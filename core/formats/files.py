"""Files that are written whole or not at all."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from core.errors import BadInput


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
