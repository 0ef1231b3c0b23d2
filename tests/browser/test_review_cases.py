"""The review page where things are not as usual: no run yet, unkind data, crowds, missed faces, videos, small screens."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from core.formats.content import content_key
from core.records import Box, NewFace, NewFrame, NewMention, NewSource, NewTrack
from core.store.project import UNKNOWN, Project
from tests import unkind
from tests.browser.reviewing import App, Watch, answers, here, opened, settled
from tests.core.media.films import film, noisy
from tests.made import drawn_face


def test_before_the_first_run_it_asks_for_one_and_a_later_one_starts_by_itself(app: App, watch: Watch) -> None:
    with app.fresh("unrun", "unrun") as project:
        page = opened(watch, app.url(project, 0)).page
        expect(page.locator("path.line")).to_have_count(0)
        expect(page.locator(".hint")).to_contain_text("has not looked at these faces yet")
        project.set_setting("rerun_after", "2")
        expect(page.get_by_role("button", name="Run the model")).to_be_enabled()
        page.keyboard.press("a")
        expect(page.locator("path.line.thought")).to_have_count(3)
        assert len(project.runs()) == 1
        page.keyboard.press("0")
        settled(page)
        expect(page.locator(".run")).to_contain_text("1 answer since the last run")
        expect(page.get_by_role("button", name="Run again")).to_be_visible()
        assert len(project.runs()) == 1
        page.keyboard.press("0")
        expect(page.locator(".run")).to_contain_text("in the last run")
        expect(page.locator(".run")).to_contain_text("No answers since the last run")
        assert [run.answered for run in project.runs()] == [0, 2]


def test_unkind_data_is_shown_as_text_and_breaks_nothing(app: App, watch: Watch) -> None:
    with app.fresh("unkind", "unkind") as project:
        watched = opened(watch, app.url(project, unkind.HTML))
        page = watched.page
        expect(page.get_by_test_id("caption")).to_have_text(f"Here is {unkind.SCRIPT} with {unkind.IMAGE} <u>now</u>.")
        expect(page.locator("button.name .word").first).to_have_text(unkind.SCRIPT)
        page.locator("button.name").first.click()
        expect(page.locator("path.line.said")).to_have_count(1)
        page.keyboard.press("w")
        expect(page.locator(".reasons")).to_be_visible()
        page.keyboard.press("Escape")
        page.locator('select[data-key="order"]').select_option("time")
        settled(page)
        for frame in (*range(unkind.NO_NAMES, unkind.LOST_CROP + 1), unkind.NO_FACES):
            if frame == unkind.NO_FACES:  # there is nothing to ask, so no key leads there
                page.goto(app.url(project, frame))
            else:
                page.keyboard.press("ArrowRight")
            expect(page.locator(f'.review[data-frame="{frame}"]')).to_have_count(1)
            settled(page)
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= 1280, f"frame {frame} is wider than the window"
        assert page.evaluate("window.hit") is None
        ours = [error for error in watched.errors if "ERR_FILE_NOT_FOUND" not in error]
        assert ours == []


def test_a_crowd_scrolls_inside_its_box_and_all_of_it_can_be_answered(app: App, watch: Watch) -> None:
    with app.fresh("crowd", "unkind") as project:
        page = opened(watch, app.url(project, unkind.CROWD)).page
        for wide, high in ((1024, 768), (1280, 800)):
            page.set_viewport_size({"width": wide, "height": high})
            expect(page.locator("button.face").first).to_be_visible()
            over = page.locator(".review .faces").evaluate("(faces) => faces.scrollWidth - faces.clientWidth")
            assert over <= 0, f"faces are out of sight to the side at {wide} px"
        expect(page.locator("button.face")).to_have_count(40)
        assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight") <= 800
        last = page.locator("button.face").last
        for _ in range(40):  # from whichever face it begins with
            if "picked" in (last.get_attribute("class") or ""):
                break
            page.keyboard.press("ArrowDown")
        expect(last).to_have_class(re.compile("picked"))
        expect(last).to_be_in_viewport()
        labels = project.current_labels()
        page.keyboard.press("1")
        page.locator("button.primary").first.click()
        settled(page)
        *others, (kind, name) = answers(project, unkind.CROWD)
        assert kind == "is"
        given = project.log().find_name(name)  # whoever had this name before is unknown, too
        sure = labels.face[(labels.name != UNKNOWN) & (labels.name != given)].tolist()
        known = [face.id in sure for face in project.faces(unkind.CROWD)][:-1]
        assert any(known)
        assert all(one == "confirm" for (one, _), is_known in zip(others, known, strict=True) if is_known)
        page.goto(app.url(project, unkind.MANY_NAMES))
        expect(page.locator("button.name")).to_have_count(61)
        expect(page.locator("button.name.nobody")).to_be_in_viewport()


def one_face(folder: Path) -> Project:
    """A project in which a missed face can be added: one picture, one face, our own embedder."""
    from core.media.faces.registry import EMBEDDER, EMBEDDERS

    vector = [1.0] + [0.0] * (EMBEDDERS[EMBEDDER].dimension - 1)
    frame = NewFrame("Anna waits.", [NewMention("Anna", ((0, 4),))], [NewFace(vector, Box(5, 5, 60, 60), drawn_face(1))],  # type: ignore[arg-type]
                     time=1.0, picture=drawn_face(0), width=320, height=320)  # fmt: skip
    project = Project.create(folder)
    project.add(NewSource("video", "/films/missed.mp4", "missed.mp4", duration=2.0), [frame], EMBEDDER)
    return project


def test_a_missed_face_is_boxed_by_mouse_and_by_keyboard_alone(app: App, watch: Watch) -> None:
    with one_face(app.place("missed")) as project:
        page = opened(watch, app.url(project, 0)).page
        page.keyboard.press("b")
        expect(page.locator(".box.draft")).to_be_visible()
        area = page.locator(".boxes.drawing").bounding_box()
        assert area is not None
        page.mouse.move(area["x"] + area["width"] * 0.25, area["y"] + area["height"] * 0.2)
        page.mouse.down()
        page.mouse.move(area["x"] + area["width"] * 0.75, area["y"] + area["height"] * 0.8, steps=4)
        expect(page.locator(".box.draft")).to_have_count(0)  # the mouse takes over from the keys
        page.mouse.up()
        expect(page.locator(".box.ghost")).to_have_count(1)
        expect(page.locator("button.face")).to_have_count(2)
        expect(page.locator(".box.ghost")).to_have_count(0)
        added = project.faces(0)[1].box
        assert added.left == pytest.approx(80, abs=2)
        assert added.bottom == pytest.approx(256, abs=2)
        page.keyboard.press("u")
        expect(page.locator("button.face")).to_have_count(1)
        box_by_keyboard(page, project)


def box_by_keyboard(page: Page, project: Project) -> None:
    draft = page.locator(".box.draft")
    page.keyboard.press("b")
    expect(draft).to_have_attribute("aria-label", "The box: 36 % from the left, 36 % from the top, 28 % wide, 28 % high")
    page.keyboard.press("Escape")
    expect(draft).to_have_count(0)
    page.keyboard.press("b")
    for key, times in {"ArrowRight": 3, "ArrowUp": 2, "Shift+ArrowRight": 2, "Shift+ArrowUp": 1, "ArrowLeft": 1}.items():
        for _ in range(times):
            page.keyboard.press(key)
    expect(draft).to_have_attribute("aria-label", "The box: 36 % from the left, 34 % from the top, 36 % wide, 24 % high")
    for _ in range(60):
        page.keyboard.press("ArrowDown")  # never out of the picture
    expect(draft).to_have_attribute("aria-label", "The box: 36 % from the left, 76 % from the top, 36 % wide, 24 % high")
    assert here(page) == 0  # the arrows were for the box
    page.keyboard.press("Enter")
    expect(draft).to_have_count(0)
    expect(page.locator("button.face")).to_have_count(2)
    added = project.faces(0)[-1].box
    assert (added.left, added.right) == (pytest.approx(0.36 * 320, abs=2), pytest.approx(0.72 * 320, abs=2))
    assert added.bottom == pytest.approx(320, abs=2)
    assert {kind for kind, _ in answers(project, 0)} == {"open"}  # Enter confirmed nothing


def test_the_video_is_played_at_this_moment(app: App, watch: Watch, tmp_path: Path) -> None:
    path = film(tmp_path / "ten.mp4", [noisy(second) for second in range(10)], rate=1)
    frames = [NewFrame(f"Second {k}.", [], [NewFace(np.eye(8)[k], crop=drawn_face(k))], time=float(k)) for k in range(8)]
    with Project.create(app.place("played")) as project:
        project.add(NewSource("video", str(path), "ten.mp4", content_key(path), duration=10.0), frames, "made")
        page = opened(watch, app.url(project, 6)).page
        page.keyboard.press("p")
        expect(page.get_by_text("ten.mp4, from 0:05")).to_be_visible()
        page.wait_for_function("document.querySelector('video')?.readyState >= 2")
        page.wait_for_function("document.querySelector('video').currentTime >= 5")
        assert page.evaluate("document.querySelector('video').currentTime") < 10
        page.keyboard.press("Escape")
        expect(page.locator("video")).to_have_count(0)
        page.keyboard.press("0")
        settled(page)
        assert answers(project, 6) == [("nobody", "")]


def test_a_box_on_the_film_follows_its_track_and_a_click_on_it_answers_for_all_of_it(
    app: App, watch: Watch, tmp_path: Path
) -> None:
    path = film(tmp_path / "box.mp4", [noisy(second) for second in range(10)], rate=1)
    boxes = tuple((float(k), Box(20 + 10 * k, 30, 60 + 10 * k, 80)) for k in range(2, 7))
    ann = (NewMention("Ann", ((0, 3),)),)
    frames = [
        NewFrame("Ann waits.", ann, [NewFace(np.eye(8)[0], box, track=0)], time=time, width=160, height=120)
        for time, box in boxes[::2]
    ]
    with Project.create(app.place("boxes")) as project:
        track = NewTrack(2.0, 6.0, boxes)
        project.add(NewSource("video", str(path), "box.mp4", content_key(path), 10.0, (track,)), frames, "made")
        page = opened(watch, app.url(project, 1)).page
        page.keyboard.press("p")
        box = page.locator(".rollcall-layer button")
        expect(box).to_contain_text("who is this?")
        expect(page.get_by_text("Ann waits.").last).to_be_visible()
        expect(page.get_by_label("Loop this shot")).to_be_checked()
        left = "Number.parseFloat(document.querySelector('.rollcall-layer button')?.style.left)"
        first = page.evaluate(left)
        page.wait_for_function(f"Math.abs({left} - {first}) > 5")  # it moves with its track
        page.wait_for_function("document.querySelector('video').currentTime > 4.5")
        page.wait_for_function("document.querySelector('video').currentTime < 3.5")  # the shot begins again
        box.dispatch_event("click")  # a mouse would have to wait until it stands still
        page.locator('.ask button[data-name="Ann"]').click()
        expect(box).to_contain_text("Ann ✓")
        assert [answers(project, frame) for frame in range(3)] == [[("is", "Ann")]] * 3


def test_the_video_is_played_or_asked_for(app: App, watch: Watch) -> None:
    with app.fresh("play") as project:
        page = opened(watch, app.url(project, 2)).page
        page.keyboard.press("p")
        expect(page.get_by_text("is no longer there")).to_be_visible()
        field = page.get_by_label("Where does it lie now?")
        field.fill("/films/nowhere.mp4")
        field.press("Enter")
        expect(page.get_by_text("there is no such file")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_text("is no longer there")).to_have_count(0)
        page.keyboard.press("Space")
        expect(page.locator("path.line.said")).to_have_count(1)


def test_nothing_lies_over_another_on_a_laptop_or_a_tablet(app: App, watch: Watch) -> None:
    with app.fresh("wide") as project:
        page = opened(watch, app.url(project, 0)).page
        for width, height in ((1280, 800), (820, 1180)):
            page.set_viewport_size({"width": width, "height": height})
            expect(page.locator("button.face")).to_have_count(3)
            page.wait_for_timeout(100)  # the lines are drawn anew
            parts = [page.locator(part).bounding_box() for part in (".scene .shot", ".scene .caption", ".graph", ".side")]
            for k, one in enumerate(parts):
                for other in parts[:k]:
                    assert one is not None
                    assert other is not None
                    beside = one["x"] >= other["x"] + other["width"] - 1 or other["x"] >= one["x"] + one["width"] - 1
                    below = one["y"] >= other["y"] + other["height"] - 1 or other["y"] >= one["y"] + one["height"] - 1
                    assert beside or below
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            expect(page.get_by_role("button", name=re.compile("Confirm all"))).to_be_in_viewport()
