"""The tables ``project`` (one row about the project itself) and ``setting``."""

from __future__ import annotations

import uuid
from typing import Any, Literal, get_args

from core.errors import BadInput
from core.store.tables.database import Database, timestamp

Fact = Literal["uid", "title", "created", "opened", "embedder", "dimension"]


def create(database: Database, title: str) -> None:
    """Writes the row of a new project."""
    now = timestamp()
    values = (uuid.uuid4().hex, title, now, now)
    database.run("INSERT INTO project (uid, title, created, opened) VALUES (?, ?, ?, ?)", values)


def exists(database: Database) -> bool:
    return bool(database.rows("SELECT 1 FROM project"))


def fact(database: Database, what: Fact) -> Any:
    """One column of the project's row."""
    assert what in get_args(Fact)
    return database.one(f"SELECT {what} FROM project")


def set_opened(database: Database) -> None:
    """Notes that somebody opened the project now; a damaged one is only read."""
    if not database.read_only:
        database.run("UPDATE project SET opened = ?", (timestamp(),))


def set_title(database: Database, title: str) -> None:
    if not title.strip():
        raise BadInput("a project needs a title; type one")
    database.run("UPDATE project SET title = ?", (title.strip(),))


def set_embedder(database: Database, embedder: str, dimension: int) -> None:
    """Notes what describes the project's faces, and with how many numbers."""
    database.run("UPDATE project SET embedder = ?, dimension = ?", (embedder, dimension))


def setting(database: Database, name: str, default: str) -> str:
    rows = database.rows("SELECT value FROM setting WHERE name = ?", (name,))
    return str(rows[0][0]) if rows else default


def set_setting(database: Database, name: str, value: str) -> None:
    database.run("INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)", (name, value))
