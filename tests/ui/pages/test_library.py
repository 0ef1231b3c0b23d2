"""The page of the people library: off at first, and everything that can be done with it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.store.library.shelf import FILE, Library, LibraryFace
from core.store.project import Change
from tests.made import made_project
from tests.ui.opened import page, words


@pytest.fixture
def see(tmp_path: Path, library: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    projects = tmp_path / "projects"
    projects.mkdir()
    monkeypatch.setenv("ROLLCALL_PROJECTS", str(projects))
    return projects


def pressed(app: AppTest, key: str) -> AppTest:
    return next(button for button in app.button if button.key == key).click().run()


def test_on_taken_in_removed_and_emptied(see: Path) -> None:
    with made_project(see / "film", frames=4, run=False) as project:
        project.decide("me", Change("is", face=0, name="Zoë <b>"), Change("is", face=1, name="Bo"))
    (see / "broken").mkdir()
    (see / "broken" / "project.sqlite").write_bytes(b"this is no database" * 300)
    app = page("library")
    assert not app.exception
    assert not Library().on
    app = app.toggle[0].set_value(True).run()
    assert Library().on
    app = pressed(app, "library_take")
    assert "2 people taken in" in words(app)  # one project that cannot be read does not hold up the others
    assert "the project&#x27;s database is damaged" in words(app)
    assert "Zoë &lt;b&gt;" in words(app)
    app = pressed(pressed(app, "remove-Bo"), "library_remove_now")
    assert [one.name for one in Library().people()] == ["Zoë <b>"]
    app = pressed(pressed(app, "library_empty"), "library_remove_now")
    assert Library().people() == []
    assert not app.exception


def test_a_damaged_library_is_said(see: Path, library: Path) -> None:
    library.mkdir()
    (library / FILE).write_bytes(b"no database" * 99)
    app = page("library")
    assert not app.exception
    assert "cannot be used" in app.error[0].value


def test_many_people(see: Path) -> None:
    Library().turn(True)
    Library().give("p", "Film", "net", [LibraryFace(f"Person {k:03}", np.ones(2, np.float32)) for k in range(70)])
    app = page("library")
    assert not app.exception
    assert "The first 60 of 70 people" in " ".join(caption.value for caption in app.caption)
