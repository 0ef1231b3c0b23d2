"""Permissions that bind root too: for tests of what happens when a file may not be read or written."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

PASSES_CHECKS = 1 << 1 | 1 << 2  # CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH: what lets root read and write everything
VERSION = 0x20080522  # of the two structures below: two sets of 32
SET_SECUREBITS, NO_ROOT = 28, 1  # a program that root starts gets no capabilities


@contextmanager
def bound() -> Iterator[bool]:
    """Within it, this thread and the programs it starts may do what a file's permissions say and no more. Gives whether
    that is so: on other systems root is not bound."""
    if os.geteuid():
        yield True
        return
    if sys.platform != "linux":
        yield False
        return
    system = ctypes.CDLL(None, use_errno=True)
    header, before = (ctypes.c_uint32 * 2)(VERSION, 0), (ctypes.c_uint32 * 6)()
    if system.capget(header, before):
        yield False
        return
    within = (ctypes.c_uint32 * 6)(*before)
    within[0] &= ~PASSES_CHECKS
    if system.prctl(SET_SECUREBITS, NO_ROOT, 0, 0, 0) or system.capset(header, within):
        yield False
        return
    try:
        yield True
    finally:
        assert not system.capset(header, before)
        assert not system.prctl(SET_SECUREBITS, 0, 0, 0, 0)
