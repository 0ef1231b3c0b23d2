"""The archive page in a real browser: how far the films are, who is on screen when, who a face is, and all as files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.jobs.archive.search import refresh
from core.store.archives.archive import Archive, NewFilm
from core.store.project import Project
from tests.browser.conftest import App, Watched
from tests.browser.test_layout import BAR, first_places, places
from tests.made import made_project

FILMS = ("one", "two", "three")
COLOURS = re.compile("data:image/jpeg")


@pytest.fixture
def page(watch: Callable[[], Watched]) -> Page:
    return watch().page


@pytest.fixture
def archive(app: App) -> Iterator[Archive]:
    """Two films that are in, and one that is under way."""
    with Archive.at(app.place("tv")) as made:
        made.states.add([NewFilm(name, name.title(), Path("/films") / f"{name}.mp4") for name in FILMS])
        for number, name in enumerate(FILMS[:2], start=1):
            made_project(made.project_folder(name), 8, noise=0.3 + 0.05 * number).close()  # the same people, seen anew
            made.states.scanned(number, name, 32.0, 1)
            made.states.set_state(number, "done", "8 frames")
            made.states.set_project(name, "done", "named 19 of 19 faces")
        refresh(made)
        yield made


def test_films_come_in_under_the_eyes_of_who_looks(app: App, page: Page, archive: Archive) -> None:
    with archive.coordinated():
        archive.states.set_state(3, "running")
        archive.states.scanned(3, "c", 1800.0, 4)
        page.goto(f"{app.address}/archive?archive={archive.folder.name}")
        row = page.get_by_role("row").filter(has_text="three.mp4")
        bar = page.get_by_role("img", name="2 of 3 films done")
        expect(bar).to_be_visible()
        expect(row.get_by_title("0 of 4 pieces")).to_be_attached()
        archive.states.looked_at(3, 0)
        expect(row.get_by_title("1 of 4 pieces")).to_be_attached()  # nobody has touched the page
        archive.states.set_state(3, "failed", "/films/three.mp4: no video in it")
        expect(row).to_contain_text("no video in it")
        expect(page.get_by_text("2 of 3 films done · 1 failed")).to_be_visible()
    page.get_by_placeholder("Film or project").fill("TWO")
    page.keyboard.press("Enter")
    expect(page.get_by_role("row").filter(has_text="one.mp4")).to_have_count(0)
    page.get_by_role("link", name="Two").click()
    expect(page).to_have_url(re.compile(r"/who\?project=.*two"))


def test_somebody_is_followed_through_all_films(app: App, page: Page, archive: Archive) -> None:
    page.goto(f"{app.address}/archive?archive={archive.folder.name}")
    page.get_by_role("radio", name="On screen").click()
    page.get_by_role("textbox", name="Name").fill("bor")
    page.keyboard.press("Enter")
    expect(page.locator(".archive-people li")).to_have_count(1)
    expect(page.locator(".archive-people img")).to_have_attribute("src", COLOURS)
    page.get_by_role("link", name="Boris").click()
    films = page.locator(".archive-times")
    expect(films).to_have_count(2)
    expect(films.first.locator("img")).to_have_attribute("src", COLOURS)
    expect(films.first.locator("i").first).to_have_attribute("title", re.compile(r"\d:\d\d to \d:\d\d"))
    films.first.get_by_role("link", name="One").click()
    expect(page).to_have_url(re.compile(r"/people\?project=.*person=Boris"))
    expect(page.locator(".tile").first).to_be_visible()
    page.go_back()
    films.nth(1).get_by_title("Who looks like this?").click()
    expect(page).to_have_url(re.compile("face=two"))
    expect(page.locator(".archive-hits figure").first).to_contain_text("Boris 100 %")


def test_a_face_is_found_in_the_other_film_and_asked_about_itself(app: App, page: Page, archive: Archive) -> None:
    with Project.open(archive.project_folder("one")) as project:
        face = next(face.id for face in project.faces() if face.truth == "Dev")
    page.goto(f"{app.address}/archive?archive={archive.folder.name}&view=find&face=one:{face}")
    hits = page.locator(".archive-hits figure")
    expect(hits.first).to_contain_text("Dev 100 %")
    expect(hits.first.locator("img")).to_have_attribute("src", COLOURS)
    other = hits.filter(has_text="Two").filter(has_text="Dev").first
    other.get_by_role("link").first.click()
    expect(page).to_have_url(re.compile("face=two"))
    expect(hits.first).to_contain_text("Dev 100 %")
    expect(hits.first).to_contain_text("two at")


def test_another_view_leaves_the_head_in_its_place(app: App, page: Page, archive: Archive) -> None:
    page.goto(f"{app.address}/archive?archive={archive.folder.name}")
    parts = (*BAR[:2], ".st-key-archive-head!", ".st-key-archive-head h1!")
    before = first_places(page, parts)
    for view in ("On screen", "Who is this?", "Export all", "Films"):
        page.locator(".st-key-archive-head").get_by_role("radio", name=view).click()
        expect(page.locator(".st-key-archive-head").get_by_role("radio", name=view)).to_be_checked()
        assert places(page, parts) == before, view


def test_all_projects_become_files(app: App, page: Page, archive: Archive) -> None:
    page.goto(f"{app.address}/archive?archive={archive.folder.name}&view=export")
    page.get_by_role("button", name="Export all projects").click()
    expect(page.locator(".archive-exports")).to_contain_text("2 of 2 projects")
    assert {path.name for path in archive.folder.glob("exports/csv-*/*")} == {"one.csv", "two.csv"}
