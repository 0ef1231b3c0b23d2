"""How tests choose something, and see that it was heard."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect


def choose_view(page: Page, name: str) -> None:
    view = page.get_by_role("radio", name=name, exact=True)
    view.click()
    expect(view).to_be_checked()


def choose_option(page: Page, box: Locator, name: str) -> None:
    """Chooses one of a list, which closes with it: while it is open, the rest of the page cannot be reached."""
    box.click()
    page.get_by_role("option", name=name, exact=True).click()
    expect(page.get_by_role("listbox")).to_have_count(0)
    expect(box).to_have_value(name)
