"""No click is lost to what Python sends meanwhile, nor to a component's moving on the page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, WebSocket, expect

from core.store.project import Change
from tests.browser.reviewing import App, Watch, answers, settled
from ui.widgets.component import script

STEADY = Path(__file__).resolve().parents[2] / "ui" / "widgets" / "steady.js"
# a component that draws a button anew with each call, in as many places as wanted
PLACES = """
globalThis.ended = [];
globalThis.clicks = [];
globalThis.component = steady(({ parentElement, data }) => {
  const button = document.createElement("button");
  button.append(data);
  button.addEventListener("click", () => clicks.push(data));
  parentElement.replaceChildren(button);
  return () => ended.push(data);
}, ONCE);
globalThis.places = {};
globalThis.place = (name) => places[name] ??= document.body.appendChild(document.createElement("p"));
globalThis.ends = [];
globalThis.call = (name, data) => void ends.push(component({ parentElement: place(name), data }));
"""


@pytest.fixture
def blank(browser: Browser) -> Iterator[Page]:
    page = browser.new_page()
    page.set_content("<body></body>")
    yield page
    page.close()


def begin(page: Page, once: bool) -> Page:
    page.add_script_tag(content=script(STEADY) + PLACES.replace("ONCE", str(once).lower()))
    return page


def drawn(page: Page) -> list[str]:
    return page.locator("button").all_inner_texts()


def press(page: Page, words: str) -> None:
    """Presses a button and does not let go of it."""
    page.locator("button", has_text=words).hover()
    page.mouse.down()


def drawn_by_now(page: Page) -> None:
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def test_what_comes_while_a_button_is_pressed_is_drawn_after_the_click(blank: Page) -> None:
    page = begin(blank, once=False)
    page.evaluate("call('here', 'old'); call('there', 'other')")
    press(page, "old")
    page.evaluate("call('here', 'newer'); call('here', 'newest'); call('there', 'another')")
    assert drawn(page) == ["old", "other"]
    page.mouse.up()
    expect(page.locator("button")).to_have_text(["newest", "another"])
    assert page.evaluate("clicks") == ["old"]
    assert page.evaluate("ended") == ["old", "other"]
    page.locator("button", has_text="newest").focus()
    page.keyboard.down(" ")
    page.evaluate("call('here', 'last')")
    page.keyboard.up(" ")
    expect(page.locator("button")).to_have_text(["last", "another"])
    assert page.evaluate("clicks") == ["old", "newest"]


def test_a_place_that_has_gone_is_passed_over_and_what_a_later_call_replaced_ends_nothing(blank: Page) -> None:
    page = begin(blank, once=False)
    page.evaluate("call('here', 'one'); call('here', 'two'); ends[0]()")
    assert page.evaluate("ended") == ["one"]
    page.evaluate("place('here').remove(); call('here', 'three'); ends[2]()")
    assert page.evaluate("[places.here.textContent, ended]") == ["two", ["one"]]
    page.evaluate("ends[1]()")
    assert page.evaluate("ended") == ["one", "two"]


def test_a_component_that_moves_is_drawn_in_its_new_place_in_whatever_order_the_two_are_called(blank: Page) -> None:
    page = begin(blank, once=True)
    page.evaluate("call('old', 'first'); call('new', 'moved'); call('old', 'late')")
    assert drawn(page) == ["first", "moved"]
    assert page.evaluate("ended") == ["first"]
    page.evaluate("place('old').remove(); ends[2](); call('new', 'then')")
    assert drawn(page) == ["then"]
    page.evaluate("call('newer', 'again'); place('newer').remove(); ends[4]()")  # back to the place that is left
    assert page.evaluate("ended") == ["first", "moved", "then", "again"]
    page.locator("button").click()
    assert page.evaluate("clicks") == ["then"]


def test_a_confirmation_is_kept_that_is_pressed_while_others_change_the_frame(app: App, watch: Watch) -> None:
    with app.fresh("pressed") as project:
        watched = watch()
        sockets: list[WebSocket] = []
        watched.page.on("websocket", lambda socket: sockets.append(socket))
        watched.page.goto(app.url(project, 3))
        page = watched.page
        expect(page.locator(".review .bar")).to_be_visible()
        settled(page)
        face = project.faces(3)[-1].id
        press(page, "Confirm all")
        with sockets[0].expect_event("framereceived", lambda sent: b"bidi" in sent or b'"views"' in sent):
            project.decide("Ben", Change("is", face=face, name="Walter"))
        drawn_by_now(page)
        page.mouse.up()
        expect(page.locator('.review[data-frame="3"]')).to_have_count(0)
        settled(page)
        assert "open" not in {kind for kind, _ in answers(project, 3)}


# answers several times within one moment, and then clicks on a tab
IN_A_HURRY = """(page) => {
    for (const button of [...page.querySelectorAll("button.name")].slice(0, 3)) button.click();
    [...document.querySelectorAll(".st-key-topbar a")].find((link) => link.textContent === "Model").click();
}"""


def test_a_tab_that_is_clicked_right_after_answers_opens_and_no_answer_is_lost(app: App, watch: Watch) -> None:
    with app.fresh("hurry") as project:
        page = watch().page
        page.goto(app.url(project, 3))
        expect(page.locator(".review .bar")).to_be_visible()
        page.locator(".review").evaluate(IN_A_HURRY)
        expect(page.locator(".st-key-run-now")).to_be_visible()
        assert len(project.log().entries) == 3


def test_a_tab_that_is_clicked_right_after_groups_were_named_opens_and_no_name_is_lost(app: App, watch: Watch) -> None:
    with app.fresh("hurry", "doubtful") as project:
        page = watch().page
        page.goto(f"{app.address}/who?project={project.folder.name}")
        expect(page.locator(".group.here")).to_be_visible()
        page.locator(".groups").evaluate(
            """(page) => {
                const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
                for (let k = 0; k < 3; k++) press("n");
                [...document.querySelectorAll(".st-key-topbar a")].find((link) => link.textContent === "Model").click();
            }"""
        )
        expect(page.locator(".st-key-run-now")).to_be_visible()
        assert len({entry.step for entry in project.log().entries}) == 3


def test_a_tab_that_is_clicked_right_after_faces_were_confirmed_opens_and_their_answers_are_kept(
    app: App, watch: Watch
) -> None:
    with app.fresh("hurry") as project:
        page = watch().page
        page.goto(f"{app.address}/people?project={project.folder.name}&person=Anna")
        expect(page.locator(".tile")).not_to_have_count(0)
        page.locator(".faces").evaluate(
            """(faces) => {
                faces.querySelector(".tile").click();
                faces.querySelector('[data-action="confirm"]').click();
                [...document.querySelectorAll(".st-key-topbar a")].find((link) => link.textContent === "Model").click();
            }"""
        )
        expect(page.locator(".st-key-run-now")).to_be_visible()
        assert [entry.kind for entry in project.log().entries] == ["confirm"]
