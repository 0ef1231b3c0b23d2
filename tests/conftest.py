"""What all tests share."""

import os
import tempfile
from collections.abc import Iterator
from itertools import zip_longest
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
FIRST = ("tests/core/solvers", "tests/core/test_solve", "tests/soak", "tests/core/jobs", "tests/assets", "tests/ui")


def pytest_xdist_auto_num_workers() -> int:
    """More than cores: a browser's tests wait more than they compute."""
    return (os.cpu_count() or 1) + 2


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files of the browser's tests alternate with others, so that some processes compute while others wait."""
    files: dict[str, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.nodeid.split("::")[0], []).append(item)
    waiting = [file for file in files if file.startswith("tests/browser")]
    others = [file for file in files if not file.startswith("tests/browser")]
    others.sort(key=lambda file: next((k for k, place in enumerate(FIRST) if file.startswith(place)), len(FIRST)))
    order = [file for pair in zip_longest(waiting, others) for file in pair if file is not None]
    items[:] = [item for file in order for item in files[file]]


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
