"""What is searched for in an archive, in one table for all of its projects: which row of the index is which face, and who
is on screen when.

All of it comes from the projects, and may be deleted at any time.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from core.errors import BadInput

FILE = "search.sqlite"
VERSION = 2
PATIENCE = 15.0
MOST = 2000  # intervals that are listed at once
TABLES = (
    """CREATE TABLE IF NOT EXISTS project (
        name TEXT PRIMARY KEY, title TEXT NOT NULL, fingerprint TEXT NOT NULL, embedder TEXT NOT NULL,
        dimension INTEGER NOT NULL, first INTEGER NOT NULL, many INTEGER NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS project_by_row ON project (embedder, first)",
    """CREATE TABLE IF NOT EXISTS face (
        project TEXT NOT NULL, place INTEGER NOT NULL, face INTEGER NOT NULL, source TEXT NOT NULL, time REAL,
        name TEXT NOT NULL, PRIMARY KEY (project, place)) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS presence (
        project TEXT NOT NULL, source TEXT NOT NULL, name TEXT NOT NULL, start REAL NOT NULL, stop REAL NOT NULL,
        faces INTEGER NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS presence_by_name ON presence (name)",
    "CREATE INDEX IF NOT EXISTS presence_by_project ON presence (project)",
    # for how long somebody is in a project: to add up all intervals of 10,000 films takes longer than a reader waits
    """CREATE TABLE IF NOT EXISTS person (
        name TEXT NOT NULL, project TEXT NOT NULL, seconds REAL NOT NULL, PRIMARY KEY (name, project)) WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS person_by_project ON person (project)",
    # version 1 had no such table
    "INSERT OR REPLACE INTO person SELECT name, project, sum(stop - start) FROM presence GROUP BY name, project",
)


@dataclass(frozen=True)
class IndexedFace:
    """A face that stands for its track: where it is in which film, and what it is called there."""

    project: str
    title: str  # of the project
    face: int
    source: str
    time: float | None
    name: str  # "" where nobody knows


@dataclass(frozen=True)
class OnScreen:
    """Somebody is on screen in a film from ``start`` to ``stop``."""

    project: str
    title: str
    source: str
    name: str
    start: float
    stop: float


@dataclass(frozen=True)
class Somebody:
    """A name, in how many projects it is, and for how long in all."""

    name: str
    projects: int
    seconds: float


class Presence:
    """The tables in one file."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.folder = folder
        with self._said():
            self._connection = sqlite3.connect(
                folder / FILE, timeout=PATIENCE, isolation_level=None, check_same_thread=False
            )
            self._connection.execute("PRAGMA secure_delete = ON")  # what is deleted is overwritten
            if self._connection.execute("PRAGMA user_version").fetchone()[0] != VERSION:
                self._connection.execute("PRAGMA journal_mode = WAL")
                for statement in TABLES:
                    self._connection.execute(statement)
                self._connection.execute(f"PRAGMA user_version = {VERSION}")

    def close(self) -> None:
        self._connection.close()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Only one writes; another one is told to wait."""
        try:
            with FileLock(self.folder / "search.lock", mode=0o600).acquire(timeout=0):
                yield
        except Timeout as error:
            raise BadInput(f"{self.folder}: the search is being brought up to date; wait a moment") from error

    # --- Reading --------------------------------------------------------------------------------------------------------

    def fingerprints(self) -> dict[str, str]:
        """What each project was like when it was taken in here."""
        return dict(self._rows("SELECT name, fingerprint FROM project"))

    def embedders(self) -> list[tuple[str, int]]:
        """The kinds of vectors that there are, and their dimensions."""
        return [(row[0], row[1]) for row in self._rows("SELECT DISTINCT embedder, dimension FROM project WHERE many > 0")]

    def end(self, embedder: str) -> int:
        """How many rows of an embedder's vectors count."""
        found = self._rows("SELECT max(first + many) FROM project WHERE embedder = ?", (embedder,))[0][0]
        return int(found or 0)

    def alive(self, embedder: str) -> int:
        """How many of these belong to a project as it is now."""
        return int(self._rows("SELECT coalesce(sum(many), 0) FROM project WHERE embedder = ?", (embedder,))[0][0])

    def rows_of(self, name: str) -> tuple[str, int, int, int] | None:
        """Which rows a project has: the embedder, its dimension, the first row, and how many."""
        found = self._rows("SELECT embedder, dimension, first, many FROM project WHERE name = ?", (name,))
        return tuple(found[0]) if found else None

    def face_of(self, embedder: str, row: int) -> IndexedFace | None:
        """What a row of the vectors is; None for one that was replaced."""
        owners = self._rows(
            "SELECT name, title, first, many FROM project WHERE embedder = ? AND first <= ? ORDER BY first DESC LIMIT 1",
            (embedder, row),
        )
        if not owners or row >= owners[0][2] + owners[0][3]:
            return None
        name, title, first, _ = owners[0]
        found = self._rows("SELECT face, source, time, name FROM face WHERE project = ? AND place = ?", (name, row - first))
        return IndexedFace(name, title, *found[0]) if found else None

    def names(self, text: str = "", many: int = 50, start: int = 0) -> list[Somebody]:
        """The people who are longest on screen, those with a text in their names."""
        rows = self._rows(
            "SELECT name, count(*), sum(seconds) FROM person WHERE instr(lower(name), lower(?))"
            " GROUP BY name ORDER BY sum(seconds) DESC, name LIMIT ? OFFSET ?",
            (text, many, start),
        )
        return [Somebody(*row) for row in rows]

    def people(self, text: str = "") -> int:
        """How many people have a text in their names."""
        rows = self._rows(  # count(DISTINCT name) takes twice as long
            "SELECT count(*) FROM (SELECT 1 FROM person WHERE instr(lower(name), lower(?)) GROUP BY name)", (text,)
        )
        return int(rows[0][0])

    def somebody(self, name: str) -> Somebody | None:
        """One person, over all films."""
        rows = self._rows("SELECT name, count(*), sum(seconds) FROM person WHERE name = ? GROUP BY name", (name,))
        return Somebody(*rows[0]) if rows else None

    def moments(self, name: str) -> int:
        """How many times somebody is on screen."""
        return int(self._rows("SELECT count(*) FROM presence WHERE name = ?", (name,))[0][0])

    def portrait(self, name: str, project: str = "") -> tuple[str, int] | None:
        """A face of somebody, and its project; where none is named, the one in which they are longest on screen."""
        if not project:
            longest = self._rows("SELECT project FROM person WHERE name = ? ORDER BY seconds DESC LIMIT 1", (name,))
            project = longest[0][0] if longest else ""
        found = self._rows("SELECT face FROM face WHERE project = ? AND name = ? LIMIT 1", (project, name))
        return (project, int(found[0][0])) if found else None

    def on_screen(self, name: str, start: int = 0, many: int = MOST) -> list[OnScreen]:
        """When somebody is on screen, film by film."""
        rows = self._rows(
            "SELECT presence.project, project.title, presence.source, presence.name, presence.start, presence.stop"
            " FROM presence JOIN project ON project.name = presence.project WHERE presence.name = ?"
            " ORDER BY project.title, presence.source, presence.start LIMIT ? OFFSET ?",
            (name, many, start),
        )
        return [OnScreen(*row) for row in rows]

    # --- Writing --------------------------------------------------------------------------------------------------------

    def replace(
        self,
        name: str,
        title: str,
        fingerprint: str,
        embedder: tuple[str, int],
        first: int,
        faces: Sequence[tuple[int, str, float | None, str]],  # number, source, time, name
        seen: Sequence[tuple[str, str, float, float, int]],  # source, name, start, stop, faces
    ) -> None:
        """Puts a project in place of what it was before, all of it or nothing."""
        with self._said():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                self._forget(name)
                run, many = self._connection.execute, self._connection.executemany
                values = (name, title, fingerprint, *embedder, first, len(faces))
                run("INSERT INTO project VALUES (?, ?, ?, ?, ?, ?, ?)", values)
                many("INSERT INTO face VALUES (?, ?, ?, ?, ?, ?)", [(name, k, *one) for k, one in enumerate(faces)])
                many("INSERT INTO presence VALUES (?, ?, ?, ?, ?, ?)", [(name, *one) for one in seen])
                run(
                    "INSERT INTO person SELECT name, project, sum(stop - start) FROM presence WHERE project = ?"
                    " GROUP BY name",
                    (name,),
                )
                run("COMMIT")
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise

    def forget(self, name: str) -> None:
        """Takes a project out."""
        with self._said():
            self._forget(name)

    def _forget(self, name: str) -> None:
        for statement in (
            "DELETE FROM project WHERE name = ?",
            "DELETE FROM face WHERE project = ?",
            "DELETE FROM presence WHERE project = ?",
            "DELETE FROM person WHERE project = ?",
        ):
            self._connection.execute(statement, (name,))

    def _rows(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        with self._said():
            return self._connection.execute(sql, values).fetchall()

    @contextmanager
    def _said(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            what = f"{FILE} cannot be used ({error}); remove this folder, it is made anew from the projects"
            raise BadInput(f"{self.folder}: {what}") from error
