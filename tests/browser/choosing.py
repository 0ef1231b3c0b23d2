"""How tests choose something: a page that is drawn anew meanwhile may lose a click, so they look whether it was heard."""

from __future__ import annotations

from contextlib import suppress

import pytest
from playwright.sync_api import Locator, Page, TimeoutError, expect

TRIES = 4
SEEN = 15_000  # ms until a click shows


def choose_view(page: Page, name: str) -> None:
    """Clicks until the view is the chosen one."""
    view = page.get_by_role("radio", name=name, exact=True)
    for _ in range(TRIES):
        with suppress(AssertionError, TimeoutError):
            view.click(timeout=SEEN)
            expect(view).to_be_checked(timeout=SEEN)
            return
    pytest.fail(f"{name} cannot be chosen")


def choose_option(page: Page, box: Locator, name: str) -> None:
    """Chooses until the list has closed: while it is open, the rest of the page cannot be reached."""
    for _ in range(TRIES):
        with suppress(AssertionError, TimeoutError):
            if not page.get_by_role("listbox").count():
                box.click(timeout=SEEN)
            page.get_by_role("option", name=name, exact=True).click(timeout=SEEN)
            expect(page.get_by_role("listbox")).to_have_count(0, timeout=SEEN)
            return
    pytest.fail(f"{name} cannot be chosen")
