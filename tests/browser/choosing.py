"""How tests choose something, and see that it was heard."""

from __future__ import annotations

from contextlib import suppress

from playwright.sync_api import Locator, Page, TimeoutError, expect

TRIES = 4
OPENED = 15_000  # ms until a list is open


def choose_view(page: Page, name: str) -> None:
    view = page.get_by_role("radio", name=name, exact=True)
    view.click()
    expect(view).to_be_checked()


def choose_option(page: Page, box: Locator, name: str) -> None:
    """Chooses one of a list, once. A list closes where the page under it scrolls or grows, so that it is opened again;
    while it is open, the rest of the page cannot be reached."""
    option = page.get_by_role("option", name=name, exact=True)
    for _ in range(TRIES):
        if not page.get_by_role("listbox").count():
            box.click()
        with suppress(TimeoutError):
            option.wait_for(timeout=OPENED)
            break
    option.click()
    expect(page.get_by_role("listbox")).to_have_count(0)
    expect(box).to_have_value(name)
