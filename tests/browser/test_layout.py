"""The layout of the pages beside Review: whatever people do there, what stays on the page stays where it was."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from core.store.library.shelf import LibraryFace
from core.store.project import Change, Library
from tests.browser.conftest import SCREEN
from tests.browser.reviewing import App, Watch

# Where the first of each part stands, also inside a component: left, top and width, and of a part with "!" the height.
PLACES = """
(parts) => {
  const roots = [document, ...[...document.querySelectorAll('*')].map((e) => e.shadowRoot).filter(Boolean)];
  return Object.fromEntries(parts.map((part) => {
    const found = roots.map((root) => root.querySelector(part.replace('!', ''))).find(Boolean);
    const box = found?.getBoundingClientRect();
    return [part, box ? [box.x, box.y, box.width, part.endsWith('!') ? box.height : 0].map(Math.round) : null];
  }));
}
"""
BAR = (".st-key-topbar!", ".brand!", ".st-key-tabs!")
WHO = (*BAR, ".groups .bar!", ".title h1!", "[data-action=undo]!", "[data-action=run]!", "[data-action=review]!", ".known!")
WHO += (".cards", ".group")
PERSON = (*BAR, ".st-key-person-head!", ".bars", ".grid", ".tile!")
Places = dict[str, list[int] | None]


def places(page: Page, parts: Sequence[str]) -> Places:
    page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for()
    page.wait_for_timeout(100)
    found: Places = page.evaluate(PLACES, list(parts))
    return found


def first_places(page: Page, parts: Sequence[str]) -> Places:
    """The places once all parts are there."""
    page.wait_for_function(f"(parts) => Object.values(({PLACES})(parts)).every(Boolean)", arg=list(parts))
    return places(page, parts)


@pytest.mark.parametrize("width", [1024, 1280, 1920])
def test_on_who_no_key_moves_anything(app: App, watch: Watch, width: int) -> None:
    with app.fresh("still") as project:
        first = project.groups.overview().groups[0]
        name = first.suggestions[0].name
        project.decide("Ann", *project.groups.name(first.faces.tolist()[::2], name))  # two look alike: that is asked
        page = watch().page
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(f"{app.address}/who?project={project.folder.name}")
        expect(page.locator(".group.here")).to_be_visible()
        expect(page.locator(".pair")).to_be_visible()
        before = first_places(page, WHO)
        for key in (
            "-",
            "u",
            "Enter",
            "u",
            "y",
            "u",
            "n",
            "u",
            "x",
            "u",
            "m",
            "j",
            "m",
            "u",
            "k",
            "/",
            "Escape",
            "c",
            "u",
            "?",
        ):
            page.keyboard.press(key)
            page.locator('.groups[data-pending="0"]').wait_for()
            assert places(page, WHO) == before, f"after {key}"
        page.locator(".group .crop").nth(1).click()
        assert places(page, WHO) == before
        page.set_viewport_size(SCREEN)


def test_on_a_person_no_action_moves_anything(app: App, watch: Watch) -> None:
    with app.fresh("person") as project:
        page = watch().page
        page.goto(f"{app.address}/people?project={project.folder.name}&person=Anna")
        expect(page.locator(".tile").first).to_be_visible()
        before = first_places(page, PERSON)
        for action in ("confirm", "not", "nobody", "open"):
            page.locator(".tile").first.click()
            assert places(page, PERSON) == before, f"selected for {action}"
            page.locator(f'button[data-action="{action}"]').click()
            expect(page.locator(".tile.busy")).to_have_count(0)
            assert places(page, PERSON) == before, f"after {action}"
            page.keyboard.press("z")
            assert places(page, PERSON) == before, f"after {action} was undone"


def test_on_team_nothing_that_is_above_the_form_moves(app: App, watch: Watch) -> None:
    with app.fresh("team") as project:
        project.decide("Ann", Change("nobody", face=0))
        project.decide("Bob", Change("not a face", face=0), seen=0)
        page = watch().page
        page.goto(f"{app.address}/team?project={project.folder.name}")
        expect(page.get_by_role("heading", name="Agreement")).to_be_visible()  # the last part of the page
        parts = (*BAR, ".page-title!", ".team-title!", ".differ!", "table.team")
        before = first_places(page, parts)
        page.get_by_label("To", exact=True).fill("Eva")
        page.keyboard.press("Enter")
        page.keyboard.press("Escape")
        page.get_by_role("slider").focus()
        page.keyboard.press("ArrowRight")
        page.get_by_text("Also frames whose faces are all answered").click()
        assert places(page, parts) == before
        page.get_by_role("button", name="Give them").click()
        expect(page.get_by_text("16 frames given to Eva.")).to_be_visible()
        assert places(page, parts) == before


def test_on_sources_a_dialog_moves_nothing(app: App, watch: Watch) -> None:
    with app.fresh("sources") as project:
        page = watch().page
        page.goto(f"{app.address}/sources?project={project.folder.name}")
        expect(page.get_by_role("button", name="Take out")).to_be_visible()  # the last part of the page
        parts = (*BAR, ".page-title!", ".st-key-add-labels!", ".st-key-source-1!", ".source-head!")
        before = first_places(page, parts)
        for opening in ("Replace captions", "Take out", "Add labels"):
            page.get_by_role("button", name=opening, exact=True).click()
            expect(page.get_by_role("dialog")).to_be_visible()
            assert places(page, parts) == before, opening
            page.keyboard.press("Escape")
            expect(page.get_by_role("dialog")).to_have_count(0)
            assert places(page, parts) == before, opening


def test_on_the_people_library_turning_it_on_moves_nothing(app: App, watch: Watch) -> None:
    library = Library()
    library.turn(True)
    library.give("p", "Film", "net", [LibraryFace("Anna", np.ones(2, np.float32))])
    library.turn(False)
    try:
        page = watch().page
        page.goto(f"{app.address}/library")
        expect(page.get_by_role("button", name="Remove")).to_be_visible()  # the last part of the page
        parts = (*BAR[:2], ".page-title!", ".st-key-library_on!", ".st-key-library_take!", ".known-person!")
        before = first_places(page, parts)
        for on in (True, False):
            page.get_by_text("Use the people library").click()
            expect(page.get_by_role("switch")).to_be_checked(checked=on)
            expect(page.get_by_role("button", name="Take in confirmed people")).to_be_enabled(enabled=on)
            assert places(page, parts) == before
    finally:
        library.turn(False)
        library.empty()


def test_every_page_fits_a_narrow_window(app: App, watch: Watch) -> None:
    with app.fresh("narrow") as project:
        page = watch().page
        page.set_viewport_size({"width": 1024, "height": 768})
        for name in ("who", "review", "people", "model", "team", "sources", "export", "library", "guide", "projects"):
            page.goto(f"{app.address}/{name}?project={project.folder.name}")
            bar = first_places(page, BAR[:2])[BAR[0]]
            assert bar is not None
            assert bar[3] < 60, f"the bar of {name} has several lines"
            wide = page.evaluate("Math.max(...['html', '.stMain'].map((part) => document.querySelector(part).scrollWidth))")
            assert wide <= 1024, f"{name} is wider than the window"
        page.set_viewport_size(SCREEN)


def test_on_export_a_choice_leaves_the_bar_the_formats_and_the_button(app: App, watch: Watch) -> None:
    with app.fresh("export") as project:
        page = watch().page
        page.goto(f"{app.address}/export?project={project.folder.name}")
        expect(page.locator(".export-preview")).to_be_visible()
        parts = (*BAR, ".choices", "[data-testid=stDownloadButton] button")
        before = first_places(page, parts)
        for name in ("COCO", "Faces by name", "WebVTT", "GraphML", "CSV"):
            page.locator(".choices button", has_text=name).first.click()
            after = places(page, parts)
            assert {part: place and place[:2] for part, place in after.items()} == {
                part: place and place[:2] for part, place in before.items()
            }, name


def test_on_model_another_view_leaves_what_is_above_it(app: App, watch: Watch) -> None:
    with app.fresh("views") as project:
        page = watch().page
        page.goto(f"{app.address}/model?project={project.folder.name}")
        expect(page.locator(".js-plotly-plot").first).to_be_visible()
        parts = (*BAR, ".st-key-run-panel!", ".st-key-run-now!", ".facts!", ".st-key-model-view")
        before = first_places(page, parts)
        for view in ("Runs", "Compare methods", "Truth", "Who decided", "Log", "What changed"):
            page.locator(".st-key-model-view").get_by_role("radio", name=view).click()
            expect(page.locator(".st-key-model-view").get_by_role("radio", name=view)).to_be_checked()
            assert places(page, parts) == before, view
