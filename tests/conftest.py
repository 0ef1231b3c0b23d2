"""What all tests share."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# the same examples in every run, however slow the machine, and nothing left behind in the folder
settings.register_profile("rollcall", deadline=None, derandomize=True, database=None, max_examples=50)
settings.load_profile("rollcall")


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder with the private test data; its README says what is in it."""
    folder = os.environ.get("ROLLCALL_TEST_DATA")
    if not folder:
        pytest.skip("ROLLCALL_TEST_DATA is not set: it must name the folder with the test data")
    if not Path(folder).is_dir():
        pytest.skip(f"ROLLCALL_TEST_DATA is {folder}, which is no folder")
    return Path(folder)
