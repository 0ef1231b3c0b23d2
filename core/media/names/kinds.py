"""How captions come to mention names: as the speaker, in what is said, in what is described, or as somebody who is away."""

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
# Who is said to be away: "Ross is not here", "Ross and Joey are gone", "no sign of Ross".
IS_AWAY = re.compile(
    r"(?:(?:,? and|,? or|,) [A-Z][\w'’.-]*)*\s+(?:is|are|was|were)\s*"
    r"(?:(?:n['’]t|not|no longer|nowhere)\s+(?:even\s+)?(?:here|there|present|around|visible|to be seen|at home|"
    r"(?:in|on) (?:the )?(?:room|picture|shot|scene|frame|view|sight|screen)|with (?:them|us|her|him))\b"
    r"|(?:gone|missing|absent|away|elsewhere)\b)"
)
AWAY = re.compile(r"\b(?:without|no (?:sign|trace) of|where(?: is| are|['’]s)|in the absence of)\s+$", re.IGNORECASE)
# What is said may begin with its speaker in brackets: "[Ross] Hi.", "(ROSS AND JOEY) Hi."
BRACKETS = re.compile(
    r"^[ \t]*(?:(?:[-–—•*]|>{2,3})[ \t]*)?(?P<inside>\[[^\[\]\n]{1,40}\]|\([^()\n]{1,40}\))(?=[ \t]*[^\s\[(])", re.MULTILINE
)
BETWEEN = re.compile(r"[\s,&()\[\]]*(?:\band\b)?[\s,&()\[\]]*", re.IGNORECASE)


def is_dialogue(lines: Sequence[Line]) -> bool:
    """Whether captions are what people say, rather than descriptions of what is seen."""
    said = sum(bool(line.speaker or SAID.search(line.text)) for line in lines)
    return said >= SPOKEN * max(len(lines), 1)


def with_kinds(caption: str, mentions: Sequence[NewMention], otherwise: str) -> list[NewMention]:
    """The mentions of a caption: ``speaker`` where a tag has the name, ``absent`` where it only says that
    somebody is away, else the kind that all others are."""
    tagged = {place for tag in tags(caption) for place in range(tag.start, tag.stop)}
    if otherwise == "spoken":
        tagged |= _in_brackets(caption, mentions)

    def kind(mention: NewMention) -> str:
        if any(start in tagged for start, _ in mention.spans):
            return "speaker"
        return "absent" if mention.spans and all(_is_away(caption, *span) for span in mention.spans) else otherwise

    return [replace(mention, kind=kind(mention)) for mention in mentions]


def _in_brackets(caption: str, mentions: Sequence[NewMention]) -> set[int]:
    """The places in brackets that hold nothing but names before what is said."""
    named = {place for mention in mentions for span in mention.spans for place in range(*span)}
    found: set[int] = set()
    for match in BRACKETS.finditer(caption):
        inside = range(*match.span("inside"))
        if BETWEEN.fullmatch("".join(caption[place] for place in inside if place not in named)):
            found |= named.intersection(inside)
    return found


def _is_away(caption: str, start: int, stop: int) -> bool:
    return bool(AWAY.search(caption[:start]) or IS_AWAY.match(caption, stop))
