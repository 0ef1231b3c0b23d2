"""Long work in a process of its own, which tells the project's database how far it is and can be stopped there.

Whoever opens the project, in whichever process, sees the same jobs; a reload or a restart of the app loses none. The process
holds a lock on a file of the project for as long as it lives, so a job whose process is gone is known for certain.
"""

from __future__ import annotations

import fcntl
import json
import os
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from core.errors import NO_MEMORY, BadInput, short_of_memory
from core.progress import Progress, Stopped
from core.project import Project
from core.store.files import LOCK

Kind = Literal["run", "ingest", "compare"]
State = Literal["waiting", "running", "done", "stopped", "failed"]

EVERY = 0.2  # seconds between two notes of progress
CURVE = 200  # points kept of a curve
KEPT = 50  # jobs shown
LOG = "job.log"  # in the project's cache: what the last job's process had to say
GRACE = 3.0  # seconds that work may go on after it was asked to stop, before it is ended
GRACE_KEEPING = 60.0  # ... if it keeps what it has done by then
LOST = "the work ended without a word, perhaps for lack of memory; start it again"
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
    command: tuple[str, ...]

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


def start(project: Project, kind: Kind, arguments: Sequence[str], then: Sequence[tuple[Kind, Sequence[str]]] = ()) -> Job:
    """Starts ``python -m core ARGUMENTS`` in the background, as a job of this project. One at a time.

    ``then``: what the same process does after it, each a job of its own, unless it fails or is stopped.
    """
    from core.worker import hand_over

    for one, words in ((kind, arguments), *then):
        if list(words[:3]) != [one, "--project", str(project.folder)]:  # of a copied or moved project, or made up
            raise BadInput("this piece of work is not this project's; start it anew")
    lock = _lock(project)
    while lock is None:
        if active(project) is not None:
            raise BadInput("something is running on this project already; wait for it, or stop it")
        time.sleep(0.02)  # its process is on its way out, or somebody just looks whether there is one
        lock = _lock(project)
    try:
        _bury(project)
        commands = []
        for state, (one, words) in zip(("running", *["waiting"] * len(then)), ((kind, arguments), *then), strict=True):
            now = time.time()
            number = project.database.run(
                "INSERT INTO job (kind, state, stage, done, total, started, began, updated, message, pid, stop, command)"
                " VALUES (?, ?, 'starting', 0, 0, ?, ?, ?, '', 0, 0, ?)",
                (one, state, now, now, now, json.dumps(list(words))),
            )
            commands.append([*words, "--job", str(number)])
        try:
            hand_over(lock, project.folder, project.cache / LOG, commands)
        except OSError as error:
            _bury(project)
            raise BadInput(f"the work could not be started ({error.strerror}); try again") from error
        return job(project, number - len(then))
    finally:
        os.close(lock)  # the worker has it, too, and keeps it as long as it lives


def jobs(project: Project) -> list[Job]:
    """The last jobs, the latest first; one whose process is gone without a word has failed."""
    if project.database.rows("SELECT 1 FROM job WHERE state IN ('running', 'waiting') LIMIT 1"):
        lock = _lock(project, shared=True)
        if lock is not None:
            _bury(project)
            os.close(lock)
    return _read(project, "ORDER BY id DESC LIMIT ?", KEPT)


def job(project: Project, number: int) -> Job:
    return _read(project, "WHERE id = ?", number)[0]


def active(project: Project) -> Job | None:
    """The job that is going on."""
    if not project.database.rows("SELECT 1 FROM job WHERE state IN ('running', 'waiting') LIMIT 1"):
        return None
    going = [one for one in jobs(project) if one.active]
    return going[-1] if going else None


def stop(project: Project, number: int) -> None:
    """Asks a job to stop, and with it those that wait for it; it does so at its next note of progress."""
    project.database.run("UPDATE job SET stop = 1 WHERE id >= ? AND state IN ('running', 'waiting')", (number,))


def _bury(project: Project) -> None:
    """Ends what is noted as going on although no process works on it. Only with the lock in hand."""
    with project.database.transaction():
        gone = [row[0] for row in project.database.rows("SELECT id FROM job WHERE state = 'running'")]
        project.database.run("DELETE FROM job WHERE state = 'waiting'")
        for number in gone:
            project.database.run(
                "UPDATE job SET state = 'failed', message = ? WHERE id = ?", (_last_words(project) or LOST, number)
            )


def _read(project: Project, which: str, value: int) -> list[Job]:
    rows = project.database.rows(f"SELECT {COLUMNS} FROM job {which}", (value,))
    return [Job(*(*r[:11], bool(r[11]), tuple(json.loads(r[12])), tuple(json.loads(r[13])))) for r in rows]


def _lock(project: Project, shared: bool = False) -> int | None:
    """The file that a job's process holds, locked; None while there is such a process."""
    try:
        file = os.open(project.folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise BadInput(f"{project.folder}: cannot be written ({error.strerror}); make the folder writable") from error
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(file)
        return None
    return file


def _last_words(project: Project) -> str:
    """What a process that never came to its work complained about."""
    try:
        said = (project.cache / LOG).read_text(encoding="utf-8", errors="replace").strip().split("\n")[-1]
    except OSError:
        return ""
    return said.removeprefix("rollcall: ") if said.startswith("rollcall: ") else ""


# --- In the job's process ----------------------------------------------------------------------------------------------


class Reporter:
    """The progress of a job, written where everybody can see it; raises ``Stopped`` when somebody asked for that."""

    def __init__(self, project: Project, number: int, raises: bool = True) -> None:
        self.project, self.number, self.raises = project, number, raises
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
        self.project.database.run(
            "UPDATE job SET stage = ?, done = ?, total = ?, began = ?, updated = ?, curve = ? WHERE id = ?",
            (stage, done, total, self.began, now, json.dumps(self.points()), self.number),
        )
        if self.raises and self.stopped():
            raise Stopped

    def points(self) -> list[float]:
        """The curve, thinned."""
        step = max(1, -(-len(self.curve) // CURVE))
        return self.curve[::step]

    def stopped(self) -> bool:
        return bool(self.project.database.one("SELECT stop FROM job WHERE id = ?", (self.number,)))

    def begin(self) -> None:
        now = time.time()
        self.project.database.run(
            "UPDATE job SET state = 'running', pid = ?, started = ?, began = ?, updated = ? WHERE id = ?",
            (os.getpid(), now, now, now, self.number),
        )
        threading.Thread(target=self._watch, daemon=True).start()

    def end(self, state: State, message: str) -> None:
        self.ended.set()
        self.project.database.run(
            "UPDATE job SET state = ?, message = ?, updated = ?, curve = ? WHERE id = ?",
            (state, message, time.time(), json.dumps(self.points()), self.number),
        )

    def _watch(self) -> None:
        """Ends the process when the work goes on too long after somebody asked it to stop: not all work reports."""
        while not self.ended.wait(0.5):
            if self.stopped():
                if not self.ended.wait(GRACE if self.raises else GRACE_KEEPING):
                    self.end("stopped", "stopped; nothing was changed")
                    os._exit(130)  # nothing half done is left: files are written whole, the database in transactions
                return


@contextmanager
def reported(project: Project, number: int | None, otherwise: Progress, raises: bool = True) -> Iterator[Progress]:
    """The progress to give to the work: that of job ``number``, which is ended as the block ends, or ``otherwise``.

    Work that ends by itself when it is asked to, and keeps what it has, wants no ``Stopped`` raised.
    """
    if number is None:
        yield otherwise
        return
    reporter = Reporter(project, number, raises)
    reporter.begin()
    try:
        yield reporter
    except Stopped:
        reporter.end("stopped", "stopped; nothing was changed")
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
    stopped = not raises and reporter.stopped()
    reporter.end("stopped" if stopped else "done", "stopped; what was done is kept" if stopped else reporter.message)
