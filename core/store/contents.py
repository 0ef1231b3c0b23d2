"""What a project holds, read: sources, frames, faces, names, the log of decisions folded into a state, the runs' answers.

What was read is kept as long as it holds; other processes' writing is noticed.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import BadInput
from core.problem import FloatArray
from core.records import Box, Face, Frame, Mention, Source
from core.store import files
from core.store.database import RESCUE, Database, among
from core.store.decisions import Decision, Log
from core.store.runs import Run, Solved

if TYPE_CHECKING:
    from core.store.now import Faces, Now
    from core.store.timeline import Timeline

KEPT_SOLVED = 3  # runs' answers kept in memory


def now() -> str:
    """The time, as the database has it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Contents:
    """A project's folder and database. ``Project`` adds what can be done with them."""

    def __init__(self, folder: Path, database: Database | None = None) -> None:
        self.folder = folder
        self.database = Database(folder) if database is None else database
        self._lock = threading.RLock()
        self._log: Log | None = None
        self._solved: dict[int, Solved] = {}
        self._unreadable: set[int] = set()  # runs whose answers are damaged
        self._faces: Faces | None = None
        self._faces_key: Any = None
        self._now: Now | None = None
        self._now_key: Any = None
        self._timeline: Timeline | None = None
        self._timeline_key: Any = None

    def close(self) -> None:
        self.database.close()

    def fact(self, what: str) -> Any:
        """A column of the project's own row: uid, title, created, opened, embedder, dimension."""
        return self.database.one(f"SELECT {what} FROM project")

    @property
    def title(self) -> str:
        return str(self.fact("title"))

    @property
    def cache(self) -> Path:
        return self.folder / files.CACHE

    def troubles(self) -> list[str]:
        """What people must know before they go on: damage, and a run whose answer is lost."""
        found = [self.damage] if self.damage else []
        self._last_solved()
        if self.database.rows("SELECT max(id) FROM run")[0][0] in self._unreadable:
            found.append("The answer of the last run is lost or damaged; run again.")
        return found

    @property
    def damage(self) -> str:
        """What is wrong with a project of which only a part could be saved; empty for a sound one."""
        if not self.database.read_only:
            return ""
        saved = f"{self.count('frame')} frames, {self.count('face')} faces, {self.count('decision')} decisions"
        return f"The project's database is damaged. What could be saved can be looked at ({saved}), not changed; {RESCUE}."

    def opened(self) -> None:
        """Notes that somebody opened the project now."""
        if self.database.read_only:
            return
        self.database.run("UPDATE project SET opened = ?", (now(),))

    def retitle(self, title: str) -> None:
        """Gives the project another title."""
        if not title.strip():
            raise BadInput("a project needs a title; type one")
        self.database.run("UPDATE project SET title = ?", (title.strip(),))

    def setting(self, name: str, otherwise: str = "") -> str:
        """A setting of this project."""
        rows = self.database.rows("SELECT value FROM setting WHERE name = ?", (name,))
        return str(rows[0][0]) if rows else otherwise

    def set_setting(self, name: str, value: str) -> None:
        self.database.run("INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)", (name, value))

    def sources(self) -> list[Source]:
        rows = self.database.rows("SELECT id, kind, path, title, content, duration FROM source ORDER BY id")
        return [Source(*row) for row in rows]

    def frames(self, ids: Sequence[int] | None = None) -> list[Frame]:
        """All frames by number, or the asked ones."""
        where, values = among("id", ids)
        columns = "id, source, time, path, width, height, caption, shot, pictured"
        rows = self.database.rows(f"SELECT {columns} FROM frame{where} ORDER BY id", values)
        pictures = (files.frame_path(self.folder, row[0]) if row[-1] else None for row in rows)
        return [Frame(*(*row[:-1], picture)) for row, picture in zip(rows, pictures, strict=True)]

    def faces(self, frame: int | None = None, ids: Sequence[int] | None = None) -> list[Face]:
        """All faces by number, those of a frame or the asked ones; what people said is no face is left out."""
        where, values = (" WHERE frame = ?", [frame]) if frame is not None else among("id", ids)
        rows = self.database.rows(
            f"SELECT id, frame, left_, top, right_, bottom, score, mark, track, truth, cropped FROM face{where} ORDER BY id",
            values,
        )
        hidden = self.log().hidden
        return [
            Face(*(*r[:2], Box(*r[2:6]), *r[6:10], files.crop_path(self.folder, r[0]) if r[10] else None))
            for r in rows
            if r[0] not in hidden
        ]

    def count(self, what: str) -> int:
        """How many rows a table has: face, frame, name, source."""
        return int(self.database.one(f"SELECT count(*) FROM {what}"))

    def mentions(self, frame: int) -> tuple[Mention, ...]:
        """The names in a frame's caption as they are called now, then those that people added."""
        return self.all_mentions([frame]).get(frame, ())

    def all_mentions(self, ids: Sequence[int] | None = None) -> dict[int, tuple[Mention, ...]]:
        """The same for all frames, or for the asked ones."""
        from core.store.labels import mentions

        return mentions(self, ids)

    def names(self) -> list[str]:
        """All names as they are called now, in the order in which they came."""
        log = self.log()
        removed = log.removed
        return list(dict.fromkeys(log.text(name) for name in sorted(log.original) if name not in removed))

    def embeddings(self) -> FloatArray:
        """The faces' vectors, memory-mapped; the row is the face's number."""
        faces = int(self.database.one("SELECT coalesce(max(id), -1) + 1 FROM face"))
        return files.read_embeddings(self.folder, faces, int(self.fact("dimension")))

    def log(self) -> Log:
        """The log of decisions and the state that follows from it, up to date."""
        with self._lock:
            if self._log is None:
                self._log = Log({})
            log = self._log
            known = max(log.original, default=-1)
            for name, text in self.database.rows("SELECT id, text FROM name WHERE id > ? ORDER BY id", (known,)):
                log.add_name(name, text)
            columns = "id, uid, step, at, who, kind, face, frame, name, other, text, replaces"
            rows = self.database.rows(f"SELECT {columns} FROM decision WHERE id > ? ORDER BY id", (log.version,))
            if rows:
                log.take(Decision(*(*row[:-1], tuple(json.loads(row[-1])))) for row in rows)
            return log

    def forget_log(self) -> None:
        """Reads the log anew next time."""
        with self._lock:
            self._log = self._now = None

    def runs(self, number: int | None = None) -> list[Run]:
        """All runs, the first first; or one."""
        where, values = among("id", None if number is None else [number])
        columns = "id, method, settings, seed, at, seconds, faces, answered, version, accuracy"
        return [Run(*row) for row in self.database.rows(f"SELECT {columns} FROM run{where} ORDER BY id", values)]

    def solved(self, run: Run | None = None) -> Solved | None:
        """The answer of a run, by default of the last one; None before the first."""
        from core.store import runs

        if run is None:
            return self._last_solved()
        with self._lock:
            if run.id not in self._solved:
                log = self.log()
                texts = {name: log.text(name) for name in log.original}
                self._solved[run.id] = runs.read(files.run_path(self.folder, run.id), run, texts)
                while len(self._solved) > KEPT_SOLVED:
                    del self._solved[next(iter(self._solved))]
            return self._solved[run.id]

    def _last_solved(self) -> Solved | None:
        """The answer of the last run that can be read: one that is damaged must not stop everything else."""
        with self._lock:
            last = self.database.rows("SELECT max(id) FROM run")[0][0]
            while last is not None:
                if last not in self._unreadable:
                    try:
                        return self.solved(self.runs(last)[0])
                    except BadInput:
                        self._unreadable.add(last)
                last = self.database.rows("SELECT max(id) FROM run WHERE id < ?", (last,))[0][0]
            return None

    def readable_runs(self) -> list[Run]:
        """The runs whose answers are not known to be damaged, the first first."""
        self._last_solved()
        return [run for run in self.runs() if run.id not in self._unreadable]

    def forget_runs(self) -> None:
        """Reads the runs' answers anew next time."""
        with self._lock:
            self._solved.clear()
            self._unreadable.clear()

    def now(self) -> Now:
        """Who is who now, as arrays."""
        from core.store import now as current

        with self._lock:
            log, solved = self.log(), self.solved()
            faces = (self.database.one("SELECT count(*) FROM face"), self.database.one("SELECT max(id) FROM face"))
            if faces != self._faces_key:
                self._faces, self._faces_key, self._now_key = current.read_faces(self), faces, None
            key = (faces, log.version, None if solved is None else solved.run.id)
            if key != self._now_key or self._now is None:
                assert self._faces is not None
                self._now, self._now_key = current.now(self._faces, log, solved), key
            return self._now

    def name_number(self, text: str) -> int:
        """The number of the name that is called ``text``; a new one if there is none. Within a transaction."""
        found = self.log().find_name(text)
        if found is not None:
            return found
        return self.add_name(text)

    def add_name(self, text: str) -> int:
        """Puts a name into the table. Within a transaction."""
        number = self.database.run("INSERT INTO name (id, text) SELECT coalesce(max(id), -1) + 1, ? FROM name", (text,))
        self.log()
        return number
