"""The progress of a job, written where everybody who opens the project sees it. Runs in the job's own process."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from core.errors import NO_MEMORY, BadInput, short_of_memory
from core.progress import Stopped
from core.store.tables import job_table
from core.store.tables.database import Database
from core.store.tables.job_table import State

EVERY = 0.2  # seconds between two notes of progress
CURVE = 200  # points kept of a curve
GRACE = 3.0  # seconds that work may go on after it was asked to stop, before it is ended
GRACE_KEEPING = 60.0  # ... if it keeps what it has done by then
NOTHING = "stopped; nothing was changed"
KEPT = "stopped; what was done is kept"


class Reporter:
    """The progress to give to the work; raises ``Stopped`` when somebody asked for that, unless the work keeps what it has.

    Work that ``keeps`` ends by itself when ``stopped`` says so.
    """

    def __init__(self, database: Database, number: int, keeps: bool = False) -> None:
        self.database, self.number, self.keeps = database, number, keeps
        self.stage, self.noted, self.began = "", 0.0, time.time()
        self.curve: list[float] = []
        self.message = ""  # what to say when all went well
        self.ended = threading.Event()

    def __call__(self, stage: str, done: int, total: int, value: float | None = None) -> None:
        if value is not None:
            self.curve.append(value)
        now = time.time()
        if stage == self.stage and now - self.noted < EVERY and done < total:
            return
        if stage != self.stage:
            self.stage, self.began = stage, now
        self.noted = now
        job_table.note(self.database, self.number, stage, done, total, self.began, self.points())
        if not self.keeps and self.stopped():
            raise Stopped

    def points(self) -> list[float]:
        """The curve, thinned."""
        step = max(1, -(-len(self.curve) // CURVE))
        return self.curve[::step]

    def stopped(self) -> bool:
        return job_table.asked_to_stop(self.database, self.number)

    def begin(self) -> None:
        job_table.begin(self.database, self.number)
        threading.Thread(target=self._watch, daemon=True).start()

    def end(self, state: State, message: str) -> None:
        self.ended.set()
        job_table.end(self.database, self.number, state, message, self.points())

    def _watch(self) -> None:
        """Ends the process when the work goes on too long after somebody asked it to stop: not all work reports."""
        while not self.ended.wait(0.5):
            if self.stopped():
                if not self.ended.wait(GRACE_KEEPING if self.keeps else GRACE):
                    self.end("stopped", NOTHING)
                    os._exit(130)  # nothing half done is left: files are written whole, the database in transactions
                return


@contextmanager
def reported(database: Database, number: int, keeps: bool = False) -> Iterator[Reporter]:
    """The progress of job ``number``, which ends as the block does."""
    reporter = Reporter(database, number, keeps)
    reporter.begin()
    try:
        yield reporter
    except Stopped:
        reporter.end("stopped", NOTHING)
        raise
    except BadInput as error:
        reporter.end("failed", str(error))
        raise
    except BaseException as error:
        if short_of_memory(error):
            reporter.end("failed", NO_MEMORY)
            raise
        reporter.end("failed", f"this is a bug of ours ({type(error).__name__}); please report it")
        raise
    stopped = keeps and reporter.stopped()
    reporter.end("stopped" if stopped else "done", KEPT if stopped else reporter.message)
