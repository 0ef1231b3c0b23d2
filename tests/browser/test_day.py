"""A user's whole day on the demo film, from the first start to the exported file."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from assets.demo.looks import CAST
from core.formats.read import csv
from core.store.project import Project
from tests.browser import offline
from tests.browser.choosing import choose_option
from tests.browser.conftest import JOB, ROOT, Watched, serve

WHO = "Ann"
TURNS = 4  # frames that are reviewed, by mouse and by keyboard
MERGED = ("Walter", "Hugo")


def test_a_whole_day(browser: Browser, watch: Callable[[], Watched], tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Wherever the system lets us, in a process that has no network but this machine's own."""
    if not offline.is_cut() and offline.how_to_cut():
        offline.again(request.node.nodeid)
        return
    if not offline.is_cut():
        warnings.warn("the day ran, but WITH A NETWORK: this system does not let us cut it off", stacklevel=1)
    projects = tmp_path / "projects"
    with serve(ROOT / "streamlit_app.py", {"ROLLCALL_PROJECTS": str(projects), "LOGNAME": WHO}) as address:
        watched = watch()
        page = watched.page
        page.goto(address)
        expect(page).to_have_url(re.compile(r"/review\?project=demo"))  # the first start opens the demo
        confirm = page.get_by_role("button", name=re.compile("Confirm all"))
        expect(confirm).to_be_in_viewport(ratio=1)  # the first steps tell to press it, and leave it room
        page.locator(".review").evaluate("(review) => review.dataset.first = 'yes'")
        page.get_by_role("button", name="Got it").click()
        expect(page.get_by_role("button", name="Got it")).to_have_count(0)
        expect(page.locator(".review[data-first]")).to_have_count(1)  # what stands below is the same as before
        with Project.open(projects / "demo") as project:
            reviewed = [review(page, by_mouse=turn % 2 == 0) for turn in range(TURNS)]
            settled(page)
            assert len(set(reviewed)) == TURNS
            done = {face.id for frame in reviewed for face in project.faces(frame)}
            assert project.log().settled == done

            undo_and_redo(page, project, len(done))
            corrected = correct(page, project)
            rerun(page, project)
            merged = merge(page, address, project)
            rows = exported(page, address, tmp_path)
            check(project, rows, corrected, merged)
        delete(page, address, projects)
        asked = [
            url for url in watched.requests if not url.startswith((address, address.replace("http", "ws"), "data:", "blob:"))
        ]
        assert asked == []  # nothing leaves the machine
        assert watched.errors == []


def here(page: Page) -> int:
    return int(page.locator(".review[data-frame]").get_attribute("data-frame") or -1)


def settled(page: Page) -> None:
    page.wait_for_timeout(50)
    expect(page.locator('.review[data-pending="0"]')).to_have_count(1)


def review(page: Page, by_mouse: bool) -> int:
    """Confirms the frame on screen; the next one comes up."""
    frame = here(page)
    if by_mouse:
        page.locator("button.primary").first.click()
    else:
        page.keyboard.press("Enter")
    expect(page.locator(f'.review[data-frame="{frame}"]')).to_have_count(0)
    return frame


def undo_and_redo(page: Page, project: Project, done: int) -> None:
    shown = page.locator(".progress").inner_text().split()[0]  # faces of answered tracks are among these
    assert int(shown) >= done
    page.keyboard.press("u")
    settled(page)
    expect(page.locator(".progress")).not_to_contain_text(f"{shown} of")
    assert len(project.log().settled) < done
    page.keyboard.press("y")
    expect(page.locator(".progress")).to_contain_text(f"{shown} of")


def correct(page: Page, project: Project) -> dict[int, str]:
    """Gives an open face another name than the machine's, right or wrong: a click on the face, then on the name."""
    now, log = project.current_labels(), project.log()
    row = next(k for k, face in enumerate(now.face.tolist()) if face not in log.settled and now.name[k] >= 0)
    face, frame, said = int(now.face[row]), int(now.frame[row]), log.text(int(now.name[row]))
    other = next(name for name in CAST if name not in (said, *MERGED))
    page.goto(re.sub(r"&frame=\d+", "", page.url) + f"&frame={frame}")
    page.locator(f'button.face[data-face="{face}"]').click()
    page.keyboard.press("/")
    page.keyboard.type(other)
    page.keyboard.press("Enter")
    expect(page.locator(f'path.line.said[data-face="{face}"]')).to_have_attribute("data-name", other)
    settled(page)
    return {face: other}


def rerun(page: Page, project: Project) -> None:
    page.get_by_role("link", name="Model").click()
    page.locator(".st-key-run-now").get_by_role("button", name="Run again").click()  # Review has one, too
    expect(page.locator("button.tile").first).to_be_visible(timeout=JOB)  # what changed
    assert len(project.runs()) == 2
    changed = {change.face for change in project.what_changed()}
    assert changed
    page.get_by_role("link", name="Review").click()
    expect(page.locator(".review .bar")).to_be_visible()


def merge(page: Page, address: str, project: Project) -> tuple[str, str]:
    """Two names are one person; afterwards there is one."""
    one, other = MERGED
    page.goto(f"{address}/people?project=demo&person={one}")
    page.get_by_role("button", name="Merge", exact=True).click()
    choose_option(page, page.get_by_role("dialog").get_by_role("combobox"), other)
    page.get_by_role("button", name=f"Merge, and call them {other}").click()
    expect(page.get_by_text(f"also written {one}")).to_be_visible()
    assert one not in project.names()
    return one, other


def exported(page: Page, address: str, folder: Path) -> dict[int, csv.Row]:
    page.goto(f"{address}/export?project=demo")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download").click()
    place = folder / waiting.value.suggested_filename
    waiting.value.save_as(place)
    return {row.face: row for row in csv.read(place)}


def delete(page: Page, address: str, projects: Path) -> None:
    """A demo that was deleted stays away."""
    page.goto(address)
    expect(page.get_by_role("heading", name="The Lighthouse Birthday")).to_be_visible()
    Project.remove(projects / "demo")
    page.reload()
    expect(page.get_by_text("No projects yet")).to_be_visible()


def check(project: Project, rows: dict[int, csv.Row], corrected: dict[int, str], merged: tuple[str, str]) -> None:
    """The file holds what was clicked, and the machine's word for the rest."""
    assert len(rows) == len(project.faces())
    for face, name in corrected.items():
        assert (rows[face].name, rows[face].state, rows[face].annotator) == (name, "corrected", WHO)
    log = project.log()
    for face in log.settled - corrected.keys():
        answer = log.standing(face).answers[-1]
        assert rows[face].state == "confirmed"
        assert rows[face].name == (log.text(answer.name) if answer.name >= 0 else "")
    known = log.settled | project.reader.by_track().keys()
    assert {row.state for face, row in rows.items() if face not in known} == {"predicted"}
    assert merged[0] not in {row.name for row in rows.values()}
