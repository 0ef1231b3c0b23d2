"""The tables of an archive: its films, the pieces of them that were looked at, and its projects, each with its state.

One process writes, the coordinator; others read. What is noted here is on the disk when the call returns, so whatever ends
the coordinator, the next one knows what is left.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from core.errors import BadInput

State = Literal["waiting", "running", "done", "failed"]
STATES: tuple[State, ...] = ("waiting", "running", "done", "failed")
FILE = "archive.sqlite"
VERSION = 1
PATIENCE = 15.0  # seconds to wait for another program
TABLES = (
    """CREATE TABLE IF NOT EXISTS film (
        id INTEGER PRIMARY KEY, project TEXT NOT NULL, path TEXT NOT NULL UNIQUE, captions TEXT NOT NULL,
        cast_list TEXT NOT NULL, state TEXT NOT NULL, message TEXT NOT NULL, content TEXT NOT NULL,
        duration REAL NOT NULL, pieces INTEGER NOT NULL, looked INTEGER NOT NULL, updated REAL NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS film_by_project ON film (project)",
    "CREATE INDEX IF NOT EXISTS film_by_state ON film (state)",
    "CREATE TABLE IF NOT EXISTS piece (film INTEGER NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (film, number))",
    """CREATE TABLE IF NOT EXISTS project (
        name TEXT PRIMARY KEY, title TEXT NOT NULL, state TEXT NOT NULL, message TEXT NOT NULL)""",
)
COLUMNS = "id, project, path, captions, cast_list, state, message, content, duration, pieces, looked, updated"


class Unusable(BadInput):
    """The archive itself cannot be written or read: no film is to blame, and all work on it ends."""


@dataclass(frozen=True)
class NewFilm:
    """A film to take in: which project it belongs to, and where it and what belongs to it lie."""

    project: str  # the project's folder
    title: str  # of the project
    path: Path
    captions: Path | None = None
    cast: Path | None = None


@dataclass(frozen=True)
class Film:
    """A film of the archive and how far it is."""

    id: int
    project: str
    path: Path
    captions: Path | None
    cast: Path | None
    state: State
    message: str  # what came in, or why not
    content: str  # its key; "" as long as it was not scanned
    duration: float
    pieces: int
    looked: int  # pieces that were looked at
    updated: float


@dataclass(frozen=True)
class ProjectState:
    """Whether the faces of a project have been named since its films came in."""

    name: str
    title: str
    state: State
    message: str


class States:
    """The tables in one file."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.lock = folder, threading.RLock()
        with self._said():
            self._connection = sqlite3.connect(
                folder / FILE, timeout=PATIENCE, isolation_level=None, check_same_thread=False
            )
            version = self._connection.execute("PRAGMA user_version").fetchone()[0]
            if version > VERSION:
                raise BadInput(f"{folder}: this archive was made by a newer Rollcall; update Rollcall to open it")
            if version < VERSION:
                self._connection.execute("PRAGMA journal_mode = WAL")
                for statement in TABLES:
                    self._connection.execute(statement)
                self._connection.execute(f"PRAGMA user_version = {VERSION}")
            self._connection.execute("PRAGMA synchronous = FULL")

    def close(self) -> None:
        with self.lock:
            self._connection.close()

    # --- Reading -------------------------------------------------------------------------------------------------------

    def films(self, state: State | None = None, start: int = 0, many: int = -1, text: str = "") -> list[Film]:
        """Films in the order in which they were added; those of a state, or with a text in their path or project."""
        where = "WHERE (? IS NULL OR state = ?) AND (instr(lower(path), ?) OR instr(lower(project), ?))"
        values = (state, state, text.lower(), text.lower(), many, start)
        rows = self._rows(f"SELECT {COLUMNS} FROM film {where} ORDER BY id LIMIT ? OFFSET ?", values)
        return [_film(row) for row in rows]

    def many(self, state: State | None = None, text: str = "") -> int:
        """How many films there are of a state and with a text."""
        where = "WHERE (? IS NULL OR state = ?) AND (instr(lower(path), ?) OR instr(lower(project), ?))"
        return int(self._rows(f"SELECT count(*) FROM film {where}", (state, state, text.lower(), text.lower()))[0][0])

    def films_after(self, number: int, state: State, many: int) -> list[Film]:
        """The next films of a state behind a number."""
        values = (number, state, many)
        rows = self._rows(f"SELECT {COLUMNS} FROM film WHERE id > ? AND state = ? ORDER BY id LIMIT ?", values)
        return [_film(row) for row in rows]

    def film(self, number: int) -> Film:
        return _film(self._rows(f"SELECT {COLUMNS} FROM film WHERE id = ?", (number,))[0])

    def of_project(self, name: str) -> list[Film]:
        return [_film(row) for row in self._rows(f"SELECT {COLUMNS} FROM film WHERE project = ? ORDER BY id", (name,))]

    def counts(self) -> dict[State, int]:
        """How many films are in which state."""
        found = dict(self._rows("SELECT state, count(*) FROM film GROUP BY state"))
        return {state: int(found.get(state, 0)) for state in STATES}

    def pieces(self, film: int) -> set[int]:
        """The pieces of a film that were looked at."""
        return {row[0] for row in self._rows("SELECT number FROM piece WHERE film = ?", (film,))}

    def projects(self) -> list[ProjectState]:
        return [ProjectState(*row) for row in self._rows("SELECT name, title, state, message FROM project ORDER BY name")]

    def projects_named(self, names: Collection[str]) -> list[ProjectState]:
        return [self.project(name) for name in names]

    def project(self, name: str) -> ProjectState:
        found = self._rows("SELECT name, title, state, message FROM project WHERE name = ?", (name,))
        if not found:
            raise BadInput(f"{self.folder}: there is no project {name!r} in this archive; choose one from its list")
        return ProjectState(*found[0])

    # --- Writing: the coordinator alone --------------------------------------------------------------------------------

    def add(self, films: Sequence[NewFilm]) -> int:
        """Adds films that are not there yet; gives how many were new."""
        rows = [(film.project, str(film.path), _text(film.captions), _text(film.cast), time.time()) for film in films]
        titles = {film.project: film.title for film in films}
        with self._transaction():
            before = self._rows("SELECT count(*) FROM film")[0][0]
            self._many(
                "INSERT OR IGNORE INTO film (project, path, captions, cast_list, state, message, content, duration, pieces,"
                " looked, updated) VALUES (?, ?, ?, ?, 'waiting', '', '', 0, 0, 0, ?)",
                rows,
            )
            self._many(
                "INSERT OR IGNORE INTO project (name, title, state, message) VALUES (?, ?, 'waiting', '')",
                list(titles.items()),
            )
            return int(self._rows("SELECT count(*) FROM film")[0][0] - before)

    def begin(self, retry: bool) -> None:
        """What the last coordinator left unfinished waits again; with ``retry`` also what failed."""
        with self._transaction():
            self._run("UPDATE film SET state = 'waiting' WHERE state = 'running' OR (? AND state = 'failed')", (retry,))
            self._run("UPDATE project SET state = 'waiting' WHERE state = 'running' OR (? AND state = 'failed')", (retry,))

    def scanned(self, film: int, content: str, duration: float, pieces: int) -> None:
        """Notes what a film is. Pieces of another film that lay in its place before do not count."""
        with self._transaction():
            if self.film(film).content != content or self.film(film).pieces != pieces:
                self._run("DELETE FROM piece WHERE film = ?", (film,))
                self._run("UPDATE film SET looked = 0 WHERE id = ?", (film,))
            self._run(
                "UPDATE film SET content = ?, duration = ?, pieces = ? WHERE id = ?", (content, duration, pieces, film)
            )

    def looked_at(self, film: int, piece: int) -> None:
        with self._transaction():
            self._run("INSERT OR IGNORE INTO piece (film, number) VALUES (?, ?)", (film, piece))
            self._run(
                "UPDATE film SET looked = (SELECT count(*) FROM piece WHERE piece.film = film.id), updated = ? WHERE id = ?",
                (time.time(), film),
            )

    def set_state(self, film: int, state: State, message: str = "") -> None:
        """Notes a film's state. When one came in or is to come in anew, its project is to be named again."""
        with self._transaction():
            self._run(
                "UPDATE film SET state = ?, message = ?, updated = ? WHERE id = ?", (state, message, time.time(), film)
            )
            if state == "done":
                self._run(
                    "UPDATE project SET state = 'waiting' WHERE name = (SELECT project FROM film WHERE id = ?)", (film,)
                )

    def set_project(self, name: str, state: State, message: str = "") -> None:
        self._run("UPDATE project SET state = ?, message = ? WHERE name = ?", (state, message, name))

    # --- The connection ------------------------------------------------------------------------------------------------

    def _rows(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        with self.lock, self._said():
            return self._connection.execute(sql, values).fetchall()

    def _run(self, sql: str, values: Sequence[Any] = ()) -> None:
        with self.lock, self._said():
            self._connection.execute(sql, values)

    def _many(self, sql: str, values: Sequence[Sequence[Any]]) -> None:
        with self.lock, self._said():
            self._connection.executemany(sql, values)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self.lock:
            if self._connection.in_transaction:
                yield
                return
            self._run("BEGIN IMMEDIATE")
            try:
                yield
                self._run("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _said(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            what = f"{FILE} cannot be used ({error}); see whether the disk is full, or restore it from a backup"
            raise Unusable(f"{self.folder}: {what}") from error


def _film(row: Sequence[Any]) -> Film:
    return Film(row[0], row[1], Path(row[2]), _path(row[3]), _path(row[4]), *row[5:])


def _text(path: Path | None) -> str:
    return "" if path is None else str(path)


def _path(text: str) -> Path | None:
    return Path(text) if text else None
