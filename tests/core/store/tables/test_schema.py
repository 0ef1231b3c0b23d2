"""The tables, and how a database of an earlier version gets those of today."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from core.errors import BadInput
from core.store.decisions.persons import judged
from core.store.project import Project
from core.store.tables import schema
from core.store.tables.database import FILE


@pytest.fixture
def first_version(tmp_path: Path) -> Path:
    """A project as the first version made it, with a job that is done."""
    folder = tmp_path / "old"
    folder.mkdir()
    with sqlite3.connect(folder / FILE) as connection:
        for statement in schema.MIGRATIONS[0]:
            connection.execute(statement)
        connection.execute("INSERT INTO project (uid, title, created, opened) VALUES ('u', 'Old', '', '')")
        connection.execute("INSERT INTO job VALUES (1, 'run', 'done', 'people', 3, 3, 1, 2, '', 9, 0, '[0.5]')")
        connection.execute("PRAGMA user_version = 1")
    connection.close()
    return folder


def test_a_project_of_the_first_version_gets_the_tables_of_today(first_version: Path) -> None:
    with Project.open(first_version) as project:
        assert project.title == "Old"
        assert project.setting("rerun_after", "0") == "0"
        assert project.database.rows("SELECT state, command, curve, began FROM job") == [("done", "[]", "[0.5]", 0.0)]
        assert project.database.one("PRAGMA user_version") == schema.VERSION


def test_what_was_a_setting_once_is_a_decision(first_version: Path) -> None:
    Project.open(first_version).close()
    with sqlite3.connect(first_version / FILE) as connection:
        connection.execute("INSERT INTO setting VALUES ('groups_joined', '[[1, 4], [2, 3]]'), ('groups_apart', '[[5, 6]]')")
        connection.execute("DROP TABLE line")
        connection.execute("PRAGMA user_version = 4")
    connection.close()
    with Project.open(first_version) as project:
        found = judged(project.log())
        assert (found.same, found.apart) == (((1, 4), (2, 3)), ((5, 6),))
        assert project.setting("groups_joined") == ""


def test_a_migration_that_fails_leaves_the_database_as_it_was(first_version: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = ("CREATE TABLE note (text TEXT DEFAULT 'a;b')", "ALTER TABLE nowhere ADD COLUMN text TEXT")
    monkeypatch.setattr(schema, "MIGRATIONS", (schema.MIGRATIONS[0], broken))
    with pytest.raises(sqlite3.OperationalError, match="nowhere"):
        Project.open(first_version)
    with sqlite3.connect(first_version / FILE) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)
        assert connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'note'").fetchall() == []
    connection.close()


def test_a_project_of_a_newer_version_is_refused(first_version: Path) -> None:
    with sqlite3.connect(first_version / FILE) as connection:
        connection.execute(f"PRAGMA user_version = {schema.VERSION + 1}")
    connection.close()
    with pytest.raises(BadInput, match="newer Rollcall"):
        Project.open(first_version)


def test_all_tables_but_jobs_are_exported_and_saved() -> None:
    assert set(schema.tables()) - set(schema.TABLES) == {"job"}


def test_a_column_says_which_values_it_takes() -> None:
    face = {column.name: column for column in schema.tables()["face"].columns}
    assert face["track"].types == (int, type(None))
    assert face["score"].types == (int, float)
    assert face["id"].key == 1
