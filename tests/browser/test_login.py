"""Logging in, in a real browser, with a real provider of OpenID Connect on this machine."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value

from core.store.first_start import MARK
from core.store.project import Project
from tests.browser.conftest import ROOT, Watched, serve
from tests.browser.provider import Provider, provide
from tests.made import made_project

Watch = Callable[[], Watched]
ANN, BOB, EVE = "ann@example.org", "bob@example.org", "eve@example.org"
PEOPLE = {
    "Ann": {"email": "Ann@Example.org", "email_verified": True, "name": "Ann"},
    "Bob": {"email": BOB, "email_verified": True, "name": "Ann"},
    "Eve": {"email": EVE, "email_verified": True},
    "Not Ann": {"email": ANN, "email_verified": False},
}
LISTED = f'owners = ["{ANN}"]\nannotators = ["{BOB}"]\n'
COOKIE_SECRET = "a secret of the tests, thirty-two characters or more"


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with provide(PEOPLE) as running:
        yield running


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shared")
    (folder / "projects").mkdir()
    (folder / "projects" / MARK).touch()
    made_project(folder / "projects" / "film", frames=6).close()
    return folder


@pytest.fixture(scope="module")
def app(browser: Browser, provider: Provider, place: Path) -> Iterator[str]:
    (place / "secrets.toml").write_text(provider.secrets(COOKIE_SECRET))
    around = {"ROLLCALL_PROJECTS": str(place / "projects"), "ROLLCALL_ACCESS": str(place / "access.toml")}
    flags = ["--secrets.files", str(place / "secrets.toml")]
    with serve(ROOT / "streamlit_app.py", around, flags, log=place / "log") as address:
        yield address


@pytest.fixture(autouse=True)
def listed(place: Path) -> None:
    (place / "access.toml").write_text(LISTED)


def log_in(page: Page, address: str, who: str) -> None:
    page.goto(address)
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("link", name=who, exact=True).click()
    expect(page).to_have_url(re.compile(re.escape(address)))


def test_an_owner_may_do_everything_is_called_by_their_address_and_is_told_once_they_are_out(
    app: str, place: Path, watch: Watch
) -> None:
    page = watch().page
    log_in(page, app, "Ann")
    expect(page.get_by_role("heading", name="New project")).to_be_visible()
    expect(page.get_by_role("button", name="Delete")).to_be_visible()
    assert confirmed(page, place) == ANN
    page.get_by_role("link", name="Export").click()
    expect(page.get_by_role("button", name="Download")).to_be_visible()
    open_person(page, "Anna")
    expect(page.get_by_role("button", name="Delete")).to_be_visible()

    page.route("**/auth/logout", lambda route: route.fulfill(status=204))  # what forgets them does not come through
    log_out(page)
    expect(page.get_by_role("heading", name="Logging out")).to_be_visible()
    expect(page.get_by_role("button", name="Log in")).to_have_count(0)
    assert identities(page)
    page.unroute_all()
    page.goto(app)
    log_out(page)
    expect(page.get_by_role("button", name="Log in")).to_be_visible()
    assert not identities(page)
    page.goto(f"{app}/people?project=film")
    expect(page.get_by_role("button", name="Log in")).to_be_visible()


def test_an_annotator_decides_but_neither_adds_nor_takes_out_nor_deletes_and_is_out_once_struck_from_the_list(
    app: str, place: Path, watch: Watch
) -> None:
    page = watch().page
    page.context.add_cookies([{"name": "rollcall_who", "value": "ann%40example.org", "url": app}])  # as if it were typed
    log_in(page, app, "Bob")
    expect(page.get_by_role("button", name="Open")).to_be_visible()
    for gone in ("Delete", "Rename", "Make the project"):
        expect(page.get_by_role("button", name=gone)).to_have_count(0)
    assert confirmed(page, place) == BOB
    expect(page.get_by_role("link", name="Export")).to_have_count(0)
    page.goto(f"{app}/export?project=film")
    expect(page.get_by_text("Only owners hand over labels")).to_be_visible()
    expect(page.get_by_role("button", name="Download")).to_have_count(0)
    open_person(page, "Boris")
    expect(page.get_by_role("button", name="Merge")).to_be_visible()
    expect(page.get_by_role("button", name="Delete")).to_have_count(0)
    page.get_by_test_id("stPopover").get_by_role("button", name=BOB).click()
    expect(page.get_by_text("You are logged in as an annotator")).to_be_visible()
    expect(page.get_by_label("Your name")).to_have_count(0)
    page.keyboard.press("Escape")

    page.get_by_role("link", name="Review").click()
    expect(page.locator(".review .bar")).to_be_visible()
    with Project.open(place / "projects" / "film") as project:
        before = project.log().version
        (place / "access.toml").write_text(f'owners = ["{ANN}"]\n')
        page.keyboard.press("Enter")
        expect(page.get_by_text("no longer, on this Rollcall's list").first).to_be_visible()
        assert project.log().version == before
    page.reload()
    expect(page.get_by_role("heading", name="You are not on the list")).to_be_visible()


def confirmed(page: Page, place: Path) -> str:
    """Opens the project and confirms an open frame; gives who is said to have done so."""
    page.get_by_role("button", name="Open").click()
    frame = page.locator(".review[data-frame]").get_attribute("data-frame")
    page.locator("button.primary").first.click()
    expect(page.locator(f'.review[data-frame="{frame}"]')).to_have_count(0)
    expect(page.locator('.review[data-pending="0"]')).to_have_count(1)
    with Project.open(place / "projects" / "film") as project:
        return project.log().entries[-1].who


def open_person(page: Page, name: str) -> None:
    page.get_by_role("link", name="People").click()
    page.locator(".card", has_text=name).click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()


def test_an_address_that_nobody_verified_stays_outside(app: str, watch: Watch) -> None:
    """tests/ui/test_access.py has others who do."""
    page = watch().page
    log_in(page, app, "Not Ann")
    expect(page.get_by_role("heading", name="not verified")).to_be_visible()
    page.goto(f"{app}/review?project=film")
    expect(page.get_by_role("heading", name="not verified")).to_be_visible()
    expect(page.locator(".review")).to_have_count(0)
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("button", name="Log in")).to_be_visible()


def log_out(page: Page) -> None:
    page.get_by_test_id("stPopover").get_by_role("button", name=ANN).click()
    page.get_by_role("button", name="Log out").click()


def identities(page: Page) -> list[object]:
    """The cookies that say who somebody is."""
    return [cookie for cookie in page.context.cookies() if cookie.get("name", "").startswith("_streamlit_user")]


def test_a_forged_cookie_opens_nothing_and_a_right_one_does(app: str, watch: Watch) -> None:
    said = f'{{"email": "{ANN}", "email_verified": true, "is_logged_in": true, "origin": "{app}", "provider": "default"}}'
    for secret, inside in (("another secret, thirty-two characters or more", False), (COOKIE_SECRET, True)):
        page = watch().page
        cookie = create_signed_value(secret, "_streamlit_user", said).decode()
        page.context.add_cookies([{"name": "_streamlit_user", "value": cookie, "url": app}])
        page.goto(app)
        expect(page.get_by_role("button", name="Delete" if inside else "Log in")).to_be_visible()


def test_a_list_that_cannot_be_read_lets_nobody_in(app: str, place: Path, watch: Watch) -> None:
    (place / "access.toml").write_text("owners = ann@example.org")
    page = watch().page
    page.goto(app)
    expect(page.get_by_role("heading", name="Nobody can come in")).to_be_visible()
    expect(page.get_by_role("button", name="Log in")).to_have_count(0)
    said = (place / "log").read_text()
    assert "this is no TOML" in said
    assert not [address for address in (ANN, BOB, EVE) if address in said]
