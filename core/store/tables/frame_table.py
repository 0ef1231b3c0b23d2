"""The table ``frame``: moments of videos, and pictures, with their captions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.records import Frame
from core.store import files
from core.store.tables.database import Database, among

INSERT = (
    "INSERT INTO frame (id, source, time, path, width, height, caption, shot, pictured, content)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def read(database: Database, folder: Path, ids: Sequence[int] | None = None) -> list[Frame]:
    """All frames by number, or the asked ones."""
    where, values = among("id", ids)
    columns = "id, source, time, path, width, height, caption, shot, pictured, content"
    rows = database.rows(f"SELECT {columns} FROM frame{where} ORDER BY id", values)
    pictures = (files.frame_path(folder, row[0]) if row[8] else None for row in rows)
    return [Frame(*(*row[:8], picture, row[9])) for row, picture in zip(rows, pictures, strict=True)]


def insert(database: Database, rows: Sequence[Sequence[Any]]) -> None:
    database.many(INSERT, rows)


def next_number(database: Database) -> int:
    """Never a number that the log knows, since that may be of a frame that was taken out."""
    known = "SELECT id FROM frame UNION ALL SELECT frame FROM decision"
    return int(database.one(f"SELECT coalesce(max(id), -1) + 1 FROM ({known})"))


def state(database: Database) -> tuple[int, int]:
    """Two numbers that change whenever frames come or go."""
    found: tuple[int, int] = database.first("SELECT count(*), coalesce(max(id), -1) FROM frame")
    return found


def set_captions(database: Database, captions: Sequence[tuple[str, int]]) -> None:
    """Replaces captions, given as (text, frame)."""
    database.many("UPDATE frame SET caption = ? WHERE id = ?", captions)


def remove(database: Database, source: int) -> None:
    """Removes the frames of a source with their captions' names; their faces must be gone."""
    known = "SELECT id FROM frame WHERE source = ?"
    for table in ("mention", "skip", "place", "assignment"):
        database.run(f"DELETE FROM {table} WHERE frame IN ({known})", (source,))
    database.run("DELETE FROM frame WHERE source = ?", (source,))


def moments(database: Database) -> list[tuple[int, float | None, int]]:
    """All frames as (number, time, source), in the order of their sources and times."""
    return database.rows("SELECT id, time, source FROM frame ORDER BY source, coalesce(time, 0), id")


def redact(database: Database, pattern: re.Pattern[str], replacement: str) -> list[int]:
    """Replaces what ``pattern`` finds in captions; gives the frames whose captions changed."""
    found = [(frame, text) for frame, text in database.rows("SELECT id, caption FROM frame") if pattern.search(text)]
    changed = [(pattern.sub(replacement, text), frame) for frame, text in found]
    database.many("UPDATE frame SET caption = ? WHERE id = ?", changed)
    return [frame for frame, _ in found]
