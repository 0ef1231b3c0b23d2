"""The tables ``skip`` and ``place``: which frames a person put off, and where that person left off."""

from __future__ import annotations

import numpy as np

from core.problem import IntArray
from core.store.tables.database import Database, timestamp


def skip(database: Database, who: str, frame: int) -> None:
    database.run("INSERT OR REPLACE INTO skip (frame, who, at) VALUES (?, ?, ?)", (frame, who, timestamp()))


def skipped(database: Database, who: str) -> IntArray:
    """The frames that ``who`` put off."""
    return np.array([row[0] for row in database.rows("SELECT frame FROM skip WHERE who = ?", (who,))], np.int64)


def skips_state(database: Database, who: str) -> int:
    """A number that changes whenever ``who`` skips a frame."""
    return int(database.one("SELECT coalesce(max(rowid), 0) FROM skip WHERE who = ?", (who,)))


def place(database: Database, who: str) -> int | None:
    """The frame where ``who`` left off."""
    rows = database.rows("SELECT frame FROM place WHERE who = ?", (who,))
    return int(rows[0][0]) if rows else None


def set_place(database: Database, who: str, frame: int) -> None:
    """Notes the frame where ``who`` is; in a damaged project nothing is noted."""
    if not database.read_only:
        database.run("INSERT OR REPLACE INTO place (who, frame) VALUES (?, ?)", (who, frame))
