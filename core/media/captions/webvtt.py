"""WebVTT, ``.vtt``."""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.media.captions.arrows import ARROW, arrow_events
from core.media.captions.lines import CaptionFormat, Event


def _recognises(text: str) -> bool:
    return text.lstrip().startswith("WEBVTT")


def _events(text: str) -> Iterable[Event]:
    return arrow_events(_cues(text), "vtt")


def _cues(text: str) -> str:
    """The cues alone: notes, styles, regions and the names of cues would be read as text."""
    cues = []
    for block in re.split(r"\n[ \t]*\n", text):
        rows = block.split("\n")
        timed = next((place for place, row in enumerate(rows) if ARROW.match(row)), None)
        if timed is not None:
            cues.append("\n".join(rows[timed:]))
    return "\n\n".join(cues)


WEBVTT = CaptionFormat("VTT", (".vtt",), _recognises, _events)
