"""Blind double annotation: two people answer the same frame, and neither sees what the other says before both have.

Until then a frame *waits*: its answers are in the log, but hidden from the others who have it, and no run takes them as
fixed, so that no prediction gives them away.
"""

from __future__ import annotations

from core.store.decisions.entries import ANSWERS, JUDGEMENTS, Decision
from core.store.decisions.log import Log
from core.store.decisions.log_reader import LogReader
from core.store.tables import assignment_table
from core.store.tables.database import Database

HIDDEN = ANSWERS | {"is not", *JUDGEMENTS}


def waiting_faces(database: Database, log: Log, who: str | None = None) -> frozenset[int]:
    """The faces of blind frames (of ``who``) that not everybody who has the frame has answered."""
    people, faces = assignment_table.blind(database)
    if not people:
        return frozenset()
    shown = [(face, frame) for face, frame in faces if face not in log.hidden]
    open_frames = {frame for face, frame in shown if not people[frame] <= log.answered_by(face)}
    return frozenset(face for face, frame in faces if frame in open_frames and (who is None or who in people[frame]))


class BlindLogReader(LogReader):
    """The log as ``viewer`` may see it."""

    def __init__(self, database: Database, viewer: str) -> None:
        super().__init__(database)
        self.viewer = viewer
        self._whole = LogReader(database)
        self._from: tuple[object, ...] = ()
        self._hidden: frozenset[int] = frozenset()
        self._base: Log | None = None
        self._taken = 0  # entries of the whole log that were looked at

    def log(self) -> Log:
        """The log and the state that follows from it, up to date, without what others said on frames that wait."""
        with self.database.lock:
            base = self._whole.log()
            state = (base.version, assignment_table.state(self.database))
            if base is not self._base or state != self._from:
                hidden = waiting_faces(self.database, base, self.viewer)
                if base is not self._base or hidden != self._hidden:
                    self._log, self._taken = Log({}), 0
                self._base, self._from, self._hidden = base, state, hidden
            for name, text in base.original.items():
                if name not in self._log.original:
                    self._log.add_name(name, text)
            fresh = [entry for entry in base.entries[self._taken :] if self._is_shown(entry)]
            self._taken = len(base.entries)
            if fresh:
                self._log.take(fresh)
            self._log.version = base.version
            return self._log

    def _is_shown(self, entry: Decision) -> bool:
        return entry.who == self.viewer or entry.kind not in HIDDEN or entry.face not in self._hidden

    def forget(self) -> None:
        super().forget()
        self._whole.forget()
        self._base = None
