"""What a coordinator keeps in mind: how it was asked to work, tasks that are under way, films that are being taken in."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.jobs.archive import messages
from core.jobs.archive.messages import Spans, Task
from core.store.archives.archive import Film

PIECE = 600.0  # seconds of film in one task
TRIES = 4  # workers that may be short of disk or memory, or projects busy, before a task is given up
ALONE = 3  # times that a task that ended its workers is tried when nothing else is under way


@dataclass(frozen=True)
class Settings:
    """How an archive is taken in."""

    method: str = "rollcall"
    seed: int = 0
    gpu: bool = False  # faces are looked for by workers with a GPU alone
    piece: float = PIECE
    screen: bool = True  # what stands on the screen is read
    speech: bool = False  # films without captions are listened to


@dataclass(frozen=True)
class Tally:
    """How an archive stands."""

    done: int
    failed: int
    left: int
    projects: int  # that have been named


@dataclass(frozen=True)
class Flight:
    """A task that is under way, or waits for its turn."""

    task: Task
    film: int = 0
    project: str = ""
    tries: int = 0
    where: str = ""
    avoid: frozenset[str] = frozenset()
    alone: int = 0  # so many times a suspect, tried when nothing else is under way
    then: Task | None = None  # of a block of a film: what it is sent for


@dataclass
class Running:
    """A film that is being taken in."""

    film: Film
    place: messages.Place
    captioned: bool
    spoken: Spans = ()
    content: str = ""  # as soon as it was scanned, as its duration
    duration: float = 0.0
    heard: bool = False  # somebody has listened to it
    left: set[int] = field(default_factory=set)  # pieces to look at
    where: str = ""  # the worker that the film was sent to
    sent_to: str = ""  # ... and is being sent to
    held: list[Flight] = field(default_factory=list)  # what waits for that


def what_of(task: Task) -> str:
    return {"Scan": "reading the film", "Look": "looking for faces", "Listen": "listening", "Solve": "naming the faces"}.get(
        type(task).__name__, "taking it in"
    )
