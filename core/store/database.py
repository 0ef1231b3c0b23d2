"""The project's database: its tables, how they came to be, and what goes wrong with it, in plain words.

Nothing but this file knows that it is SQLite; the SQL elsewhere is what every database understands.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from core.errors import BadInput

IntegrityError = sqlite3.IntegrityError
FILE = "project.sqlite"
PATIENCE = 15.0  # seconds to wait for another writer before saying so

# Each entry takes a database one version up. Entries are never changed once they were released, only added to.
MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE project (
        uid TEXT NOT NULL, title TEXT NOT NULL, created TEXT NOT NULL, opened TEXT NOT NULL,
        embedder TEXT NOT NULL DEFAULT '', dimension INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE source (
        id INTEGER PRIMARY KEY, kind TEXT NOT NULL, path TEXT NOT NULL, title TEXT NOT NULL, content TEXT NOT NULL,
        duration REAL, added TEXT NOT NULL);
    CREATE TABLE frame (
        id INTEGER PRIMARY KEY, source INTEGER NOT NULL REFERENCES source (id), time REAL, path TEXT NOT NULL,
        width INTEGER NOT NULL, height INTEGER NOT NULL, caption TEXT NOT NULL, shot INTEGER, pictured INTEGER NOT NULL);
    CREATE TABLE name (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
    CREATE TABLE mention (
        frame INTEGER NOT NULL REFERENCES frame (id), name INTEGER NOT NULL REFERENCES name (id), place INTEGER NOT NULL,
        spans TEXT NOT NULL, PRIMARY KEY (frame, name));
    CREATE TABLE face (
        id INTEGER PRIMARY KEY, frame INTEGER NOT NULL REFERENCES frame (id),
        left_ REAL NOT NULL, top REAL NOT NULL, right_ REAL NOT NULL, bottom REAL NOT NULL,
        score REAL NOT NULL, mark TEXT NOT NULL, track INTEGER, truth TEXT, cropped INTEGER NOT NULL);
    CREATE INDEX face_by_frame ON face (frame);
    CREATE TABLE decision (
        id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE, step TEXT NOT NULL, at TEXT NOT NULL,
        who TEXT NOT NULL, kind TEXT NOT NULL, face INTEGER, frame INTEGER, name INTEGER REFERENCES name (id),
        other INTEGER REFERENCES name (id), text TEXT NOT NULL, replaces TEXT NOT NULL);
    CREATE TABLE run (
        id INTEGER PRIMARY KEY AUTOINCREMENT, method TEXT NOT NULL, settings TEXT NOT NULL, seed INTEGER NOT NULL,
        at TEXT NOT NULL, seconds REAL NOT NULL, faces INTEGER NOT NULL, answered INTEGER NOT NULL,
        version INTEGER NOT NULL, accuracy REAL);
    CREATE TABLE skip (frame INTEGER NOT NULL, who TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (frame, who));
    CREATE TABLE place (who TEXT PRIMARY KEY, frame INTEGER NOT NULL);
    CREATE TABLE job (
        id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, state TEXT NOT NULL, stage TEXT NOT NULL,
        done INTEGER NOT NULL, total INTEGER NOT NULL, started REAL NOT NULL, updated REAL NOT NULL, message TEXT NOT NULL,
        pid INTEGER NOT NULL, stop INTEGER NOT NULL, curve TEXT NOT NULL DEFAULT '[]');
    """,
    """
    CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL);
    ALTER TABLE job ADD COLUMN began REAL NOT NULL DEFAULT 0;
    ALTER TABLE job ADD COLUMN command TEXT NOT NULL DEFAULT '[]';
    """,
)
VERSION = len(MIGRATIONS)


class Database:
    """One connection that several threads may share."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self._lock = threading.RLock()
        with self._said():
            self._connection = sqlite3.connect(
                self.path, timeout=PATIENCE, isolation_level=None, check_same_thread=False, cached_statements=256
            )
            try:
                self._prepare()
            except BaseException:
                self._connection.close()
                raise

    def _prepare(self) -> None:
        run = self._connection.execute
        run("PRAGMA foreign_keys = ON")
        run("PRAGMA secure_delete = ON")  # what is deleted is overwritten
        version = int(run("PRAGMA user_version").fetchone()[0])
        if version > VERSION:
            raise BadInput(f"{self.path.parent}: this project was made by a newer Rollcall; update Rollcall to open it")
        if run("PRAGMA journal_mode").fetchone()[0] != "wal":
            run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = FULL")  # an acknowledged decision survives a power cut, too
        if version < VERSION:
            self._migrate()

    def _migrate(self) -> None:
        with self.transaction():
            version = int(self._connection.execute("PRAGMA user_version").fetchone()[0])  # another may have been quicker
            for number in range(version, VERSION):
                for statement in MIGRATIONS[number].split(";"):
                    self._connection.execute(statement)
                self._connection.execute(f"PRAGMA user_version = {number + 1}")

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """All rows of a query."""
        with self._lock, self._said():
            return self._connection.execute(sql, values).fetchall()

    def one(self, sql: str, values: Sequence[Any] = ()) -> Any:
        """The only value of a query's only row."""
        return self.rows(sql, values)[0][0]

    def run(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Runs one statement; gives the number of the row it inserted."""
        with self._lock, self._said():
            return int(self._connection.execute(sql, values).lastrowid or 0)

    def many(self, sql: str, values: Sequence[Sequence[Any]]) -> None:
        with self._lock, self._said():
            self._connection.executemany(sql, values)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of it or nothing, with no other writer in between; it is on the disk when the block ends."""
        with self._lock, self._said():
            if self._connection.in_transaction:  # part of a larger one
                yield
                return
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def scrub(self) -> None:
        """Rewrites the file so that nothing deleted is left in it, nor in the journal beside it."""
        self.run("VACUUM")
        self.run("PRAGMA wal_checkpoint(TRUNCATE)")

    @contextmanager
    def _said(self) -> Iterator[None]:
        """Says what the database complains about in one sentence."""
        try:
            yield
        except sqlite3.Error as error:
            raise BadInput(f"{self.path.parent}: {_in_words(error)}") from error


def _in_words(error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return "another program holds the project's database; close it there and try again"
    if code == sqlite3.SQLITE_FULL:
        return "the disk is full, so nothing was changed; free some space and try again"
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return "the project cannot be written here; make the folder writable or copy the project elsewhere"
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return f"the project's database is damaged ({error}); restore {FILE} from a backup"
    if code == sqlite3.SQLITE_IOERR:
        return "the disk does not answer, so nothing was changed; see whether it is full or was removed"
    raise error  # anything else is a bug of ours


def among(column: str, ids: Sequence[int] | None) -> tuple[str, list[int]]:
    """A WHERE clause for some rows, or for all."""
    if ids is None:
        return "", []
    return f" WHERE {column} IN ({','.join('?' * len(ids))})", [int(i) for i in ids]
