"""The project's database: its tables, how they came to be, and what goes wrong with it, in plain words.

Nothing but this file knows that it is SQLite; the SQL elsewhere is what every database understands.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from core.errors import BadInput, shown
from core.store.decisions import KINDS

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


RESCUE = "export it as json and import that as a new project"
TYPES = {"INTEGER": "'integer'", "REAL": "'real', 'integer'", "TEXT": "'text'"}
NULL = ", 'null'"
ODD = {
    "decision": f"NOT json_valid(replaces) OR kind NOT IN {KINDS!r}",
    "mention": "NOT json_valid(spans)",
}


class Damaged(BadInput):
    """The database contradicts itself; what can be saved of it can still be read."""


class Database:
    """One connection that several threads may share."""

    def __init__(self, folder: Path, saved: sqlite3.Connection | None = None) -> None:
        """``saved``: what could be saved of a damaged one, to be read and not written."""
        self.path = folder / FILE
        self.read_only = saved is not None
        self._lock = threading.RLock()
        if saved is not None:
            self._connection = saved
            return
        with self._said():
            self._connection = sqlite3.connect(
                self.path, timeout=PATIENCE, isolation_level=None, check_same_thread=False, cached_statements=256
            )
            try:
                self._prepare()
            except BaseException:
                self._connection.close()
                raise

    @staticmethod
    def salvaged(folder: Path) -> Database:
        """A damaged database with what can be saved of it, open for reading alone."""
        from core.store.salvage import salvage

        return Database(folder, salvage(folder / FILE, "".join(MIGRATIONS)))

    def examine(self) -> None:
        """Refuses a damaged database: pages that make no sense, rows that others miss, values of another type."""
        try:
            wrong = self.one("PRAGMA quick_check(1)")
            if wrong != "ok":
                raise self._damaged(str(wrong))
            if self.rows("SELECT 1 FROM pragma_foreign_key_check() LIMIT 1"):
                raise self._damaged("rows are missing")
            for table in _tables():
                columns = self.rows(f"PRAGMA table_info({table.name})")
                if [column[1] for column in columns] != list(table.columns) or self.rows(table.odd):
                    raise self._damaged(f"the table {table.name} makes no sense")
        except sqlite3.Error as error:  # these questions are sound, so the tables are not
            raise self._damaged(str(error)) from error

    def must_write(self) -> None:
        """Refuses what would change a project that is open for reading alone."""
        if self.read_only:
            raise BadInput(
                f"{self.path.parent}: the project is damaged and open for reading alone, so nothing was changed; {RESCUE}"
            )

    def _damaged(self, how: str) -> Damaged:
        return Damaged(
            f"{self.path.parent}: the project's database is damaged ({shown(how)[:100]}); restore {FILE} from a backup"
        )

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
        self.must_write()
        with self._lock, self._said():
            return int(self._connection.execute(sql, values).lastrowid or 0)

    def many(self, sql: str, values: Sequence[Sequence[Any]]) -> None:
        self.must_write()
        with self._lock, self._said():
            self._connection.executemany(sql, values)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of it or nothing, with no other writer in between; it is on the disk when the block ends."""
        self.must_write()
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
        if self.rows("PRAGMA wal_checkpoint(TRUNCATE)")[0][0]:
            raise BadInput(
                f"{self.path.parent}: it is removed, but another program reads the project, and traces stay in {FILE}-wal "
                "until that is closed; close it"
            )

    @contextmanager
    def _said(self) -> Iterator[None]:
        """Says what the database complains about in one sentence."""
        try:
            yield
        except sqlite3.Error as error:
            if _shows_damage(error):
                raise self._damaged(str(error)) from error
            raise BadInput(f"{self.path.parent}: {_in_words(error)}") from error
        except UnicodeDecodeError as error:  # SQLite's own words about a damaged table
            raise self._damaged("its tables are no text") from error


@dataclass(frozen=True)
class _Table:
    """A table as it should be, and the question whether a row of it holds a value of another type."""

    name: str
    columns: tuple[str, ...]
    odd: str


@cache
def _tables() -> tuple[_Table, ...]:
    made = sqlite3.connect(":memory:")
    made.executescript("".join(MIGRATIONS))
    tables = []
    for (name,) in made.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    ).fetchall():
        columns = made.execute(f"PRAGMA table_info({name})").fetchall()
        odd = " OR ".join(f"typeof({c[1]}) NOT IN ({TYPES[c[2]]}{'' if c[3] or c[5] else NULL})" for c in columns)
        odd += f" OR {ODD[name]}" if name in ODD else ""
        tables.append(_Table(name, tuple(column[1] for column in columns), f"SELECT 1 FROM {name} WHERE {odd} LIMIT 1"))
    made.close()
    return tuple(tables)


def _shows_damage(error: sqlite3.Error) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_TOOBIG):
        return True
    return isinstance(error, sqlite3.OperationalError) and str(error).startswith("Could not decode")


def _in_words(error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return "another program holds the project's database; close it there and try again"
    if code == sqlite3.SQLITE_FULL:
        return "the disk is full, so nothing was changed; free some space and try again"
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return "the project cannot be written here; make the folder writable or copy the project elsewhere"
    if code == sqlite3.SQLITE_IOERR:
        return "the disk does not answer, so nothing was changed; see whether it is full or was removed"
    raise error  # anything else is a bug of ours


def among(column: str, ids: Sequence[int] | None) -> tuple[str, list[int]]:
    """A WHERE clause for some rows, or for all."""
    if ids is None:
        return "", []
    return f" WHERE {column} IN ({','.join('?' * len(ids))})", [int(i) for i in ids]
