"""The layout of the review page: whatever people do there, every part stays where it was."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from benchmarks.app import ROOT_NODE
from tests.browser.conftest import SCREEN
from tests.browser.reviewing import App, Watch, answers, opened, settled

PARTS = (".stMainBlockContainer", ".st-key-topbar", ".brand", ".st-key-tabs", ".review .bar", ".scene", ".shot", ".timeline")
PARTS += (".graph", ".hint", ".side")
KEYS = ("1", "0", "n", "Space", "c", "Enter", "r", "i", "g", "t", "u", "y", "s", "j", "k", "ArrowDown", "ArrowRight")
KEYS += ("ArrowLeft", "w", "Escape", "?", "Escape", "/", "Escape", "b", "Escape")


PLACES = """
(parts) => Object.fromEntries(parts.map((part) => {
  const inside = (ROOT_NODE).parentNode, found = document.querySelector(part) ?? inside.querySelector(part);
  const box = found?.getBoundingClientRect();
  return [part, box ? [box.x, box.y, box.width, box.height].map(Math.round) : null];
}))
""".replace("ROOT_NODE", ROOT_NODE)


def layout(page: Page) -> dict[str, list[int] | None]:
    """Where each part stands: left, top, width, height."""
    places: dict[str, list[int] | None] = page.evaluate(PLACES, list(PARTS))
    return places


def drawn_anew(page: Page) -> None:
    """Waits until Python has all that was done and the page has drawn what came of it."""
    settled(page)
    page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for()
    page.wait_for_timeout(50)


def test_every_key_leaves_every_part_where_it_was(app: App, watch: Watch) -> None:
    with app.fresh("keys") as project:
        page = opened(watch, app.url(project, 0)).page
        drawn_anew(page)
        before = layout(page)
        assert None not in before.values()
        for picked, keys in ((2, KEYS[:9]), (0, KEYS)):  # a stranger first, then somebody with a name
            page.locator("button.face").nth(picked).click()
            for key in keys:
                page.keyboard.press(key)
                drawn_anew(page)
                assert layout(page) == before, f"after {key}"
        assert project.log().entries


def test_the_bar_stands_where_it_is_on_every_page(app: App, watch: Watch) -> None:
    with app.fresh("bar") as project:
        page = opened(watch, app.url(project, 0)).page
        page.set_viewport_size({"width": 1920, "height": 1080})
        drawn_anew(page)
        bar = layout(page)
        for other in ("Who?", "Export"):  # as wide as the window, and not
            page.get_by_role("link", name=other, exact=True).click()
            expect(page.get_by_role("heading", level=1)).to_be_visible()
            for part in (".st-key-topbar", ".brand"):
                box = page.locator(part).bounding_box()
                assert box is not None
                assert [round(box[side]) for side in ("x", "y", "width", "height")] == bar[part], (other, part)  # type: ignore[literal-required]
        page.set_viewport_size(SCREEN)


def test_a_long_title_leaves_the_bar_one_line(app: App, watch: Watch) -> None:
    with app.fresh("title") as project:
        project.retitle("The lighthouse keeper's eightieth birthday")
        page = opened(watch, app.url(project, 0)).page
        for width in (1024, 1100, 1280):
            page.set_viewport_size({"width": width, "height": 768})
            drawn_anew(page)
            name = page.locator(".st-key-topbar").get_by_test_id("stPopover").bounding_box()
            bar = page.locator(".st-key-topbar").bounding_box()
            assert name is not None
            assert bar is not None
            assert bar["height"] < 70, width
            assert name["x"] + name["width"] <= width
        page.set_viewport_size(SCREEN)


def test_what_cannot_be_done_and_what_concerns_many_faces_is_said_inside_the_page(app: App, watch: Watch) -> None:
    with app.fresh("many") as project:
        page = opened(watch, app.url(project, 0)).page
        before = layout(page)
        page.keyboard.press("Control+z")
        expect(page.locator(".hint")).to_have_text("There is nothing of yours to undo.")
        drawn_anew(page)
        assert layout(page) == before
        page.locator('button.face[data-face="0"]').click()
        page.keyboard.press("1")
        expect(page.locator(".hint")).not_to_contain_text("nothing of yours")
        settled(page)
        assert len(project.log().entries) == 1
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
