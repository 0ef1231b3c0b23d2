"""What comes from a browser names nothing outside the folder of projects."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.errors import BadInput
from core.jobs.uploads import put
from core.store import files
from core.store.project import Project
from tests.made import made_project
from tests.ui.opened import opened
from ui.parts import pictures, shell
from ui.widgets import component
from ui.widgets.review import editor

UGLY = [
    "..",
    ".",
    "../film",
    "../../etc",
    "/etc",
    "film/..",
    "film/../film",
    "\0",
    "a" * 5000,
    "f\0ilm",
    "%2e%2e",
]


@pytest.fixture
def projects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of projects beside which, and above which, there are projects, too."""
    monkeypatch.setenv("ROLLCALL_PROJECTS", str(tmp_path / "above" / "projects"))
    made_project(tmp_path / "above" / "projects" / "film", frames=3, run=False).close()
    made_project(tmp_path / "beside", frames=3, run=False).close()
    for name in ("project.sqlite", "embeddings.f32"):
        (tmp_path / "above" / name).write_bytes((tmp_path / "beside" / name).read_bytes())
    return tmp_path / "above" / "projects"


def test_a_project_lies_in_the_folder_of_projects(projects: Path) -> None:
    for name in UGLY:
        with pytest.raises(BadInput, match="there is no project called"):
            shell.open_project(name)


def test_a_link_among_the_projects_is_none(projects: Path, tmp_path: Path) -> None:
    (projects / "linked").symlink_to(tmp_path / "beside")
    assert [folder.name for folder in shell.project_folders()] == ["film"]
    with pytest.raises(BadInput, match="there is no project called"):
        shell.open_project("linked")


def test_pages_say_so_in_a_sentence(projects: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for page, name in (("review", ".."), ("people", "a" * 5000), ("model", "<script>"), ("export", "..")):
        app = opened(monkeypatch, projects, page, project=name)
        assert not app.exception
        assert "there is no project called" in app.error[0].value


FRAMES: list[dict[str, str]] = [
    {"frame": "-1", "order": "../x"},
    {"frame": "9" * 400, "person": "\0"},
    {"frame": "../../etc/passwd", "person": "=../../x"},
    {"frame": "²"},
]
GROUPS: list[dict[str, str]] = [
    {"group": "stranger-" + "9" * 5000},
    {"group": "stranger-../x", "view": "../x"},
    {"person": "../../etc"},
]


def test_frames_people_and_groups_that_are_none_are_not_looked_for(projects: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for page, queries in {"review": FRAMES, "people": GROUPS}.items():
        for query in queries:
            assert not opened(monkeypatch, projects, page, project="film", **query).exception


@pytest.mark.parametrize("name", ["../../x", "/etc/passwd", "..\\..\\x", "a/../../x", "....//x", "\0", "..", "C:\\x", "~/x"])
def test_uploads_stay_where_they_are_put(tmp_path: Path, name: str) -> None:
    place = tmp_path / "uploads"
    path = put(place, name, b"content")
    assert path.resolve().is_relative_to(place.resolve())
    assert [found for found in tmp_path.rglob("*") if found.is_file()] == [path]


def test_a_crop_that_is_a_link_shows_nobody(projects: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"nobody's business")
    with Project.open(projects / "film") as project:
        crop = files.crop_path(project.folder, 0)
        crop.unlink()
        crop.symlink_to(tmp_path / "secret")
        assert pictures.picture(crop) == pictures.SILHOUETTE


@pytest.mark.parametrize("number", [2**63, -(2**63), 10**400, True, 1.5, "1", None, [1]])
def test_a_number_that_is_none_is_not_heard(number: Any) -> None:
    assert component.whole(number) is None
    event = {"client": "a", "kind": "is", "number": 1, "frame": 0, "seen": 0, "face": 1, "name": "Anna"}
    assert len(editor.heard({"events": [event]})) == 1
    assert editor.heard({"events": [event | {"face": number}, event | {"frame": number}]}) == []
