"""Takes the pictures of README and guide, each page light and dark: ``.venv/bin/python -m tests.browser.pictures``."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, sync_playwright

from core.store.first_start import seed_demo
from core.store.project import Change, Project
from tests.browser.conftest import BUSY, ROOT, serve
from tests.browser.install import installed
from tests.conftest import FLAGS

PICTURES = ROOT / "docs" / "pictures"
PAGES = {  # what is on a page when it is there
    "projects": ("/", ".mosaic img"),
    "who": ("/who?project=demo", ".group"),
    "review": ("/review?project=demo&frame={frame}", "button.face"),
    "people": ("/people?project=demo", "[data-testid=stMain] img"),
    "person": ("/people?project=demo&person=Cleo", ".tile"),
    "model": ("/model?project=demo", ".js-plotly-plot"),
    "team": ("/team?project=shared", "table.team"),
    "sources": ("/sources?project=demo", ".source-head"),
    "export": ("/export?project=demo", ".export-preview"),
}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        frame = prepared(Path(folder))
        with sync_playwright() as playwright, serve(ROOT / "streamlit_app.py", {"ROLLCALL_PROJECTS": folder}) as app:
            browser = playwright.chromium.launch(executable_path=installed(), args=FLAGS)
            for scheme in ("light", "dark"):
                for name, (url, there) in PAGES.items():
                    page = opened(browser, scheme)
                    page.goto(app + url.format(frame=frame))
                    page.locator(there).first.wait_for()
                    page.wait_for_timeout(1500)
                    path = PICTURES / (f"{name}.png" if scheme == "light" else f"{name}-dark.png")
                    page.screenshot(path=path)
                    page.context.close()
                    print(path, f"{path.stat().st_size // 1024} KB")
            browser.close()


def prepared(projects: Path) -> int:
    """The demo with a few frames settled and a second run; gives the frame to show."""
    place = seed_demo(projects, ROOT / "assets" / "demo" / "project")
    assert place is not None
    with Project.open(place) as project:
        queue = project.review.queue()
        for frame in queue.frame[:6].tolist():
            faces = project.faces(frame)
            project.decide("Ann", *(answer(face.id, face.truth or "") for face in faces))
        project.run()
        crowded = max(
            project.review.queue().frame[:20].tolist(),
            key=lambda frame: (len(project.mentions(frame)) > 1, len(project.faces(frame)) == 3),
        )
        first = project.faces(crowded)[0]
        project.decide("Ann", answer(first.id, first.truth or ""))
    shared(place)
    return int(crowded)


def shared(demo: Path) -> None:
    """A copy of the demo that two people annotate: some frames are answered by both, and on two faces they differ."""
    with Project.open(Path(shutil.copytree(demo, demo.parent / "shared"))) as project:
        project.retitle(f"{project.title}, by two")
        frames = project.team.frames()[:12]
        project.team.assign("Ann", frames, ["Ann", "Bob"], 0.5)
        names = project.names()
        for who, wrong in (("Ann", 0), ("Bob", 2)):
            for place, face in enumerate(face for frame in frames for face in project.faces(frame)):
                truth = face.truth or ""
                told = next(name for name in names if name != truth) if wrong and place in (1, 4) else truth
                project.decide(who, answer(face.id, told), seen=0)


def answer(face: int, name: str) -> Change:
    return Change("is", face=face, name=name) if name else Change("nobody", face=face)


def opened(browser: Browser, scheme: Literal["light", "dark"]) -> Page:
    size = {"width": 1280, "height": 800}
    page = browser.new_context(viewport=size, color_scheme=scheme).new_page()  # type: ignore[arg-type]
    page.set_default_timeout(BUSY)
    return page


if __name__ == "__main__":
    main()
