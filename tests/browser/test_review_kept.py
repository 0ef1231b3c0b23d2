"""What was done on the review page is kept: however fast, over a reload, beside somebody else."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from core.store.project import Change
from tests.browser.reviewing import App, Watch, here, lines, opened, settled


def test_the_frame_is_in_the_url_and_reload_back_and_another_tab_show_the_same(app: App, watch: Watch) -> None:
    with app.fresh("url") as project:
        watched = opened(watch, app.url(project, 5))
        page = watched.page
        page.keyboard.press("1")
        expect(page.locator("path.line.said")).to_have_count(1)
        settled(page)
        page.keyboard.press("j")
        expect(page.locator('.review[data-frame="5"]')).to_have_count(0)
        expect(page).not_to_have_url(re.compile(r"frame=5(&|$)"))
        after = here(page)
        page.reload()
        expect(page.locator(f'.review[data-frame="{after}"]')).to_have_count(1)
        page.go_back()
        expect(page.locator('.review[data-frame="5"]')).to_have_count(1)
        expect(page.locator("path.line.said")).to_have_count(1)
        other = page.context.new_page()
        other.goto(app.url(project, 5))
        expect(other.locator("path.line.said")).to_have_count(1)
        other.goto(app.url(project))  # where one left off
        expect(other.locator(f'.review[data-frame="{after}"]')).to_have_count(1)


def test_of_fast_clicks_and_keys_none_is_lost_not_even_those_before_a_reload(app: App, watch: Watch) -> None:
    with app.fresh("fast") as project:
        page = opened(watch, app.url(project, 0)).page
        page.locator(".review").evaluate(
            """async (root) => {
                for (let k = 0; k < 50; k++) {
                    root.querySelectorAll('button.name')[k % 3].click();
                    if (k % 10 === 9) await new Promise((done) => setTimeout(done, 15));
                }
            }"""
        )
        settled(page)
        assert len(project.log().entries) == 50
        for turn in range(50):
            page.keyboard.press("jn"[turn % 2])  # each "n" goes to the frame that was shown
        settled(page)
        typed = project.log().entries[50:]
        assert len(typed) == 25
        assert {entry.kind for entry in typed} <= {"nobody", "confirm"}
        assert len({entry.face for entry in typed}) > 5
        page.locator(".review").evaluate(
            """(root) => {
                for (let k = 0; k < 20; k++) root.querySelectorAll('button.name')[k % 3].click();
                location.reload();
            }"""
        )
        expect(page.locator(".review .bar")).to_be_visible()
        settled(page)
        assert len([entry for entry in project.log().entries[75:] if entry.face is not None]) == 20


def test_two_people_see_each_other_and_where_they_differ_both_answers(app: App, watch: Watch) -> None:
    with app.fresh("two") as project:
        ann = opened(watch, app.url(project, 0), "Ann").page
        ben = opened(watch, app.url(project, 0), "Ben").page
        ann.locator('button.face[data-face="0"]').click()
        ann.locator("button.name.nobody").click()
        expect(lines(ben, "said", 0)).to_have_count(1)
        assert project.log().standing(0).answers[0].who == "Ann"
        seen = project.log().version
        project.decide("Ben", Change("is", face=1, name="Anna"), seen=seen)  # two who cannot know of each other yet
        project.decide("Ann", Change("is", face=1, name="Boris"), seen=seen)
        for page in (ann, ben):
            expect(lines(page, "said", 1)).to_have_count(2)
            expect(page.locator("button.face.conflict")).to_have_attribute("data-face", "1")
            expect(page.locator("g.badge.conflict text")).to_have_text(["B", "A"])
        expect(ann.locator(".side .ask")).to_contain_text("eople disagree here")
        ann.locator('path.line.said[data-face="1"][data-name="Anna"] + path.hit').dispatch_event("click")
        expect(lines(ben, "said", 1)).to_have_count(1)
        assert not project.log().conflicts
