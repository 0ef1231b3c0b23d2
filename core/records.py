"""What travels between media, project, formats and app: plain frozen records, checked where they are made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Literal

from core.prediction import AnswerKind, kind_of_answer
from core.problem import FloatArray

SourceKind = Literal["video", "pictures", "problem"]
State = Literal["predicted", "confirmed", "corrected"]
LineKind = Literal["screen", "credits", "subtitles", "speech"]  # captions that Rollcall found by itself
Mark = Literal["", "small", "blurred", "doubtful"]  # doubtful: perhaps no face at all


@dataclass(frozen=True)
class Box:
    """Where a face is, in pixels of the upright full-size frame."""

    left: float
    top: float
    right: float
    bottom: float


def clock(seconds: float) -> str:
    """A time as players show it.

    >>> clock(67), clock(3727.9)
    ('1:07', '1:02:07')
    """
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}" if minutes >= 60 else f"{minutes}:{rest:02}"


# --- What ingest hands to a project ------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class NewFace:
    """A face that was found: its embedding (unit length), its crop as JPEG (None where there are no pixels)."""

    embedding: FloatArray
    box: Box = Box(0, 0, 0, 0)
    crop: bytes | None = None
    score: float = 1.0  # how sure the detector is
    mark: Mark = ""  # faces that are too small, blurred or perhaps none are kept, but marked
    quality: float = 1.0  # 0 to 1: how well it shows who it is
    track: int | None = None  # faces of one shot that are one person share a number, counted within their source
    truth: str | None = None  # who it is where that is known: a name, "" for nobody
    number: int | None = None  # its place among its source's faces, where it has one already


@dataclass(frozen=True)
class NewMention:
    """A name in a caption, where in its text it stands: (start, stop) in characters, none for a name from a table; and how
    it came to be there, one of ``MENTION_KINDS``."""

    name: str
    spans: tuple[tuple[int, int], ...] = ()
    kind: str = ""


@dataclass(frozen=True, eq=False)
class NewFrame:
    """A group: a moment of a video or a picture, its caption, the names in it, and the faces found."""

    caption: str
    mentions: Sequence[NewMention]
    faces: Sequence[NewFace]
    time: float | None = None  # seconds into the video; None for pictures
    path: str = ""  # of a picture: relative to the imported folder
    picture: bytes | None = None  # JPEG to show; may be smaller than the frame
    width: int = 0  # of the upright full-size frame
    height: int = 0
    shot: int | None = None
    content: str = ""  # of a picture: the sha256 of its file, by which it is known again


@dataclass(frozen=True)
class NewCaption:
    """Another caption for a frame that is in the project already, and the names in it."""

    frame: int
    caption: str
    mentions: Sequence[NewMention]


@dataclass(frozen=True)
class NewTrack:
    """Somebody who stays in view: from ``start`` to ``stop`` (seconds), and where at the moments that were looked at.

    ``speaks`` holds the names for which a mouth speaks that moves, or does not, during their lines, as log-odds.
    """

    start: float
    stop: float
    boxes: tuple[tuple[float, Box], ...]  # (time, box)
    speaks: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class NewLine:
    """A caption that was read off the screen or heard: from ``start`` to ``stop`` (seconds), and where it stood.

    ``name`` is the person whom it names by itself, as a lower third does; ``logodds`` is what that is worth for somebody who
    is alone in view.
    """

    kind: LineKind
    start: float
    stop: float
    text: str
    box: Box | None = None
    name: str = ""
    logodds: float = 0.0
    score: float = 1.0  # how sure the reader or listener is


@dataclass(frozen=True)
class NewSource:
    """One video, folder of pictures or problem file."""

    kind: SourceKind
    path: str  # where it lies on this machine
    title: str  # the video's or problem's file name, the folder's name
    content: str = ""  # sha256 of what it holds, by which a moved video is found again
    duration: float | None = None  # seconds
    tracks: tuple[NewTrack, ...] = ()  # by the numbers that its faces bear
    lines: tuple[NewLine, ...] = ()


@dataclass(frozen=True)
class NewMerge:
    """Two spellings of one person that ingest took together; a person can part them again."""

    name: str
    into: str


# --- What a project shows ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Source:
    id: int
    kind: SourceKind
    path: str
    title: str
    content: str
    duration: float | None
    added: str = ""  # when
    summary: str = "{}"  # what came in, as JSON


@dataclass(frozen=True)
class Mention:
    """A name in a frame's caption, as it is called now; ``added`` by a person or found in the text at ``spans``."""

    name: str
    spans: tuple[tuple[int, int], ...]
    added: bool = False
    kind: str = ""  # one of MENTION_KINDS


@dataclass(frozen=True)
class Frame:
    id: int
    source: int
    time: float | None
    path: str
    width: int
    height: int
    caption: str
    shot: int | None
    picture: Path | None
    content: str = ""  # of a picture: the sha256 of its file


@dataclass(frozen=True)
class Track:
    """Somebody who stays in view, and where at the moments that were looked at."""

    id: int  # unique in the project
    source: int
    start: float
    stop: float
    boxes: tuple[tuple[float, Box], ...]  # (time, box)

    def spans(self, away: float = 1.0) -> list[tuple[float, float]]:
        """When the person is in view: times that lie farther apart than ``away`` seconds are an absence."""
        times = [time for time, _ in self.boxes]
        gaps = [(before, after) for before, after in pairwise(times) if after - before > away]
        return list(zip([self.start, *(b for _, b in gaps)], [*(a for a, _ in gaps), self.stop], strict=True))


@dataclass(frozen=True)
class SourceLine:
    """A caption that was read off the screen or heard, as ``NewLine`` has it; its name as it is called now."""

    id: int
    source: int
    kind: LineKind
    start: float
    stop: float
    text: str
    box: Box | None
    name: str
    logodds: float
    score: float


@dataclass(frozen=True)
class Face:
    id: int
    frame: int
    box: Box
    score: float
    mark: Mark
    track: int | None  # unique in the project
    truth: str | None
    crop: Path | None
    quality: float = 1.0  # 0 to 1: how well it shows who it is


# --- What leaves it ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Labelled:
    """A face and who it is, as exports write it."""

    face: Face
    name: str  # "" is nobody, or unknown
    confidence: float  # of the best answer, whether it was given or not; 1 where a person answered
    state: State
    annotator: str  # who said so; several names joined by "; " where people disagree; "" where nobody did

    def __post_init__(self) -> None:
        if self.answer == "unknown":
            object.__setattr__(self, "name", "")  # a guess does not leave as a name, whatever writes it

    @property
    def answer(self) -> AnswerKind:
        """Whether this is a name, nobody, or no answer yet."""
        return kind_of_answer(self.name, self.confidence if self.state == "predicted" else 1.0)


@dataclass(frozen=True)
class LabelledFrame:
    """A frame with its faces, its caption's names and where it comes from."""

    frame: Frame
    source: Source
    names: tuple[str, ...]  # the caption's, as they are called now
    faces: tuple[Labelled, ...]


@dataclass(frozen=True)
class Labels:
    """All that an export writes: frames in the order of their sources and times, faces from left to right."""

    title: str
    frames: tuple[LabelledFrame, ...]
    tracks: tuple[Track, ...] = ()
    lines: tuple[SourceLine, ...] = ()  # captions that were read off the screen or heard
