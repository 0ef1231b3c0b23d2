"""Who speaks: tags such as ``ROSS:``, ``- Dr. Green:`` or ``Ross and Rachel (on the phone):`` at the start of a line."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.media.names.words import words

PARTICLES = words("particles")
TITLES = words("titles")
NO_SPEAKER = words("no speaker")  # words with a colon that open a sentence or head a page
ANYONE = words("anyone")  # speakers whom nobody can name: voices off, crowds, and words for any man or woman
SMALL = r"[^\W\d_][\w'’.\-]*"
NAME = rf"{SMALL}(?:[ \t]+(?:{SMALL}|&|\#?\d{{1,2}}|No\.\s?\d+)|,[ \t]+{SMALL}){{0,5}}"
TAG = re.compile(
    rf"(?P<lead>[ \t]*(?:(?:[-–—•*♪♫]|>{{2,3}})[ \t]*)?[\[(]?)(?P<name>{NAME})[\])]?"
    r"(?:[ \t]*[(\[][^()\[\]\n]{0,60}[)\]])?[ \t]?[:：](?=\s|$|[^\d\s/:])"
)
NUMBER = re.compile(r"\s+(?:No\.\s?)?#?\d{1,2}$")
SHORT = frozenset(("jr", "sr", "no", "st"))
JOINED = re.compile(r"\s*(?:,|&|\band\b|\bAND\b)\s*")
LONGEST = 40  # characters of a tag


@dataclass(frozen=True)
class Tag:
    """A speaker tag: who speaks as it is written, where that stands in the text, and where the tag with its colon ends."""

    speaker: str
    start: int
    stop: int
    end: int

    def people(self) -> list[tuple[int, int]]:
        """Where each of the people stands in a tag of several: ``Ross and Rachel:``."""
        places, at = [], 0
        for joint in [*JOINED.finditer(self.speaker), None]:
            end = joint.start() if joint else len(self.speaker)
            if end > at:
                places.append((self.start + at, self.start + end))
            at = joint.end() if joint else end
        return places


def tag_at(text: str, start: int = 0) -> Tag | None:
    """The speaker tag that begins at ``start``, which must be the start of a line."""
    match = TAG.match(text, start)
    if match is None or len(match["name"]) > LONGEST or not _looks_like_a_name(match["name"]):
        return None
    return Tag(match["name"], match.start("name"), match.end("name"), match.end())


def tags(text: str) -> list[Tag]:
    """All speaker tags of a caption, at most one a line."""
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    return [tag for tag in (tag_at(text, start) for start in starts) if tag is not None]


def _looks_like_a_name(name: str) -> bool:
    parts = [word.strip(",") for word in NUMBER.sub("", name).split()]
    if any(word.lower().rstrip(".") in NO_SPEAKER - PARTICLES for word in parts):
        return False
    if len(parts) > 4 and not JOINED.search(name):
        return False
    if any(
        word.endswith(".") and word.count(".") == 1 and len(word) > 2 and word.lower().strip(".") not in SHORT | TITLES
        for word in parts
    ):
        return False  # a sentence ends there
    named = [word for word in parts if word[0].isalpha() and word.lower() not in PARTICLES]
    return bool(named) and all(not word[0].islower() for word in named) and any(len(word) > 1 for word in named)


def is_anyone(speaker: str) -> bool:
    """Whether a tag says no more than that somebody speaks: ``MAN 2:``, ``All:``, ``Old Woman:``."""
    parts = [word.strip(".,#").lower() for word in speaker.split()]
    return all(word in ANYONE or word.isdigit() or word in ("no", "the", "on", "") for word in parts)
