"""Who are these people? From groups without a name to a film in which everybody has one, with mouse and keys."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from core.store.project import Project
from tests.browser.reviewing import App, Watch, answers, opened, settled

GROUP = ".group.here"
NAMES = ("Anna", "Boris", "Chloe", "Dev")


def groups(watch: Watch, app: App, project: Project) -> Page:
    page = watch().page
    page.goto(f"{app.address}/who?project={project.folder.name}")
    expect(page.locator(GROUP)).to_be_visible()
    return page


def told(page: Page, words: str) -> None:
    """Waits until Python has said what the click came to."""
    expect(page.locator('.groups[data-pending="0"] .status')).to_contain_text(words)


def truth(project: Project, page: Page) -> str:
    """Who the group is at which the keyboard is; "" for nobody."""
    face = int(page.locator(f"{GROUP} .crop").first.get_attribute("data-face") or -1)
    return project.faces(ids=[face])[0].truth or ""


def by_truth(project: Project, faces: list[int]) -> set[str | None]:
    return {face.truth for face in project.faces(ids=faces)}


def layout(page: Page) -> list[list[int]]:
    boxes = [
        page.locator(part).first.bounding_box()
        for part in (".st-key-topbar", ".brand", ".groups .bar", ".title h1", ".known")
    ]
    return [[round(box[edge]) for edge in ("x", "y", "width", "height")] for box in boxes if box]


def test_every_group_is_named_with_a_key_or_a_click_and_all_of_it_can_be_undone(app: App, watch: Watch) -> None:
    with app.fresh("groups", "doubtful") as project:
        page = groups(watch, app, project)
        before, many = layout(page), page.locator(".group").count()
        assert many == 5  # four names and a stranger
        expect(page.locator(".title p")).to_contain_text(f"0 of {len(project.faces())} faces named")
        for _ in range(many):
            name = truth(project, page)
            if name:
                page.keyboard.press("Enter")  # what captions suggest first is right
            else:
                page.keyboard.press("n")
            told(page, f"{name or 'Nobody you know'}: ")
            assert layout(page) == before, name
        expect(page.locator(".group")).to_have_count(0)
        assert [known.name for known in project.groups.overview().known] == sorted(NAMES)
        said = {face.id: project.log().standing(face.id).answer for face in project.faces()}
        for face in project.faces():
            answer = said[face.id]
            assert answer is not None
            assert (project.log().text(answer.name) if answer.name >= 0 else "") == face.truth
        page.keyboard.press("u")
        told(page, "Undone")
        expect(page.locator(".group")).to_have_count(1)
        page.keyboard.press("y")
        expect(page.locator(".group")).to_have_count(0)


def test_a_picture_goes_to_the_browser_once_and_is_there_again_after_other_pages(app: App, watch: Watch) -> None:
    with app.fresh("pictures", "doubtful") as project:
        page = watch().page
        sent: list[int] = []
        page.on("websocket", lambda line: line.on("framereceived", lambda frame: sent.append(frame.count(b";base64,"))))
        page.goto(f"{app.address}/who?project={project.folder.name}")
        expect(page.locator(GROUP)).to_be_visible()
        assert sum(sent) >= len(assert_drawn(page))
        sent.clear()
        page.keyboard.press("Enter")
        told(page, f"{NAMES[0]}: ")
        assert sum(sent) <= 1  # whoever was named now has a portrait
        assert_drawn(page)
        page.get_by_role("link", name="People", exact=True).click()
        page.get_by_role("link", name="Who are these?").click()
        expect(page.locator(GROUP)).to_be_visible()
        assert_drawn(page)


def assert_drawn(page: Page) -> set[str]:
    """Each picture is there, and none is the silhouette in its place; gives them."""
    sources = set(page.locator(".crop img, .person img").evaluate_all("(all) => all.map((one) => one.src)"))
    assert {source.split(";")[0] for source in sources} == {"data:image/jpeg"}
    return sources


def test_all_groups_that_are_sure_are_named_with_one_key_and_the_others_wait(app: App, watch: Watch) -> None:
    with app.fresh("sure") as project:
        page = groups(watch, app, project)
        before = layout(page)
        expect(page.get_by_role("button", name="Name 4 sure ones")).to_be_visible()
        page.locator(".offer.best").first.dblclick()  # what comes in its place is not named with the second click
        expect(page.locator('.groups[data-pending="0"] .group')).to_have_count(4)
        assert len(project.groups.overview().known) == 1
        page.keyboard.press("c")
        told(page, "3 groups named, ")
        expect(page.locator('.groups[data-pending="0"] .group')).to_have_count(1)  # a stranger
        expect(page.locator(".offer.best")).to_have_count(0)  # nothing speaks for any name,
        page.keyboard.press("Enter")  # so that Enter gives none
        expect(page.locator('.groups[data-pending="0"] .group')).to_have_count(1)
        assert [box[:2] for box in layout(page)] == [box[:2] for box in before]
        known = project.groups.overview().known
        assert {one.name: by_truth(project, one.faces.tolist()) for one in known} == {n: {n} for n in NAMES}
        expect(page.get_by_role("button", name="sure ones")).to_have_count(0)
        page.keyboard.press("u")
        told(page, "Undone")
        expect(page.locator(".group")).to_have_count(2)


def test_merging_strays_other_names_and_what_is_no_face(app: App, watch: Watch) -> None:
    with app.fresh("strays", "doubtful") as project:
        page = groups(watch, app, project)
        first, second = (page.locator(".group").nth(k) for k in (0, 1))
        keys = [int(group.get_attribute("data-group") or -1) for group in (first, second)]
        faces = sum(len(group.faces) for group in project.groups.overview().groups if group.key in keys)
        first.drag_to(second)
        told(page, "Merged into one group")
        expect(page.locator(".group")).to_have_count(4)
        expect(page.locator(GROUP)).to_contain_text(f"{faces} faces")
        page.keyboard.press("u")
        told(page, "Undone: two groups merged")
        page.keyboard.press("m")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("m")
        told(page, "Merged into one group")
        page.keyboard.press("u")
        expect(page.locator(".group")).to_have_count(5)
        stray = page.locator(f"{GROUP} .crop").nth(1)
        left_out = int(stray.get_attribute("data-face") or -1)
        stray.click()
        expect(page.locator(GROUP)).to_contain_text("1 left out")
        page.keyboard.press("/")
        page.keyboard.type("Zoë")
        page.keyboard.press("Enter")
        told(page, "Zoë: ")
        standing = project.log().standing(left_out)
        assert (standing.answer, [project.log().text(name) for name in standing.refused]) == (None, ["Zoë"])
        assert project.groups.overview().known[0].name == "Zoë"
        many = page.locator(".group").count()
        page.locator(".group").nth(1).locator(".small", has_text="Not a face").click()
        told(page, "Not a face: ")
        expect(page.locator(".group")).to_have_count(many - 1)
        page.reload()
        expect(page.locator(".group")).to_have_count(many - 1)


def test_review_asks_who_an_unknown_face_is_and_enter_leaves_it_open(app: App, watch: Watch) -> None:
    with app.fresh("unknown", "doubtful") as project:
        page = opened(watch, app.url(project, 0)).page
        expect(page.locator("button.face .answer").first).to_have_text("who is this?")
        unknown = [face.id for face in project.faces(0) if face.truth]
        for face in unknown:
            expect(page.locator(f'path.line[data-face="{face}"]')).to_have_count(0)
        expect(page.locator(".side .progress")).to_contain_text(f"0 of {len(project.faces())} named")
        page.keyboard.press("Space")
        expect(page.locator(".hint")).to_contain_text("Nobody knows yet")
        page.keyboard.press("Enter")
        settled(page)
        assert not {entry.face for entry in project.log().entries} & set(unknown)
        page.keyboard.press("ArrowLeft")
        expect(page.locator('.review[data-frame="0"]')).to_have_count(1)
        page.keyboard.press("1")
        settled(page)
        assert answers(project, 0)[0] == ("is", project.mentions(0)[0].name)


def test_one_name_on_two_faces_is_warned_about_and_somebody_elses_answer_is_shown(app: App, watch: Watch) -> None:
    with app.fresh("twice", "doubtful") as project:
        page = opened(watch, app.url(project, 1), who="Ann").page
        for face in project.faces(1)[:2]:
            page.locator(f'button.face[data-face="{face.id}"]').click()
            page.keyboard.press("1")
        expect(page.locator("button.face.twice")).to_have_count(2)
        settled(page)
        other = opened(watch, app.url(project, 1), who="Bob").page
        other.locator(f'button.face[data-face="{project.faces(1)[0].id}"]').click()
        other.keyboard.press("2")
        expect(other.locator(".hint")).to_contain_text("takes the place of Ann's answer")
