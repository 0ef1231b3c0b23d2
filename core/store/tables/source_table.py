"""The table ``source``: the videos, folders of pictures and problem files that a project was made from."""

from __future__ import annotations

from core.records import NewSource, Source
from core.store.tables.database import Database, timestamp


def read(database: Database) -> list[Source]:
    rows = database.rows("SELECT id, kind, path, title, content, duration, added, summary FROM source ORDER BY id")
    return [Source(*row) for row in rows]


def insert(database: Database, source: NewSource) -> int:
    """Adds a source; gives its number."""
    return database.run(
        "INSERT INTO source (kind, path, title, content, duration, added) VALUES (?, ?, ?, ?, ?, ?)",
        (source.kind, source.path, source.title, source.content, source.duration, timestamp()),
    )


def set_summary(database: Database, source: int, summary: str) -> None:
    """Keeps what came in with a source, as JSON."""
    database.run("UPDATE source SET summary = ? WHERE id = ?", (summary, source))


def remove(database: Database, source: int) -> None:
    """Removes a source whose frames and tracks are gone."""
    database.run("DELETE FROM source WHERE id = ?", (source,))


def forget_folders(database: Database) -> None:
    """Notes each source by its title alone, to be found beside the project wherever that is copied to."""
    database.run("UPDATE source SET path = title")


def set_path(database: Database, source: int, path: str) -> None:
    """Notes where a source lies now."""
    database.run("UPDATE source SET path = ? WHERE id = ?", (path, source))
