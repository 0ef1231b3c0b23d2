"""The runs of a project and their answers, read in names as they are called now."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from core.errors import BadInput
from core.store import files
from core.store.decisions.log import Log
from core.store.runs.answers import Changed, Solved, compare, in_current_names, read
from core.store.tables import run_table
from core.store.tables.database import Database
from core.store.tables.run_table import Run

KEPT = 3  # answers in memory


class RunReader:
    """The runs and their answers; the last few answers are kept in memory."""

    def __init__(self, folder: Path, database: Database, log: Callable[[], Log]) -> None:
        self.folder, self.database, self._log = folder, database, log
        self._written: dict[int, Solved] = {}  # as the files have them
        self._current: dict[int, tuple[Log, int, Solved]] = {}  # in names as they are called now, and as of when
        self._unreadable: set[int] = set()  # runs whose answers are damaged

    def runs(self, number: int | None = None) -> list[Run]:
        """All runs, the first first; or one."""
        return run_table.read(self.database, number)

    def solved(self, run: Run) -> Solved:
        """The answer of a run."""
        with self.database.lock:
            if run.id not in self._written:
                self._written[run.id] = read(files.run_path(self.folder, run.id), run)
                while len(self._written) > KEPT:
                    dropped = next(iter(self._written))
                    del self._written[dropped]
                    self._current.pop(dropped, None)
            log = self._log()
            found = self._current.get(run.id)
            if found is None or found[0] is not log or found[1] != log.names_changed:
                found = self._current[run.id] = (log, log.names_changed, in_current_names(self._written[run.id], log))
            return found[2]

    def last(self) -> Solved | None:
        """The answer of the last run that can be read: one that is damaged must not stop everything else."""
        with self.database.lock:
            number = run_table.last(self.database)
            while number is not None:
                if number not in self._unreadable:
                    try:
                        return self.solved(self.runs(number)[0])
                    except BadInput:
                        self._unreadable.add(number)
                number = run_table.last(self.database, before=number)
            return None

    def readable(self) -> list[Run]:
        """The runs whose answers are not known to be damaged, the first first."""
        self.last()
        return [run for run in self.runs() if run.id not in self._unreadable]

    def is_last_lost(self) -> bool:
        """Whether the answer of the very last run cannot be read."""
        self.last()
        return run_table.last(self.database) in self._unreadable

    def changes(self) -> list[Changed]:
        """The faces that the last two runs name differently, the surest first."""
        last = self.readable()[-2:]
        if len(last) < 2:
            return []
        try:
            return compare(self.solved(last[0]), self.solved(last[1]))
        except BadInput:  # the earlier one is damaged: there is nothing to compare with
            return []

    def remove_with(self, faces: Sequence[int]) -> None:
        """Removes the runs that knew one of ``faces``, and reads all others anew."""
        for run in self.runs():
            if self._knew(run, faces):
                files.erase(files.run_path(self.folder, run.id))
                run_table.remove(self.database, run.id)
        with self.database.lock:
            self._written.clear()
            self._current.clear()
            self._unreadable.clear()

    def _knew(self, run: Run, faces: Sequence[int]) -> bool:
        try:
            return bool(np.isin(self.solved(run).face, faces).any())
        except BadInput:  # nobody can tell what is in a damaged one
            return True
