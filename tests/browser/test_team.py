"""Several annotators in a real browser: frames are given, two answer blind, and where they differ it is settled."""

from __future__ import annotations

from playwright.sync_api import expect

from core.store.project import Change, Project
from tests.browser.reviewing import App, Watch, here, lines, opened


def test_two_answer_blind_and_a_third_settles(app: App, watch: Watch) -> None:
    project = app.fresh("team")
    page = watch().page
    page.goto(f"{app.address}/team?project={project.folder.name}")
    expect(page.get_by_text("Nobody differs.")).to_be_visible()
    for name in ("Ann", "Bob"):
        page.get_by_label("To", exact=True).fill(name)
        page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    page.get_by_role("slider").focus()
    for _ in range(18):
        page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Give them").click()
    expect(page.get_by_text("16 frames given to Ann, Bob.")).to_be_visible()
    ann, bob = Project.open(project.folder, "Ann"), Project.open(project.folder, "Bob")
    faces = [face.id for face in project.faces(1)]
    ann.decide("Ann", *(Change("is", face=face, name="Anna") for face in faces))
    seen = opened(watch, app.url(project, 1), "Bob").page
    assert here(seen) == 1
    expect(lines(seen, "thought", faces[0]).first).to_be_attached()
    expect(lines(seen, "said", faces[0])).to_have_count(0)
    other = opened(watch, app.url(project, 1), "Ann").page
    expect(lines(other, "said", faces[0])).to_have_count(1)
    bob.decide("Bob", *(Change("is", face=face, name="Boris" if face == faces[0] else "Anna") for face in faces))
    page.reload()
    card = page.locator(f".st-key-differ-{faces[0]}")
    expect(card).to_contain_text("Ann,")
    expect(card).to_contain_text("Bob,")
    assert card.locator(".who-face img").count() == 2  # a portrait above each name
    expect(page.locator("table.team").last).to_contain_text("Ann and Bob")
    expect(page.get_by_text("1 is always, 0 is no more than by chance")).to_be_visible()
    expect(page.locator(".js-plotly-plot .scatterlayer .trace")).to_have_count(1)
    card.get_by_role("button", name="Boris").click()
    expect(page.get_by_text("Nobody differs.")).to_be_visible()
    answer = project.log().standing(faces[0]).answer
    assert answer is not None
    assert project.log().text(answer.name) == "Boris"
