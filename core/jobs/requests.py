"""What long work is asked for: one frozen record a kind. The command line and the app build them, the worker gets them.

A request travels to the worker, and is kept in the project's table of jobs, as JSON. ``decode`` checks what it reads: a
project may come from somebody else.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, ClassVar, get_args, get_origin, get_type_hints

from core.errors import BadInput
from core.store.tables.job_table import Kind


@dataclass(frozen=True)
class IngestVideo:
    """Take a video in. Without ``captions``, those beside it count, and without any the subtitles inside it."""

    kind: ClassVar[Kind] = "ingest"
    video: Path
    captions: Path | None = None
    cast: Path | None = None
    people: Path | None = None  # folder or zip of reference photos by name
    per_shot: bool = False  # look at one frame a shot
    every: float | None = None  # look at a frame every so many seconds
    window: float = 0.0  # captions so many seconds around a frame count for it, too; those it was taken for always do
    who: str = ""  # who gives the reference photos; "" is the system's user
    screen: bool = True  # read what stands written on the screen
    speech: bool = False  # listen to what is said, where there are no captions
    model: Path | None = None  # the folder of another model that listens
    labels: Path | None = None  # boxes with names: COCO, Label Studio, CVAT, CSV


@dataclass(frozen=True)
class IngestPictures:
    """Take the pictures of a folder or zip in. Without a table of ``captions``, the one inside or beside them counts, and
    without that what the pictures say of themselves."""

    kind: ClassVar[Kind] = "ingest"
    images: Path
    captions: Path | None = None
    cast: Path | None = None
    people: Path | None = None
    who: str = ""
    folders: bool = False  # the folders around them are called after the people on them
    labels: Path | None = None  # as for a video; without it, label files inside of the folder count


@dataclass(frozen=True)
class IngestProblem:
    """Take a problem file in."""

    kind: ClassVar[Kind] = "ingest"
    problem: Path


@dataclass(frozen=True)
class IngestMvad:
    """Take the films of M-VAD Names in."""

    kind: ClassVar[Kind] = "ingest"
    annotations: Path
    features: Path
    captions: Path


@dataclass(frozen=True)
class IngestMpii:
    """Take the films of MPII-MD or LSMDC in."""

    kind: ClassVar[Kind] = "ingest"
    annotations: Path
    features: Path  # a folder
    persons: Path | None = None  # who is meant in the sentences
    cast: Path | None = None


@dataclass(frozen=True)
class Recaption:
    """Give the frames of a source other captions; decisions stay."""

    kind: ClassVar[Kind] = "ingest"
    source: int
    captions: Path
    cast: Path | None = None
    window: float = 0.0


@dataclass(frozen=True)
class TakeLabels:
    """Take the labels of a file in; what people said before stands."""

    kind: ClassVar[Kind] = "ingest"
    labels: Path
    who: str = ""  # who gives those that name no author; "" is the system's user


@dataclass(frozen=True)
class FindAgain:
    """Find the faces of a project again, with the detector and the embedder of today; decisions stay."""

    kind: ClassVar[Kind] = "ingest"


@dataclass(frozen=True)
class RunMethod:
    """Name the faces of a project around what people said."""

    kind: ClassVar[Kind] = "run"
    method: str = "rollcall"
    seed: int = 0
    cold: bool = False  # do not take up where the last run ended


@dataclass(frozen=True)
class CompareMethods:
    """Let several methods name the faces, for a table; the project's runs stay as they are."""

    kind: ClassVar[Kind] = "compare"
    methods: tuple[str, ...] = ("rollcall",)
    seed: int = 0


Ingest = IngestVideo | IngestPictures | IngestProblem | IngestMvad | IngestMpii
Request = Ingest | Recaption | TakeLabels | FindAgain | RunMethod | CompareMethods
KINDS: dict[str, type[Request]] = {one.__name__: one for one in get_args(Request)}
UNKNOWN = "this piece of work cannot be read; start it anew"


def encode(request: Request) -> dict[str, Any]:
    """The request as JSON has it."""
    values = {field.name: getattr(request, field.name) for field in fields(request)}
    plain = {name: str(value) if isinstance(value, Path) else value for name, value in values.items()}
    return {"request": type(request).__name__, **plain}


def decode(values: Any) -> Request:
    """The request that ``encode`` made these of; refuses anything else."""
    made = KINDS.get(str(values.get("request"))) if isinstance(values, dict) else None
    if made is None or set(values) != {"request", *(field.name for field in fields(made))}:
        raise BadInput(UNKNOWN)
    types = get_type_hints(made)
    return made(**{field.name: _value(values[field.name], types[field.name]) for field in fields(made)})


def _value(value: Any, wanted: Any) -> Any:
    """A value as a field's type asks for it."""
    choices = get_args(wanted) if get_origin(wanted) is UnionType else (wanted,)
    if value is None and NoneType in choices:
        return None
    if Path in choices and isinstance(value, str):
        return Path(value)
    if float in choices and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if any(one in (str, bool, int) and type(value) is one for one in choices):
        return value
    if tuple[str, ...] in choices and isinstance(value, list) and all(isinstance(one, str) for one in value):
        return tuple(value)
    raise BadInput(UNKNOWN)
