"""Captions: what is said or shown, and when. Subtitle files, subtitle streams of a video, and audio description as text.

All of them become plain ``Line`` records in the order of their times. A line's text is free of markup; the tag of its first
speaker is taken off into ``speaker``, those of further speakers stay in the text.
"""

from __future__ import annotations

import html
import re
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pysubs2

from core.errors import BadInput
from core.media.speakers import tag_at
from core.media.streams import Event, subtitle_events
from core.media.tables import PictureCaption, read_table
from core.media.text import read_text

__all__ = ["Line", "PictureCaption", "caption_at", "embedded_captions", "read_captions", "read_table"]

WHAT = "a captions file"
INSTEAD = "name an SRT, VTT or ASS file, or a text with a time on each line"
LATEST = 360_000.0  # seconds; what is said to be a hundred hours into a film is no time
LASTS = 4.0  # seconds that a line without an end stays, if no other line begins before

CLOCK = r"(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3})|:(\d{2}))?"  # hours, minutes, seconds, fraction or frame
FRAMES = 25.0  # a second, where a time counts frames
ARROW = re.compile(rf"^\s*(-?)\s*{CLOCK}\s*-{{2,3}}>\s*(-?)\s*{CLOCK}(?=\s|$)")
BRACKETED = rf"[\[(<{{]?\s*{CLOCK}\s*[\])>}}]?"
DESCRIBED = re.compile(rf"^\s*{BRACKETED}(?:\s*(?:-->|[-–—~,;|]|to|\t)\s*{BRACKETED})?(?=\D|$)[\s:\-–—|,;]*(.*)$")
SECONDS = re.compile(r"^\s*(\d+(?:\.\d+)?)[\t;|]\s*(?:(\d+(?:\.\d+)?)[\t;|])?\s*(\S.*)$")  # Audacity's labels
BLANK = re.compile(r"\n(?:[ \t]*\n){2,}")  # the reader of SRT takes a minute over ten thousand of these
VOICE = re.compile(r"<v(?:\.[^\s<>]*)?[ \t]+([^<>]*)>")
ELEMENT = re.compile(r"</?[a-zA-Z][^<>]*>|<\d[\d:.]*>|\{\\?[^{}\n]*\}")
NOTES = re.compile(r"[♩♪♫♬\u200b-\u200f\u202a-\u202e\u2060\ufeff]")


@dataclass(frozen=True)
class Line:
    """One caption from ``start`` to ``stop``, in seconds; ``speaker`` as the caption writes it, empty where it says none."""

    start: float
    stop: float
    text: str
    speaker: str = ""


def read_captions(path: Path) -> list[Line]:
    """The lines of an SRT, VTT or ASS file, or of an audio description that has a time on each line."""
    text = read_text(path, WHAT, INSTEAD)
    try:
        if re.search(r"^[ \t]*\[Script Info\]|^Dialogue:", text, re.MULTILINE | re.IGNORECASE):
            events = _substation(text)
        elif text.lstrip().startswith("WEBVTT"):
            events = _arrows(_cues(text), "vtt")
        elif any(ARROW.match(line) for line in text.split("\n")):
            events = _arrows(text, "srt")
        else:
            events = _described(text)
        lines = _lines(events)
    except (ValueError, TypeError, LookupError, OverflowError, pysubs2.Pysubs2Error) as error:
        raise BadInput(f"{path}: the captions cannot be read ({error}); save them again as SRT or VTT") from error
    if not lines:
        raise BadInput(f"{path}: no line of this file has a time and a text, so it is not {WHAT}; {INSTEAD}")
    return lines


def embedded_captions(video: Path) -> list[Line]:
    """The lines of a video's own subtitles; none if it has none that are text."""
    return _lines(subtitle_events(video))


def caption_at(lines: Sequence[Line], start: float, stop: float, window: float) -> str:
    """What is said and shown from ``start`` to ``stop`` and ``window`` seconds around it, one line each, with speakers."""
    here = [line for line in lines if line.start <= stop + window and line.stop >= start - window]
    return "\n".join(f"{line.speaker}: {line.text}".rstrip() if line.speaker else line.text for line in here)


def _substation(text: str) -> Iterable[Event]:
    """ASS and SSA. Styles are left out, so that a broken one does no harm; drawings and comments are no text."""
    dialogue = [line for line in text.split("\n") if re.match(rf"Dialogue:[^,]*,\s*-?{CLOCK}\s*,\s*-?{CLOCK}\s*,", line)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of margins that are no numbers
        subs = pysubs2.SSAFile.from_string("[Events]\n" + "\n".join(dialogue), format_="ass")
    for event in subs:
        if event.is_text:
            yield event.start / 1000, event.end / 1000, event.text, event.name


def _cues(text: str) -> str:
    """The cues of a WebVTT file alone: notes, styles, regions and the names of cues would be read as text."""
    cues = []
    for block in re.split(r"\n[ \t]*\n", text):
        rows = block.split("\n")
        timed = next((place for place, row in enumerate(rows) if ARROW.match(row)), None)
        if timed is not None:
            cues.append("\n".join(rows[timed:]))
    return "\n\n".join(cues)


def _arrows(text: str, kind: str) -> Iterable[Event]:
    """SRT and WebVTT, with times as people write them: without hours or fractions, with a dot or a comma, before zero."""
    rows = [_timed(row, "." if kind == "vtt" else ",") for row in BLANK.sub("\n\n", text).split("\n")]
    subs = pysubs2.SSAFile.from_string("\n".join(rows), format_=kind, keep_html_tags=True)
    for event in subs:
        if event.start or event.end:
            yield event.start / 1000, event.end / 1000, event.text, ""


def _timed(row: str, point: str) -> str:
    match = ARROW.match(row)
    if match is None:
        return row
    start, stop = (0.0 if sign == "-" else _seconds(clock) for sign, *clock in (match.groups()[:6], match.groups()[6:]))
    stamps = (pysubs2.time.ms_to_times(round(1000 * time)) for time in (start, stop))
    return " --> ".join(f"{min(t.h, 99):02}:{t.m:02}:{t.s:02}{point}{t.ms:03}" for t in stamps)


def _described(text: str) -> Iterable[Event]:
    """Audio description: a time, perhaps a second one, and a text, which may go on over lines without a time."""
    rows = text.split("\n")
    found = [DESCRIBED.match(row) for row in rows]
    hours = any(match and match[1] for match in found)  # then 12:30 at the start of a line is no time but a text
    event: Event | None = None
    for row, match in zip(rows, found, strict=True):
        plain = SECONDS.match(row)
        if match and (match[1] or not hours):
            if event:
                yield event
            stop = _seconds(match.groups()[5:10]) if match[7] else None
            event = (_seconds(match.groups()[:5]), stop, _unquoted(match[11]), "")
        elif plain:
            if event:
                yield event
            event = (float(plain[1]), float(plain[2]) if plain[2] else None, _unquoted(plain[3]), "")
        elif event and row.strip():
            event = (event[0], event[1], f"{event[2]}\n{row.strip()}", "")
    if event:
        yield event


def _seconds(clock: Sequence[str | None]) -> float:
    hours, minutes, seconds, fraction, frame = clock
    part = int(fraction) / 10 ** len(fraction) if fraction else int(frame) / FRAMES if frame else 0.0
    return 3600.0 * int(hours or 0) + 60.0 * int(minutes or 0) + int(seconds or 0) + part


def _unquoted(text: str) -> str:
    text = text.strip()
    return text[1:-1].replace('""', '"') if len(text) > 1 and text[0] == text[-1] == '"' else text


def _lines(events: Iterable[Event]) -> list[Line]:
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
