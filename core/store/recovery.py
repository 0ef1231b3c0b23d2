"""What can be saved of a project whose database is damaged: a copy in memory, with everything that could still be read.

It is only to be read. What hangs on something lost is given a stand-in, so that nothing else has to go with it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import BadInput
from core.store import sqlite_pages
from core.store.decisions.log import KINDS
from core.store.files import EMBEDDINGS
from core.store.tables import schema

LOST = "(lost)"  # stands where a text was


@dataclass(frozen=True)
class _Shape:
    """How the rows of a table look in the file: their columns' types, and how many columns the shortest has."""

    name: str
    types: tuple[tuple[type, ...], ...]
    numbered: bool  # the first column is the row's own number, and empty in the file
    least: int

    def fits(self, values: tuple[sqlite_pages.Value, ...]) -> bool:
        if not self.least <= len(values) <= len(self.types):
            return False
        return all(isinstance(value, kinds) for value, kinds in zip(values, self.types, strict=False))


def salvage(path: Path) -> sqlite3.Connection:
    """A database in memory with all rows of the file at ``path`` that can be read."""
    journal = path.with_name(path.name + "-wal")
    try:
        found = _sorted_out(path.read_bytes(), journal.read_bytes() if journal.exists() else b"")
    except OSError as error:
        raise BadInput(f"{path.parent}: cannot be read ({error.strerror}); see whether the disk is still there") from error
    if not found["face"] and not found["decision"] and not found["frame"]:
        raise BadInput(f"{path.parent}: the project's database is damaged beyond saving; restore {path.name} from a backup")
    _fill_gaps(found, path.parent)
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    schema.create_tables(connection)
    for table, rows in found.items():
        columns = schema.tables()[table].names
        for row in rows.values():  # older ones may lack the last columns
            marks = ", ".join("?" * len(row))
            connection.execute(f"INSERT OR IGNORE INTO {table} ({', '.join(columns[: len(row)])}) VALUES ({marks})", row)
    return connection


def _sorted_out(file: bytes, journal: bytes) -> dict[str, dict[int, tuple[Any, ...]]]:
    """The rows by table and number: each goes to the table whose columns it has."""
    known = [_shape(schema.tables()[name]) for name in schema.TABLES]
    found: dict[str, dict[int, tuple[Any, ...]]] = {name: {} for name in schema.TABLES}
    for number, values in sqlite_pages.rows(file, journal):
        table = next((table for table in known if table.fits(values)), None)
        if table is not None:
            whole = (number, *values[1:]) if table.numbered else values
            if _sound(table.name, whole):
                found[table.name][number] = whole
    return found


def _shape(table: schema.Table) -> _Shape:
    columns = table.columns
    numbered = columns[0].affinity == "INTEGER" and columns[0].key == 1 and not any(column.key > 1 for column in columns)
    types = [column.types for column in columns]
    if numbered:
        types[0] = (type(None),)
    least = max(k + 1 for k, column in enumerate(columns) if column.default is None)
    return _Shape(table.name, tuple(types), numbered, least)


def _sound(table: str, row: tuple[Any, ...]) -> bool:
    """Whether what stands in a text that is read later can be read."""
    try:
        if table == "decision":
            return row[5] in KINDS and all(isinstance(uid, str) for uid in json.loads(row[11]))
        if table == "track":
            return all(len(numbers) == 5 and all(type(n) in (int, float) for n in numbers) for numbers in json.loads(row[4]))
        if table == "mention":
            return all(len(pair) == 2 and all(type(place) is int for place in pair) for pair in json.loads(row[3]))
    except (ValueError, TypeError, RecursionError):
        return False
    return True


def _fill_gaps(found: Mapping[str, dict[int, tuple[Any, ...]]], folder: Path) -> None:
    """Stand-ins for what others refer to."""
    frames, faces, names = found["frame"], found["face"], found["name"]
    for frame in {row[1] for row in faces.values()} | {row[0] for row in found["mention"].values()}:
        frames.setdefault(frame, (frame, 0, None, "", 0, 0, "", None, 0))
    for source in {row[1] for row in (*frames.values(), *found["track"].values(), *found["line"].values())}:
        found["source"].setdefault(source, (source, "pictures", "", LOST, "", None, ""))
    meant = {name for row in found["decision"].values() for name in row[8:10] if name is not None}
    meant |= {row[10] for row in found["line"].values() if row[10] is not None}
    for name in meant | {row[1] for table in ("mention", "evidence") for row in found[table].values()}:
        names.setdefault(name, (name, f"{LOST} {name}"))
    if not found["project"]:
        embeddings = folder / EMBEDDINGS
        size = embeddings.stat().st_size if embeddings.exists() else 0
        dimension = size // 4 // (max(faces) + 1) if faces else 0
        found["project"][1] = (LOST, folder.name, "", "", "", dimension)
    for number in sorted(found["project"])[1:]:
        del found["project"][number]
