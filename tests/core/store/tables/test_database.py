"""What goes wrong with a database, in plain words, and transactions."""

from __future__ import annotations

import sqlite3
import stat

import pytest

from core.errors import BadInput
from core.store.project import Change, Project
from core.store.tables.database import FILE, count, missing


def test_a_database_locked_by_another_program_says_so(project, monkeypatch):
    monkeypatch.setattr("core.store.tables.database.PATIENCE", 0.1)
    other = sqlite3.connect(project.folder / FILE, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with Project.open(project.folder) as impatient, pytest.raises(BadInput, match="another program"):
        impatient.decide("Ann", Change("nobody", face=0))
    other.execute("ROLLBACK")
    other.close()
    assert not project.log().entries


@pytest.mark.usefixtures("permissions")
def test_a_read_only_folder_says_so(project):
    project.close()
    for path in [project.folder, *project.folder.rglob("*")]:
        path.chmod(path.stat().st_mode & ~(stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH))
    with pytest.raises(BadInput, match="cannot be written"):
        Project.open(project.folder).decide("Ann", Change("nobody", face=0))


def test_a_full_disk_changes_nothing(project):
    pages = project.database.one("PRAGMA page_count")
    project.database.run(f"PRAGMA max_page_count = {pages}")
    written = 0

    def fill() -> None:
        nonlocal written
        for _ in range(5000):
            project.decide("Ann" * 60, Change("nobody", face=0))
            written += 1

    with pytest.raises(BadInput, match="disk is full"):
        fill()
    with Project.open(project.folder) as again:
        assert len(again.log().entries) == written


def test_a_transaction_within_another_is_part_of_it(project: Project) -> None:
    database = project.database

    def fail() -> None:
        with database.transaction():
            with database.transaction():
                project.set_setting("inner", "1")
            raise BadInput("after the inner one")

    with pytest.raises(BadInput, match="after the inner one"):
        fail()
    assert project.setting("inner") == ""
    assert database.rollbacks == 1
    with database.transaction():
        project.set_setting("inner", "1")
    assert (project.setting("inner"), database.rollbacks) == ("1", 1)


def test_missing_rows_are_found_among_more_than_one_query_takes(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.store.tables.database.A_QUERY", 2)
    assert missing(project.database, "frame", [0, 1, 2, 11, 12, 99]) == {12, 99}
    assert missing(project.database, "face", []) == set()


def test_only_tables_are_counted(project: Project) -> None:
    assert count(project.database, "frame") == 12
    with pytest.raises(KeyError):
        count(project.database, "frame; DROP TABLE face")


def test_a_row_that_is_kept_follows_what_is_written_here_elsewhere_and_rolled_back(project):
    def settings() -> int:
        return project.database.first("SELECT count(*) FROM setting")[0]

    before = settings()
    project.set_setting("one", "1")
    assert settings() == before + 1
    with Project.open(project.folder) as other:
        other.set_setting("two", "2")
        assert settings() == before + 2

    def broken_off() -> None:
        with project.database.transaction():
            project.set_setting("three", "3")
            assert settings() == before + 3
            raise ValueError("enough")

    with pytest.raises(ValueError, match="enough"):
        broken_off()
    assert settings() == before + 2
