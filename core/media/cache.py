"""What was found in frames and pictures, kept by their content, so that nothing is computed twice.

A second ingest of the same film, with other captions or other moments, finds here what the first one saw; so does one that
goes on after a stop or a crash. One SQLite file in the project's cache folder; it may be deleted at any time.
"""

from __future__ import annotations

import io
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from core.errors import BadInput
from core.formats.read.arrays import Arrays
from core.media.faces.finder import Found
from core.media.video.reader import Timeline
from core.records import Box, Mark

FILE = "media.sqlite"
VERSION = 3  # of the tables and what is in them; another version starts anew
MARKS: tuple[Mark, ...] = get_args(Mark)
TABLES = """
CREATE TABLE timeline (content TEXT PRIMARY KEY, arrays BLOB NOT NULL);
CREATE TABLE seen (
    content TEXT NOT NULL, finder TEXT NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL, faces BLOB NOT NULL,
    crops BLOB NOT NULL, picture BLOB NOT NULL, PRIMARY KEY (content, finder));
"""


@dataclass(frozen=True, eq=False)
class Seen:
    """A frame or picture that was looked at: the size of the upright full one, its faces, and a JPEG to show, which is empty
    where nobody will see it."""

    width: int
    height: int
    faces: Sequence[Found]
    picture: bytes


class Cache:
    """Open it with the project's cache folder and the kinds of the detector and the embedder whose results are wanted."""

    def __init__(self, folder: Path, finder: str) -> None:
        self.path, self.finder = folder / FILE, finder
        self._lock = threading.Lock()
        with self._said():
            folder.mkdir(parents=True, exist_ok=True)
            try:
                self._connection = self._opened()
            except sqlite3.DatabaseError as error:
                if isinstance(error, sqlite3.OperationalError):
                    raise
                self.path.unlink(missing_ok=True)  # damaged; it holds nothing that cannot be computed again
                self._connection = self._opened()

    def _opened(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=60.0, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            if connection.execute("PRAGMA user_version").fetchone()[0] != VERSION:
                connection.executescript(
                    f"BEGIN; DROP TABLE IF EXISTS timeline; DROP TABLE IF EXISTS seen; {TABLES}"
                    f"PRAGMA user_version = {VERSION}; COMMIT"
                )
        except BaseException:
            connection.close()
            raise
        return connection

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Cache:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    # --- Frames and pictures ---

    def has(self, content: str, shown: bool = True) -> bool:
        """Whether this was looked at before; and, where it is to be ``shown``, kept with its picture."""
        rows = self._rows("SELECT length(picture) FROM seen WHERE content = ? AND finder = ?", (content, self.finder))
        return bool(rows) and (rows[0][0] > 0 or not shown)

    def put(self, seen: Iterable[tuple[str, Seen]]) -> None:
        """Keeps some at once; they are on the disk when this returns."""
        rows = [
            (content, self.finder, one.width, one.height, _faces(one.faces), _crops(one.faces), one.picture)
            for content, one in seen
        ]
        with self._lock, self._said():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                self._connection.executemany("INSERT OR REPLACE INTO seen VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def get(self, content: str) -> Seen:
        """What was found there; it must have been looked at."""
        columns = "width, height, faces, crops, picture"
        found = self._rows(f"SELECT {columns} FROM seen WHERE content = ? AND finder = ?", (content, self.finder))
        width, height, faces, crops, picture = found[0]
        return Seen(width, height, _found(faces, crops), picture)

    def faces(self, content: str) -> Sequence[Found]:
        """The faces alone, without their crops: quick, and small enough to have those of a whole film at once."""
        found = self._rows("SELECT faces FROM seen WHERE content = ? AND finder = ?", (content, self.finder))
        return _found(found[0][0], None)

    # --- Timelines ---

    def timeline(self, content: str) -> Timeline | None:
        """The timeline of a video, if it was scanned before."""
        rows = self._rows("SELECT arrays FROM timeline WHERE content = ?", (content,))
        if not rows:
            return None
        arrays = _unpacked(rows[0][0])
        whole = arrays["whole"]
        return Timeline(
            arrays["stamps"], arrays["times"], arrays["keys"], arrays["cuts"], float(whole[0]), int(whole[1]), bool(whole[2])
        )

    def put_timeline(self, content: str, timeline: Timeline) -> None:
        whole = np.array([timeline.duration, timeline.damaged, timeline.counted], dtype=np.float64)
        arrays = {"stamps": timeline.stamps, "times": timeline.times, "keys": timeline.keys, "cuts": timeline.cuts}
        with self._lock, self._said():
            packed = _packed({**arrays, "whole": whole})
            self._connection.execute("INSERT OR REPLACE INTO timeline VALUES (?, ?)", (content, packed))

    # --- The database ---

    def _rows(self, sql: str, values: Sequence[str]) -> list[Any]:
        with self._lock, self._said():
            return self._connection.execute(sql, values).fetchall()

    @contextmanager
    def _said(self) -> Iterator[None]:
        """Says in one sentence what the disk refuses."""
        try:
            yield
        except sqlite3.OperationalError as error:
            full = getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL
            what = "the disk is full; free some space" if full else f"cannot be written ({error}); make the folder writable"
            raise BadInput(f"{self.path.parent}: {what} and try again") from error


def _packed(arrays: dict[str, NDArray[Any]]) -> bytes:
    out = io.BytesIO()
    np.savez(out, allow_pickle=False, **arrays)
    return out.getvalue()


def _unpacked(blob: bytes) -> dict[str, NDArray[Any]]:
    with Arrays(io.BytesIO(blob)) as arrays:
        return dict(arrays)


def _faces(faces: Sequence[Found]) -> bytes:
    box = [[face.box.left, face.box.top, face.box.right, face.box.bottom] for face in faces]
    return _packed(
        {
            "box": np.array(box, dtype=np.float32).reshape(-1, 4),
            "score": np.array([face.score for face in faces], dtype=np.float32),
            "landmarks": np.array([face.landmarks for face in faces], dtype=np.float32).reshape(-1, 5, 2),
            "mark": np.array([MARKS.index(face.mark) for face in faces], dtype=np.int8),
            "quality": np.array([face.quality for face in faces], dtype=np.float32),
            "small": np.array([face.small for face in faces], dtype=np.uint8),
            "embedding": np.array([face.embedding for face in faces], dtype=np.float32),
        }
    )


def _crops(faces: Sequence[Found]) -> bytes:
    return _packed({str(k): np.frombuffer(face.crop, dtype=np.uint8) for k, face in enumerate(faces)})


def _found(faces: bytes, crops: bytes | None) -> list[Found]:
    arrays = _unpacked(faces)
    pictures = {} if crops is None else _unpacked(crops)
    parts = zip(
        arrays["box"].tolist(),
        arrays["score"].tolist(),
        arrays["landmarks"],
        arrays["mark"].tolist(),
        arrays["quality"].tolist(),
        arrays["embedding"],
        arrays["small"],
        strict=True,
    )
    return [
        Found(
            Box(*box), score, landmarks, MARKS[mark], quality, vector, small, pictures[str(k)].tobytes() if pictures else b""
        )
        for k, (box, score, landmarks, mark, quality, vector, small) in enumerate(parts)
    ]
