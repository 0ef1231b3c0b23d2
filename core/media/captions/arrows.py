"""What SRT and WebVTT share: cues under a line with two times and an arrow between them."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pysubs2

from core.media.captions.clock import CLOCK, seconds
from core.media.captions.lines import Event

ARROW = re.compile(rf"^\s*(-?)\s*{CLOCK}\s*-{{2,3}}>\s*(-?)\s*{CLOCK}(?=\s|$)")
BLANK = re.compile(r"\n(?:[ \t]*\n){2,}")  # the reader of SRT takes a minute over ten thousand of these


def arrow_events(text: str, kind: str) -> Iterable[Event]:
    """The events of SRT ("srt") or WebVTT ("vtt"), with times as people write them: without hours or fractions, with a dot
    or a comma, before zero."""
    rows = [_timed(row, "." if kind == "vtt" else ",") for row in BLANK.sub("\n\n", text).split("\n")]
    subs = pysubs2.SSAFile.from_string("\n".join(rows), format_=kind, keep_html_tags=True)
    for event in subs:
        if event.start or event.end:
            yield event.start / 1000, event.end / 1000, event.text, ""


def _timed(row: str, point: str) -> str:
    match = ARROW.match(row)
    if match is None:
        return row
    start, stop = (0.0 if sign == "-" else seconds(clock) for sign, *clock in (match.groups()[:6], match.groups()[6:]))
    stamps = (pysubs2.time.ms_to_times(round(1000 * time)) for time in (start, stop))
    return " --> ".join(f"{min(t.h, 99):02}:{t.m:02}:{t.s:02}{point}{t.ms:03}" for t in stamps)
