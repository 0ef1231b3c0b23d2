"""How captions come to mention names: as the speaker, in what is said, or in what is described."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from core.media.captions.lines import Line
from core.media.captions.speakers import tags
from core.records import NewMention

# What people say holds questions, exclamations, dashes and words for those who talk; descriptions hold none of them.
SAID = re.compile(
    r"[?!¿¡？！]|^\s*[-–—]|\b(?:i|i'm|i'll|me|my|you|your|we|our|us|ich|du|wir|je|tu|vous|nous|yo|tú|io|noi|eu|você)\b",
    re.IGNORECASE | re.MULTILINE,
)
SPOKEN = 0.15  # share of lines that hold such a thing, or a speaker, by which captions are what is said


def is_dialogue(lines: Sequence[Line]) -> bool:
    """Whether captions are what people say, rather than descriptions of what is seen."""
    said = sum(bool(line.speaker or SAID.search(line.text)) for line in lines)
    return said >= SPOKEN * max(len(lines), 1)


def with_kinds(caption: str, mentions: Sequence[NewMention], otherwise: str) -> list[NewMention]:
    """The mentions of a caption: ``speaker`` where a tag has the name, else the kind that all others are."""
    tagged = {place for tag in tags(caption) for place in range(tag.start, tag.stop)}
    return [
        replace(mention, kind="speaker" if any(start in tagged for start, _ in mention.spans) else otherwise)
        for mention in mentions
    ]
