"""SubStation Alpha, ``.ass`` and ``.ssa``."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable

import pysubs2

from core.media.captions.clock import CLOCK
from core.media.captions.lines import CaptionFormat, Event

HEAD = re.compile(r"^[ \t]*\[Script Info\]|^Dialogue:", re.MULTILINE | re.IGNORECASE)
DIALOGUE = re.compile(rf"Dialogue:[^,]*,\s*-?{CLOCK}\s*,\s*-?{CLOCK}\s*,")


def _recognises(text: str) -> bool:
    return HEAD.search(text) is not None


def _events(text: str) -> Iterable[Event]:
    """Styles are left out, so that a broken one does no harm; drawings and comments are no text."""
    dialogue = [line for line in text.split("\n") if DIALOGUE.match(line)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of margins that are no numbers
        subs = pysubs2.SSAFile.from_string("[Events]\n" + "\n".join(dialogue), format_="ass")
    for event in subs:
        if event.is_text:
            yield event.start / 1000, event.end / 1000, event.text, event.name


SUBSTATION = CaptionFormat("ASS", (".ass", ".ssa"), _recognises, _events)
