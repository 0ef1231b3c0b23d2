"""The table ``line``: captions that were read off the screen or heard, with their times and places."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from core.records import Box, NewLine, SourceLine
from core.store.decisions.log import Log
from core.store.tables.database import Database

COLUMNS = "source, kind, start, stop, text, left_, top, right_, bottom, name, logodds, score"


NEAR = 0.15  # seconds by which a frame may miss a line that it was taken for


def insert(database: Database, source: int, lines: Sequence[NewLine], names: Mapping[str, int]) -> None:
    """Adds the lines of a source; ``names`` has the numbers of the names in them."""
    rows = [
        (source, one.kind, one.start, one.stop, one.text, *_corners(one.box), names.get(one.name), one.logodds, one.score)
        for one in lines
    ]
    database.many(f"INSERT INTO line ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)


def read(database: Database, log: Log, source: int | None = None, at: float | None = None) -> list[SourceLine]:
    """All lines in the order of their sources and times, those of a source, or those at a moment of it."""
    where = "" if source is None else " WHERE source = ?"
    values: list[float] = [] if source is None else [source]
    if source is not None and at is not None:
        where, values = f"{where} AND start <= ? AND stop >= ?", [source, at + NEAR, at - NEAR]
    rows = database.rows(f"SELECT id, {COLUMNS} FROM line{where} ORDER BY source, start, top, id", values)
    return [_line(row, log) for row in rows]


def _line(row: Any, log: Log) -> SourceLine:
    number, source, kind, start, stop, text, left, top, right, bottom, name, logodds, score = row
    box = None if left is None else Box(left, top, right, bottom)
    called = "" if name is None else log.text(name)
    return SourceLine(number, source, kind, start, stop, text, box, called, logodds, score)


def remove_source(database: Database, source: int, kinds: Sequence[str] | None = None) -> None:
    """Removes the lines of a source, or those of some kinds."""
    if kinds is None:
        database.run("DELETE FROM line WHERE source = ?", (source,))
    else:
        database.many("DELETE FROM line WHERE source = ? AND kind = ?", [(source, kind) for kind in kinds])


def forget(database: Database, names: Sequence[int], pattern: re.Pattern[str], replacement: str) -> None:
    """Forgets names, and replaces what ``pattern`` finds in the texts."""
    database.many("UPDATE line SET name = NULL, logodds = 0 WHERE name = ?", [(name,) for name in names])
    found = [(number, text) for number, text in database.rows("SELECT id, text FROM line") if pattern.search(text)]
    database.many("UPDATE line SET text = ? WHERE id = ?", [(pattern.sub(replacement, text), n) for n, text in found])


def _corners(box: Box | None) -> tuple[float | None, ...]:
    return (None,) * 4 if box is None else (box.left, box.top, box.right, box.bottom)
