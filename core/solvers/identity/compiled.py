"""Compiles a function with numba, and keeps what was compiled beside its source."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """``function`` as machine code. Loops over faces are written plainly in such functions."""
    return cast(F, numba.njit(cache=True, nogil=True, error_model="numpy")(function))


def compiled_sum(function: F) -> F:
    """As ``compiled``, for a plain sum, whose terms may be added in any order: several at a time, then."""
    return cast(F, numba.njit(cache=True, nogil=True, error_model="numpy", fastmath={"reassoc", "contract"})(function))


def forget_if_changed(folder: Path) -> None:
    """Deletes what was compiled if any source of the folder is another one since.

    numba looks at the file of a function alone: it would go on with old code of the functions that this one calls.
    """
    sources = b"".join(path.name.encode() + path.read_bytes() for path in sorted(folder.glob("*.py")))
    kept, now = folder / "__pycache__", hashlib.sha256(sources).hexdigest()
    mark = kept / "compiled.sha256"
    with suppress(OSError):  # a folder that cannot be written to was compiled at set-up
        if mark.is_file() and mark.read_text(encoding="ascii") == now:
            return
        for path in kept.glob("*.nb[ic]"):
            path.unlink(missing_ok=True)
        kept.mkdir(exist_ok=True)
        mark.write_text(now, encoding="ascii")


forget_if_changed(Path(__file__).parent)
