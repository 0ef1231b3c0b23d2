"""The table of jobs: which long work there is on a project, how far it is and how it ended.

The process that works on a project holds a lock on a file in its folder for as long as it lives, so a job whose process is
gone is known for certain. A second lock, the gate, is held while a job is handed over to its process, and while somebody
looks whether there is one: between the two no job is taken for lost.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from filelock import FileLock, Timeout

from core.errors import BadInput
from core.store import files
from core.store.tables.database import Database

Kind = Literal["run", "ingest", "compare"]
State = Literal["waiting", "running", "done", "stopped", "failed"]

KEPT = 50  # jobs shown
LOST = "the work ended without a word, perhaps for lack of memory; start it again"
BUSY = "something is running on this project already; wait for it, or stop it"
PATIENCE = 10.0  # seconds to wait for a lock that is only ever held for a moment
COLUMNS = "id, kind, state, stage, done, total, started, began, updated, message, pid, stop, curve, command"


@dataclass(frozen=True)
class Job:
    """One piece of long work: what it is, how far it is, how it ended."""

    id: int
    kind: Kind
    state: State
    stage: str
    done: int
    total: int
    started: float
    began: float  # the present stage
    updated: float
    message: str  # how it ended, in one sentence
    pid: int
    stop: bool  # somebody asked for it
    curve: tuple[float, ...]
    request: str  # what was asked for, as JSON; see core/jobs/requests.py

    @property
    def active(self) -> bool:
        return self.state in ("waiting", "running")

    @property
    def rate(self) -> float | None:
        """Steps of the present stage done in a second, as far as one can tell."""
        passed = self.updated - self.began
        return self.done / passed if self.done and passed > 0 else None

    @property
    def left(self) -> float | None:
        """Seconds left of the present stage, as far as one can tell."""
        return (self.total - self.done) / self.rate if self.rate and self.total else None


# --- Whether a process is at work --------------------------------------------------------------------------------------


def work_lock(folder: Path) -> FileLock:
    """The lock of the process that works on the project."""
    return FileLock(folder / files.LOCK, mode=0o600, thread_local=False, timeout=PATIENCE)


@contextmanager
def _writable(folder: Path) -> Iterator[None]:
    try:
        yield
    except Timeout:
        raise
    except OSError as error:
        raise BadInput(f"{folder}: cannot be written ({error.strerror}); make the folder writable") from error


def pass_gate(database: Database, folder: Path) -> FileLock:
    """The gate, closed behind whoever wants to begin work; refuses while there is work. Release it when the process has
    its own lock."""
    gate = FileLock(folder / files.GATE, mode=0o600, thread_local=False, timeout=PATIENCE)
    try:
        with _writable(folder):
            gate.acquire()
    except Timeout as error:
        raise BadInput(BUSY) from error
    try:
        end = time.monotonic() + PATIENCE
        while _at_work(folder):
            if _active(database) or time.monotonic() > end:
                raise BadInput(BUSY)
            time.sleep(0.02)  # the process is on its way out
        bury(database, folder)
    except BaseException:
        gate.release()
        raise
    return gate


def _at_work(folder: Path) -> bool:
    """Whether a process works on the project. Only with the gate closed."""
    lock = work_lock(folder)
    try:
        with _writable(folder), lock.acquire(timeout=0):
            return False
    except Timeout:
        return True


def _bury_lost(database: Database, folder: Path) -> None:
    """Ends the jobs of a process that is gone. While somebody else has the gate, nothing is known for certain."""
    gate = FileLock(folder / files.GATE, mode=0o600, thread_local=False)
    try:
        with _writable(folder), gate.acquire(timeout=0):
            if not _at_work(folder):
                bury(database, folder)
    except Timeout:
        return


def bury(database: Database, folder: Path) -> None:
    """Ends what is noted as going on although no process works on it. Only with the gate closed."""
    with database.transaction():
        database.run("DELETE FROM job WHERE state = 'waiting'")
        database.run("UPDATE job SET state = 'failed', message = ? WHERE state = 'running'", (_last_words(folder) or LOST,))


def _last_words(folder: Path) -> str:
    """What a process that never came to its work complained about."""
    try:
        said = (folder / files.CACHE / files.JOB_LOG).read_text(encoding="utf-8", errors="replace").strip().split("\n")[-1]
    except OSError:
        return ""
    return said.removeprefix("rollcall: ") if said.startswith("rollcall: ") else ""


# --- Reading -----------------------------------------------------------------------------------------------------------


def jobs(database: Database, folder: Path) -> list[Job]:
    """The last jobs, the latest first; one whose process is gone without a word has failed."""
    if _active(database):
        _bury_lost(database, folder)
    return _read(database, "ORDER BY id DESC LIMIT ?", KEPT)


def job(database: Database, number: int) -> Job:
    return _read(database, "WHERE id = ?", number)[0]


def active(database: Database, folder: Path) -> Job | None:
    """The job that is going on."""
    if not _active(database):
        return None
    going = [one for one in jobs(database, folder) if one.active]
    return going[-1] if going else None


def asked_to_stop(database: Database, number: int) -> bool:
    return bool(database.one("SELECT stop FROM job WHERE id = ?", (number,)))


def _active(database: Database) -> bool:
    return bool(database.rows("SELECT 1 FROM job WHERE state IN ('running', 'waiting') LIMIT 1"))


def _read(database: Database, which: str, value: int) -> list[Job]:
    rows = database.rows(f"SELECT {COLUMNS} FROM job {which}", (value,))
    return [Job(*(*row[:11], bool(row[11]), tuple(json.loads(row[12])), row[13])) for row in rows]


# --- Writing -----------------------------------------------------------------------------------------------------------


def add(database: Database, kind: Kind, state: State, request: str) -> int:
    """Notes a new job; gives its number."""
    now = time.time()
    return database.run(
        "INSERT INTO job (kind, state, stage, done, total, started, began, updated, message, pid, stop, command)"
        " VALUES (?, ?, 'starting', 0, 0, ?, ?, ?, '', 0, 0, ?)",
        (kind, state, now, now, now, request),
    )


def begin(database: Database, number: int) -> None:
    """Notes that this process does the job now."""
    now = time.time()
    database.run(
        "UPDATE job SET state = 'running', pid = ?, started = ?, began = ?, updated = ? WHERE id = ?",
        (os.getpid(), now, now, now, number),
    )


def note(database: Database, number: int, stage: str, done: int, total: int, began: float, curve: Sequence[float]) -> None:
    """Notes how far a job is."""
    database.run(
        "UPDATE job SET stage = ?, done = ?, total = ?, began = ?, updated = ?, curve = ? WHERE id = ?",
        (stage, done, total, began, time.time(), json.dumps(list(curve)), number),
    )


def end(database: Database, number: int, state: State, message: str, curve: Sequence[float]) -> None:
    """Notes how a job ended."""
    database.run(
        "UPDATE job SET state = ?, message = ?, updated = ?, curve = ? WHERE id = ?",
        (state, message, time.time(), json.dumps(list(curve)), number),
    )


def stop(database: Database, number: int) -> None:
    """Asks a job to stop, and with it those that wait for it."""
    database.run("UPDATE job SET stop = 1 WHERE id >= ? AND state IN ('running', 'waiting')", (number,))


def redact(database: Database, pattern: re.Pattern[str], replacement: str) -> None:
    """Takes out jobs' messages and requests in which ``pattern`` finds something: paths and complaints may hold names."""
    for number, message, request in database.rows("SELECT id, message, command FROM job"):
        if pattern.search(message) or any(pattern.search(word) for word in _words(json.loads(request))):
            database.run("UPDATE job SET message = ?, command = '[]' WHERE id = ?", (replacement, number))


def _words(value: Any) -> list[str]:
    """All texts in what JSON held."""
    if isinstance(value, dict | list):
        return [word for one in (value.values() if isinstance(value, dict) else value) for word in _words(one)]
    return [value] if isinstance(value, str) else []
