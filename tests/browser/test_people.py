"""The people page in a real browser: many faces at once, names that are one, people without a name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, TimeoutError, expect

from core.store.project import Change, Project
from tests.browser.conftest import WHO, App, Watched

Open = Callable[..., Page]


@pytest.fixture
def see(watch: Callable[[], Watched], app: App) -> Iterator[Open]:
    """Opens a page of a project; whatever the browser complains about fails the test."""
    seen: list[Watched] = []

    def opened(project: Project, **asked: str) -> Page:
        watched = watch()
        seen.append(watched)
        parameters = "".join(f"&{key}={quote(value)}" for key, value in asked.items())
        watched.page.goto(f"{app.address}/people?project={project.folder.name}{parameters}")
        return watched.page

    yield opened
    for watched in seen:
        assert watched.errors == []


def face_numbers(page: Page) -> list[int]:
    expect(page.locator(".tile").first).to_be_visible()
    return [int(tile.get_attribute("data-face") or -1) for tile in page.locator(".tile").all()]


def named(project: Project) -> dict[int, str]:
    """By face, who it is now."""
    return {face.face.id: face.name for frame in project.labels().frames for face in frame.faces}


def state_of(project: Project, face: int) -> str:
    return next(one.state for frame in project.labels().frames for one in frame.faces if one.face.id == face)


def act(page: Page, action: str) -> None:
    page.locator(f'button[data-action="{action}"]').click()


def test_a_range_is_selected_by_shift_click_and_moved_in_one_step(app: App, see: Open) -> None:
    with app.fresh("range") as project:
        page = see(project, person="Anna")
        faces = face_numbers(page)
        before = named(project)
        page.locator(".tile").nth(1).click()
        page.locator(".tile").nth(4).click(modifiers=["Shift"])
        expect(page.get_by_text("4 faces selected")).to_be_visible()
        page.locator(".tile").nth(2).click(modifiers=["ControlOrMeta"])
        expect(page.get_by_text("3 faces selected")).to_be_visible()
        act(page, "move")
        page.get_by_role("combobox", name="Name: type or choose").fill("bor")
        page.keyboard.press("Enter")
        expect(page.get_by_text("3 faces moved to Boris.")).to_be_visible()
        moved = {faces[1], faces[3], faces[4]}
        assert {face for face, name in named(project).items() if name != before[face]} == moved
        assert {named(project)[face] for face in moved} == {"Boris"}
        assert not moved & set(face_numbers(page))
        page.keyboard.press("z")
        expect(page.get_by_text("Undone: 3 faces named Boris.")).to_be_visible()
        assert named(project) == before
        assert face_numbers(page) == faces  # each at its old place
        page.keyboard.press("Shift+Z")
        expect(page.get_by_text("Done again: 3 faces named Boris.")).to_be_visible()
        assert {named(project)[face] for face in moved} == {"Boris"}
        page.locator(f'.tile[data-face="{faces[0]}"]').hover()
        page.locator(f'.tile[data-face="{faces[0]}"] .open').click()
        frame = project.faces(ids=[faces[0]])[0].frame
        expect(page).to_have_url(re.compile(rf"/review\?project={project.folder.name}&frame={frame}$"))


def test_keys_alone_confirm_refuse_and_take_back_and_what_others_decide_shows(app: App, see: Open) -> None:
    with app.fresh("by_keys") as project:
        page = see(project, person="Anna")
        faces = face_numbers(page)
        page.keyboard.press("ArrowRight")  # into the grid
        page.keyboard.press("Shift+ArrowRight")
        expect(page.get_by_text("2 faces selected")).to_be_visible()
        page.keyboard.press("c")
        expect(page.get_by_text("2 faces confirmed as Anna.")).to_be_visible()
        assert [state_of(project, face) for face in faces[:3]] == ["confirmed", "confirmed", "predicted"]
        expect(page.locator(".tile.confirmed")).to_have_count(2)
        page.keyboard.press("Space")
        page.keyboard.press("o")
        expect(page.get_by_text("1 face taken back.")).to_be_visible()
        page.keyboard.press("Control+a")
        page.keyboard.press("Escape")
        page.locator(".tile").nth(3).click()
        page.keyboard.press("r")
        expect(page.get_by_text("1 face: not Anna.")).to_be_visible()
        assert named(project)[faces[3]] != "Anna"
        expect(page.locator(f'.tile[data-face="{faces[3]}"]')).to_have_count(0)
        entry = project.log().entries[-1]
        assert (entry.kind, entry.who) == ("is not", WHO)
        page.keyboard.press("Escape")
        project.decide("somebody else", Change("confirm", face=faces[2], name="Anna"))
        expect(page.locator(f'.tile.confirmed[data-face="{faces[2]}"]')).to_be_visible()  # within seconds


def test_all_faces_of_all_pages_are_selected_at_once(app: App, see: Open) -> None:
    with app.made(frames=84, names=("Anna", "Boris"), strangers=0, cropped=False) as project:
        page = see(project, person="Anna")
        count = next(len(person.faces) for person in project.people.named() if person.name == "Anna")
        pages = -(-count // 60)
        assert pages > 1
        assert len(face_numbers(page)) == 60
        page.get_by_role("button", name="Next page").click()
        expect(page.get_by_text(f"2 of {pages}")).to_be_visible()
        page.locator(".tile").first.click()
        act(page, "all")
        expect(page.get_by_text(re.compile(rf"^{count} faces selected, \d+ on other pages$"))).to_be_visible()
        act(page, "nobody")
        expect(page.get_by_text(f"{count} faces marked as nobody.")).to_be_visible()
        assert len({entry.step for entry in project.log().entries}) == 1
        expect(page.get_by_text("No face bears this name yet.")).to_be_visible()
        act(page, "undo")
        expect(page.locator(".tile").first).to_be_visible()
        assert sum(name == "Anna" for name in named(project).values()) == count


def test_the_doubtful_are_selected_by_their_confidence(app: App, see: Open) -> None:
    with app.made(frames=40, strangers=0, noise=4) as project:
        now, log = project.current_labels(), project.log()
        sure = [c for c, name in zip(now.confidence, now.name, strict=True) if name >= 0 and log.text(int(name)) == "Anna"]
        few = [int(100 * c + 1e-6) for c in sure]
        border = sorted(few)[len(few) // 2]
        below = sum(c < border for c in few)
        assert 0 < below < len(few)
        page = see(project, person="Anna")
        page.get_by_label("Doubtful means below").fill(str(border))
        page.keyboard.press("Enter")
        expect(page.get_by_text(f"{below} face{'' if below == 1 else 's'} selected")).to_be_visible()
        page.get_by_label("Order").select_option("Doubtful first")
        expect(page.locator(".tile").first).to_contain_text(f"{min(few)} %")


def test_renaming_to_a_name_that_exists_offers_to_merge_and_what_is_merged_can_be_split(app: App, see: Open) -> None:
    with app.fresh("names") as project:
        before = named(project)
        page = see(project, person="Anna")
        page.get_by_role("button", name="Rename", exact=True).click()
        typed = page.get_by_role("textbox", name="New name")
        typed.fill("boris")
        typed.press("Enter")
        expect(page.get_by_text("There is somebody called Boris already.")).to_be_visible()
        assert project.log().entries == []
        typed.fill("Anna Karenina")
        typed.press("Enter")
        expect(page.get_by_role("heading", name="Anna Karenina")).to_be_visible()
        assert "Anna Karenina" in project.names()
        expect(page.get_by_text("Anna is now called Anna Karenina.")).to_be_visible()
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.keyboard.press("z")  # the page follows the name back
        expect(page.get_by_role("heading", name="Anna", exact=True)).to_be_visible()
        page.get_by_role("button", name="Rename", exact=True).click()
        typed.fill("Boris")
        typed.press("Enter")
        page.get_by_role("button", name="Merge into Boris").click()
        expect(page.get_by_text("also written Anna")).to_be_visible()
        assert "Anna" not in project.names()
        assert "Anna" not in named(project).values()
        page.get_by_role("button", name="Split", exact=True).click()
        page.get_by_role("button", name="Split off").click()
        expect(page.get_by_text("Anna is a person of their own again.")).to_be_visible()
        expect(page.get_by_text("also written Anna")).to_have_count(0)
        assert named(project) == before
        page.get_by_role("button", name="Merge", exact=True).click()
        page.get_by_role("dialog").get_by_role("combobox").fill("Anna")
        page.get_by_role("option", name="Anna").click()
        expect(page.locator(".person-pair figure")).to_have_count(2)
        page.get_by_role("button", name="Merge, and call them Anna").click()
        expect(page.get_by_role("heading", name="Anna")).to_be_visible()
        assert page.url.endswith("person=Anna")


def test_somebody_unnamed_is_named_in_one_go_and_a_stranger_is_ignored(app: App, see: Open) -> None:
    with app.made(frames=60, strangers=2) as project:
        groups = [person.faces.tolist() for person in project.people.strangers()]
        assert len(groups) == 2
        page = see(project, view="unnamed")
        expect(page.locator(".strip")).to_have_count(2)
        page.locator(".strip").first.locator(".face").nth(2).click()  # does not belong
        page.locator(".strip").first.get_by_role("combobox").fill("Zelda")
        page.get_by_role("option", name="Add “Zelda”").click()
        expect(page.get_by_text(f"{len(groups[0]) - 1} faces named Zelda.")).to_be_visible()
        zeldas = {face for face, name in named(project).items() if name == "Zelda"}
        assert zeldas == set(groups[0]) - {groups[0][2]}
        rest = next(person.faces.tolist() for person in project.people.strangers() if set(person.faces) & set(groups[1]))
        page.locator(".strip", has=page.locator(f'[data-face="{rest[0]}"]')).get_by_role(
            "button", name="Ignore everywhere"
        ).click()
        expect(page.get_by_text(f"{len(rest)} faces of a stranger ignored everywhere.")).to_be_visible()
        log = project.log()
        assert {log.standing(face).answers[-1].kind for face in rest} == {"ignore"}
        assert len({entry.step for entry in log.entries}) == 2
        act(page, "undo")
        expect(page.get_by_text(f"Undone: {len(rest)} faces ignored.")).to_be_visible()
        assert not any(project.log().standing(face).answers for face in rest)


def test_a_person_is_found_by_name_and_deleted_for_good_only_when_the_name_is_typed(app: App, see: Open) -> None:
    with app.fresh("deleted") as project:
        gone = [face for face, name in named(project).items() if name == "Chloe"]
        crops = [face.crop for face in project.faces(ids=gone)]
        assert all(crop is not None and crop.exists() for crop in crops)
        page = see(project)
        page.get_by_role("textbox", name="Find a name").or_(page.get_by_role("searchbox", name="Find a name")).fill("hlo")
        expect(page.locator(".card")).to_have_count(1)
        page.locator(".card").click()
        expect(page.get_by_role("heading", name="Chloe")).to_be_visible()
        page.go_back()
        expect(page.get_by_role("heading", name="People")).to_be_visible()
        page.go_forward()
        page.get_by_role("button", name="Delete", exact=True).click()
        typed = page.get_by_role("textbox", name="Type the name to delete them")
        typed.fill("Clo")
        page.get_by_role("button", name="Delete for good").click()
        expect(page.get_by_text("That is not the name. Nothing was deleted.")).to_be_visible()
        assert project.count("face") == len(named(project))
        typed.fill("Chloe")
        page.get_by_role("button", name="Delete for good").click()
        expect(page.get_by_role("heading", name="People")).to_be_visible()
        assert not any(crop is not None and crop.exists() for crop in crops)
        left = Project.open(project.folder)
        assert left.faces(ids=gone) == []
        assert "Chloe" not in left.names()
        left.close()
        assert b"Chloe" not in (project.folder / "project.sqlite").read_bytes()


def test_the_timeline_opens_a_frame(app: App, see: Open) -> None:
    with app.fresh("timeline") as project:
        page = see(project, view="when")
        bar, review = (
            page.locator(".barlayer .point path").first,
            re.compile(rf"/review\?project={project.folder.name}&frame=\d+$"),
        )
        expect(bar).to_be_visible()
        for _ in range(6):  # Plotly does not hear a click while it is still drawing
            with suppress(AssertionError, TimeoutError):
                if review.search(page.url):
                    break
                bar.click(force=True, timeout=2000)
                expect(page).to_have_url(review, timeout=5000)
        expect(page).to_have_url(review)
