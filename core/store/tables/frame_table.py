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
    "INSERT INTO frame (id, source, time, path, width, height, caption, shot, pictured) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def read(database: Database, folder: Path, ids: Sequence[int] | None = None) -> list[Frame]:
    """All frames by number, or the asked ones."""
    where, values = among("id", ids)
    columns = "id, source, time, path, width, height, caption, shot, pictured"
    rows = database.rows(f"SELECT {columns} FROM frame{where} ORDER BY id", values)
    pictures = (files.frame_path(folder, row[0]) if row[-1] else None for row in rows)
    return [Frame(*(*row[:-1], picture)) for row, picture in zip(rows, pictures, strict=True)]


def insert(database: Database, rows: Sequence[Sequence[Any]]) -> None:
    database.many(INSERT, rows)


def next_number(database: Database) -> int:
    return int(database.one("SELECT coalesce(max(id), -1) + 1 FROM frame"))


def moments(database: Database) -> list[tuple[int, float | None, int]]:
    """All frames as (number, time, source), in the order of their sources and times."""
    return database.rows("SELECT id, time, source FROM frame ORDER BY source, coalesce(time, 0), id")


def redact(database: Database, pattern: re.Pattern[str], replacement: str) -> list[int]:
    """Replaces what ``pattern`` finds in captions; gives the frames whose captions changed."""
    found = [(frame, text) for frame, text in database.rows("SELECT id, caption FROM frame") if pattern.search(text)]
    changed = [(pattern.sub(replacement, text), frame) for frame, text in found]
    database.many("UPDATE frame SET caption = ? WHERE id = ?", changed)
    return [frame for frame, _ in found]
