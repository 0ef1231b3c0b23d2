"""The table ``decision``: the log's entries on the disk. Entries are only ever added."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from core.store.decisions.entries import REMOVED, Decision
from core.store.tables.database import Database

COLUMNS = "id, uid, step, at, who, kind, face, frame, name, other, text, replaces"
INSERT = (
    "INSERT INTO decision (uid, step, at, who, kind, face, frame, name, other, text, replaces)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)

Row = tuple[str, str, str, str, str, int | None, int | None, int | None, int | None, str, str]


def read(database: Database, after: int) -> list[Decision]:
    """The entries with numbers above ``after``."""
    rows = database.rows(f"SELECT {COLUMNS} FROM decision WHERE id > ? ORDER BY id", (after,))
    return [Decision(*(*row[:-1], tuple(json.loads(row[-1])))) for row in rows]


def insert(database: Database, rows: Sequence[Row]) -> None:
    database.many(INSERT, rows)


def former_names(database: Database, names: Sequence[int]) -> set[str]:
    """The texts that the names were ever renamed to."""
    marks = ",".join("?" * len(names))
    rows = database.rows(f"SELECT text FROM decision WHERE kind = 'rename' AND name IN ({marks})", names)
    return {row[0] for row in rows}


def redact(database: Database, names: Iterable[int]) -> None:
    """Takes the texts out of entries about the names; the entries stay."""
    database.many("UPDATE decision SET text = ? WHERE name = ? AND text <> ''", [(REMOVED, name) for name in names])
