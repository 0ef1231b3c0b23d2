"""The project's own row and its settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import BadInput
from core.store.project import Project


def test_settings_and_titles_are_kept(tmp_path: Path) -> None:
    with Project.create(tmp_path / "p", "First") as project:
        assert project.setting("rerun_after", "0") == "0"
        project.set_setting("rerun_after", "5")
        project.set_setting("rerun_after", "10")
        project.retitle("  Second ")
        with pytest.raises(BadInput, match="title"):
            project.retitle(" ")
    with Project.open(tmp_path / "p") as project:
        assert project.setting("rerun_after", "0") == "10"
        assert project.title == "Second"


def test_a_new_project_knows_when_it_was_made_and_is_told_apart_from_others(tmp_path: Path) -> None:
    with Project.create(tmp_path / "one") as one, Project.create(tmp_path / "two") as two:
        assert one.title == "one"  # after its folder
        assert one.fact("uid") != two.fact("uid")
        assert one.fact("opened") == one.fact("created")
        one.opened()
        assert one.fact("opened") >= one.fact("created")
        assert (one.fact("embedder"), one.fact("dimension")) == ("", 0)
