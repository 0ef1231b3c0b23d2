"""What workers do with films: find their frames and shots, look at a piece, listen.

The scratch folder keeps what was found by work that was not finished, so that a second attempt goes on there, and films that
no path leads to.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from filelock import FileLock, Timeout

from core.errors import BadInput
from core.formats.content import content_key
from core.jobs.archive import messages
from core.jobs.archive.messages import Answer, Listen, Look, Looked, Missing, Put, Scan, Scanned, Wrong
from core.jobs.archive.scratch import scratch
from core.jobs.ingest import never
from core.media.cache import FOLDER, Cache
from core.media.captions.sources import embedded_captions
from core.media.captions.streams import has_pictures
from core.media.faces.finder import FaceFinder
from core.media.gathering import look_through, screen_of, timeline_of
from core.media.looking import Finder
from core.media.screen.kinds import Reader
from core.media.screen.pictured import pictured_lines
from core.media.screen.registry import READER
from core.media.screen.texts import LazyReader
from core.media.speech.kinds import Listener
from core.media.speech.listening import UNREADABLE, Ear, listen
from core.media.video.sampling import Sampling
from core.media.work import Held, Work
from core.progress import silent

THREADS = "ROLLCALL_THREADS"  # in the environment: threads that look for faces
KEY = re.compile(r"[0-9a-f]{64}")
NEEDED = 64 << 20  # bytes free in the scratch folder, below which other films there are removed


def kind_of_cache() -> str:
    """Which cache, detector and embedder this worker has; what another one found is of no use."""
    finder = Finder()
    return f"{FOLDER} {finder.detector} {finder.embedder} {READER}"


@cache
def finder_here() -> FaceFinder:
    return FaceFinder(threads=int(os.environ.get(THREADS) or 1))


@cache
def reader_here() -> Reader:
    return LazyReader()


@cache
def listener_here() -> Listener:
    return Ear().made()


def scan(task: Scan) -> Answer:
    video = _film(task)
    if not isinstance(video, Path):
        return video
    content = content_key(video)
    with _begun_before(f"scan-{task.key}") as folder:
        work = _work(folder)
        timeline = timeline_of(work, video, content)
        assert timeline is not None
        spoken = () if task.captioned else _inside(video)
        if not (spoken or task.captioned) and task.screen:
            spoken = _pictured(work, video, content, timeline.duration)
        names, files = _taken(folder, work.cache)
    return Scanned(kind_of_cache(), content, timeline.duration, spoken, names, files)


def look(task: Look) -> Answer:
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
        screen = screen_of(work.cache, task.content, timeline, task.span, reader_here()) if task.screen else None
        look_through(work, video, task.content, timeline, task.spoken, Sampling(), task.span, screen)
        if screen and screen.wrong:
            return Wrong("worker", screen.wrong)
        known.unlink()
        names, files = _taken(folder, work.cache)
    return Looked(kind_of_cache(), names, files)


def listen_to(task: Listen) -> Answer:
    video = _film(task)
    if not isinstance(video, Path):
        return video
    try:
        ear = Ear(listener=listener_here())
    except BadInput as error:
        return Wrong("worker", str(error))
    with _begun_before(f"listen-{task.key}") as folder:
        work = _work(folder)
        heard = listen(ear, work.cache, video, task.content, task.duration, task.hints, silent, never)
        if heard.wrong not in ("", UNREADABLE):  # that of the film: the ingest says so
            return Wrong("worker", heard.wrong)
        names, files = _taken(folder, work.cache)
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
    finder = Finder(finder_here())
    return Work(Held, Cache(folder, f"{finder.detector} {finder.embedder}", remembers=True), finder, silent, never)


def _taken(folder: Path, cache: Cache) -> tuple[tuple[str, ...], tuple[bytes, ...]]:
    """What was found, taken out of the scratch folder; only now, as after a crash the next attempt goes on there."""
    found = sorted(cache.folder.glob("*.npz"))
    names, files = tuple(path.name for path in found), tuple(path.read_bytes() for path in found)
    shutil.rmtree(folder, ignore_errors=True)
    return names, files


def _inside(video: Path) -> messages.Spans:
    try:
        return tuple((line.start, line.stop) for line in embedded_captions(video))
    except BadInput:
        return ()


def _pictured(work: Work, video: Path, content: str, duration: float) -> messages.Spans:
    """When subtitles that are pictures are shown; what stands in them is kept."""
    if not has_pictures(video):
        return ()
    try:
        lines = pictured_lines(reader_here(), work.cache, video, content, duration, silent, never) or []
    except BadInput:  # the ingest says so
        return ()
    return tuple((line.start, line.stop) for line in lines if line.start < duration)


def _film(task: Scan | Look | Listen) -> Path | Missing:
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


def put(task: Put) -> Answer:
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
