"""Where a film's captions come from: a file in one of the formats listed here, or the subtitles inside the film.

A new format is one file with a ``CaptionFormat``, and its row in ``FORMATS``.
"""

from __future__ import annotations

from pathlib import Path

import pysubs2

from core.errors import BadInput
from core.media.captions.described import DESCRIPTION
from core.media.captions.lines import CaptionFormat, Line, lines_of
from core.media.captions.streams import subtitle_events
from core.media.captions.subrip import SUBRIP
from core.media.captions.substation import SUBSTATION
from core.media.captions.text import read_text
from core.media.captions.webvtt import WEBVTT

FORMATS: tuple[CaptionFormat, ...] = (SUBSTATION, WEBVTT, SUBRIP, DESCRIPTION)  # the first that recognises a text reads it
SUFFIXES = frozenset(suffix for one in FORMATS for suffix in one.suffixes)
WHAT = "a captions file"
INSTEAD = "name an SRT, VTT or ASS file, or a text with a time on each line"


def read_captions(path: Path) -> list[Line]:
    """The lines of a captions file, told by what is in it, whatever it is called."""
    text = read_text(path, WHAT, INSTEAD)
    try:
        lines = lines_of(next(one for one in FORMATS if one.recognises(text)).events(text))
    except (ValueError, TypeError, LookupError, OverflowError, pysubs2.Pysubs2Error) as error:
        raise BadInput(f"{path}: the captions cannot be read ({error}); save them again as SRT or VTT") from error
    if not lines:
        raise BadInput(f"{path}: no line of this file has a time and a text, so it is not {WHAT}; {INSTEAD}")
    return lines


def embedded_captions(video: Path) -> list[Line]:
    """The lines of a video's own subtitles; none if it has none that are text."""
    return lines_of(subtitle_events(video))
