"""A hostile project on every page: what is text stays text, no script runs, and nothing is asked for elsewhere."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from core.jobs import engine as jobs
from core.store.files import JOB_LOG
from core.store.project import Project
from tests.browser.choosing import choose_view
from tests.browser.conftest import JOB, ROOT, Watched, serve
from tests.hostile import ANNOTATOR, LEAK, NAMES, hostile_project

Visit = Callable[[str], Page]
PICTURE = NAMES[4].replace("://", ":\u2060//")  # as a message shows it, so that it becomes no link
SHOWN = ("csv", "json", "graphml", "webvtt")  # of the formats; tests/core/formats/write has all
SIGNS = "() => Object.keys(window).filter((key) => key === 'hit').length"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    with hostile_project(tmp_path_factory.mktemp("projects") / "hostile") as made:
        yield made


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("log") / "log"


@pytest.fixture(scope="module")
def address(browser: Browser, project: Project, log: Path) -> Iterator[str]:
    with serve(ROOT / "streamlit_app.py", {"ROLLCALL_PROJECTS": str(project.folder.parent)}, log=log) as running:
        yield running


@pytest.fixture
def visit(watch: Callable[[], Watched], address: str) -> Iterator[Visit]:
    """Opens pages as somebody with a hostile name; afterwards nothing must have happened."""
    watched = watch()
    page = watched.page
    page.on("dialog", lambda dialog: pytest.fail(f"a script asked: {dialog.message}"))
    page.context.add_cookies([{"name": "rollcall_who", "value": quote(ANNOTATOR), "url": address}])

    def visited(where: str) -> Page:
        page.goto(f"{address}/{where}")
        expect(page.get_by_test_id("stPopover").get_by_role("button", name=re.compile("onerror")).first).to_be_visible()
        return page

    yield visited
    page.wait_for_load_state("networkidle")
    assert page.evaluate(SIGNS) == 0
    outside = [url for url in watched.requests if not url.startswith((address, f"ws{address[4:]}", "data:", "blob:"))]
    assert outside == []
    assert not [url for url in watched.requests if LEAK in url and not url.startswith((f"{address}/", "ws"))]


def test_the_projects_page_and_its_dialogs(visit: Visit, project: Project) -> None:
    page = visit("")
    expect(page.get_by_role("heading", name=project.title)).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text(NAMES[0])
    page.get_by_role("button", name="Rename").click()
    expect(page.get_by_role("dialog").get_by_label("Title")).to_have_value(project.title)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("dialog").locator("b")).to_have_text(project.title)
    expect(page.get_by_role("dialog").get_by_text("Type the title to delete it")).to_contain_text(PICTURE)
    expect(page.get_by_role("dialog").locator("img, svg[onload], a")).to_have_count(0)


def test_the_review_page_with_its_reasons_and_the_lost_film(visit: Visit, project: Project) -> None:
    page = visit("review?project=hostile&frame=9")
    expect(page.locator('.review[data-frame="9"] .word').first).to_be_visible()
    names = {str(name) for name in page.locator(".word").all_text_contents()}
    assert names & set(NAMES)
    page.keyboard.press("w")  # why
    page.get_by_role("button", name=re.compile("Play|At this moment|Watch")).first.click()
    expect(page.get_by_role("dialog").get_by_role("alert").first).to_contain_text(PICTURE)
    expect(page.get_by_role("dialog").get_by_role("alert").locator("img, a")).to_have_count(0)


def test_the_people_page_its_views_and_a_persons_dialogs(visit: Visit) -> None:
    page = visit("people?project=hostile")
    expect(page.locator(".card .name").first).to_be_visible()
    shown = set(page.locator(".card .name").all_text_contents())
    assert set(NAMES[1:]) <= shown
    for view, wanted in (("Unnamed", ".widget.strips"), ("When", ".js-plotly-plot"), ("Together", ".scatterlayer .point")):
        choose_view(page, view)
        expect(page.locator(wanted).first).to_be_visible()
    page.locator(".js-plotly-plot .scatterlayer .point").first.hover(force=True)
    check_dialogs(visit("people?project=hostile&person=" + quote(NAMES[1])))


def check_dialogs(page: Page) -> None:
    expect(page.get_by_text(f"also written {NAMES[0]}")).to_be_visible()
    page.get_by_role("button", name="Rename").click()
    page.get_by_role("dialog").get_by_label("New name").fill(NAMES[4])
    page.get_by_role("dialog").get_by_role("button", name="Rename", exact=True).click()
    expect(page.get_by_role("dialog").get_by_role("alert").first).to_contain_text(PICTURE)
    expect(page.get_by_role("dialog").get_by_role("button", name=f"Merge into {PICTURE}")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    for button in ("Merge", "Split", "Delete"):
        page.get_by_role("button", name=button, exact=True).first.click()
        expect(page.get_by_role("dialog")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)


def test_the_model_page_with_all_its_views_and_the_export_page(visit: Visit) -> None:
    page = visit("model?project=hostile")
    expect(page.get_by_role("alert").first).to_contain_text(NAMES[0])
    for view in ("Runs", "Compare methods", "Truth", "Who decided", "Log", "What changed"):
        choose_view(page, view)
        if view == "Log":
            expect(page.locator(".widget.tiles").get_by_text(ANNOTATOR).first).to_be_visible()
        if view == "Truth":
            expect(page.locator(".js-plotly-plot").nth(2)).to_be_visible()
    page.get_by_role("link", name="Export").click()
    check_formats(page)


def check_formats(page: Page) -> None:
    expect(page.locator(".export-preview")).to_contain_text(NAMES[0])
    for name in SHOWN:
        card = page.locator(f'.choice[data-name="{name}"]')
        if card.get_attribute("aria-disabled") != "true":
            card.click()
            expect(card).to_have_attribute("aria-checked", "true")
    expect(page.locator(".export-preview img, .export-preview svg, .export-preview script")).to_have_count(0)


def test_addresses_that_are_hostile(visit: Visit) -> None:
    page = visit("people?project=hostile&view=" + quote(NAMES[1]) + "&person=" + quote(NAMES[4] + "x"))
    expect(page.get_by_text("There is nobody of this name")).to_be_visible()
    page = visit("review?project=hostile&order=" + quote(NAMES[1]) + "&person=" + quote(NAMES[4]))
    expect(page.locator(".review .bar")).to_be_visible()
    page.goto(page.url.partition("?")[0] + "?project=" + quote("".join(NAMES[:5]).replace("/", "")))
    expect(page.get_by_text("there is no project called")).to_contain_text("onerror")


def test_the_log_holds_no_names_and_no_pictures(visit: Visit, project: Project, log: Path) -> None:
    """After all of the above; a run in the background has a log of its own."""
    page = visit("model?project=hostile")
    before = jobs.jobs(project)[0]
    page.locator(".st-key-run-now").get_by_role("button").click()
    end = time.monotonic() + JOB / 1000
    while ((last := jobs.jobs(project)[0]).id == before.id or last.active) and time.monotonic() < end:
        page.wait_for_timeout(200)
    assert last.id != before.id
    assert last.state == "done"
    said = log.read_text() + (project.cache / JOB_LOG).read_text()
    assert "You can now view your Streamlit app" in said
    captions = {frame.caption for frame in project.frames()}
    for text in (*NAMES, *captions, ANNOTATOR, project.title, "base64", "JFIF"):
        assert text not in said
