"""One person or two: suggestions side by side, merges that a frame contradicts, and what a second person sees of it."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from core.store.decisions.persons import judged
from core.store.project import Project
from tests.browser.reviewing import App, Watch


def shown(watch: Watch, app: App, project: Project) -> Page:
    page = watch().page
    page.goto(f"{app.address}/who?project={project.folder.name}")
    expect(page.locator(".group.here")).to_be_visible()
    return page


def told(page: Page, words: str) -> None:
    expect(page.locator('.groups[data-pending="0"] .status')).to_contain_text(words)


def test_one_person_or_two_is_asked_side_by_side_decided_with_a_click_and_kept(app: App, watch: Watch) -> None:
    with app.fresh("judged", "doubtful") as project:
        first = project.groups.overview().groups[0]
        name = first.suggestions[0].name
        project.decide("Ann", *project.groups.name(first.faces.tolist()[::2], name))  # half of them have the name
        page = shown(watch, app, project)
        pair = page.locator(".pair")
        expect(pair).to_contain_text(f"Is this {name}, too?")
        assert pair.locator(".side").count() == 2
        assert pair.locator("img").evaluate_all("(all) => all.every((one) => one.naturalWidth > 0)")
        groups, before = page.locator(".group").count(), page.locator(".bar").first.bounding_box()
        page.keyboard.press("-")
        told(page, f"Noted: not {name}")
        assert page.locator(".bar").first.bounding_box() == before
        expect(page.locator(".group")).to_have_count(groups)
        left = [face for face in first.faces.tolist() if face not in project.log().settled]
        assert all(project.log().standing(face).refused for face in left)
        page.keyboard.press("u")
        told(page, "Undone: two groups kept apart")
        assert not any(project.log().standing(face).refused for face in left)
        page.get_by_role("button", name="Same person").click()
        told(page, f"{name}: ")
        assert {project.log().text(a.name) for f in left if (a := project.log().standing(f).answer)} == {name}


def test_a_merge_that_a_frame_contradicts_shows_the_frame_and_others_see_it(app: App, watch: Watch) -> None:
    with app.fresh("met", "doubtful") as project:
        page = shown(watch, app, project)
        groups = project.groups.overview().groups
        one, other = next(
            (a, b)
            for a in groups
            for b in groups
            if a is not b and project.groups.together(a.faces.tolist(), b.faces.tolist())
        )
        sizes = [group.bounding_box() for group in page.locator(".group").all()]
        page.keyboard.press("ArrowRight")
        assert [group.bounding_box() for group in page.locator(".group").all()] == sizes  # no card grows or moves
        frames = project.groups.together(one.faces.tolist(), other.faces.tolist())
        page.locator(f'[data-group="{one.key}"]').drag_to(page.locator(f'[data-group="{other.key}"]'))
        told(page, "both: is one of them in a mirror?")
        expect(page.locator(".met button")).to_have_count(min(len(frames), 6))
        assert len(judged(project.log()).same) == 1
        page.reload()
        expect(page.locator(".group")).to_have_count(len(groups) - 1)
        second = watch().page  # somebody else, in another browser
        second.context.add_cookies([{"name": "rollcall_who", "value": "Bea", "url": app.address}])
        second.goto(f"{app.address}/who?project={project.folder.name}")
        expect(second.locator(".group")).to_have_count(len(groups) - 1)
        page.keyboard.press("u")
        told(page, "Undone: two groups merged")
        expect(page.locator(".group")).to_have_count(len(groups))
        expect(second.locator(".group")).to_have_count(len(groups))  # it comes by itself
        page.keyboard.press("y")
        expect(page.locator(".group")).to_have_count(len(groups) - 1)
        page.locator(f'[data-group="{min(one.key, other.key)}"] .more, [data-group] .more').first.click()
        expect(page.locator(".review")).to_be_visible()
        page.go_back()
        expect(page.locator(".group")).to_have_count(len(groups) - 1)
