"""Memory is kept at hand inside, and given back afterwards."""

import sys
from pathlib import Path

import numpy as np
import pytest

from core.solvers.dbgae.heap import kept


def resident() -> float:
    """Megabytes that the process holds."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


@pytest.mark.skipif(sys.platform != "linux", reason="only glibc is told")
def test_kept_memory_goes_back_in_the_end() -> None:
    before = resident()
    np.ones(25_000_000)
    assert resident() < before + 100  # usually it goes back at once
    with kept():
        np.ones(25_000_000)  # 200 MB
        assert resident() > before + 150
    assert resident() < before + 100
    np.ones(25_000_000)
    assert resident() < before + 100


def test_an_error_inside_comes_through() -> None:
    with pytest.raises(KeyError), kept():
        raise KeyError
