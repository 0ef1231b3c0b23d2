"""The tables of a project's database, and how each version of them became the next."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from core.store.decisions.entries import KINDS

# Each entry takes a database one version up. Entries are never changed once they were released, only added to.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE project (
            uid TEXT NOT NULL, title TEXT NOT NULL, created TEXT NOT NULL, opened TEXT NOT NULL,
            embedder TEXT NOT NULL DEFAULT '', dimension INTEGER NOT NULL DEFAULT 0)""",
        """CREATE TABLE source (
            id INTEGER PRIMARY KEY, kind TEXT NOT NULL, path TEXT NOT NULL, title TEXT NOT NULL, content TEXT NOT NULL,
            duration REAL, added TEXT NOT NULL)""",
        """CREATE TABLE frame (
            id INTEGER PRIMARY KEY, source INTEGER NOT NULL REFERENCES source (id), time REAL, path TEXT NOT NULL,
            width INTEGER NOT NULL, height INTEGER NOT NULL, caption TEXT NOT NULL, shot INTEGER,
            pictured INTEGER NOT NULL)""",
        "CREATE TABLE name (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)",
        """CREATE TABLE mention (
            frame INTEGER NOT NULL REFERENCES frame (id), name INTEGER NOT NULL REFERENCES name (id),
            place INTEGER NOT NULL, spans TEXT NOT NULL, PRIMARY KEY (frame, name))""",
        """CREATE TABLE face (
            id INTEGER PRIMARY KEY, frame INTEGER NOT NULL REFERENCES frame (id),
            left_ REAL NOT NULL, top REAL NOT NULL, right_ REAL NOT NULL, bottom REAL NOT NULL,
            score REAL NOT NULL, mark TEXT NOT NULL, track INTEGER, truth TEXT, cropped INTEGER NOT NULL)""",
        "CREATE INDEX face_by_frame ON face (frame)",
        """CREATE TABLE decision (
            id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE, step TEXT NOT NULL, at TEXT NOT NULL,
            who TEXT NOT NULL, kind TEXT NOT NULL, face INTEGER, frame INTEGER, name INTEGER REFERENCES name (id),
            other INTEGER REFERENCES name (id), text TEXT NOT NULL, replaces TEXT NOT NULL)""",
        """CREATE TABLE run (
            id INTEGER PRIMARY KEY AUTOINCREMENT, method TEXT NOT NULL, settings TEXT NOT NULL, seed INTEGER NOT NULL,
            at TEXT NOT NULL, seconds REAL NOT NULL, faces INTEGER NOT NULL, answered INTEGER NOT NULL,
            version INTEGER NOT NULL, accuracy REAL)""",
        "CREATE TABLE skip (frame INTEGER NOT NULL, who TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (frame, who))",
        "CREATE TABLE place (who TEXT PRIMARY KEY, frame INTEGER NOT NULL)",
        """CREATE TABLE job (
            id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, state TEXT NOT NULL, stage TEXT NOT NULL,
            done INTEGER NOT NULL, total INTEGER NOT NULL, started REAL NOT NULL, updated REAL NOT NULL,
            message TEXT NOT NULL, pid INTEGER NOT NULL, stop INTEGER NOT NULL, curve TEXT NOT NULL DEFAULT '[]')""",
    ),
    (
        "CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
        "ALTER TABLE job ADD COLUMN began REAL NOT NULL DEFAULT 0",
        "ALTER TABLE job ADD COLUMN command TEXT NOT NULL DEFAULT '[]'",
    ),
    (
        "ALTER TABLE face ADD COLUMN quality REAL NOT NULL DEFAULT 1",
        "ALTER TABLE mention ADD COLUMN kind TEXT NOT NULL DEFAULT ''",
        """CREATE TABLE track (
            id INTEGER PRIMARY KEY, source INTEGER NOT NULL REFERENCES source (id), start REAL NOT NULL,
            stop REAL NOT NULL, boxes TEXT NOT NULL)""",
        """CREATE TABLE evidence (
            track INTEGER NOT NULL, name INTEGER NOT NULL REFERENCES name (id), logodds REAL NOT NULL,
            PRIMARY KEY (track, name))""",
    ),
    (
        "ALTER TABLE source ADD COLUMN summary TEXT NOT NULL DEFAULT '{}'",
        "ALTER TABLE frame ADD COLUMN content TEXT NOT NULL DEFAULT ''",
        """CREATE TABLE assignment (
            frame INTEGER NOT NULL, who TEXT NOT NULL, blind INTEGER NOT NULL, giver TEXT NOT NULL, at TEXT NOT NULL,
            PRIMARY KEY (frame, who))""",
    ),
    (  # which groups are one person was a setting once; it is a decision
        """INSERT INTO decision (uid, step, at, who, kind, face, text, replaces)
            SELECT lower(hex(randomblob(16))), setting.name || '-' || pair.key,
                strftime('%Y-%m-%dT%H:%M:%f', 'now') || '+00:00', 'somebody',
                CASE setting.name WHEN 'groups_joined' THEN 'same person' ELSE 'two people' END, side.value, '', '[]'
            FROM setting, json_each(setting.value) AS pair, json_each(pair.value) AS side
            WHERE setting.name IN ('groups_joined', 'groups_apart')""",
        "DELETE FROM setting WHERE name IN ('groups_joined', 'groups_apart')",
    ),
    (
        """CREATE TABLE line (
            id INTEGER PRIMARY KEY, source INTEGER NOT NULL REFERENCES source (id), kind TEXT NOT NULL,
            start REAL NOT NULL, stop REAL NOT NULL, text TEXT NOT NULL, left_ REAL, top REAL, right_ REAL, bottom REAL,
            name INTEGER REFERENCES name (id), logodds REAL NOT NULL, score REAL NOT NULL)""",
    ),
)
VERSION = len(MIGRATIONS)

# parents first; jobs are this machine's business and are neither exported nor saved from a damaged file
TABLES = (
    *("project", "setting", "source", "frame", "name", "mention", "face", "decision", "run", "skip", "place"),
    *("track", "evidence", "assignment", "line"),
)

TYPES = {"INTEGER": "'integer'", "REAL": "'real', 'integer'", "TEXT": "'text'"}
PYTHON_TYPES: dict[str, tuple[type, ...]] = {"INTEGER": (int,), "REAL": (int, float), "TEXT": (str,)}
NULL = ", 'null'"
ODD = {
    "decision": f"NOT json_valid(replaces) OR kind NOT IN {KINDS!r}",
    "mention": "NOT json_valid(spans)",
    "track": "NOT json_valid(boxes)",
    "source": "NOT json_valid(summary)",
}


@dataclass(frozen=True)
class Column:
    """A column as SQLite describes it."""

    name: str
    affinity: str  # INTEGER, REAL or TEXT
    nullable: bool
    default: str | None
    key: int  # its place in the primary key, from 1; 0 if it is not in it

    @property
    def types(self) -> tuple[type, ...]:
        """The Python types that its values have."""
        return (*PYTHON_TYPES[self.affinity], type(None)) if self.nullable else PYTHON_TYPES[self.affinity]


@dataclass(frozen=True)
class Table:
    name: str
    columns: tuple[Column, ...]

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]

    @property
    def malformed(self) -> str:
        """The query that gives a row if any row holds a value of another type, or a text that cannot be parsed."""
        wrong = [f"typeof({c.name}) NOT IN ({TYPES[c.affinity]}{NULL if c.nullable else ''})" for c in self.columns]
        odd = " OR ".join([*wrong, *([ODD[self.name]] if self.name in ODD else [])])
        return f"SELECT 1 FROM {self.name} WHERE {odd} LIMIT 1"


def statements(version: int = 0) -> Iterator[tuple[int, str]]:
    """The statements that take a database of a version to the newest, each with the version that it leads to."""
    for number in range(version, VERSION):
        for statement in MIGRATIONS[number]:
            yield number + 1, statement


def create_tables(connection: sqlite3.Connection) -> None:
    """Makes all tables in an empty database."""
    for _, statement in statements():
        connection.execute(statement)


@cache
def tables() -> dict[str, Table]:
    """All tables by name, as the migrations make them."""
    connection = sqlite3.connect(":memory:")
    create_tables(connection)
    found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").fetchall()
    made = {name: Table(name, _columns(connection, name)) for (name,) in found}
    connection.close()
    return made


def _columns(connection: sqlite3.Connection, table: str) -> tuple[Column, ...]:
    rows = connection.execute(f"PRAGMA table_info({table})").fetchall()
    return tuple(Column(row[1], row[2], not (row[3] or row[5]), row[4], row[5]) for row in rows)
