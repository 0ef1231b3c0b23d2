"""The model page in a real browser: run, reload in the middle of a run, stop, see what changed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from core.store.project import Change, Project
from tests.browser.choosing import choose_option, choose_view
from tests.browser.conftest import JOB, App, Watched

Watch = Callable[[], Watched]


@pytest.fixture
def project(app: App) -> Iterator[Project]:
    with app.made(frames=10) as made:
        yield made


def opened(watch: Watch, app: App, project: Project) -> Page:
    page = watch().page
    page.goto(f"{app.address}/model?project={project.folder.name}")
    expect(page.get_by_role("button", name="Run again", exact=True)).to_be_visible()
    return page


@pytest.fixture
def trained_long(app: App) -> Iterator[Project]:
    """Its training takes far longer than all that is looked at meanwhile; it is stopped then."""
    with app.made(frames=160) as made:
        yield made


def test_a_run_survives_a_reload_shows_its_curve_and_is_seen_and_stopped_in_another_browser(
    app: App, trained_long: Project, watch: Watch
) -> None:
    project = trained_long
    other, page = opened(watch, app, project), opened(watch, app, project)
    expect(other.get_by_role("progressbar")).to_have_count(0)
    choose_option(page, page.get_by_role("combobox", name="Method"), "dbgae")
    page.get_by_role("button", name="Run again", exact=True).click()
    expect(page.get_by_text("Training the autoencoder")).to_be_visible(timeout=JOB)
    expect(other.get_by_role("progressbar")).to_be_visible()  # without a click or a reload
    expect(page.locator(".st-key-model-job .js-plotly-plot")).to_be_visible()
    page.reload()
    bar = page.get_by_role("progressbar")
    expect(bar).to_be_visible()
    choose_view(page, "Runs")  # the page stays usable meanwhile
    expect(page.locator("table.plain tbody tr")).to_have_count(1)
    other.get_by_role("button", name="Stop").click()
    for seen in (page, other):
        expect(seen.get_by_text("The last run was stopped; nothing was changed.")).to_be_visible(timeout=JOB)
    expect(bar).to_have_count(0)
    assert len(project.runs()) == 1
    project.decide("Eva", Change("nobody", face=0))
    expect(other.get_by_text("1 face answered since then.")).to_be_visible()


def test_after_a_correction_the_run_shows_what_changed_and_methods_are_compared(
    app: App, project: Project, watch: Watch
) -> None:
    page = opened(watch, app, project)
    now = project.current_labels()
    frame = int(now.frame[now.face == 0][0])
    project.decide("Eva", Change("is", face=0, name="Zoë <b>Z</b>"))
    page.reload()
    expect(page.get_by_text("1 face answered since then.")).to_be_visible()
    page.get_by_role("button", name="Run again", exact=True).click()
    tile = page.locator("button.tile").filter(has_text="said by people")
    expect(tile).to_contain_text("Zoë <b>Z</b>", timeout=JOB)
    expect(page.get_by_text("answered since then")).to_have_count(0)
    assert [run.answered for run in project.runs()] == [0, 1]
    choose_view(page, "Log")
    expect(page.locator(".rows .tile").first).to_contain_text("face 0 is Zoë <b>Z</b>")
    compare(page)
    assert len(project.runs()) == 2
    choose_view(page, "What changed")
    tile.click()
    expect(page).to_have_url(re.compile(rf"/review\?project={project.folder.name}&frame={frame}"))


def compare(page: Page) -> None:
    """Puts two methods side by side, in the background."""
    choose_view(page, "Compare methods")
    page.get_by_role("button", name="Clear all").click()
    chosen = page.get_by_test_id("stMultiSelect")
    expect(chosen.get_by_text("dbgae", exact=True)).to_have_count(0)
    for method in ("cluster-voting", "rollcall"):
        page.get_by_role("combobox", name="Methods").fill(method)
        page.get_by_role("option", name=method, exact=True).click()
        expect(chosen.get_by_text(method, exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Compare", exact=True).click()
    rows = page.locator("table.plain tbody tr")
    expect(rows).to_have_count(2, timeout=JOB)
    expect(rows.filter(has_text="rollcall").first).to_contain_text("%")
    choose_view(page, "Truth")
    expect(page.get_by_text("How ambiguous the names are")).to_be_visible()
