"""The people library on disk: one SQLite file in the user's data folder. It is off, and not even there, until somebody
turns it on. What is deleted is overwritten."""

from __future__ import annotations

import base64
import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from core.errors import BadInput, shown
from core.formats.files import whole_file
from core.problem import FloatArray

FILE = "library.sqlite"
VERSION = 1
PATIENCE = 15.0  # seconds to wait for another writer
LONGEST_NAME = 10_000  # characters
TABLES = (
    "CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    """CREATE TABLE face (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, embedder TEXT NOT NULL, vector BLOB NOT NULL, crop BLOB,
        project TEXT NOT NULL, title TEXT NOT NULL, added TEXT NOT NULL)""",
    "CREATE INDEX face_name ON face (name)",
)


INSERT = "INSERT INTO face (name, embedder, vector, crop, project, title, added) VALUES (?, ?, ?, ?, ?, ?, ?)"


@dataclass(frozen=True, eq=False)
class LibraryFace:
    """A face that is given to the library."""

    name: str
    vector: FloatArray
    crop: bytes | None = None


@dataclass(frozen=True)
class KnownPerson:
    """Somebody in the library: how many faces, of which embedders, and which projects gave them."""

    name: str
    faces: int
    embedders: tuple[str, ...]
    titles: tuple[str, ...]
    added: str


@dataclass(frozen=True, eq=False)
class Known:
    """All faces of one embedder: vectors of unit length, and of each whose it is and the title of its project."""

    vectors: FloatArray
    names: tuple[str, ...]
    titles: tuple[str, ...]


def library_folder() -> Path:
    """``$ROLLCALL_LIBRARY``, or ``rollcall`` in the user's data folder."""
    given = os.environ.get("ROLLCALL_LIBRARY")
    if given:
        return Path(given).expanduser().absolute()
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data).expanduser().absolute() / "rollcall"


class Library:
    """Opens its file for each question: several processes may use it, and it is small."""

    def __init__(self, folder: Path | None = None) -> None:
        self.path = (folder or library_folder()) / FILE

    # --- On and off ---

    @property
    def on(self) -> bool:
        """Whether projects give to it and ask it."""
        if not self.path.is_file():
            return False
        with self._connected() as database:
            rows = database.execute("SELECT value FROM setting WHERE name = 'on'").fetchall()
        return rows == [("1",)]

    def turn(self, on: bool) -> None:
        """Turns it on or off. Off, it keeps its people, but nobody gives to it or asks it."""
        if not on and not self.path.is_file():
            return
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise BadInput(f"{self.path.parent}: cannot be made ({error.strerror}); set ROLLCALL_LIBRARY") from error
        with self._connected() as database:
            database.execute("INSERT OR REPLACE INTO setting VALUES ('on', ?)", ["1" if on else "0"])

    @property
    def state(self) -> tuple[bool, int]:
        """What changes whenever its content may have; cheap to ask."""
        try:
            return True, self.path.stat().st_mtime_ns
        except OSError:
            return False, 0

    # --- What it holds ---

    def people(self) -> list[KnownPerson]:
        """Everybody in it, by name."""
        if not self.path.is_file():
            return []
        with self._connected() as database:
            rows = database.execute("SELECT name, embedder, title, added FROM face ORDER BY id").fetchall()
        found: dict[str, list[tuple[str, str, str]]] = {}
        for name, embedder, title, added in rows:
            found.setdefault(name, []).append((embedder, title, added))
        people = [
            KnownPerson(
                name,
                len(some),
                tuple(dict.fromkeys(embedder for embedder, _, _ in some)),
                tuple(dict.fromkeys(title for _, title, _ in some)),
                max(added for _, _, added in some),
            )
            for name, some in found.items()
        ]
        return sorted(people, key=lambda one: one.name.casefold())

    def crops(self, name: str) -> list[bytes]:
        """The pictures of somebody."""
        if not self.path.is_file():
            return []
        with self._connected() as database:
            rows = database.execute("SELECT crop FROM face WHERE name = ? AND crop IS NOT NULL ORDER BY id", [name])
            return [bytes(crop) for (crop,) in rows]

    def known(self, embedder: str, without: str = "") -> Known:
        """All faces that one embedder described, but for those of a project. Others' cannot be compared with these."""
        if not self.path.is_file():
            return Known(np.zeros((0, 0), np.float32), (), ())
        with self._connected() as database:
            asked = "SELECT name, title, vector FROM face WHERE embedder = ? AND project != ? ORDER BY id"
            rows = database.execute(asked, [embedder, without]).fetchall()
        vectors = [np.frombuffer(vector, np.float32) for _, _, vector in rows]
        width = max(map(len, vectors), default=0)
        fit = [k for k, vector in enumerate(vectors) if len(vector) == width]
        table = np.stack([vectors[k] for k in fit]) if fit else np.zeros((0, 0), np.float32)
        return Known(table, tuple(rows[k][0] for k in fit), tuple(rows[k][1] for k in fit))

    # --- What changes it ---

    def give(self, project: str, title: str, embedder: str, faces: Sequence[LibraryFace]) -> int:
        """Replaces what a project gave before by these faces; gives how many people it gives now."""
        if not self.on:
            raise BadInput("the people library is off; turn it on first")
        now = datetime.now(UTC).isoformat(timespec="seconds")
        rows = [
            (face.name, embedder, _unit(face.vector).tobytes(), face.crop, project, title, now)
            for face in faces
            if face.name and len(face.name) <= LONGEST_NAME
        ]
        with self._connected() as database:
            database.execute("BEGIN IMMEDIATE")
            database.execute("DELETE FROM face WHERE project = ?", [project])
            database.executemany(INSERT, rows)
            database.execute("COMMIT")
        return len({row[0] for row in rows})

    def remove(self, names: Sequence[str]) -> int:
        """Removes people for good, whoever gave them; gives how many faces went. Upper and lower case do not matter."""
        if not self.path.is_file():
            return 0
        wanted = {name.casefold() for name in names}
        with self._connected() as database:
            rows = database.execute("SELECT id, name FROM face").fetchall()
            gone = [number for number, name in rows if name.casefold() in wanted]
            database.executemany("DELETE FROM face WHERE id = ?", [[number] for number in gone])
            if gone:
                database.execute("VACUUM")
        return len(gone)

    def empty(self) -> int:
        """Removes everybody for good; gives how many faces went. Whether it is on stays as it is."""
        if not self.path.is_file():
            return 0
        with self._connected() as database:
            many = int(database.execute("SELECT count(*) FROM face").fetchone()[0])
            database.execute("DELETE FROM face")
            database.execute("VACUUM")
        return many

    def export(self, path: Path) -> int:
        """Writes everybody into a JSON file, with vectors and pictures; gives how many people."""
        people: dict[str, list[dict[str, object]]] = {}
        if self.path.is_file():
            with self._connected() as database:
                rows = database.execute("SELECT name, embedder, title, added, vector, crop FROM face ORDER BY id").fetchall()
            for name, embedder, title, added, vector, crop in rows:
                picture = base64.b64encode(crop).decode() if crop is not None else None
                numbers = [round(float(value), 6) for value in np.frombuffer(vector, np.float32)]
                face = {"embedder": embedder, "project": title, "added": added, "vector": numbers, "jpeg": picture}
                people.setdefault(name, []).append(face)
        if not people:
            raise BadInput(f"{path}: the people library is empty, so there is nothing to write")
        document = {"format": "rollcall people library", "version": VERSION, "people": people}
        text = json.dumps(document, ensure_ascii=False)
        whole_file(path, lambda file: file.write(text.encode()))
        return len(people)

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        try:
            database = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None)
            try:
                database.execute("PRAGMA secure_delete = ON")
                version = int(database.execute("PRAGMA user_version").fetchone()[0])
                if version > VERSION:
                    raise BadInput(f"{self.path}: the library was made by a newer Rollcall; update Rollcall to use it")
                if version == 0:
                    self._make(database)
                yield database
            finally:
                database.close()
        except sqlite3.Error as error:
            why = shown(str(error))[:80]
            raise BadInput(f"{self.path}: the people library cannot be used ({why}); move it away to begin anew") from error

    def _make(self, database: sqlite3.Connection) -> None:
        database.execute("BEGIN IMMEDIATE")
        if int(database.execute("PRAGMA user_version").fetchone()[0]) == 0:  # another may have been quicker
            for table in TABLES:
                database.execute(table)
            database.execute(f"PRAGMA user_version = {VERSION}")
        database.execute("COMMIT")
        self.path.chmod(0o600)


def _unit(vector: FloatArray) -> FloatArray:
    row = np.asarray(vector, np.float32)
    return np.asarray(row / max(float(np.linalg.norm(row)), 1e-12), np.float32)
