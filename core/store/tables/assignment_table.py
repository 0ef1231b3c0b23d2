"""The table ``assignment``: which frames are given to whom, and which of them are answered blind by two people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.store.tables.database import Database, timestamp


@dataclass(frozen=True)
class Assignment:
    frame: int
    who: str
    blind: bool  # others who have the frame, too, do not see the answers until all have answered
    giver: str
    at: str


def read(database: Database) -> list[Assignment]:
    rows = database.rows("SELECT frame, who, blind, giver, at FROM assignment ORDER BY frame, who")
    return [Assignment(frame, who, bool(blind), giver, at) for frame, who, blind, giver, at in rows]


def insert(database: Database, giver: str, rows: Sequence[tuple[int, str, bool]]) -> None:
    """Gives frames to people, as (frame, who, blind)."""
    now = timestamp()
    database.many(
        "INSERT OR REPLACE INTO assignment (frame, who, blind, giver, at) VALUES (?, ?, ?, ?, ?)",
        [(frame, who, int(blind), giver, now) for frame, who, blind in rows],
    )


def remove(database: Database, who: str) -> None:
    """Takes back all that ``who`` was given."""
    database.run("DELETE FROM assignment WHERE who = ?", (who,))


def frames_of(database: Database, who: str) -> list[int]:
    """The frames that ``who`` was given."""
    return [row[0] for row in database.rows("SELECT frame FROM assignment WHERE who = ? ORDER BY frame", (who,))]


def state(database: Database) -> tuple[int, str]:
    """Two values that change whenever frames are given or taken back."""
    found: tuple[int, str] = database.rows("SELECT count(*), coalesce(max(at), '') FROM assignment")[0]
    return found


def blind(database: Database) -> tuple[dict[int, set[str]], list[tuple[int, int]]]:
    """By blind frame who has it, and all faces in such frames as (face, frame)."""
    people: dict[int, set[str]] = {}
    for frame, who in database.rows("SELECT frame, who FROM assignment WHERE blind = 1"):
        people.setdefault(frame, set()).add(who)
    faces = database.rows("SELECT id, frame FROM face WHERE frame IN (SELECT frame FROM assignment WHERE blind = 1)")
    return people, faces
