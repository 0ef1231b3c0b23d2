"""Private test data adds cases to those that the tests make themselves. ``ROLLCALL_TEST_DATA`` names its folder."""

import os
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

VARIABLE = "ROLLCALL_TEST_DATA"


def private(*names: str) -> list[Path]:
    """Those of these files that are there; none where there is no private data."""
    folder = os.environ.get(VARIABLE)
    if not folder:
        return []
    if not Path(folder).is_dir():
        raise pytest.UsageError(f"{VARIABLE} is {folder}, which is no folder")
    return [path for name in names if (path := Path(folder) / name).exists()]


def private_cases(*names: str) -> list[ParameterSet]:
    """The same as parameters of a test, behind those that it makes itself."""
    return [pytest.param(path, id=path.stem) for path in private(*names)]
