"""A running app and a real browser."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 180
BUSY = 120_000  # ms for anything on a busy machine; nothing waits so long that goes well
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
    command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", str(port)]
    command += ["--server.headless", "true", "--server.fileWatcherType", "none", *flags]
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


@pytest.fixture(scope="session")
def app(browser: Browser) -> Iterator[str]:
    with serve(ROOT / "streamlit_app.py") as address:
        yield address


@pytest.fixture
def watch(browser: Browser) -> Iterator[Callable[[], Watched]]:
    """Opens fresh pages; each has a memory of its own."""
    contexts = []

    def fresh() -> Watched:
        context = browser.new_context(viewport={"width": 1280, "height": 800}, color_scheme="light")
        contexts.append(context)
        watched = Watched(context.new_page())
        watched.page.set_default_timeout(BUSY)
        watched.page.on("pageerror", lambda error: watched.errors.append(str(error)))
        watched.page.on("console", lambda said: watched.errors.append(said.text) if said.type == "error" else None)
        watched.page.on("request", lambda request: watched.requests.append(request.url))
        watched.page.on("websocket", lambda socket: watched.requests.append(socket.url))
        return watched

    yield fresh
    for context in contexts:
        context.close()
