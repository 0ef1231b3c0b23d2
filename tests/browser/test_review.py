"""The review page in a real browser: what it shows, by mouse and by keyboard."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from core.problem import NOBODY
from core.store.project import Change, Project
from tests.browser.reviewing import App, Watch, answers, click_line, here, lines, opened, settled


def test_one_screen_shows_all_of_it_hovering_lights_up_what_belongs_together_and_each_key_does_what_the_help_says(
    app: App, watch: Watch
) -> None:
    with app.fresh("screen") as project:
        watched = opened(watch, app.url(project, 0) + "&order=time")
        page = watched.page
        expect(page.get_by_test_id("caption")).to_have_text("Anna and Boris talk.")
        expect(page.locator("mark")).to_have_text(["Anna", "Boris"])
        expect(page.locator("img.picture")).to_be_visible()
        expect(page.locator(".box")).to_have_count(3)
        expect(page.locator("button.face")).to_have_count(3)
        expect(page.locator("button.name .word")).to_have_text(["Anna", "Boris", "Chloe", "Dev", "nobody"])
        expect(page.locator("path.line.thought")).to_have_count(3)
        expect(lines(page, "thought", 0)).not_to_have_css("stroke-dasharray", "none")
        expect(page.locator(".side .ask")).to_contain_text("16 frames left")
        expect(page.locator(".next li")).to_have_count(5)
        expect(page.locator(".progress")).to_contain_text(f"0 of {project.count('face')} faces settled")
        tall = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
        assert tall <= 800  # one screen, without scrolling
        assert page.locator("button.face img").first.get_attribute("src").startswith("data:image/jpeg")
        check_hovering(page)
        check_keys(page, project)
        assert watched.errors == []


def check_hovering(page: Page) -> None:
    page.locator('button.face[data-face="1"]').hover()
    expect(page.locator("path.line.lit")).to_have_count(1)
    expect(page.locator(".box.lit")).to_have_attribute("data-face", "1")
    expect(page.locator("mark.lit")).to_have_text("Boris")
    page.locator("mark", has_text="Anna").hover()
    expect(page.locator(".box.lit")).to_have_attribute("data-face", "0")
    expect(page.locator("button.face.lit")).to_have_attribute("data-face", "0")
    page.locator(".box").nth(1).hover()
    expect(page.locator("button.name.lit .word")).to_have_text("Boris")


def check_keys(page: Page, project: Project) -> None:
    expect(page.locator("button.face.picked")).to_be_focused()  # without a click
    picked = int(page.locator("button.face.picked").get_attribute("data-face") or -1)
    page.keyboard.press("Space")
    expect(lines(page, "said", picked)).to_have_count(1)
    page.keyboard.press("u")
    expect(lines(page, "said", picked)).to_have_count(0)
    page.keyboard.press("y")
    expect(lines(page, "said", picked)).to_have_count(1)
    page.keyboard.press("Control+z")
    expect(lines(page, "said", picked)).to_have_count(0)
    page.keyboard.press("Control+Shift+z")
    expect(lines(page, "said", picked)).to_have_count(1)
    page.locator('button.face[data-face="0"]').click()
    page.keyboard.press("r")
    expect(lines(page, "refused", 0)).to_have_attribute("data-name", "Anna")
    page.keyboard.press("ArrowDown")
    expect(page.locator("button.face.picked")).to_have_attribute("data-face", "1")
    page.keyboard.press("Tab")
    expect(page.locator("button.face.picked")).to_have_attribute("data-face", "2")
    page.keyboard.press("x")
    expect(page.locator("button.face")).to_have_count(2)
    page.keyboard.press("?")
    expect(page.get_by_text("Everything has a key")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_text("Everything has a key")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(page.locator('.review[data-frame="0"]')).to_have_count(0)
    page.keyboard.press("k")
    expect(page.locator('.review[data-frame="0"]')).to_have_count(1)
    page.keyboard.press("s")
    expect(page.locator('.review[data-frame="0"]')).to_have_count(0)
    settled(page)
    assert project.log().hidden == {2}
    assert project.review.queue("help", project.review.annotators()[0]).skipped.sum() == 1


def test_frames_are_answered_by_mouse_and_by_keyboard_alone(app: App, watch: Watch) -> None:
    with app.fresh("answered") as project:
        page = opened(watch, app.url(project)).page
        seen = []
        for turn in range(6):
            frame = here(page)
            seen.append(frame)
            if turn == 1:  # a face, then another name than the machine's
                page.locator("button.face").first.click()
                page.locator("button.name.nobody").click()
            if turn == 4:  # a name given would leave the face that had it open, and the frame to come back
                picked = int(page.locator("button.face.picked").get_attribute("data-face") or -1)
                page.keyboard.press("n")
            if turn < 3:
                page.locator("button.primary").first.click()
            else:
                page.keyboard.press("Enter")
            expect(page.locator(f'.review[data-frame="{frame}"]')).to_have_count(0)
        settled(page)
        assert len(set(seen)) == 6
        for frame in seen:
            assert all(kind != "open" for kind, _ in answers(project, frame))
        assert answers(project, seen[1])[0][1] == ""
        assert project.log().standing(picked).answers[-1].name == NOBODY
        names = {face.id: face.truth for face in project.faces()}
        log = project.log()
        confirmed = [face for face in log.settled if log.standing(face).answers[-1].kind == "confirm"]
        right = [log.standing(face).answers[-1].name for face in confirmed]
        assert [log.text(name) if name >= 0 else "" for name in right] == [names[face] for face in confirmed]
        assert len(confirmed) > 8


def test_links_are_refused_allowed_again_said_and_taken_back_and_names_found_and_added(app: App, watch: Watch) -> None:
    with app.fresh("links") as project:
        page = opened(watch, app.url(project, 0)).page
        click_line(page, "thought", 0)
        expect(lines(page, "refused", 0)).to_have_attribute("data-name", "Anna")
        expect(page.locator("g.badge.refused text")).to_have_text("✕")
        click_line(page, "refused", 0)
        expect(lines(page, "refused", 0)).to_have_count(0)
        expect(lines(page, "thought", 0)).to_have_attribute("data-name", "Anna")
        page.locator('button.face[data-face="0"]').click()
        page.locator('button.name[data-name="Boris"]').click()
        said = lines(page, "said", 0)
        expect(said).to_have_attribute("data-name", "Boris")
        expect(said).to_have_css("stroke-dasharray", "none")
        expect(page.locator("g.badge.said text")).to_have_text("✓")
        expect(page.locator('path.line.thought[data-name="Boris"]')).to_have_count(0)  # it is given to another face
        click_line(page, "said", 0)
        expect(said).to_have_count(0)
        settled(page)
        assert answers(project, 0)[0] == ("open", "")
        check_names(page, project)


def check_names(page: Page, project: Project) -> None:
    page.locator('button.face[data-face="0"]').click()
    page.keyboard.press("/")
    expect(page.locator(".field input")).to_be_focused()
    page.keyboard.type("chl")
    expect(page.locator(".found li.at span")).to_have_text("Chloe")
    page.keyboard.press("Enter")
    expect(lines(page, "said", 0)).to_have_attribute("data-name", "Chloe")
    expect(page.locator("button.name.elsewhere .word")).to_have_text(["Chloe", "Dev"])
    page.locator('button.face[data-face="1"]').click()
    page.keyboard.press("/")
    page.keyboard.type("Zoë  Zimmer")
    expect(page.locator(".found li.at")).to_contain_text("Add “Zoë Zimmer”")
    page.keyboard.press("Enter")
    expect(lines(page, "said", 1)).to_have_attribute("data-name", "Zoë Zimmer")
    settled(page)
    page.keyboard.press("/")
    expect(page.locator(".found li span").first).to_have_text("Zoë Zimmer")  # recently used first
    page.keyboard.type("dev")
    page.locator(".found li", has_text="Dev").get_by_role("button").dispatch_event("mousedown")
    expect(page.locator("button.name.here .word")).to_have_text(["Anna", "Boris", "Dev"])
    settled(page)
    assert [mention.name for mention in project.mentions(0)] == ["Anna", "Boris", "Dev"]
    assert answers(project, 0)[:2] == [("is", "Chloe"), ("is", "Zoë Zimmer")]


def test_a_stranger_is_ignored_and_an_answer_given_to_all_look_alikes_in_one_step(app: App, watch: Watch) -> None:
    with app.fresh("spread") as project:
        page = opened(watch, app.url(project, 0)).page
        page.locator('button.face[data-face="0"]').click()
        page.keyboard.press("1")
        page.locator('button.face[data-face="0"]').click()
        page.get_by_role("button", name=re.compile("Same for")).click()
        settled(page)
        annas = [face.id for face in project.faces() if face.truth == "Anna"]
        assert set(annas) <= set(project.log().settled)
        page.keyboard.press("u")
        settled(page)
        assert set(project.log().settled) == {0}
        page.locator('button.face[data-face="2"]').click()
        page.keyboard.press("i")
        settled(page)
        assert [answers(project, 0)[2], answers(project, 3)[2]] == [("ignore", "")] * 2


def test_why_shows_what_was_considered_and_frames_are_ordered_filtered_and_jumped_to(app: App, watch: Watch) -> None:
    with app.fresh("why") as project:
        project.decide("Ann", Change("is not", face=0, name="Dev"))
        page = opened(watch, app.url(project, 0)).page
        page.locator('button.face[data-face="0"]').click()
        page.keyboard.press("w")
        reasons = page.locator(".reasons")
        expect(reasons).to_contain_text("Names considered")
        expect(reasons).to_contain_text("in this caption")
        expect(reasons).to_contain_text("Dev — refused by hand")
        expect(reasons).to_contain_text("Boris — another face here")
        expect(reasons.locator(".alike img").first).to_be_visible()
        expect(reasons.locator(".alike q").first).to_contain_text("Anna")
        page.keyboard.press("ArrowDown")
        expect(reasons.locator(".who p")).to_have_text("Boris")
        reasons.locator(".alike button").first.click()
        expect(page.locator('.review[data-frame="0"]')).to_have_count(0)
        page.keyboard.press("Escape")
        expect(page.locator(".side .ask")).to_be_visible()
        jump(page, 0.19, 3)
        page.locator('select[data-key="order"]').select_option("time")
        expect(page.locator(".next small").first).to_have_text("Frame 5 · 0:16")
        expect(page).to_have_url(re.compile("order=time"))
        page.locator('select[data-key="person"]').select_option(label="Dev")
        with_dev = {face.frame for face in project.faces() if face.truth == "Dev"}
        expect(page.locator(".side .ask")).to_contain_text(f"{len(with_dev)} frames left")
        page.locator('select[data-key="person"]').select_option(label="Everybody")
        settled(page)
        jump(page, 0.5, 8)
        page.locator(".next button").nth(1).click()
        expect(page.locator('.review[data-frame="10"]')).to_have_count(1)


def jump(page: Page, share: float, frame: int) -> None:
    """Clicks on the timeline, at this share of its width."""
    settled(page)
    page.locator(".strip").wait_for()
    box = page.locator(".strip").bounding_box()
    assert box is not None
    page.locator(".strip").click(position={"x": box["width"] * share, "y": 10})
    expect(page.locator(f'.review[data-frame="{frame}"]')).to_have_count(1)
