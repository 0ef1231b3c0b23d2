"""What tests of the review page share: a running app with projects of their own, and how to read the page."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from core.store.project import Project
from tests import unkind
from tests.browser.conftest import ROOT, Watched, serve
from tests.made import made_project

Watch = Callable[[], Watched]


@dataclass(frozen=True)
class App:
    """A running app and the folder that its projects lie in."""

    address: str
    projects: Path
    templates: Path

    def fresh(self, name: str, template: str = "film") -> Project:
        """A project of its own for a test, open here too."""
        shutil.copytree(self.templates / template, self.projects / name)
        return Project.open(self.projects / name)

    def url(self, project: Project, frame: int | None = None) -> str:
        return f"{self.address}/review?project={project.folder.name}" + ("" if frame is None else f"&frame={frame}")


@contextmanager
def running(folders: pytest.TempPathFactory) -> Iterator[App]:
    """The app, with projects to copy: one that was run, one that was not, one with unkind data."""
    projects, templates = folders.mktemp("projects"), folders.mktemp("templates")
    made_project(templates / "film", frames=16).close()
    made_project(templates / "unrun", frames=6, run=False).close()
    unkind.unkind_project(templates / "unkind").close()
    with serve(ROOT / "streamlit_app.py", {"ROLLCALL_PROJECTS": str(projects)}) as address:
        yield App(address, projects, templates)


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
    expect(page.locator('.review[data-pending="0"]')).to_have_count(1)


def here(page: Page) -> int:
    return int(page.locator(".review").get_attribute("data-frame") or -1)


def lines(page: Page, kind: str, face: int) -> Locator:
    return page.locator(f'path.line.{kind}[data-face="{face}"]')


def click_line(page: Page, kind: str, face: int) -> None:
    page.locator(f'path.line.{kind}[data-face="{face}"] + path.hit').dispatch_event("click")


def answers(project: Project, frame: int) -> list[tuple[str, str]]:
    """How each face of a frame was answered."""
    log = project.log()
    last = [log.standing(face.id).answer for face in project.faces(frame)]
    return [("open", "") if a is None else (a.kind, log.text(a.name) if a.name >= 0 else "") for a in last]
