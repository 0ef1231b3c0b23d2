"""Audio description as text: a time, perhaps a second one, and a text, which may go on over lines without a time."""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.media.captions.clock import CLOCK, seconds
from core.media.captions.lines import CaptionFormat, Event

BRACKETED = rf"[\[(<{{]?\s*{CLOCK}\s*[\])>}}]?"
DESCRIBED = re.compile(rf"^\s*{BRACKETED}(?:\s*(?:-->|[-–—~,;|]|to|\t)\s*{BRACKETED})?(?=\D|$)[\s:\-–—|,;]*(.*)$")
SECONDS = re.compile(r"^\s*(\d+(?:\.\d+)?)[\t;|]\s*(?:(\d+(?:\.\d+)?)[\t;|])?\s*(\S.*)$")  # Audacity's labels


def _recognises(text: str) -> bool:
    """Whatever no other format knows; a text without a time in it has no events."""
    return True


def _events(text: str) -> Iterable[Event]:
    rows = text.split("\n")
    found = [DESCRIBED.match(row) for row in rows]
    hours = any(match and match[1] for match in found)  # then 12:30 at the start of a line is no time but a text
    event: Event | None = None
    for row, match in zip(rows, found, strict=True):
        plain = SECONDS.match(row)
        if match and (match[1] or not hours):
            if event:
                yield event
            stop = seconds(match.groups()[5:10]) if match[7] else None
            event = (seconds(match.groups()[:5]), stop, _unquoted(match[11]), "")
        elif plain:
            if event:
                yield event
            event = (float(plain[1]), float(plain[2]) if plain[2] else None, _unquoted(plain[3]), "")
        elif event and row.strip():
            event = (event[0], event[1], f"{event[2]}\n{row.strip()}", "")
    if event:
        yield event


def _unquoted(text: str) -> str:
    text = text.strip()
    return text[1:-1].replace('""', '"') if len(text) > 1 and text[0] == text[-1] == '"' else text


DESCRIPTION = CaptionFormat("a text with a time on each line", (".txt",), _recognises, _events)
