"""A large project in a real browser: how long a person waits for a page, a click, the next frame, a search.

``tests/soak/browse.py`` starts it.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Browser, Page, expect

from benchmarks.app import CLICK, NEXT
from core.store.project import Project
from tests.browser.conftest import ROOT, serve

TIMEOUT = 120_000  # milliseconds, however busy the machine


def browse(folder: Path, browser: Browser, times: int) -> dict[str, list[float]]:
    """Seconds of each thing that people do, done so many times."""
    with Project.open(folder) as project:
        names = [person.name for person in project.people.named() if len(person.faces)]
    alone = [name for name in names if sum(all(word in other for word in name.split()) for other in names) == 1]
    chance = random.Random(0)
    with serve(ROOT / "streamlit_app.py", {"ROLLCALL_PROJECTS": str(folder.parent)}) as address:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        review, people = (f"{address}/{name}?project={folder.name}" for name in ("review", "people"))
        _opened(page, review, "button.name")  # what is slow once: imports, the first look at the project
        spent: dict[str, list[float]] = {
            "review opens": [_opened(page, review, "button.name") for _ in range(max(2, times // 5))],
            "a click on a name": [page.evaluate(CLICK, turn % 2)[1] / 1000 for turn in range(times)],
            "the next frame": [page.evaluate(NEXT)[1] / 1000 for _ in range(times)],
            "people open": [_opened(page, people, ".card") for _ in range(max(2, times // 5))],
            "a search": [_searched(page, chance.choice(alone)) for _ in range(times)],
        }
        spent["a person opens"] = [
            _opened(page, f"{people}&person={quote(name)}", ".tile") for name in names[: max(2, times // 5)]
        ]
        page.close()
    return spent


def _timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _opened(page: Page, address: str, shows: str) -> float:
    page.goto("about:blank")

    def wait() -> None:
        page.goto(address, wait_until="commit")
        page.locator(shows).first.wait_for(timeout=TIMEOUT)

    return _timed(wait)


def _searched(page: Page, name: str) -> float:
    def wait() -> None:
        page.locator("input.search").fill(name)
        expect(page.locator(".card")).to_have_count(1, timeout=TIMEOUT)
        expect(page.locator(".card .name")).to_have_text(name, timeout=TIMEOUT)

    return _timed(wait)
