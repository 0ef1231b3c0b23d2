"""The layout of the review page: whatever people do there, every part stays where it was."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from playwright.sync_api import Page, expect

from tests.browser.reviewing import App, Watch, answers, opened, settled

PARTS = (".stMainBlockContainer", ".st-key-topbar", ".brand", ".st-key-tabs", ".review .bar", ".scene", ".shot", ".timeline")
PARTS += (".graph", ".hint", ".side")
KEYS = ("1", "0", "n", "Space", "c", "Enter", "r", "i", "g", "t", "u", "y", "s", "j", "k", "ArrowDown", "ArrowRight")
KEYS += ("ArrowLeft", "w", "Escape", "?", "Escape", "/", "Escape", "b", "Escape")


def layout(page: Page) -> dict[str, list[int]]:
    """Where each part stands: left, top, width, height."""
    boxes = {part: page.locator(part).bounding_box() for part in PARTS}
    return {part: [round(box[edge]) for edge in ("x", "y", "width", "height")] for part, box in boxes.items() if box}


def drawn_anew(page: Page) -> None:
    """Waits until Python has all that was done and the page has drawn what came of it."""
    settled(page)
    expect(page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]')).to_have_count(1)
    page.wait_for_timeout(150)


@pytest.mark.parametrize(("picked", "keys"), [(0, KEYS), (2, KEYS[:9])], ids=["a name", "a stranger"])
def test_every_key_leaves_every_part_where_it_was(app: App, watch: Watch, picked: int, keys: Sequence[str]) -> None:
    with app.fresh(f"keys_{picked}") as project:
        page = opened(watch, app.url(project, 0)).page
        drawn_anew(page)
        before = layout(page)
        assert set(before) == set(PARTS)
        page.locator(f'button.face[data-face="{picked}"]').click()
        for key in keys:
            page.keyboard.press(key)
            drawn_anew(page)
            assert layout(page) == before, f"after {key}"
        assert project.log().entries


def test_what_concerns_many_faces_is_said_inside_the_page(app: App, watch: Watch) -> None:
    with app.fresh("many") as project:
        page = opened(watch, app.url(project, 0)).page
        before = layout(page)
        page.locator('button.face[data-face="0"]').click()
        page.keyboard.press("1")
        page.locator('button.face[data-face="0"]').click()
        page.keyboard.press("g")
        many = sum(face.truth == "Anna" for face in project.faces()) - 1
        expect(page.locator(".hint")).to_have_text(f"{many} faces answered in one go. Press u to undo.")
        drawn_anew(page)
        assert layout(page) == before
        page.locator('button.face[data-face="2"]').click()
        page.keyboard.press("i")
        expect(page.locator(".hint")).to_contain_text("faces answered in one go")
        drawn_anew(page)
        assert layout(page) == before
        assert answers(project, 3)[2] == ("ignore", "")
        expect(page.get_by_test_id("stToast")).to_have_count(0)


def test_what_cannot_be_done_is_said_inside_the_page(app: App, watch: Watch) -> None:
    with app.fresh("nothing") as project:
        page = opened(watch, app.url(project, 0)).page
        before = layout(page)
        page.keyboard.press("Control+z")
        expect(page.locator(".hint")).to_have_text("There is nothing of yours to undo.")
        drawn_anew(page)
        assert layout(page) == before
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Space")
        expect(page.locator(".hint")).not_to_contain_text("nothing of yours")
        settled(page)
        assert len(project.log().entries) == 1
