"""What the coordinator asks of workers and what they answer: one frozen record a kind, and the bytes that it travels as.

A message is the length of a line of JSON, that line, and the files that belong to it, one behind the other. Nothing in it
can be run: ``decode`` takes only the records below, with fields of their types.
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass, fields
from typing import Any, Literal, get_type_hints

from core.errors import BadInput

Spans = tuple[tuple[float, float], ...]  # from when to when, in seconds
Files = tuple[bytes, ...]
Names = tuple[str, ...]
HEAD = struct.Struct("<Q")
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
    """Find the times of all frames, the shots, and, unless captions are given, those inside of the film."""

    path: str
    size: int
    key: str
    captioned: bool


@dataclass(frozen=True)
class Look:
    """Find and describe the faces of a piece of a film."""

    path: str
    size: int
    key: str
    content: str
    piece: int
    span: tuple[float, float]
    spoken: Spans  # of captions
    name: str  # of the timeline's file
    timeline: bytes


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
    """The files of the cache that came of a piece."""

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


Task = Scan | Look | Solve | Put | Idle | Write | Ask | Keep
Answer = Scanned | Looked | Solution | Written | Asked | Kept | Missing | Done | Wrong
Message = Task | Answer
KINDS: dict[str, type[Message]] = {
    kind.__name__: kind
    for kind in (Scan, Look, Solve, Put, Idle, Write, Ask, Keep, Scanned, Looked, Solution, Written, Asked, Kept, Missing)
} | {kind.__name__: kind for kind in (Done, Wrong)}


def encode(message: Message) -> bytes:
    """The message as bytes."""
    plain: dict[str, Any] = {"message": type(message).__name__}
    blobs: list[bytes] = []
    for field in fields(message):
        value = getattr(message, field.name)
        if isinstance(value, bytes):
            plain[field.name], blobs = len(value), [*blobs, value]
        elif isinstance(value, tuple) and value and isinstance(value[0], bytes):
            plain[field.name], blobs = [len(one) for one in value], [*blobs, *value]
        else:
            plain[field.name] = value
    head = json.dumps(plain).encode()
    return b"".join([HEAD.pack(len(head)), head, *blobs])


def decode(data: bytes | memoryview) -> Message:
    """The message that ``encode`` made these bytes of; refuses anything else."""
    try:
        view = memoryview(data).cast("B")
        (length,) = HEAD.unpack_from(view)
        plain = json.loads(bytes(view[HEAD.size : HEAD.size + length]))
        made = KINDS[plain.pop("message")]
        types = get_type_hints(made)
        if set(plain) != set(types):
            raise ValueError(WRONG)
        reader = _Blobs(view, HEAD.size + length)
        message = made(**{name: _value(plain[name], wanted, reader) for name, wanted in types.items()})
        reader.check_end()
    except (ValueError, KeyError, TypeError, AttributeError, struct.error, RecursionError) as error:
        raise BadInput(WRONG) from error
    return message


class _Blobs:
    def __init__(self, view: memoryview, start: int) -> None:
        self.view, self.at = view, start

    def take(self, size: Any) -> bytes:
        if type(size) is not int or not 0 <= size <= len(self.view) - self.at:
            raise ValueError(WRONG)
        self.at += size
        return bytes(self.view[self.at - size : self.at])

    def check_end(self) -> None:
        if self.at != len(self.view):
            raise ValueError(WRONG)


def _value(value: Any, wanted: Any, blobs: _Blobs) -> Any:
    """A value as a field's type asks for it."""
    if wanted is bytes:
        return blobs.take(value)
    if wanted == Files:
        return tuple(blobs.take(size) for size in value)
    if wanted == Names and all(type(one) is str for one in value):
        return tuple(value)
    if wanted == Spans:
        return tuple(_span(one) for one in value)
    if wanted == tuple[float, float]:
        return _span(value)
    if wanted is float and type(value) in (int, float):
        return float(value)
    if type(value) is wanted:
        return value
    raise ValueError(WRONG)


def _span(value: Any) -> tuple[float, float]:
    start, stop = value
    return float(start), float(stop)
