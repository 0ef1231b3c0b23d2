"""Who may do what, checked where it is done and not only where it is shown."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st

from core.errors import BadInput
from core.jobs.engine import Job, jobs
from core.store.project import Project
from tests.made import made_project
from ui import access
from ui.access import Access
from ui.pages import export, model, projects, review
from ui.parts import model_views, new_project, people, person_dialogs, shell
from ui.widgets import progress
from ui.widgets.review.events import Here

ANN, BOB = "ann@example.org", "bob@example.org"


@pytest.fixture
def listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file, with a login that is on."""
    path = tmp_path / "access.toml"
    path.write_text(f'owners = [" Ann@Example.org"]\nannotators = ["{BOB}"]\nfolders = ["{tmp_path}/films"]\n')
    monkeypatch.setenv("ROLLCALL_ACCESS", str(path))
    for module in (access, shell):
        monkeypatch.setattr(module, "login_on", lambda: True)
    return path


@pytest.fixture
def film(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setenv("ROLLCALL_PROJECTS", str(tmp_path / "projects"))
    return made_project(tmp_path / "projects" / "film", frames=4)


def log_in(monkeypatch: pytest.MonkeyPatch, email: object = BOB, verified: object = True, logged_in: bool = True) -> None:
    monkeypatch.setattr(st, "user", {"is_logged_in": logged_in, "email": email, "email_verified": verified})


# --- The list ----------------------------------------------------------------------------------------------------------


def test_the_list_says_who_is_what(listed: Path) -> None:
    found = access.access()
    assert [found.role(who) for who in (ANN, BOB, "eve@example.org", "")] == ["owner", "annotator", None, None]


@pytest.mark.parametrize(
    "content",
    ["owners = ann", 'owners = "ann@example.org"', "owners = [1]", 'owners = [""]', 'owner = ["a@b.c"]', "owners = [\xff"],
)
def test_a_list_with_a_slip_lets_nobody_in(listed: Path, content: str) -> None:
    listed.write_bytes(content.encode("latin-1"))
    with pytest.raises(BadInput, match="nobody can come in"):
        access.access()


def test_without_a_list_nobody_is_listed(listed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed.unlink()
    log_in(monkeypatch, ANN)
    assert access.access() == Access()
    assert access.role() is None


@pytest.mark.parametrize(
    ("about", "role"),
    [
        ({"email": ANN}, "owner"),
        ({"email": "ANN@example.org"}, "owner"),
        ({"email": BOB, "verified": "true"}, "annotator"),
        ({"email": ANN, "verified": False}, None),
        ({"email": ANN, "verified": None}, None),
        ({"email": ANN, "verified": "false"}, None),
        ({"email": ANN, "logged_in": False}, None),
        ({"email": None}, None),
        ({"email": [ANN]}, None),
        ({"email": "bob@example.org.evil.example"}, None),
        ({"email": "bob@exam\u017fle.org"}, None),
        ({"email": "BO\u212a@example.org"}, None),  # the sign for kelvin has the small form k
    ],
)
def test_only_verified_addresses_count(
    listed: Path, monkeypatch: pytest.MonkeyPatch, about: dict[str, Any], role: str | None
) -> None:
    log_in(monkeypatch, **about)
    assert access.role() == role


def test_a_sign_that_only_looks_the_same_small_is_another_address(listed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed.write_text('owners = ["kate@example.org"]\n')
    log_in(monkeypatch, "\u212aate@example.org")
    assert access.role() is None


def test_without_a_login_whoever_sits_here_may_do_everything() -> None:
    assert access.role() == "owner"
    access.check_listed()
    access.check_owner("do anything")
    access.check_path(Path("/anywhere"))


# --- Actions, called as a browser could make them be called ------------------------------------------------------------


def test_an_owners_paths_stay_in_the_listed_folders(listed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    films = listed.parent / "films"
    films.mkdir()
    (films / "out").symlink_to("/etc")
    log_in(monkeypatch, ANN)
    access.check_path(films / "film.mkv")
    for path in (films / ".." / "x", films / "out" / "passwd", Path("/etc/passwd"), films.with_name("films2")):
        with pytest.raises(BadInput, match="not in one of the folders"):
            access.check_path(path)
    log_in(monkeypatch, BOB)
    with pytest.raises(BadInput, match="only owners"):
        access.check_path(films / "film.mkv")


def refused(action: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> str:
    """What an action says: raised, or told on the page."""
    said: list[str] = []
    for way in ("toast", "error"):
        monkeypatch.setattr(st, way, lambda text, **_: said.append(text))
    for way in ("button", "form_submit_button"):
        monkeypatch.setattr(st, way, lambda *_, **__: True)
    try:
        done = action()
    except BadInput as error:
        return str(error)
    return said[0] if said else str(done)


def actions_of_owners(project: Project) -> dict[str, Callable[[], object]]:
    name, job = project.folder.name, SimpleNamespace(kind="run", request="[]")
    return {
        "add": lambda: new_project._make("x", [], {"main": "/etc"}, {"into": "", "cast": "", "people": ""}),
        "again": lambda: projects._again(name, job),  # type: ignore[arg-type]
        "rename": lambda: projects._rename.__wrapped__(name),
        "delete": lambda: projects._delete.__wrapped__(name),
        "delete a person": lambda: person_dialogs._delete(project, "Anna"),
        "write a file": lambda: export._written(Path("/tmp/x.csv"), export.EXPORTS["csv"], True, lambda path: None)[1],
    }


@pytest.mark.parametrize("email", [BOB, "eve@example.org"])
def test_what_only_owners_may_is_refused_where_it_is_done(
    listed: Path, film: Project, monkeypatch: pytest.MonkeyPatch, email: str
) -> None:
    log_in(monkeypatch, email)
    monkeypatch.setattr(st, "rerun", lambda *_: None)
    for what, action in actions_of_owners(film).items():
        said = refused(action, monkeypatch)
        assert "only owners may" in said or (email != BOB and "list of people" in said), what
    assert film.title == "film"
    assert "Anna" in film.names()
    assert film.folder.is_dir()
    assert not [path for path in film.folder.parent.iterdir() if path != film.folder]
    assert jobs(film) == []


def _told(project: Project) -> str:
    """What Review says of a run that it may not start."""
    tab = Here(project.folder.name, None)
    review._run(project, tab)
    return tab.note.text


def test_who_is_not_listed_decides_and_starts_nothing(listed: Path, film: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    log_in(monkeypatch, "eve@example.org")
    job = Job(1, "run", "running", "people", 1, 2, 0, 0, 0, "", os.getpid(), False, (), ())
    actions: list[Callable[[], object]] = [
        lambda: model._start(film),
        lambda: model_views._compare(film),
        lambda: progress._stop(film, job.id),
        lambda: projects._run(film.folder.name),
        lambda: _told(film),
        lambda: people.decided(film, [], ""),
        lambda: people.turned(film, "undo"),
        shell.who,
    ]
    for action in actions:
        said = refused(action, monkeypatch)
        assert "on this Rollcall's list" in said or "on this Rollcall's list" in people.message()
    assert jobs(film) == []
    assert film.log().entries == []


def test_the_name_of_who_logged_in_cannot_be_typed(listed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log_in(monkeypatch, BOB)
    monkeypatch.setitem(st.session_state, "who", ANN)
    assert shell.who() == BOB
