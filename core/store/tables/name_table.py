"""The tables ``name`` (every spelling, numbered) and ``mention`` (which names a frame's caption holds)."""

from __future__ import annotations

import json
from collections.abc import Sequence

from core.records import Mention
from core.store.decisions.entries import REMOVED
from core.store.decisions.log import Log
from core.store.tables.database import Database, among


def read(database: Database, after: int) -> list[tuple[int, str]]:
    """The names with numbers above ``after``."""
    return database.rows("SELECT id, text FROM name WHERE id > ? ORDER BY id", (after,))


def insert(database: Database, text: str) -> int:
    """Adds a name; gives its number. Within a transaction."""
    return database.run("INSERT INTO name (id, text) SELECT coalesce(max(id), -1) + 1, ? FROM name", (text,))


def insert_mentions(database: Database, rows: Sequence[tuple[int, int, int, str, str]]) -> None:
    """Adds mentions as (frame, name, place, spans as JSON, kind)."""
    database.many("INSERT OR IGNORE INTO mention (frame, name, place, spans, kind) VALUES (?, ?, ?, ?, ?)", rows)


def read_mentions(database: Database, log: Log, ids: Sequence[int] | None = None) -> dict[int, tuple[Mention, ...]]:
    """By frame, the names in its caption as they are called now, then those that people added."""
    where, values = among("frame", ids)
    rows = database.rows(f"SELECT frame, name, spans, kind FROM mention{where} ORDER BY frame, place", values)
    found: dict[int, dict[str, Mention]] = {}
    for frame, name, spans, kind in rows:
        text, of_frame = log.text(name), found.setdefault(frame, {})
        earlier = of_frame[text].spans if text in of_frame else ()
        kind = of_frame[text].kind if text in of_frame else kind
        places = ((a, b) for a, b in json.loads(spans)) if spans != "[]" else ()
        of_frame[text] = Mention(text, tuple(sorted({*earlier, *places})), kind=kind)
    for frame in log.mentioned if ids is None else [frame for frame in ids if frame in log.mentioned]:
        for entry in log.mentioned[frame]:
            if log.in_force(entry) and entry.name is not None:
                text = log.text(entry.name)
                found.setdefault(frame, {}).setdefault(text, Mention(text, (), added=True))
    return {frame: tuple(of_frame.values()) for frame, of_frame in found.items()}


def mentions_state(database: Database) -> tuple[int, int]:
    """Two numbers that change whenever captions name others."""
    found: tuple[int, int] = database.first("SELECT count(*), coalesce(sum(frame * 7919 + name), 0) FROM mention")
    return found


def count_mentions(database: Database, source: int) -> list[tuple[int, int]]:
    """The names in the captions of a source, each with how many hold it."""
    return database.rows(
        "SELECT mention.name, count(*) FROM mention JOIN frame ON frame.id = mention.frame WHERE frame.source = ?"
        " GROUP BY mention.name",
        (source,),
    )


def remove(database: Database, names: Sequence[int]) -> None:
    """Removes mentions of the names; the names' rows stay, without their texts, for the log refers to them."""
    database.many("DELETE FROM mention WHERE name = ?", [(name,) for name in names])
    database.many("UPDATE name SET text = ? WHERE id = ?", [(f"{REMOVED} {name}", name) for name in names])


def remove_mentions(database: Database, frames: Sequence[int]) -> None:
    """Removes the names in the captions of ``frames``."""
    database.many("DELETE FROM mention WHERE frame = ?", [(frame,) for frame in frames])


def forget_spans(database: Database, frames: Sequence[int]) -> None:
    """Forgets where in the captions of ``frames`` names stand."""
    database.many("UPDATE mention SET spans = '[]' WHERE frame = ?", [(frame,) for frame in frames])
