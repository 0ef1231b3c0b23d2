"""The projects page in a real browser: making projects, watching them come in, removing them."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from core.evaluation.generate import films
from core.formats.write.npz import write_problem
from core.media.faces.registry import EMBEDDER, EMBEDDERS
from core.records import NewFace, NewFrame, NewSource
from core.store.first_start import MARK
from core.store.project import Project
from tests.browser.choosing import choose_option
from tests.browser.conftest import JOB, ROOT, Watched, serve
from tests.core.media.portraits import drawn_clip, portrait, scene
from tests.made import drawn_face, made_project

Watch = Callable[[], Watched]
SRT = "1\n00:00:00,000 --> 00:00:00,400\nAnna waits.\n"


@pytest.fixture(scope="module")
def projects(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("projects")
    (folder / MARK).touch()  # the first start is long past
    return folder


@pytest.fixture(scope="module")
def app(browser: Browser, projects: Path) -> Iterator[str]:
    with serve(ROOT / "streamlit_app.py", {"ROLLCALL_PROJECTS": str(projects)}) as address:
        yield address


def drop(page: Page, *files: Path) -> None:
    page.locator('[class*="st-key-new-files-"] input[type="file"]').set_input_files([str(file) for file in files])


def make(page: Page, title: str) -> None:
    page.get_by_label("Title", exact=True).fill(title)
    page.get_by_label("Title", exact=True).press("Tab")
    page.get_by_role("button", name="Make the project").click()


def opened(watch: Watch, address: str) -> Page:
    page = watch().page
    page.goto(address)
    expect(page.get_by_role("heading", name="New project")).to_be_visible()
    return page


def test_a_dropped_problem_file_is_taken_in_named_and_opened_in_review(
    app: str, projects: Path, watch: Watch, tmp_path: Path
) -> None:
    problem = tmp_path / "small_film.npz"
    write_problem(films(films=1, groups=12, names=4, dimensions=32, seed=3), problem)
    page = opened(watch, app)
    expect(page.get_by_text("No projects yet")).to_be_visible()
    nothing = tmp_path / "nothing.zip"
    zipfile.ZipFile(nothing, "w").close()
    drop(page, nothing)
    expect(page.get_by_role("alert")).to_contain_text("nothing.zip: there is no picture in it")
    expect(page.get_by_role("button", name="Make the project")).to_be_disabled()
    page.reload()
    drop(page, problem)
    expect(page.locator(".kinds.foretold")).to_contain_text("in 12 groups")
    page.get_by_role("button", name="Make the project").click()
    expect(page).to_have_url(re.compile(r"/review\?project=small-film"), timeout=JOB)
    with Project.open(projects / "small-film") as project:
        assert project.title == "Small film"
        assert [run.method for run in project.runs()] == ["rollcall"]
        assert [path.name for path in (projects / "small-film" / "uploads" / "1").iterdir()] == ["small_film.npz"]


def test_a_film_with_faces_comes_in_through_a_reload(app: str, projects: Path, watch: Watch, tmp_path: Path) -> None:
    clip = drawn_clip(tmp_path)
    page = opened(watch, app)
    drop(page, clip, clip.with_suffix(".srt"))
    expect(page.locator(".kinds.foretold")).to_contain_text(clip.with_suffix(".srt").name)
    make(page, "Scene")
    card = page.locator(".st-key-card-scene")
    expect(card.get_by_role("progressbar")).to_be_visible()
    expect(card.get_by_role("button", name="Delete", disabled=True).first).to_be_visible()
    page.reload()
    expect(card.get_by_role("progressbar")).to_be_visible()
    expect(card.get_by_role("progressbar")).to_have_count(0, timeout=JOB)
    expect(card).to_contain_text("settled")
    card.get_by_role("button", name="Open").click()
    expect(page).to_have_url(re.compile(r"/review\?project=scene"))
    with Project.open(projects / "scene") as project:
        assert project.count("face") > 0
        assert len(project.runs()) == 1
        assert project.names()


def test_a_zip_of_pictures_with_captions_is_added_to_a_project(
    app: str, projects: Path, watch: Watch, tmp_path: Path
) -> None:
    with Project.create(projects / "album", "Album") as project:
        first = NewFrame("", [], [NewFace(np.eye(EMBEDDERS[EMBEDDER].dimension)[0], crop=drawn_face(1))], path="first.jpg")
        project.add(NewSource("pictures", "/photos", "photos"), [first], EMBEDDER)
        picture, captions, more = tmp_path / "more.jpg", tmp_path / "more.csv", tmp_path / "more.zip"
        Image.fromarray(scene(portrait("Cleo"), portrait("Ada"))).save(picture)
        captions.write_text(f"image,caption\n{picture.name},Ada waits.\n")
        with zipfile.ZipFile(more, "w") as archive:
            archive.write(picture, picture.name)
        page = opened(watch, app)
        drop(page, more, captions)
        expect(page.locator(".kinds.foretold")).to_contain_text("1 picture with a caption, from more.csv")
        page.get_by_text("More", exact=True).click()
        choose_option(page, page.get_by_role("combobox", name="Into"), "Album")
        page.get_by_role("button", name="Make the project").click()
        expect(page).to_have_url(re.compile(r"/(?:review|who)\?project=album"), timeout=JOB)
        assert sorted(frame.path for frame in project.frames()) == ["first.jpg", picture.name]
        assert project.count("face") > 1
        assert project.names() == ["Ada"]
        assert len(project.runs()) == 1


def test_each_card_opens_its_own_project_and_a_rename_shows(app: str, projects: Path, watch: Watch) -> None:
    for name in ("winter", "spring"):
        made_project(projects / name, frames=6, run=False).close()
    page = opened(watch, app)
    card = page.locator(".st-key-card-winter")
    expect(card.locator(".mosaic img")).to_have_count(4)
    card.get_by_role("button", name="Rename").click()
    page.get_by_role("dialog").get_by_role("textbox").fill("A long winter")
    page.get_by_role("dialog").get_by_role("textbox").press("Tab")
    page.get_by_role("dialog").get_by_role("button", name="Rename").click()
    expect(card.get_by_role("heading")).to_have_text("A long winter")
    for name in ("winter", "spring"):  # wherever it stands in the list
        page.goto(app)
        page.locator(f".st-key-card-{name}").get_by_role("button", name="Open").click()
        expect(page).to_have_url(re.compile(rf"/review\?project={name}"))


def test_projects_has_a_path_of_its_own(app: str, watch: Watch) -> None:
    page = opened(watch, f"{app}/projects")
    expect(page.get_by_role("heading", name="Projects", exact=True)).to_be_visible()
    expect(page.get_by_text("Page not found")).to_have_count(0)
    page.goto(f"{app}/nowhere")
    expect(page.get_by_text("Page not found")).to_be_visible()
