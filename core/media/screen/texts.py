"""All texts of a film, each once: watched in stretches that are kept by content, then joined.

A stretch is kept when all of its looks were seen, so a film that was stopped goes on where it was.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from difflib import SequenceMatcher
from typing import Any

import numpy as np

from core.errors import BadInput
from core.media.cache import Cache
from core.media.faces.known_file import KnownFile
from core.media.screen.kinds import Reader, Written
from core.media.screen.registry import READER, READERS
from core.media.screen.watch import Shown, Watch
from core.media.video.reader import Pixels, Timeline
from core.problem import IntArray
from core.records import Box

VERSION = 1  # of how films are watched: what another version kept is not used
STRETCH = 60.0  # seconds that are watched as one
ALIKE = 0.8  # of two readings of one text
APART = 1.6  # seconds between two readings of one text that stays
ROLLING = 4.0  # ... of one that rolls
RECENT = 60  # texts among which one is looked for again: as many as can stand at one time
LOOK = 0.25  # seconds that a text was there before it was seen to be, about


class LazyReader:
    """A reader that is made when there is something to read: loading the networks takes a second."""

    weights: tuple[KnownFile, ...] = ()

    def __init__(self, made: Reader | None = None) -> None:
        self._made = made
        self.kind = made.kind if made else READER

    def read(self, picture: Pixels) -> Sequence[Written]:
        self._made = self._made or READERS[self.kind]()
        return self._made.read(picture)


@dataclass(eq=False)
class Screen:
    """Watches a film. ``wanted`` are the frames it must see, which come to ``see`` in their order."""

    cache: Cache
    content: str
    timeline: Timeline
    looks: IntArray  # places in the timeline
    reader: Reader = field(default_factory=LazyReader)
    wrong: str = ""  # why nothing can be read
    size: tuple[int, int] = (0, 0)  # of the pictures: width, height
    _watch: Watch | None = None
    _number: int = -1

    def wanted(self) -> list[int]:
        """The looks of all stretches that were not watched before."""
        numbers = (self.timeline.times[self.looks] // STRETCH).astype(np.int64)
        missing = [number for number in np.unique(numbers).tolist() if self._kept(number) is None]
        return [int(place) for place in self.looks[np.isin(numbers, missing)].tolist()]

    def see(self, place: int, pixels: Pixels, wanted: Collection[int]) -> None:
        """One frame; others than the wanted ones tell nothing."""
        if place not in wanted or self.wrong:
            return
        number = int(self.timeline.times[place] // STRETCH)
        if number != self._number:
            self.end()
            self._watch, self._number = Watch(self.reader), number
        assert self._watch is not None
        self.size = pixels.shape[1], pixels.shape[0]
        try:
            self._watch.see(float(self.timeline.times[place]), pixels)
        except BadInput as error:
            self._watch, self.wrong = None, str(error)

    def end(self) -> None:
        """Keeps the stretch that was watched; all of its looks were seen, or cannot be decoded."""
        if self._watch is not None:
            kept = {"size": self.size, "texts": [asdict(text) for text in self._watch.texts]}
            self.cache.put_note(self._kind, self._key(self._number), json.dumps(kept))
        self._watch, self._number = None, -1

    def texts(self) -> list[Shown]:
        """All texts of the stretches that were watched, in the order of their times."""
        numbers = np.unique(self.timeline.times[self.looks] // STRETCH).astype(np.int64).tolist()
        kept = [one for number in numbers if (one := self._kept(number)) is not None]
        if kept:
            width, height = kept[0]["size"]
            self.size = int(width), int(height)
        return joined([Shown(**{**row, "box": Box(**row["box"])}) for one in kept for row in one["texts"]])

    @property
    def _kind(self) -> str:
        return f"screen {VERSION} {self.reader.kind}"

    def _key(self, number: int) -> str:
        return f"{self.content}:{number}"

    def _kept(self, number: int) -> dict[str, Any] | None:
        note = self.cache.note(self._kind, self._key(number))
        return None if note is None else dict(json.loads(note))


def joined(texts: Sequence[Shown]) -> list[Shown]:
    """Each text once: what was read twice, because it faded in or rolled on, is one, as it was read best."""
    found: list[Shown] = []
    for text in sorted(texts, key=lambda text: (text.start, text.box.top, text.box.left)):
        text = replace(text, start=max(0.0, text.start - (0.0 if text.rolls else 2 * LOOK)), stop=text.stop + LOOK)
        same = next((other for other in reversed(found[-RECENT:]) if _is_same(other, text)), None)
        if same is None:
            found.append(text)
            continue
        better = text if (text.score, len(text.text)) > (same.score, len(same.text)) else same
        stop = max(same.stop, text.stop)
        found[found.index(same)] = replace(better, start=same.start, stop=stop, rolls=same.rolls and text.rolls)
    return sorted(found, key=lambda text: (text.start, text.box.top, text.box.left))


def _is_same(one: Shown, other: Shown) -> bool:
    if other.start - one.stop > (ROLLING if one.rolls and other.rolls else APART):
        return False
    if not (one.rolls or other.rolls) and not _meets(one.box, other.box):
        return False
    alike = SequenceMatcher(None, one.text.casefold(), other.text.casefold(), autojunk=False)
    return alike.quick_ratio() >= ALIKE and alike.ratio() >= ALIKE


def _meets(one: Box, other: Box) -> bool:
    return one.left < other.right and other.left < one.right and one.top < other.bottom and other.top < one.bottom


def cards(texts: Sequence[Shown]) -> Iterator[list[Shown]]:
    """Texts that stand together: one below the other, at the same time, as a name and what somebody is."""
    left = sorted(texts, key=lambda text: (text.start, text.box.top))
    while left:
        near = sorted((text for text in left[:RECENT] if text.start <= left[0].stop), key=lambda text: text.box.top)
        card = near[:1]
        for text in near[1:]:
            if _belongs(card[-1], text):
                card.append(text)
        gone = {id(text) for text in card}
        left = [text for text in left[:RECENT] if id(text) not in gone] + left[RECENT:]
        yield card


def _belongs(above: Shown, below: Shown) -> bool:
    high = above.box.bottom - above.box.top
    near = -0.6 * high <= below.box.top - above.box.bottom <= high
    beside = below.box.left < above.box.right and above.box.left < below.box.right
    shared = min(above.stop, below.stop) - max(above.start, below.start)
    return near and beside and shared >= 0.5 * min(above.stop - above.start, below.stop - below.start)
