from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from core import jobs
from core.errors import BadInput
from core.project import Project
from core.store.database import FILE, MIGRATIONS, VERSION


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


def test_a_project_of_the_first_version_is_brought_up_to_date(tmp_path: Path) -> None:
    folder = tmp_path / "old"
    folder.mkdir()
    database = sqlite3.connect(folder / FILE)
    database.executescript(MIGRATIONS[0])
    database.execute("INSERT INTO project (uid, title, created, opened) VALUES ('u', 'Old', '', '')")
    database.execute("INSERT INTO job VALUES (1, 'run', 'done', 'people', 3, 3, 1, 2, '', 9, 0, '[0.5]')")
    database.execute("PRAGMA user_version = 1")
    database.commit()
    database.close()
    with Project.open(folder) as project:
        assert project.title == "Old"
        assert project.setting("rerun_after", "0") == "0"
        assert [(job.state, job.command, job.curve) for job in jobs.jobs(project)] == [("done", (), (0.5,))]
        assert project.database.one("PRAGMA user_version") == VERSION
