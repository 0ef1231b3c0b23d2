"""What the coordinator asks of workers and what they answer: one frozen record a kind. ``wire.py`` has their bytes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Spans = tuple[tuple[float, float], ...]  # from when to when, in seconds
Files = tuple[bytes, ...]
Names = tuple[str, ...]
WRONG = "a message between coordinator and worker cannot be read; run the same version of Rollcall everywhere"


@dataclass(frozen=True)
class Place:
    """Where a film lies: on a path that workers share, or, where they have none, sent to them under its ``key``."""

    path: str
    size: int
    key: str


# --- What workers do. They need no database, and films alone ------------------------------------------------------------


@dataclass(frozen=True)
class Scan:
    """Find the times of all frames, the shots, and, unless captions are given, those inside of the film; where the
    ``screen`` is read, also those that are pictures."""

    path: str
    size: int
    key: str
    captioned: bool
    screen: bool


@dataclass(frozen=True)
class Look:
    """Find and describe the faces of a piece of a film, and read what stands on its screen."""

    path: str
    size: int
    key: str
    content: str
    piece: int
    span: tuple[float, float]
    spoken: Spans  # of captions
    screen: bool
    name: str  # of the timeline's file
    timeline: bytes


@dataclass(frozen=True)
class Listen:
    """Write down what is said in a film; ``hints`` are names that may be in it."""

    path: str
    size: int
    key: str
    content: str
    duration: float
    hints: Names


@dataclass(frozen=True)
class Solve:
    """Name the faces of a problem file."""

    method: str
    seed: int
    corrections: str  # JSON
    problem: bytes


@dataclass(frozen=True)
class Put:
    """Keep a block of a film that no path leads to."""

    key: str
    offset: int
    size: int  # of the whole film
    block: bytes


@dataclass(frozen=True)
class Idle:
    """Do nothing for so many seconds: what measures the coordinator."""

    seconds: float
    fill: bytes


# --- What is done where the projects lie --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Write:
    """Take a film into a project; what workers found in it lies in ``cache``."""

    project: str
    title: str
    path: str
    captions: str
    cast: str
    cache: str
    screen: bool
    speech: bool


@dataclass(frozen=True)
class Hint:
    """Tell which names may be said in a film: those of its cast, or else those that were read on its screen."""

    content: str
    cast: str
    cache: str


@dataclass(frozen=True)
class Ask:
    """Make a problem file of a project."""

    project: str


@dataclass(frozen=True)
class Keep:
    """Keep the answer to a project's problem as a run."""

    project: str
    method: str
    seed: int
    seconds: float
    version: int  # of the log of decisions, when the problem was made
    faces: int
    names: Names
    prediction: bytes
    checkpoint: bytes


# --- Answers ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Scanned:
    """What a film is. ``kind`` tells which detector, embedder and cache the worker has."""

    kind: str
    content: str
    duration: float
    spoken: Spans
    names: Names
    files: Files


@dataclass(frozen=True)
class Looked:
    """The files of the cache that came of a piece, or of listening."""

    kind: str
    names: Names
    files: Files


@dataclass(frozen=True)
class Solution:
    """The answer to a problem file."""

    seconds: float
    names: Names
    prediction: bytes
    checkpoint: bytes  # empty where there is none


@dataclass(frozen=True)
class Hinted:
    """Names."""

    names: Names


@dataclass(frozen=True)
class Written:
    """What came in."""

    text: str


@dataclass(frozen=True)
class Asked:
    """A project as a problem file."""

    version: int
    faces: int
    corrections: str
    problem: bytes


@dataclass(frozen=True)
class Kept:
    """What a run came to; ``changed`` where people decided something meanwhile, so that it has to be asked anew."""

    text: str
    changed: bool


@dataclass(frozen=True)
class Missing:
    """The worker cannot reach the film; it has so many bytes of it."""

    have: int


@dataclass(frozen=True)
class Done:
    """There is nothing to say."""

    fill: bytes


Fault = Literal["film", "worker", "later"]


@dataclass(frozen=True)
class Wrong:
    """It did not work, in one sentence: because of the film, because of the worker, or because somebody else is at it."""

    fault: str
    sentence: str


Task = Scan | Look | Listen | Solve | Put | Idle | Write | Hint | Ask | Keep
Answer = Scanned | Looked | Solution | Written | Hinted | Asked | Kept | Missing | Done | Wrong
Message = Task | Answer
