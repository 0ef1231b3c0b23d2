"""The tables ``track`` (who stays in view from when to when, and where) and ``evidence`` (whose lines a track speaks)."""

from __future__ import annotations

import json
from collections.abc import Sequence

from core.records import Box, NewTrack, Track
from core.store.tables.database import Database


def next_number(database: Database) -> int:
    """Tracks of problem files have no row, but their faces bear their numbers."""
    return int(
        database.one("SELECT coalesce(max(id), -1) + 1 FROM (SELECT track AS id FROM face UNION ALL SELECT id FROM track)")
    )


def insert(database: Database, first: int, source: int, tracks: Sequence[NewTrack]) -> None:
    """Adds the tracks of a source, numbered from ``first``."""
    rows = [
        (first + k, source, track.start, track.stop, json.dumps([[time, *_corners(box)] for time, box in track.boxes]))
        for k, track in enumerate(tracks)
    ]
    database.many("INSERT INTO track (id, source, start, stop, boxes) VALUES (?, ?, ?, ?, ?)", rows)


def read(database: Database, source: int | None = None) -> list[Track]:
    """All tracks by number, or those of a source."""
    where, values = ("", ()) if source is None else (" WHERE source = ?", (source,))
    rows = database.rows(f"SELECT id, source, start, stop, boxes FROM track{where} ORDER BY id", values)
    return [
        Track(number, of, start, stop, tuple((time, Box(*box)) for time, *box in json.loads(boxes)))
        for number, of, start, stop, boxes in rows
    ]


def spans(database: Database) -> dict[int, tuple[float, float]]:
    """By track, from when to when."""
    return {number: (start, stop) for number, start, stop in database.rows("SELECT id, start, stop FROM track")}


def insert_evidence(database: Database, rows: Sequence[tuple[int, int, float]]) -> None:
    """Adds what speaks for a name by itself, as (track, name, log-odds)."""
    database.many("INSERT INTO evidence (track, name, logodds) VALUES (?, ?, ?)", rows)


def read_evidence(database: Database) -> list[tuple[int, int, float]]:
    """All of it as (track, name, log-odds)."""
    return database.rows("SELECT track, name, logodds FROM evidence ORDER BY track, name")


def remove(database: Database, names: Sequence[int]) -> None:
    """Removes tracks that no face is in any more, and what speaks for them or for the names."""
    database.run("DELETE FROM track WHERE id NOT IN (SELECT track FROM face WHERE track IS NOT NULL)")
    database.run("DELETE FROM evidence WHERE track NOT IN (SELECT id FROM track)")
    database.many("DELETE FROM evidence WHERE name = ?", [(name,) for name in names])


def remove_source(database: Database, source: int) -> None:
    """Removes the tracks of a source, and what speaks for them."""
    remove_evidence(database, source)
    database.run("DELETE FROM track WHERE source = ?", (source,))


def remove_evidence(database: Database, source: int) -> None:
    """Removes what speaks for names on the tracks of a source."""
    database.run("DELETE FROM evidence WHERE track IN (SELECT id FROM track WHERE source = ?)", (source,))


def _corners(box: Box) -> tuple[float, float, float, float]:
    return box.left, box.top, box.right, box.bottom
