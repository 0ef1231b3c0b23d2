"""SubRip, ``.srt``."""

from __future__ import annotations

from collections.abc import Iterable

from core.media.captions.arrows import ARROW, arrow_events
from core.media.captions.lines import CaptionFormat, Event


def _recognises(text: str) -> bool:
    return any(ARROW.match(line) for line in text.split("\n"))


def _events(text: str) -> Iterable[Event]:
    return arrow_events(text, "srt")


SUBRIP = CaptionFormat("SRT", (".srt",), _recognises, _events)
