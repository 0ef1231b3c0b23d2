"""A running app and a real browser."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, ViewportSize, expect

from core.store.first_start import MARK
from core.store.project import Project
from tests.known import known_run
from tests.made import made_project
from tests.unkind import unkind_project

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 300
# ms for anything on a busy machine; nothing waits so long that goes well
BUSY = int(os.environ.get("ROLLCALL_TEST_PATIENCE", "120")) * 1000
JOB = 5 * BUSY  # ms for work in the background: a film that is taken in, a run
AT_WORK = '[data-testid="stApp"]:not([data-test-script-state="notRunning"])'
WHO = "tester"  # who works there, unless a cookie says another name
SCREEN: ViewportSize = {"width": 1280, "height": 800}
expect.set_options(timeout=BUSY)


@contextmanager
def serve(
    script: Path, environment: Mapping[str, str] | None = None, flags: Sequence[str] = (), log: Path | None = None
) -> Iterator[str]:
    """Runs a Streamlit script on a free port of this machine; gives its address and stops it afterwards.

    ``flags`` are streamlit's own; what the server says goes to ``log``.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    app = ["ui"] if script == ROOT / "streamlit_app.py" else ["streamlit", "run", str(script)]
    command = [
        sys.executable,
        "-m",
        *app,
        "--server.port",
        str(port),
        "--server.headless",
        "true",
        "--server.fileWatcherType",
        "none",
        *flags,
    ]
    around = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"} | dict(environment or {})
    with open(log or os.devnull, "ab") as said:
        server = subprocess.Popen(command, cwd=ROOT, env=around, stdout=said, stderr=said, stdin=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        _wait(server, address)
        yield address
    finally:
        server.terminate()
        try:
            server.wait(timeout=10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _wait(server: subprocess.Popen[bytes], address: str) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        if server.poll() is not None:
            pytest.fail(f"the app ended with code {server.returncode} before it answered; try: make run")
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    pytest.fail(f"the app did not answer within {START_SECONDS} s")


@dataclass
class Watched:
    """A browser page, and all it asked for and complained about."""

    page: Page
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class App:
    """A running app, the folder that its projects lie in, and projects to copy."""

    address: str
    projects: Path
    templates: Path
    numbers: Iterator[int] = field(default_factory=count)

    def fresh(self, name: str, template: str = "film") -> Project:
        """A project of its own for a test, open here too: a copy of one of ``TEMPLATES``."""
        if not (self.templates / template).exists():
            TEMPLATES[template](self.templates / template).close()
        return Project.open(shutil.copytree(self.templates / template, self.place(name)))

    def made(self, name: str = "made", **wanted: Any) -> Project:
        """A made-up project of its own for a test."""
        return made_project(self.place(name), **wanted)

    def url(self, project: Project, frame: int | None = None) -> str:
        """Where a frame is reviewed, or the page as it opens."""
        return f"{self.address}/review?project={project.folder.name}" + ("" if frame is None else f"&frame={frame}")

    def place(self, name: str) -> Path:
        """Where a project can be made that nobody has made yet."""
        return self.projects / f"{name}-{next(self.numbers)}"


def doubtful_project(folder: Path) -> Project:
    """A run saw who is one person, and knows nobody's name."""
    project = made_project(folder, frames=16)
    known_run(project, doubt=0.8)
    return project


TEMPLATES: dict[str, Callable[[Path], Project]] = {
    "film": lambda folder: made_project(folder, frames=16),
    "unrun": lambda folder: made_project(folder, frames=6, run=False),
    "unkind": unkind_project,
    "doubtful": doubtful_project,
}


@contextmanager
def running(folders: pytest.TempPathFactory) -> Iterator[App]:
    """The app, with a folder of its own for its projects."""
    projects, templates = folders.mktemp("projects"), folders.mktemp("templates")
    (projects / MARK).touch()  # the first start is long past
    with serve(ROOT / "streamlit_app.py", {"ROLLCALL_PROJECTS": str(projects), "LOGNAME": WHO}) as address:
        yield App(address, projects, templates)


@pytest.fixture(scope="session")
def app(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """One for all tests of a process that do not ask for a server, or a list of projects, of their own."""
    with running(tmp_path_factory) as made:
        yield made


@pytest.fixture(scope="session")
def visitors(browser: Browser) -> Iterator[Callable[[int], BrowserContext]]:
    """Browsers of people who do not know each other. They are used again: to load and compile the app's scripts anew takes
    longer than most tests."""
    contexts: list[BrowserContext] = []

    def visitor(number: int) -> BrowserContext:
        while len(contexts) <= number:
            contexts.append(browser.new_context(viewport=SCREEN, color_scheme="light"))
        return contexts[number]

    yield visitor
    for context in contexts:
        context.close()


def _until_idle() -> None:
    """Actions and expectations that find the app at work wait for it: a click on what is drawn anew may be lost."""


@pytest.fixture
def watch(visitors: Callable[[int], BrowserContext]) -> Iterator[Callable[[], Watched]]:
    """Opens fresh pages; each has a memory of its own."""
    used: list[BrowserContext] = []

    def fresh() -> Watched:
        context = visitors(len(used))
        used.append(context)
        watched = Watched(context.new_page())
        watched.page.set_default_timeout(BUSY)
        watched.page.add_locator_handler(watched.page.locator(AT_WORK), _until_idle)
        watched.page.on("pageerror", lambda error: watched.errors.append(str(error)))
        watched.page.on("console", lambda said: watched.errors.append(said.text) if said.type == "error" else None)
        watched.page.on("request", lambda request: watched.requests.append(request.url))
        watched.page.on("websocket", lambda socket: watched.requests.append(socket.url))
        return watched

    yield fresh
    for context in used:
        for page in context.pages:
            with suppress(Error):  # a blank page has nothing to forget; what belongs to a tab goes with it
                page.evaluate("localStorage.clear()")
            page.close()
        context.clear_cookies()
