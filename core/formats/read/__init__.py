"""Formats that are read. Files with a whole problem are rows of ``PROBLEM_FILES``.

``mpii`` and ``mvad`` read the annotations of the film benchmarks, which come in several files, as records.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from core.errors import BadInput
from core.formats.read import mat, npz
from core.problem import Problem


@dataclass(frozen=True)
class ProblemFile:
    """A format of problem files: how its files end and begin, and its reader."""

    suffix: str
    start: bytes
    read: Callable[[Path], Problem]


PROBLEM_FILES = (
    ProblemFile(".mat", b"MATLAB", mat.read),  # of the partial-label benchmarks
    ProblemFile(".npz", b"PK", npz.read),  # Rollcall's own; what is of no known format is read, and refused, as this one
)


def read_problem(path: str | Path) -> Problem:
    """The problem in ``path``, in whichever of ``PROBLEM_FILES``; refuses bad data in one sentence."""
    path = Path(path)
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
    fitting = (one for one in PROBLEM_FILES if path.suffix.lower() == one.suffix or start.startswith(one.start))
    try:
        return next(fitting, PROBLEM_FILES[-1]).read(path)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from error
