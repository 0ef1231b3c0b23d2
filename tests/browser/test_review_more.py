"""Review on screens of all sizes: keys that mean the same everywhere, zoom, accepting what is sure, back and forward."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from core.store.project import OPEN, UNKNOWN, Change
from tests.browser.reviewing import App, Watch, here, opened, settled
from tests.browser.test_review_layout import drawn_anew, layout


def keys(page: Page) -> dict[str, str]:
    chips = page.locator("button.name:not(.nobody)")
    names = chips.evaluate_all("(all) => all.map((one) => [one.dataset.name, one.querySelector('kbd')?.textContent ?? ''])")
    return dict(names)


def test_a_name_has_one_key_on_all_frames_and_zoom_leaves_everything_in_its_place(app: App, watch: Watch) -> None:
    with app.fresh("numbers") as project:
        page = opened(watch, app.url(project, 0)).page
        drawn_anew(page)
        first, before = keys(page), layout(page)
        assert first == project_keys(project.review.number_keys(project.sources()[0].id))
        for _ in range(3):
            frame = here(page)
            page.keyboard.press("j")
            expect(page.locator(f'.review[data-frame="{frame}"]')).to_have_count(0)
            drawn_anew(page)
            assert keys(page) == first
        shot = page.locator(".shot")
        small = width(page, ".shot .picture")
        page.keyboard.press("f")
        expect(page.locator(".review.zoomed")).to_have_count(1)
        full = width(page, ".shot .picture")
        page.keyboard.press("f")
        expect(page.locator(".shot.closer")).to_have_count(1)
        assert width(page, ".shot .picture") > full > small
        picked = page.locator(".box.picked").bounding_box()
        there = shot.bounding_box()
        assert picked
        assert there
        assert there["x"] <= picked["x"]
        assert picked["x"] + picked["width"] <= there["x"] + there["width"]
        page.keyboard.press("f")
        expect(page.locator(".review.zoomed, .shot.closer")).to_have_count(0)
        assert layout(page) == before
        shot.hover()
        page.mouse.wheel(0, -600)
        expect(page.locator(".shot.closer")).to_have_count(1)
        assert width(page, ".shot .picture") > small
        assert layout(page) == before  # what is zoomed stays in its place
        page.keyboard.press("Escape")
        expect(page.locator(".shot.closer")).to_have_count(0)
        assert layout(page) == before


def project_keys(own: dict[str, int]) -> dict[str, str]:
    return {name: str(key) for name, key in own.items()}


def width(page: Page, part: str) -> float:
    box = page.locator(part).bounding_box()
    assert box is not None
    return box["width"]


def test_what_is_sure_is_accepted_after_a_look_and_undone_with_one_key(app: App, watch: Watch) -> None:
    with app.fresh("accepted") as project:
        labels = project.current_labels()
        sure = labels.face[(labels.state == OPEN) & (labels.name != UNKNOWN) & (labels.confidence >= 0.95)].tolist()
        page = opened(watch, app.url(project, 0)).page
        drawn_anew(page)
        before = layout(page)
        page.get_by_role("button", name="Accept what is sure").click()
        expect(page.locator(".accept-sample figure")).to_have_count(min(len(sure), 12))
        page.get_by_role("button", name=re.compile(f"accept {len(sure)} face")).click()
        expect(page.locator(".hint")).to_contain_text("accepted")
        settled(page)
        drawn_anew(page)
        assert set(sure) <= set(project.log().settled)
        assert layout(page) == before
        page.keyboard.press("u")
        settled(page)
        assert not project.log().settled
        drawn_anew(page)
        assert layout(page) == before
        page.keyboard.press("p")
        expect(page.get_by_test_id("stDialog")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_test_id("stDialog")).to_have_count(0)
        drawn_anew(page)
        assert layout(page) == before


def test_back_and_forward_return_to_the_frame_and_to_the_person(app: App, watch: Watch) -> None:
    with app.fresh("back") as project:
        page = opened(watch, app.url(project, 3)).page
        page.goto(f"{app.address}/people?project={project.folder.name}")
        page.locator('.card[data-name="Boris"]').click()
        expect(page).to_have_url(re.compile("person=Boris"))
        first = page.locator(".tile").first
        expect(first).to_be_visible()
        project.decide("Ann", Change("is", face=int(first.get_attribute("data-face") or -1), name="Boris"))
        expect(page.locator(".tile.corrected")).to_have_count(1)
        page.locator(".tile.corrected").click()
        page.locator('button[data-action="nobody"]').click()
        expect(page.get_by_text("1 face marked as nobody. In place of answers by Ann (1)")).to_be_visible()
        page.go_back()
        expect(page).not_to_have_url(re.compile("person="))
        expect(page.locator('.card[data-name="Boris"]')).to_be_visible()
        page.go_forward()
        expect(page.locator(".tile").first).to_be_visible()
        page.go_back()
        page.go_back()
        expect(page.locator('.review[data-frame="3"]')).to_have_count(1)


def test_nothing_confirmed_is_out_of_sight_on_a_small_screen_and_the_picture_grows_on_a_large_one(
    app: App, watch: Watch
) -> None:
    with app.fresh("sizes") as project:
        page = opened(watch, app.url(project, 0)).page
        widths = {}
        for wide, high in ((1024, 768), (1280, 800), (1920, 1080)):
            page.set_viewport_size({"width": wide, "height": high})
            drawn_anew(page)
            widths[wide] = width(page, ".shot .picture")
            inside = page.locator(".review .face, .review .actions, .review .hint, .review .bar").evaluate_all(
                "(all) => all.map((one) => one.getBoundingClientRect()).every((box) =>"
                " box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight)"
            )
            assert inside, wide
        assert widths[1920] > 1.4 * widths[1280] > 1.4 * widths[1024] * 0.9
