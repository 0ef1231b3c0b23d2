"""The export page in a real browser: what was clicked is what stands in the file."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.formats.read import csv
from core.store.project import Project
from tests.browser.conftest import WHO, App, Watched
from tests.made import NAMES


@pytest.fixture
def page(watch: Callable[[], Watched]) -> Page:
    return watch().page


def downloaded(page: Page, into: Path) -> Path:
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download").click()
    place = into / waiting.value.suggested_filename
    waiting.value.save_as(place)
    return place


def open_export(app: App, page: Page, project: Project) -> None:
    page.goto(f"{app.address}/export?project={project.folder.name}")


def test_what_was_clicked_is_downloaded_as_a_table_or_a_zip_or_written_to_a_folder(
    app: App, page: Page, tmp_path: Path
) -> None:
    with app.fresh("clicked") as project:
        page.goto(f"{app.address}/people?project={project.folder.name}&person=Anna")
        expect(page.locator(".tile").first).to_be_visible()
        faces = [int(tile.get_attribute("data-face") or -1) for tile in page.locator(".tile").all()]
        page.locator(".tile").nth(0).click()
        page.keyboard.press("c")
        expect(page.get_by_text("1 face confirmed as Anna.")).to_be_visible()
        page.locator(".tile").nth(1).click()
        page.keyboard.press("n")
        expect(page.get_by_text("1 face marked as nobody.")).to_be_visible()
        page.get_by_role("link", name="Export").click()
        expect(page.get_by_role("status").get_by_text("faces")).to_be_visible()
        rows = {row.face: row for row in csv.read(downloaded(page, tmp_path))}
        assert len(rows) == project.count("face")
        assert (rows[faces[0]].name, rows[faces[0]].state, rows[faces[0]].annotator) == ("Anna", "confirmed", WHO)
        assert (rows[faces[1]].name, rows[faces[1]].state) == ("", "corrected")
        assert {row.state for face, row in rows.items() if face not in faces[:2]} == {"predicted"}

        page.get_by_text("Only what people said").click()
        expect(page.get_by_text("1 confirmed · 1 corrected · 0 predicted only")).to_be_visible()
        page.get_by_text("Only faces with a name").click()
        expect(page.get_by_text("1 confirmed · 0 corrected · 0 predicted only")).to_be_visible()
        assert [row.face for row in csv.read(downloaded(page, tmp_path))] == [faces[0]]
        page.get_by_text("Only faces with a name").click()
        page.get_by_text("Only what people said").click()
        expect(page.get_by_text("1 confirmed · 1 corrected · 0 predicted only")).to_have_count(0)
        written_to_a_folder(page, project, tmp_path / "out.csv")
        page.get_by_role("radio", name="Faces by name").click()
        expect(page.locator(".export-preview")).to_contain_text("Anna_0001.jpg")
        with zipfile.ZipFile(downloaded(page, tmp_path)) as archive:
            assert archive.testzip() is None
            assert {name.split("/")[0] for name in archive.namelist() if "/" in name} >= set(NAMES)


def written_to_a_folder(page: Page, project: Project, place: Path) -> None:
    """And never over another file."""
    page.get_by_role("button", name="Write to a folder").click()
    typed = page.get_by_label("Where to, on this machine")
    typed.fill(str(place))
    typed.press("Enter")
    page.get_by_role("button", name="Write", exact=True).click()
    expect(page.get_by_text(f"Written to {place}")).to_be_visible()
    assert len(csv.read(place)) == project.count("face")
    place.write_text("mine")
    page.get_by_role("button", name="Write", exact=True).click()
    expect(page.get_by_text("there is a file already")).to_be_visible()
    assert place.read_text() == "mine"
    page.keyboard.press("Escape")


def test_formats_that_do_not_fit_say_why_and_hostile_names_are_text(app: App, page: Page) -> None:
    name = "<script>document.title='gone'</script>"
    open_export(app, page, app.made(names=(name, "Boris"), kind="pictures", frames=6))
    expect(page.locator(".export-preview").get_by_text(name).first).to_be_visible()
    subtitles = page.get_by_role("radio", name="WebVTT")
    expect(subtitles).to_have_attribute("aria-disabled", "true")
    expect(subtitles).to_contain_text("no face with a name is in a film")
    subtitles.click(force=True)
    expect(page.get_by_role("radio", name=re.compile("^CSV"))).to_have_attribute("aria-checked", "true")
    page.get_by_role("radio", name="GraphML").click()
    expect(page.locator(".export-preview pre")).to_contain_text("script")
    assert page.title() != "gone"
