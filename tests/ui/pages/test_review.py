"""The review page without a browser: it opens on anything."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.store.project import Project
from core.store.views.frame_queue import ORDERS
from tests import unkind
from tests.made import made_project
from tests.ui.opened import page, words
from ui.parts.shell import open_project


@pytest.fixture
def projects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ROLLCALL_PROJECTS", str(tmp_path))
    return tmp_path


def opened(**url: str) -> AppTest:
    return page("review", **url)


@pytest.mark.parametrize("frame", ["", "0", "3", "-1", "999999", "99999999999999999999", "x", "<script>", "²"])
def test_any_frame_in_the_url_opens_and_the_url_says_which(projects: Path, frame: str) -> None:
    made_project(projects / "film", frames=4, run=False).close()
    app = opened(project="film", frame=frame)
    assert not app.exception
    assert not app.error
    assert app.query_params["frame"] in ("0", "1", "2", "3")


@pytest.mark.parametrize("frame", range(8))
def test_every_unkind_frame_opens(projects: Path, frame: int) -> None:
    unkind.unkind_project(projects / "unkind", run=frame % 2 == 0).close()
    app = opened(project="unkind", frame=str(frame))
    assert not app.exception
    assert not app.error


@pytest.mark.parametrize(
    ("order", "person"), [*((order, "") for order in ORDERS), ("?", "=Anna"), ("time", "=Nobody at all"), ("", "nobody")]
)
def test_any_order_and_filter_in_the_url_open(projects: Path, order: str, person: str) -> None:
    made_project(projects / "film", frames=4).close()
    assert not opened(project="film", order=order, person=person).exception


def test_an_empty_project_says_so(projects: Path) -> None:
    Project.create(projects / "empty").close()
    app = opened(project="empty")
    assert not app.exception
    assert "Nothing to review yet" in words(app)


def test_a_project_that_is_not_there_is_no_traceback(projects: Path) -> None:
    app = opened(project="gone")
    assert not app.exception
    assert "there is no project called 'gone'" in app.error[0].value


def test_a_damaged_run_is_said_in_a_sentence(projects: Path) -> None:
    made_project(projects / "film", frames=4).close()
    for run in (projects / "film" / "runs").iterdir():
        run.write_bytes(b"nothing")
    app = opened(project="film")
    assert not app.exception
    assert not app.error
    assert "lost or damaged; run again" in app.warning[0].value


def test_a_damaged_project_can_be_looked_at_and_is_not_changed(projects: Path) -> None:
    made_project(projects / "film", frames=4).close()
    database = projects / "film" / "project.sqlite"
    content = bytearray(database.read_bytes())
    content[0:4096] = bytes(4096)  # without its first page SQLite opens nothing
    database.write_bytes(content)
    app = opened(project="film")
    assert not app.exception
    assert "damaged" in app.warning[0].value
    assert "4 frames" in app.warning[0].value
    assert database.read_bytes() == bytes(content)


def test_a_database_that_breaks_under_the_app_is_said_and_then_read(projects: Path) -> None:
    made_project(projects / "film", frames=4).close()
    app = opened(project="film")
    database = projects / "film" / "project.sqlite"
    content = bytearray(database.read_bytes())
    content[4096 : 20 * 4096] = b"\xa5" * (19 * 4096)
    with database.open("r+b") as file:  # the same file, as the app has it open
        file.write(content)
    open_project("film").database.rows("PRAGMA shrink_memory")  # what SQLite still knew
    app.run()
    assert not app.exception
    said = [one.value for one in (*app.error, *app.warning)]
    assert any("damaged" in one for one in said)
    app.run()
    assert not app.exception
    assert any("could be saved" in one.value or "beyond saving" in one.value for one in (*app.error, *app.warning))


def test_a_project_that_is_removed_under_the_app_is_said(projects: Path) -> None:
    made_project(projects / "film", frames=4).close()
    app = opened(project="film")
    assert not app.exception
    shutil.rmtree(projects / "film")
    app.run()
    assert not app.exception
    assert "there is no project called 'film'" in app.error[0].value
