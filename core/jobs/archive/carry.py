"""What a worker does with a task: bytes in, bytes out, whichever engine brought them.

Nothing is kept but a scratch folder, which may be deleted at any time: what was found in a piece that was not finished, so
that a second attempt goes on there, and films that no path leads to. A full disk, or too little memory, is the worker's
fault and not the film's: the coordinator then asks another one.
"""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import tempfile
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from core.corrections import read_corrections
from core.errors import NO_MEMORY, BadInput, short_of_memory
from core.formats import read_problem
from core.formats.content import content_key
from core.jobs.archive import messages
from core.jobs.archive.messages import Answer, Done, Idle, Look, Looked, Missing, Put, Scan, Scanned, Solve, Task, Wrong
from core.jobs.ingest import never
from core.media.cache import FOLDER, Cache
from core.media.captions.sources import embedded_captions
from core.media.gathering import Held, Work, look_through, timeline_of
from core.media.looking import Finder
from core.media.video.sampling import Sampling
from core.progress import silent
from core.solve import solve_from
from core.solvers.checkpoint import write_checkpoint
from core.store.runs import answers

if TYPE_CHECKING:
    from core.media.faces.finder import FaceFinder

SCRATCH, THREADS = "ROLLCALL_SCRATCH", "ROLLCALL_THREADS"  # in the environment: a folder, and threads that look for faces
KEY = re.compile(r"[0-9a-f]{64}")
NEEDED = 64 << 20  # bytes free in the scratch folder, below which other films there are removed


def carry_out(message: bytes) -> bytes:
    """Does a task, and gives its answer; whatever goes wrong is an answer, too."""
    try:
        task = messages.decode(message)
        answer = _do(task)  # type: ignore[arg-type]  # an answer that comes as a task is refused there
    except BadInput as error:
        answer = Wrong("worker" if _is_full(error) else "film", str(error))
    except Exception as error:
        if short_of_memory(error):
            answer = Wrong("worker", NO_MEMORY)
        elif _is_full(error):
            answer = Wrong("worker", "the worker's disk is full; free some space there")
        else:
            traceback.print_exc()
            answer = Wrong("film", f"this is a bug of ours ({type(error).__name__}: {error}); please report it")
    return messages.encode(answer)


def _do(task: Task) -> Answer:
    from core.jobs.archive import write

    match task:
        case Scan():
            return _scan(task)
        case Look():
            return _look(task)
        case Solve():
            return _solve(task)
        case Put():
            return _put(task)
        case Idle():
            time.sleep(task.seconds)
            return Done(task.fill)
        case messages.Write():
            return write.write(task)
        case messages.Ask():
            return write.ask(task)
        case messages.Keep():
            return write.keep(task)
    raise BadInput(messages.WRONG)


def kind_of_cache() -> str:
    """Which cache, detector and embedder this worker has; what another one found is of no use."""
    finder = Finder()
    return f"{FOLDER} {finder.detector} {finder.embedder}"


def scratch() -> Path:
    """The worker's own folder, for nobody else to read."""
    folder = Path(os.environ.get(SCRATCH) or Path(tempfile.gettempdir()) / f"rollcall-{os.getuid()}")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_uid != os.getuid() or folder.is_symlink():
        raise BadInput(f"{folder}: belongs to somebody else; name another folder in {SCRATCH}")
    return folder


@cache
def _finder() -> FaceFinder:
    from core.media.faces.finder import FaceFinder

    return FaceFinder(threads=int(os.environ.get(THREADS) or 1))


# --- Films --------------------------------------------------------------------------------------------------------------


def _scan(task: Scan) -> Answer:
    video = _film(task)
    if not isinstance(video, Path):
        return video
    content = content_key(video)
    with tempfile.TemporaryDirectory(dir=scratch()) as folder:
        work = _work(Path(folder))
        timeline = timeline_of(work, video, content)
        assert timeline is not None
        spoken = () if task.captioned else _inside(video)
        names, files = _files(work.cache)
        return Scanned(kind_of_cache(), content, timeline.duration, spoken, names, files)


def _look(task: Look) -> Answer:
    video = _film(task)
    if not isinstance(video, Path):
        return video
    if not KEY.fullmatch(task.content) or not re.fullmatch(r"[0-9a-f]{64}\.npz", task.name):
        raise BadInput(messages.WRONG)
    _make_room(task.key)
    with _begun_before(f"look-{task.key}-{task.piece}") as folder:
        work = _work(folder)
        known = work.cache.folder / task.name
        known.write_bytes(task.timeline)
        timeline = work.cache.timeline(task.content)
        if timeline is None:
            raise BadInput(messages.WRONG)
        look_through(work, video, task.content, timeline, task.spoken, Sampling(), task.span)
        known.unlink()
        names, files = _files(work.cache)
        shutil.rmtree(folder, ignore_errors=True)  # only now: after a crash the next attempt goes on here
    return Looked(kind_of_cache(), names, files)


@contextmanager
def _begun_before(name: str) -> Iterator[Path]:
    """A folder for a piece of work, with what an attempt that was cut short left there; a new one where another process of
    this machine is at it."""
    lock = FileLock(scratch() / f"{name}.lock", mode=0o600)
    try:
        with lock.acquire(timeout=0):
            yield scratch() / name
            (scratch() / f"{name}.lock").unlink(missing_ok=True)
    except Timeout:
        with tempfile.TemporaryDirectory(dir=scratch()) as folder:
            yield Path(folder)


def _work(folder: Path) -> Work:
    finder = Finder(_finder())
    return Work(Held, Cache(folder, f"{finder.detector} {finder.embedder}"), finder, silent, never)


def _files(cache: Cache) -> tuple[tuple[str, ...], tuple[bytes, ...]]:
    found = sorted(cache.folder.glob("*.npz"))
    return tuple(path.name for path in found), tuple(path.read_bytes() for path in found)


def _inside(video: Path) -> messages.Spans:
    try:
        return tuple((line.start, line.stop) for line in embedded_captions(video))
    except BadInput:
        return ()


def _film(task: Scan | Look) -> Path | Missing:
    """The film where the coordinator has it, or where it was sent to."""
    shared, sent = Path(task.path), _sent(task.key)
    for place in (shared, sent):
        if place.is_file() and place.stat().st_size == task.size:
            if place == sent:
                os.utime(sent)  # it is the last to be removed when there is no room
            return place
    part = sent.with_suffix(".part")
    return Missing(part.stat().st_size if part.is_file() else 0)


def _sent(key: str) -> Path:
    if not KEY.fullmatch(key):
        raise BadInput(messages.WRONG)
    return scratch() / "films" / f"{key}.film"


def _put(task: Put) -> Answer:
    """Keeps a block. One that came before counts, one that comes too early does not."""
    film = _sent(task.key)
    part = film.with_suffix(".part")
    film.parent.mkdir(mode=0o700, exist_ok=True)
    _make_room(task.key, task.size - task.offset)
    have = part.stat().st_size if part.is_file() else 0
    if task.offset == have:
        with part.open("ab") as file:
            file.write(task.block)
        have += len(task.block)
    if have == task.size:
        part.replace(film)
    return Missing(have)


def _make_room(key: str, size: int = 0) -> None:
    """Removes films that were sent earlier, the oldest first, as long as the disk has too little room."""
    films = sorted((scratch() / "films").glob("*.film"), key=lambda path: path.stat().st_mtime)
    for film in films:
        if shutil.disk_usage(scratch()).free > size + NEEDED:
            return
        if film.stem != key:
            film.unlink(missing_ok=True)


# --- Problems -----------------------------------------------------------------------------------------------------------


def _solve(task: Solve) -> Answer:
    with tempfile.TemporaryDirectory(dir=scratch()) as place:
        folder = Path(place)
        (folder / "problem.npz").write_bytes(task.problem)
        (folder / "corrections.json").write_text(task.corrections, encoding="utf-8")
        problem = read_problem(folder / "problem.npz")
        said = read_corrections(folder / "corrections.json", problem.faces) if json.loads(task.corrections) else []
        began = time.perf_counter()
        solution = solve_from(None, problem, task.method, said, task.seed)
        seconds = time.perf_counter() - began
        answers.write_prediction(folder / "answer.npz", solution.prediction)
        checkpoint = b""
        if solution.checkpoint is not None:
            write_checkpoint(folder / "checkpoint.npz", solution.checkpoint)
            checkpoint = (folder / "checkpoint.npz").read_bytes()
        answer = (folder / "answer.npz").read_bytes()
        return messages.Solution(seconds, solution.prediction.names, answer, checkpoint)


def _is_full(error: BaseException | None) -> bool:
    """Whether something failed because a disk is full."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
            return True
        error = error.__cause__ or error.__context__
    return False
