"""Memory that stays at hand while large arrays come and go."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

MMAP_MAX, TRIM_THRESHOLD, TOP_PAD = -4, -1, -2  # of glibc's mallopt
USUAL_MAPS, USUAL_THRESHOLD = 65_536, 128 * 1024


@contextmanager
def kept() -> Iterator[None]:
    """Inside, freed memory stays with the process; afterwards it goes back to the system.

    glibc gives every large array back at once and asks for the next one anew, so that training would spend a fifth of its
    time on pages that the system clears first. Other systems are left as they are.
    """
    library: Any = ctypes.CDLL(None) if sys.platform == "linux" else None
    if not hasattr(library, "mallopt") or not hasattr(library, "malloc_trim"):
        yield
        return
    library.mallopt(MMAP_MAX, 0)
    library.mallopt(TRIM_THRESHOLD, 2**31 - 1)
    library.mallopt(TOP_PAD, 2**26)
    try:
        yield
    finally:
        library.mallopt(MMAP_MAX, USUAL_MAPS)
        library.mallopt(TRIM_THRESHOLD, USUAL_THRESHOLD)
        library.mallopt(TOP_PAD, 0)
        library.malloc_trim(0)
