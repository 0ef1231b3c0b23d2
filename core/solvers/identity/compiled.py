"""Compiles a function with numba, and keeps what was compiled beside its source."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """``function`` as machine code. Loops over faces are written plainly in such functions."""
    return cast(F, numba.njit(cache=True, nogil=True, error_model="numpy")(function))


def compiled_sum(function: F) -> F:
    """As ``compiled``, for a plain sum, whose terms may be added in any order: several at a time, then."""
    return cast(F, numba.njit(cache=True, nogil=True, error_model="numpy", fastmath={"reassoc", "contract"})(function))
