"""Names, captions and paths made fit for a file: what no format holds is replaced, and names stay apart from each other."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable

from core.errors import JOINERS
from core.records import Box, Labelled, LabelledFrame, Labels

NOBODY_LABEL = "nobody"  # what nobody is called in formats where every face must have a label,
UNKNOWN_LABEL = "unknown"  # ... and what a face is called of which nobody has said yet who it is

_HALVES = re.compile(r"[\0\ud800-\udfff]")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def writable(text: str) -> str:
    """The text without half characters (of a file name that is no UTF-8) and zero bytes, which no file can hold."""
    return _HALVES.sub("\ufffd", text)


def xml_text(text: str) -> str:
    """The text as XML 1.0 can hold it: no control characters, and the line ends that a reader would make of it anyway."""
    return _NOT_XML.sub("\ufffd", text).replace("\r\n", "\n").replace("\r", "\n")


def one_line(text: str) -> str:
    """The text on one line, without what a reader would not show."""
    shown = "".join(c if c.isprintable() or c in JOINERS else " " for c in writable(text))
    return " ".join(shown.split()).strip(JOINERS) or "\ufffd"


def distinct(names: Iterable[str], fit: Callable[[str], str], taken: Iterable[str] = ()) -> dict[str, str]:
    """Each name as ``fit`` makes it; two that come out the same (or as something ``taken``) are told apart by a number."""
    used, found = set(taken), dict[str, str]()
    for name in names:
        form = fit(name)
        if form in used:
            form = next(f for k in range(2, len(used) + 3) if (f := f"{form} ({k})") not in used)
        used.add(form)
        found.setdefault(name, form)
    return found


def names_of(labels: Labels) -> list[str]:
    """The names that faces were given, in the order of their first face."""
    return list(dict.fromkeys(face.name for frame in labels.frames for face in frame.faces if face.name))


def categories(labels: Labels, fit: Callable[[str], str] = writable) -> dict[str | None, str]:
    """What each name is called in the file; nobody ("") and, where there is such a face, unknown (None) are among them and
    never mistaken for a person of that name."""
    found = distinct(names_of(labels), fit)
    other = distinct([NOBODY_LABEL, UNKNOWN_LABEL], fit, taken=found.values())
    open_ = any(face.answer == "unknown" for frame in labels.frames for face in frame.faces)
    called: dict[str | None, str] = {"": other[NOBODY_LABEL]} | ({None: other[UNKNOWN_LABEL]} if open_ else {})
    return called | dict(found.items())


def category(label: Labelled) -> str | None:
    """The face's key in ``categories``."""
    return None if label.answer == "unknown" else label.name


def picture_names(labels: Labels) -> list[str]:
    """A name for each frame's picture: its path for pictures, else its video and time; with the source where two agree."""
    short = [_picture_name(frame) for frame in labels.frames]
    many = Counter(short)
    long = [
        name if many[name] == 1 else f"{writable(frame.source.title)}/{name}"
        for name, frame in zip(short, labels.frames, strict=True)
    ]
    many = Counter(long)
    return [
        name if many[name] == 1 else f"{frame.source.id}-{frame.frame.id}/{name}"
        for name, frame in zip(long, labels.frames, strict=True)
    ]


def _picture_name(frame: LabelledFrame) -> str:
    if frame.source.kind == "pictures" and frame.frame.path:
        return writable(frame.frame.path)
    time = "" if frame.frame.time is None else f"_{frame.frame.time:.3f}"
    return f"{writable(frame.source.title)}/{frame.frame.id:06d}{time}.jpg"


def where_from(frame: LabelledFrame) -> str:
    """The picture's path relative to the imported folder, or the video's or problem's file name."""
    return writable(frame.frame.path if frame.source.kind == "pictures" else frame.source.title)


def has_box(frame: LabelledFrame, face: Labelled) -> bool:
    """Whether it is known where in the frame the face is, and how big the frame is."""
    box = face.face.box
    cut = clipped(frame, box)
    return cut.right > cut.left and cut.bottom > cut.top


def clipped(frame: LabelledFrame, box: Box) -> Box:
    """The part of the box that lies in the frame; a face at the edge often reaches over it."""
    width, height = frame.frame.width, frame.frame.height
    return Box(max(box.left, 0.0), max(box.top, 0.0), min(box.right, width), min(box.bottom, height))


def number(value: float, digits: int) -> str:
    """A number without needless zeros.

    >>> number(12.50, 2), number(3.0, 2), number(-0.001, 2)
    ('12.5', '3', '0')
    """
    text = f"{value:.{digits}f}"
    short = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if short == "-0" else short
