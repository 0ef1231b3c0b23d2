"""The people page opens on every kind of project, and says so where there is nothing to see."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.store.project import Change, Person, Project
from tests.core.store.test_nicknames import SCENES, film
from tests.made import made_project
from tests.ui.opened import page, words
from ui.pages.people import _found
from ui.parts.people import clock, covers, existing, names_to_choose
from ui.parts.pictures import SILHOUETTE
from ui.widgets.cards import Look

Open = Callable[..., AppTest]


@pytest.fixture
def see(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Open:
    """Opens the page on a project."""
    monkeypatch.setenv("ROLLCALL_PROJECTS", str(tmp_path))

    def opened(project: Project, **asked: str) -> AppTest:
        return page("people", project=project.folder.name, **asked)

    return opened


def test_the_overview_and_a_name_open(tmp_path: Path, see: Open) -> None:
    with made_project(tmp_path / "film", frames=9) as project:
        for view in ("names", "unnamed", "when", "together"):
            app = see(project, view=view)
            assert not app.exception
            assert "<h1>People</h1>" in words(app)
        app = see(project, person="Anna")
        assert not app.exception
        assert "Anna</h1>" in words(app)
        assert {button.label for button in app.button} >= {"Rename", "Merge", "Delete"}


def test_an_empty_project_says_what_to_do(tmp_path: Path, see: Open) -> None:
    with Project.create(tmp_path / "empty") as project:
        app = see(project)
        assert not app.exception
        assert "No faces yet" in words(app)


@pytest.mark.parametrize("asked", [{}, {"view": "unnamed"}, {"view": "when"}, {"view": "together"}, {"group": "unknown"}])
def test_before_the_first_run(tmp_path: Path, see: Open, asked: dict[str, str]) -> None:
    with made_project(tmp_path / "unrun", frames=6, run=False) as project:
        app = see(project, **asked)
        assert not app.exception
        assert ("has not named these faces yet" in words(app)) == ("group" not in asked)


def test_without_names_or_crops(tmp_path: Path, see: Open) -> None:
    with made_project(tmp_path / "nameless", frames=40, names=(), strangers=4, cropped=False) as project:
        for view in ("names", "unnamed", "when", "together"):
            assert not see(project, view=view).exception
        assert not see(project, group="nobody").exception


def test_what_the_url_asks_for_and_is_not_there(tmp_path: Path, see: Open) -> None:
    with made_project(tmp_path / "film", frames=6) as project:
        app = see(project, person="<b>Nobody knows</b>")
        assert "There is nobody of this name" in words(app)
        for group in ("stranger-9999", "stranger-x", "stranger-²", "of my dreams", "stranger-0"):
            assert not see(project, group=group).exception
        assert not see(project, view="upside down").exception


def test_a_hostile_name_is_escaped_and_a_name_without_faces_opens(tmp_path: Path, see: Open) -> None:
    hostile = "<script>alert(1)</script>"
    with made_project(tmp_path / "film", frames=6, names=(hostile, "Boris")) as project:
        project.decide("me", *(Change("nobody", face=int(face.id)) for face in project.faces()))
        app = see(project, person=hostile)
        assert not app.exception
        assert "&lt;script&gt;alert(1)&lt;/script&gt;</h1>" in words(app)
        assert "<script>alert" not in words(app)


def test_names_are_found_by_parts_and_sorted() -> None:
    import numpy as np

    people = [
        Person(name, np.arange(many), 0, doubt) for name, many, doubt in (("Zoë Ann", 5, 0), ("ann", 3, 2), ("Bo", 1, 1))
    ]
    assert [one.name for one in _found(people, Look("ANN"))] == ["Zoë Ann", "ann"]
    assert [one.name for one in _found(people, Look("ann zo"))] == ["Zoë Ann"]
    assert [one.name for one in _found(people, Look(sort="name"))] == ["ann", "Bo", "Zoë Ann"]
    assert [one.name for one in _found(people, Look(sort="doubtful"))] == ["ann", "Bo", "Zoë Ann"]


def test_recently_used_names_come_first_and_capitals_do_not_make_a_new_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOGNAME", "me")
    with made_project(tmp_path / "film", frames=9) as project:
        project.decide("me", Change("is", face=0, name="Dev"))
        project.decide("me", Change("is", face=1, name="Chloe"))
        project.decide("somebody else", Change("is", face=2, name="Boris"))
        assert names_to_choose(project)[:2] == ["Chloe", "Dev"]
        assert "Chloe" not in names_to_choose(project, without="Chloe")
        assert existing(project, " chloe ") == "Chloe"
        assert existing(project, "Chloé") == "Chloé"


def test_the_cover_is_a_settled_face_that_has_a_crop(tmp_path: Path) -> None:
    with made_project(tmp_path / "film", frames=9) as project:
        anna = next(person for person in project.people.named() if person.name == "Anna")
        last = int(anna.faces[-1])
        project.decide("me", Change("confirm", face=last, name="Anna"))
        crop = project.faces(ids=[last])[0].crop
        assert crop is not None
        crop.write_bytes(b"\xff\xd8 this one")
        import base64

        chosen = covers(project, [anna.faces, anna.faces[:0]])
        assert base64.b64decode(chosen[0].split(",")[1]) == b"\xff\xd8 this one"
        assert chosen[1] == SILHOUETTE


def test_clock() -> None:
    assert [clock(seconds) for seconds in (0, 59.9, 61, 3600, 3727)] == ["0:00", "0:59", "1:01", "1:00:00", "1:02:07"]


def test_a_nickname_is_shown_and_can_be_parted(tmp_path: Path, see: Open) -> None:
    with film(tmp_path / "p", SCENES) as project:
        project.join_nicknames()
        app = see(project)
        assert "</b> is taken for <b dir='auto'>Monica</b>: said in 3 captions" in words(app)
        app.button(key="part-0").click().run()
        assert not app.exception
        assert "is taken for" not in words(app)
        assert project.nicknames() == []
        assert "Mon" in project.names()
