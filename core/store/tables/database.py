"""The project's database: one SQLite connection, its transactions, and its errors in plain words.

The tables are in ``schema.py``; the SQL of a table is in the module that owns it.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.arrays import chunks
from core.errors import BadInput, shown
from core.store.tables import schema

IntegrityError = sqlite3.IntegrityError
FILE = "project.sqlite"
PATIENCE = 15.0  # seconds to wait for another writer before saying so
A_QUERY = 10_000  # values in one query
RESCUE = "export it as json and import that as a new project"


class Damaged(BadInput):
    """The database contradicts itself; what can be saved of it can still be read."""


class Database:
    """One connection that several threads may share.

    ``lock`` also guards what is kept in memory of the database's content: with a lock of its own, one thread that reads
    and one that writes could wait for each other.
    """

    def __init__(self, folder: Path, saved: sqlite3.Connection | None = None) -> None:
        """``saved``: what could be saved of a damaged one, to be read and not written."""
        self.path = folder / FILE
        self.read_only = saved is not None
        self.lock = threading.RLock()
        self.rollbacks = 0  # what was read of a transaction before it was rolled back does not hold
        self._kept: dict[str, tuple[Any, Any]] = {}  # first rows, each with the state that it was read in
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

    def examine(self) -> None:
        """Refuses a damaged database: pages that make no sense, rows that others miss, values of another type."""
        try:
            wrong = self.one("PRAGMA quick_check(1)")
            if wrong != "ok":
                raise self._damaged(str(wrong))
            if self.rows("SELECT 1 FROM pragma_foreign_key_check() LIMIT 1"):
                raise self._damaged("rows are missing")
            for table in schema.tables().values():
                columns = self.rows(f"PRAGMA table_info({table.name})")
                if [column[1] for column in columns] != table.names or self.rows(table.malformed):
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
        if version > schema.VERSION:
            raise BadInput(f"{self.path.parent}: this project was made by a newer Rollcall; update Rollcall to open it")
        if run("PRAGMA journal_mode").fetchone()[0] != "wal":
            run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = FULL")  # an acknowledged decision survives a power cut, too
        if version < schema.VERSION:
            self._migrate()

    def _migrate(self) -> None:
        with self.transaction():
            version = int(self._connection.execute("PRAGMA user_version").fetchone()[0])  # another may have been quicker
            for number, statement in schema.statements(version):
                self._connection.execute(statement)
                self._connection.execute(f"PRAGMA user_version = {number}")

    def close(self) -> None:
        with self.lock:
            self._connection.close()

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """All rows of a query."""
        with self.lock, self._said():
            return self._connection.execute(sql, values).fetchall()

    def one(self, sql: str, values: Sequence[Any] = ()) -> Any:
        """The only value of a query's only row."""
        return self.rows(sql, values)[0][0]

    def first(self, sql: str) -> Any:
        """A query's first row; it is asked again only after something was written, by whomever."""
        with self.lock:
            state = (self.one("PRAGMA data_version"), self._connection.total_changes, self.rollbacks)
            if self._kept.get(sql, (None, None))[0] != state:
                self._kept[sql] = (state, self.rows(sql)[0])
            return self._kept[sql][1]

    def run(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Runs one statement; gives the number of the row it inserted."""
        self.must_write()
        with self.lock, self._said():
            return int(self._connection.execute(sql, values).lastrowid or 0)

    def many(self, sql: str, values: Sequence[Sequence[Any]]) -> None:
        self.must_write()
        with self.lock, self._said():
            self._connection.executemany(sql, values)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of it or nothing, with no other writer in between; it is on the disk when the block ends."""
        self.must_write()
        with self.lock, self._said():
            if self._connection.in_transaction:  # part of a larger one
                yield
                return
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                self.rollbacks += 1
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


def timestamp() -> str:
    """The time now, as the tables hold it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def count(database: Database, table: str) -> int:
    """How many rows a table has."""
    return int(database.one(f"SELECT count(*) FROM {schema.tables()[table].name}"))


def missing(database: Database, table: str, ids: Sequence[int]) -> set[int]:
    """The numbers among ``ids`` that no row of a table has."""
    there: set[int] = set()
    for part in chunks(len(ids), cells=A_QUERY):
        where, values = among("id", ids[part])
        there |= {row[0] for row in database.rows(f"SELECT id FROM {schema.tables()[table].name}{where}", values)}
    return set(ids) - there


def among(column: str, ids: Sequence[int] | None) -> tuple[str, list[int]]:
    """A WHERE clause for some rows, or for all."""
    if ids is None:
        return "", []
    return f" WHERE {column} IN ({','.join('?' * len(ids))})", [int(i) for i in ids]
