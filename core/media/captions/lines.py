"""Captions as lines: what is said or shown, and when.

Every caption source gives *events*: texts with their markup and times. Here they become plain ``Line`` records in the order
of their times. A line's text is free of markup; the tag of its first speaker is taken off into ``speaker``, those of further
speakers stay in the text.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.media.captions.speakers import tag_at

LATEST = 360_000.0  # seconds; what is said to be a hundred hours into a film is no time
LASTS = 4.0  # seconds that a line without an end stays, if no other line begins before
VOICE = re.compile(r"<v(?:\.[^\s<>]*)?[ \t]+([^<>]*)>")
ELEMENT = re.compile(r"</?[a-zA-Z][^<>]*>|<\d[\d:.]*>|\{\\?[^{}\n]*\}")
NOTES = re.compile(r"[♩♪♫♬\u200b-\u200f\u202a-\u202e\u2060\ufeff]")

Event = tuple[float, float | None, str, str]  # start, stop where it is known, text with its markup, name field


@dataclass(frozen=True)
class CaptionFormat:
    """A kind of caption file. ``recognises`` tells it by its text, ``events`` reads that text."""

    kind: str
    suffixes: tuple[str, ...]
    recognises: Callable[[str], bool]
    events: Callable[[str], Iterable[Event]]


@dataclass(frozen=True)
class Line:
    """One caption from ``start`` to ``stop``, in seconds; ``speaker`` as the caption writes it, empty where it says none."""

    start: float
    stop: float
    text: str
    speaker: str = ""

    @property
    def written(self) -> str:
        """The text with its speaker."""
        return f"{self.speaker}: {self.text}".rstrip() if self.speaker else self.text


def caption_at(lines: Sequence[Line], start: float, stop: float, window: float) -> str:
    """What is said and shown from ``start`` to ``stop`` and ``window`` seconds around it, one line each, with speakers."""
    here = [line for line in lines if line.start <= stop + window and line.stop >= start - window]
    return "\n".join(line.written for line in here)


def lines_of(events: Iterable[Event]) -> list[Line]:
    """Events as lines in the order of time; one without an end lasts until the next, empty ones are left out."""
    timely = (event for event in events if event[0] < LATEST and (event[1] is None or event[1] > 0))
    seen = sorted(timely, key=lambda event: max(event[0], 0.0))
    starts = sorted({max(event[0], 0.0) for event in seen})
    after = dict(pairwise(starts))
    lines = []
    for start, stop, markup, name in seen:
        start = max(start, 0.0)
        if stop is None or stop <= start:
            stop = min(start + LASTS, after.get(start, start + LASTS))
        text, speaker = _plain(markup, name)
        if text or speaker:
            lines.append(Line(start, min(stop, LATEST), text, speaker))
    return sorted(dict.fromkeys(lines), key=lambda line: (line.start, line.stop))  # layers of one text are one line


def _plain(markup: str, name: str) -> tuple[str, str]:
    """The text without markup, each speaker's part on a line of its own, and the first speaker."""
    text = VOICE.sub(lambda match: f"\n{match[1].strip()}: ", markup)
    text = text.replace(r"\N", "\n").replace(r"\n", "\n").replace(r"\h", " ")
    text = NOTES.sub("", html.unescape(ELEMENT.sub("", text)))
    rows: list[str] = []
    for row in (" ".join(row.split()) for row in text.split("\n")):
        if not row or set(row) <= set("-–—#* "):
            continue
        if rows and not re.match(r"[-–—•]|>>", row) and not tag_at(row):
            rows[-1] += " " + row  # a long sentence that was only wrapped
        else:
            rows.append(row)
    text = "\n".join(rows)
    tag = tag_at(text)
    if tag is not None:
        return text[tag.end :].strip(), tag.speaker
    named = tag_at(f"{name.strip()}:") if name.strip() else None
    return text, named.speaker if named else ""
