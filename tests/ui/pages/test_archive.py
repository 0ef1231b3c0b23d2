"""The archive page without a browser."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from core.jobs.archive.search import refresh
from core.store.archives.archive import Archive, NewFilm
from core.store.archives.presence import OnScreen, Somebody
from tests.made import made_project
from tests.ui.opened import opened, words
from ui.parts import shell
from ui.parts.archive_views import on_screen

EVIL = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of projects with an archive of three films, of which one failed and one is under way."""
    place = tmp_path_factory.mktemp("projects")
    with Archive.at(place / "tv") as archive:
        films = [NewFilm(name, name.title(), Path("/films") / f"{name}.mp4") for name in ("one", "two")]
        archive.states.add([*films, NewFilm("three", EVIL, Path(f"/films/{EVIL}.mp4".replace("/i", "i")))])
        for name in ("one", "two"):
            made_project(archive.project_folder(name), 6, ("Anna", EVIL)).close()
        archive.states.set_state(1, "done", "6 frames")
        archive.states.set_project("one", "done", "named 9 of 9 faces")
        archive.states.set_state(2, "failed", f"{EVIL}: no video")
        archive.states.set_state(3, "running")
        archive.states.scanned(3, "c", 1800.0, 3)
        archive.states.looked_at(3, 0)
        refresh(archive)
    return place


def test_films_are_listed_with_their_states(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened(monkeypatch, folder, "archive", archive="tv")
    assert not app.exception
    said = words(app)
    assert "1 of 3 films done" in said
    assert "one.mp4" in said
    assert "named 9 of 9 faces; 6 frames" in said
    assert "1 of 3 pieces" in said
    assert "nobody is at work" in said
    assert "project=tv%2Fone" in said
    assert EVIL not in said
    assert "&lt;img src=x" in said
    app.text_input(key="archive_text").input("ONE").run()
    assert "one.mp4" in words(app)
    assert "two.mp4" not in words(app)


def test_a_person_is_on_screen_in_all_films(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened(monkeypatch, folder, "archive", archive="tv", view="people")
    assert not app.exception
    assert "in 2 projects" in words(app)
    assert EVIL not in words(app)
    app = opened(monkeypatch, folder, "archive", archive="tv", view="people", person="Anna")
    assert not app.exception
    assert "in 2 projects" in words(app)
    assert "0:00–" in words(app)


def test_times_are_shares_of_the_whole_film(tmp_path: Path) -> None:
    with Archive.at(tmp_path / "tv") as archive:
        archive.states.add([NewFilm("one", "One", Path("/films/one.mp4"))])
        archive.states.scanned(1, "c", 200.0, 1)
        seen = [OnScreen("one", "One", "one.mp4", "Anna", 50.0, 100.0)]
        shown = on_screen(archive, "Anna", Somebody("Anna", 7, 7200.0), seen, {("Anna", "one"): ("one", 3)})
    assert "left:25.00%;width:25.00%" in shown
    assert "on screen 2 h 0 min in 7 projects" in shown  # of all films, not of those on this page
    assert "face=one%3A3" in shown


def test_a_face_is_looked_for_in_all_films(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    began = time.process_time()
    app = opened(monkeypatch, folder, "archive", archive="tv", view="find", face="one:0")
    assert not app.exception
    assert "look alike" in words(app)
    assert "data:image/jpeg" in words(app)
    assert time.process_time() - began < 30
    for face in ("one:999", "../one:0", "one:x", "three:0", ":"):
        app = opened(monkeypatch, folder, "archive", archive="tv", view="find", face=face)
        assert not app.exception
        assert "there is no" in app.error[0].value
        assert "ingest" not in app.error[0].value


def test_many_people_and_many_times_come_page_by_page(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.pages.archive.A_PAGE", 1)
    monkeypatch.setattr("ui.pages.archive.TIMES", 1)
    app = opened(monkeypatch, folder, "archive", archive="tv", view="people")
    assert ("Anna" in words(app)) != ("&lt;img src=x" in words(app))  # one person a page, the longest on screen first
    before = words(app)
    app.number_input(key="archive_people").set_value(2).run()
    assert not app.exception
    assert ("Anna" in words(app)) == ("Anna" not in before)
    app = opened(monkeypatch, folder, "archive", archive="tv", view="people", person="Anna")
    assert "in 2 projects" in words(app)
    assert words(app).count("class='archive-line'") == 1


@pytest.mark.parametrize("name", ["", "..", "none", "../tv", "tv/projects/one"])
def test_an_archive_lies_in_the_folder_of_projects(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("ROLLCALL_PROJECTS", str(folder))
    with pytest.raises(ValueError, match="there is no archive called"):
        shell.archive_folder(name)


def test_a_project_of_an_archive_is_opened_as_any_other(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROLLCALL_PROJECTS", str(folder))
    project = shell.open_project("tv/one")
    assert (project.folder, shell.url_name(project)) == (folder / "tv" / "projects" / "one", "tv/one")
    for name in ("tv/..", "tv/", "/one", "tv/projects/one", "none/one"):
        with pytest.raises(ValueError, match="there is no project called"):
            shell.open_project(name)
    app = opened(monkeypatch, folder, "people", project="tv/one")
    assert not app.exception


def test_the_projects_page_leads_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from core.store.first_start import MARK

    (folder / MARK).touch()
    app = opened(monkeypatch, folder, "projects")
    assert not app.exception
    assert "1 of 3 films done, 1 failed" in words(app)
    assert "/archive?archive=tv" in words(app)


def test_everything_can_be_exported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened(monkeypatch, folder, "archive", archive="tv", view="export")
    assert not app.exception
    app.button(key="archive-go").click().run()
    assert not app.exception
    end = time.monotonic() + 60
    while time.monotonic() < end and len(list((folder / "tv" / "exports").glob("csv-*/*.csv"))) < 2:
        time.sleep(0.2)
    assert {path.name for path in (folder / "tv" / "exports").glob("csv-*/*.csv")} == {"one.csv", "two.csv"}
