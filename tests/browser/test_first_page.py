"""The first page in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from tests.browser.conftest import Watched, serve

Watch = Callable[[], Watched]
OPENING = "Esme and Finn wait on the pier with a cake."


def opened(watch: Watch, url: str) -> Watched:
    watched = watch()
    watched.page.goto(url)
    expect(watched.page.get_by_test_id("caption")).to_be_visible()
    return watched


def face(page: Page, number: int) -> str:
    return page.locator(f'button.face[data-face="{number}"]').inner_text()


def right(page: Page) -> int:
    return int(page.locator(".score b").inner_text().split()[0])


def test_it_shows_faces_names_links_and_nothing_goes_wrong_or_outside(app: str, watch: Watch) -> None:
    watched = opened(watch, app)
    page = watched.page
    expect(page.get_by_test_id("caption")).to_have_text(OPENING)
    expect(page.locator("mark")).to_have_text(["Esme", "Finn"])
    expect(page.locator("button.face")).to_have_count(3)
    expect(page.locator("button.name .word")).to_have_text(["Esme", "Finn", "Ada", "Bruno", "Cleo", "Dev", "Nobody"])
    expect(page.locator("button.name.elsewhere")).to_have_count(4)
    expect(page.locator("path.line.thought")).to_have_count(3)
    assert page.locator("path.line.thought").first.evaluate("e => getComputedStyle(e).strokeDasharray") != "none"
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text("Frame 2 of 12")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert watched.errors == []
    outside = [url for url in watched.requests if urlsplit(url).hostname not in ("127.0.0.1", None)]
    assert outside == []
    assert any(url.startswith("ws://127.0.0.1") for url in watched.requests)


def test_the_frame_is_in_the_url_and_a_reload_keeps_it(app: str, watch: Watch) -> None:
    page = opened(watch, app).page
    next_at = page.get_by_role("button", name="Next").bounding_box()
    page.get_by_role("button", name="Next").click()
    caption = page.get_by_test_id("caption")
    expect(caption).to_contain_text("Ada climbs")
    expect(page).to_have_url(re.compile(r"[?&]frame=2"))
    assert page.get_by_role("button", name="Next").bounding_box() == next_at
    page.reload()
    expect(caption).to_contain_text("Ada climbs")
    page.get_by_role("button", name="Previous").click()
    expect(caption).to_have_text(OPENING)
    page.go_back()
    expect(caption).to_contain_text("Ada climbs")


def test_a_correction_holds_through_solving_and_a_reload(app: str, watch: Watch) -> None:
    page = opened(watch, app).page
    assert face(page, 0).startswith("Finn")
    before = right(page)
    page.locator('button.face[data-face="0"]').click()
    page.get_by_role("button", name="Esme", exact=True).click()
    said = page.locator('path.line.said[data-face="0"]')
    expect(said).to_have_attribute("data-name", "4")
    assert said.evaluate("e => getComputedStyle(e).strokeDasharray") == "none"
    expect(page.locator(".tick")).to_have_count(1)
    page.get_by_role("button", name="Solve again").click()
    expect(page.get_by_role("button", name="Solve again")).to_be_disabled()
    expect(page.locator('path.line.thought[data-face="1"]')).to_have_attribute("data-name", "5")
    after = right(page)
    assert after > before + 1  # more than the one face that was told
    page.reload()
    expect(said).to_have_attribute("data-name", "4")
    assert right(page) == after
    page.get_by_role("button", name="Start over").click()
    expect(said).to_have_count(0)
    assert face(page, 0).startswith("Finn")
    assert right(page) == before


def test_a_click_on_a_link_confirms_it_and_another_takes_it_back(app: str, watch: Watch) -> None:
    page = opened(watch, f"{app}/?frame=2").page
    lines = page.locator('path.line[data-face="3"]')
    expect(lines.last).to_have_class(re.compile("thought"))
    hit = page.locator('path.line.thought[data-face="3"] + path.hit')
    hit.dispatch_event("click")
    said = page.locator('path.line.said[data-face="3"]')
    expect(said).to_have_count(1)
    expect(page).to_have_url(re.compile(r"said=3-0"))
    page.locator("path.line.said + path.hit").dispatch_event("click")
    expect(said).to_have_count(0)


def test_nobody_can_be_said_by_keyboard_alone(app: str, watch: Watch) -> None:
    page = opened(watch, f"{app}/?frame=3").page
    reached = []
    for _ in range(30):
        page.keyboard.press("Tab")
        reached.append(focused(page))
        if reached[-1] == "face 7":
            break
    assert "Previous" in reached
    assert "Next" in reached
    assert reached[-3:] == ["face 5", "face 6", "face 7"]
    page.keyboard.press("Enter")
    expect(page.locator(".hint")).to_contain_text("Now click")
    while focused(page) != "name -1":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator('path.line.said[data-face="7"]')).to_have_attribute("data-name", "-1")
    assert focused(page) == "name -1"
    while focused(page) != "Solve again":
        page.keyboard.press("Shift+Tab")


def focused(page: Page) -> str:
    """What has the keyboard: the text of a button, or the key of a face or a name inside the editor."""
    return str(
        page.evaluate(
            """() => { let e = document.activeElement; while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
                       return e?.dataset?.key ?? e?.innerText ?? "" }"""
        )
    ).strip()


def test_html_in_names_and_captions_is_text(watch: Watch, browser: object) -> None:
    with serve(Path(__file__).with_name("unkind_app.py")) as address:
        watched = opened(watch, address)
        page = watched.page
        expect(page.get_by_test_id("caption")).to_have_text(
            'Here is <script>window.hit=1</script> with <img src=x onerror="window.hit=2"> <u>now</u>.'
        )
        expect(page.locator("button.name .word").first).to_have_text("<script>window.hit=1</script>")
        expect(page.locator(".top p")).to_contain_text('<img src=x onerror="window.hit=2"> & **more**')
        page.locator("button.face").first.click()
        page.locator("button.name").last.click()
        expect(page.locator("path.line.said")).to_have_count(1)
        for number in (2, 3):
            page.get_by_role("button", name="Next").click()
            expect(page.get_by_text(f"Frame {number} of 3")).to_be_visible()
        assert page.evaluate("window.hit") is None
        assert watched.errors == []
