"""Bringing pictures in, through a real browser: what is foretold, what came in, what is written beside them, taking out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from core.formats.read.xmp import read_xmp
from core.store.first_start import MARK
from core.store.project import Change, Project
from tests.browser.choosing import choose_option
from tests.browser.conftest import JOB, ROOT, serve
from tests.browser.reviewing import Watch
from tests.core.formats.read.test_xmp import packet, region, regions
from tests.core.media.portraits import portrait
from tests.made import made_project


@pytest.fixture(scope="module")
def projects(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("projects")
    (folder / MARK).touch()
    return folder


@pytest.fixture(scope="module")
def app(browser: Browser, projects: Path) -> Iterator[str]:
    with serve(ROOT / "streamlit_app.py", {"ROLLCALL_PROJECTS": str(projects)}) as address:
        yield address


@pytest.fixture
def album(tmp_path: Path) -> Path:
    """Three pictures, two of them in the table inside, one with a face tag of another program."""
    folder = tmp_path / "album"
    for who in ("Ada", "Bruno", "Cleo"):
        (folder / who.lower()).mkdir(parents=True)
        Image.fromarray(portrait(who)).save(folder / who.lower() / "1.png")
    (folder / "captions.csv").write_text("image,caption\nada/1.png,Ada <b>waits</b>.\nbruno/1.png,Bruno and Ada.\n")
    (folder / "cleo" / "1.png.xmp").write_bytes(
        packet(regions(region("Cleo", ".5", ".45", ".5", ".6")), more=' digiKam:Pick="0"')
    )
    return folder


def typed(page: Page, path: Path) -> None:
    page.get_by_text("On this machine").click()
    where = page.get_by_label("Film, folder or zip of pictures, or problem file")
    where.fill(str(path))
    where.press("Tab")


def test_pictures_are_foretold_come_in_once_and_can_be_taken_out(
    app: str, projects: Path, watch: Watch, album: Path
) -> None:
    page = watch().page
    page.goto(app)
    typed(page, album)
    told = page.locator(".kinds.foretold")
    expect(told).to_contain_text("2 pictures with a caption, from captions.csv, which was found there")
    expect(told).to_contain_text("1 picture without a caption: it comes in without one")
    expect(told).to_contain_text("1 face in 1 picture named by digiKam: Cleo")
    expect(told).to_contain_text("3 folders may be called after people: Ada, Bruno, Cleo")
    assert not list(projects.glob("*/project.sqlite"))
    page.get_by_role("button", name="Make the project").click()
    expect(page).to_have_url(re.compile(r"/(?:review|who)\?project=album"), timeout=JOB)
    with Project.open(projects / "album") as project:
        assert len(project.frames()) == 3
        assert [(e.who, e.kind) for e in project.log().entries if e.face is not None] == [("digiKam", "is")]
        _add_again(page, app, album)
        assert (len(project.frames()), len(project.sources())) == (3, 1)
        page.goto(f"{app}/sources?project=album")
        summary = page.locator(".source-summary")
        expect(summary).to_contain_text(
            "1 without a caption; 1 face named by tags in the pictures; captions from captions.csv"
        )
        _beside(page, app, album, project)
        page.goto(f"{app}/sources?project=album")
        page.get_by_role("button", name="Take out").click()
        page.get_by_role("button", name="Take it out for good").click()
        expect(page.get_by_text("Nothing has been added yet.")).to_be_visible()
        assert (project.count("face"), project.count("frame")) == (0, 0)
        assert album.is_dir()


def test_a_folder_is_dropped_as_a_whole(app: str, watch: Watch, album: Path) -> None:
    (album / "why.docx").write_bytes(b"PK")
    watched = watch()
    page = watched.page
    page.goto(app)
    zone = page.locator('[class*="st-key-new-files-"] section')
    expect(page.get_by_role("button", name="Make the project")).to_be_disabled()  # the last part of the form is there
    box = zone.bounding_box()
    assert box is not None
    mouse = {"x": box["x"] + 9, "y": box["y"] + 9, "data": {"items": [], "files": [str(album)], "dragOperationsMask": 1}}
    devtools = page.context.new_cdp_session(page)
    for event in ("dragEnter", "dragOver", "drop"):
        devtools.send("Input.dispatchDragEvent", {"type": event, **mouse})
    told = page.locator(".kinds.foretold")
    expect(told).to_contain_text("2 pictures with a caption, from captions.csv, which was found there")
    expect(told).to_contain_text("1 face in 1 picture named by digiKam: Cleo")
    expect(told).to_contain_text("left out, as it is of another kind: why.docx")
    expect(page.get_by_label("Title")).to_have_attribute("placeholder", "Album")
    expect(page.get_by_role("button", name="Make the project")).to_be_enabled()
    assert watched.errors == []


def _add_again(page: Page, app: str, album: Path) -> None:
    page.goto(app)
    typed(page, album)
    expect(page.locator(".kinds.foretold")).to_contain_text("captions.csv")  # what comes later would close the list
    page.get_by_text("More", exact=True).click()
    choose_option(page, page.get_by_role("combobox", name="Into"), "Album")
    expect(page.locator(".kinds.foretold")).to_contain_text(
        "3 pictures are in the project already and will not be added again"
    )
    page.get_by_role("button", name="Make the project").click()
    expect(page).to_have_url(re.compile(r"/(?:review|who)\?project=album"), timeout=JOB)


def _beside(page: Page, app: str, album: Path, project: Project) -> None:
    ada = next(face for face in project.faces() if project.frames([face.frame])[0].path == "ada/1.png")
    project.decide("Ann", Change("is", face=ada.id, name="Ada"))
    page.goto(f"{app}/export?project=album&format=xmp")
    page.get_by_role("button", name="Beside the pictures").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("table.team tbody tr")).to_have_count(3)
    assert not (album / "ada" / "1.png.xmp").exists()
    dialog.get_by_role("button", name=re.compile(r"Write \d files?")).click()
    expect(dialog).to_contain_text("Written:")
    assert read_xmp((album / "ada" / "1.png.xmp").read_bytes()).persons == ("Ada",)
    assert b"digiKam:Pick" in (album / "cleo" / "1.png.xmp").read_bytes()


def test_captions_are_given_later(app: str, projects: Path, watch: Watch, tmp_path: Path) -> None:
    with made_project(projects / "stills", frames=4, kind="pictures", run=False) as project:
        face = project.faces()[0].id
        project.decide("Ann", Change("is", face=face, name="Anna"))
        table = tmp_path / "table.csv"
        table.write_text("image,caption\npicture-000.jpg,Monica waits.\n")
        page = watch().page
        page.goto(f"{app}/sources?project=stills")
        page.get_by_role("button", name="Replace captions").click()
        page.get_by_role("dialog").locator('input[type="file"]').set_input_files(str(table))
        page.get_by_role("button", name="Use these captions").click()
        expect(page.locator(".st-key-sources-work")).to_contain_text("1 caption replaced", timeout=JOB)
        assert project.frames([0])[0].caption == "Monica waits."
        assert [mention.name for mention in project.mentions(0)] == ["Monica"]
        assert project.log().standing(face).answers
