"""What tests of the review page share: how to open and to read it."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from core.store.project import Project
from tests.browser.conftest import App as App
from tests.browser.conftest import Watched

Watch = Callable[[], Watched]


def opened(watch: Watch, url: str, who: str = "") -> Watched:
    watched = watch()
    if who:
        watched.page.context.add_cookies([{"name": "rollcall_who", "value": who, "url": url.split("/review")[0]}])
    watched.page.goto(url)
    expect(watched.page.locator(".review .bar")).to_be_visible()
    return watched


def settled(page: Page) -> None:
    """Waits until Python has all that was done."""
    page.wait_for_timeout(50)
    page.locator('.review[data-pending="0"]').wait_for()


def here(page: Page) -> int:
    return int(page.locator(".review[data-frame]").get_attribute("data-frame") or -1)


def lines(page: Page, kind: str, face: int) -> Locator:
    return page.locator(f'path.line.{kind}[data-face="{face}"]')


def click_line(page: Page, kind: str, face: int) -> None:
    page.locator(f'path.line.{kind}[data-face="{face}"] + path.hit').dispatch_event("click")


def answers(project: Project, frame: int) -> list[tuple[str, str]]:
    """How each face of a frame was answered."""
    log = project.log()
    last = [log.standing(face.id).answer for face in project.faces(frame)]
    return [("open", "") if a is None else (a.kind, log.text(a.name) if a.name >= 0 else "") for a in last]
