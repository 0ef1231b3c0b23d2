"""The table ``run``: which runs there were. Their answers are files, see ``runs.py``."""

from __future__ import annotations

from dataclasses import dataclass

from core.store.tables.database import Database, among

COLUMNS = "id, method, settings, seed, at, seconds, faces, answered, version, accuracy"


@dataclass(frozen=True)
class Run:
    """One run of a method."""

    id: int
    method: str
    settings: str
    seed: int
    at: str
    seconds: float
    faces: int
    answered: int  # faces that people had answered by then
    version: int  # of the log of decisions that the run took as fixed
    accuracy: float | None  # where the truth is known


def read(database: Database, number: int | None = None) -> list[Run]:
    """All runs, the first first; or one."""
    where, values = among("id", None if number is None else [number])
    return [Run(*row) for row in database.rows(f"SELECT {COLUMNS} FROM run{where} ORDER BY id", values)]


def last(database: Database, before: int | None = None) -> int | None:
    """The number of the last run, or of the last before another; None if there is none."""
    found: int | None
    if before is None:
        found = database.one("SELECT max(id) FROM run")
    else:
        found = database.one("SELECT max(id) FROM run WHERE id < ?", (before,))
    return found


def insert(database: Database, run: Run) -> int:
    """Adds a run; gives its number, whatever number ``run`` has."""
    return database.run(
        "INSERT INTO run (method, settings, seed, at, seconds, faces, answered, version, accuracy)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            run.method,
            run.settings,
            run.seed,
            run.at,
            run.seconds,
            run.faces,
            run.answered,
            run.version,
            run.accuracy,
        ),
    )


def remove(database: Database, number: int) -> None:
    database.run("DELETE FROM run WHERE id = ?", (number,))
