"""What all tests share."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, sync_playwright

from tests.bound import bound
from tests.browser.install import installed

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
FLAGS += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]

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


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One for all tests of a process."""
    program = installed()
    if program is None:
        pytest.skip("BROWSER TESTS DID NOT RUN: no Chromium or Chrome on this machine; see tests/browser/install.py")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def permissions() -> Iterator[None]:
    """They bind the test, whoever runs it."""
    with bound() as binding:
        if not binding:
            pytest.skip("root may read and write everywhere, and cannot give that up here")
        yield
