"""What all tests share."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, sync_playwright

from tests.bound import bound
from tests.browser.install import installed

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
FLAGS += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]

os.environ["ROLLCALL_LIBRARY"] = tempfile.mkdtemp(prefix="rollcall-library-")  # never the user's own

# the same examples in every run, however slow the machine, and nothing left behind in the folder
settings.register_profile("rollcall", deadline=None, derandomize=True, database=None, max_examples=50)
settings.load_profile("rollcall")


# a file is done by one process; those that take longest come first, so that no process ends long after the others
FIRST: tuple[str, ...] = (
    "tests/core/solvers/mixture",
    "tests/browser",
    "tests/core/solvers",
    "tests/core/test_solve",
    "tests/soak",
)
FIRST += ("tests/core/jobs", "tests/assets", "tests/ui")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: next((k for k, place in enumerate(FIRST) if item.nodeid.startswith(place)), len(FIRST)))


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A people library of the test's own; it is off, and not there yet."""
    folder = tmp_path / "library"
    monkeypatch.setenv("ROLLCALL_LIBRARY", str(folder))
    return folder


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One for all tests of a process."""
    program = installed()
    if program is None:
        pytest.fail(
            "there is no Chromium or Chrome on this machine; install one, or see tests/browser/install.py", pytrace=False
        )
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def permissions() -> Iterator[None]:
    """They bind the test, whoever runs it."""
    with bound() as binding:
        if not binding:
            pytest.fail("root may read and write everywhere; run the tests as another user", pytrace=False)
        yield
