"""The export page opens on every kind of project and format."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.formats.write.exports import EXPORTS
from core.store.project import Project
from tests.made import made_project
from tests.ui.opened import page, words


def see(project: Project, format: str = "csv") -> AppTest:
    return page("export", project=project.folder.name, format=format)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROLLCALL_PROJECTS", str(tmp_path))


@pytest.mark.parametrize("kind", ["video", "pictures"])
def test_each_format_shows_how_it_begins_or_why_not(tmp_path: Path, kind: str) -> None:
    with made_project(tmp_path / "made", frames=6, kind=kind) as project:  # type: ignore[arg-type]  # one of its kinds
        differ = [format for format, chosen in EXPORTS.items() if chosen.needs in ("pictures", "video times")]
        for format in EXPORTS if kind == "video" else differ:
            chosen = EXPORTS[format]
            app = see(project, format)
            assert not app.exception
            assert not app.error
            fits = chosen.needs in ("", "boxes", "pictures" if kind == "pictures" else "video times")
            assert (not app.warning) == fits, format
            assert ('class="export-preview"' in words(app)) == (fits and not chosen.needs_project), format


def test_filters_change_what_is_counted(tmp_path: Path) -> None:
    with made_project(tmp_path / "made", frames=6) as project:
        app = see(project)
        assert f"<b>{project.count('face')}</b><span>faces</span>" in words(app)
        app.toggle(key="export_confirmed").set_value(True).run()
        assert "<b>0</b><span>faces</span>" in words(app)
        assert "no face is left. Leave less out." in words(app)


def test_an_empty_project_and_one_without_a_run(tmp_path: Path) -> None:
    with Project.create(tmp_path / "empty") as project:
        app = see(project)
        assert not app.exception
        assert "Nothing to export yet" in words(app)
    with made_project(tmp_path / "unrun", frames=3, run=False) as project:
        app = see(project, "srt")
        assert not app.exception
        assert "no face with a name is in a film" in words(app)


def test_hostile_names_are_escaped(tmp_path: Path) -> None:
    with made_project(tmp_path / "made", frames=6, names=("<script>alert(1)</script>", "Boris")) as project:
        for format in ("csv", "srt", "lfw"):
            assert "<script>alert" not in words(see(project, format))
