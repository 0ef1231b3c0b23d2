"""How tests choose something, and see that it was heard."""

from __future__ import annotations

from contextlib import suppress

from playwright.sync_api import Locator, Page, TimeoutError, expect

TRIES = 4
OPENED = 15_000  # ms until a list is open, or closed


def choose_view(page: Page, name: str) -> None:
    view = page.get_by_role("radio", name=name, exact=True)
    view.click()
    expect(view).to_be_checked()


def choose_option(page: Page, box: Locator, name: str) -> None:
    """Chooses one of a list, which closes where the page under it grows or is drawn anew; then it is opened again. While it
    is open, the rest of the page cannot be reached."""
    for _ in range(TRIES):
        with suppress(AssertionError, TimeoutError):
            if not page.get_by_role("listbox").count():
                box.click(timeout=OPENED)
            page.get_by_role("option", name=name, exact=True).click(timeout=OPENED)
            expect(page.get_by_role("listbox")).to_have_count(0, timeout=OPENED)
            break
    expect(box).to_have_value(name)
