"""What a reader of pictures is, and a line that it read. ``registry.py`` lists the readers there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from core.media.faces.known_file import KnownFile
from core.media.video.reader import Pixels
from core.records import Box


@dataclass(frozen=True)
class Written:
    """A line of text in a picture: what it says, where, and how sure the reader is (0 to 1)."""

    text: str
    box: Box
    score: float


class Reader(Protocol):
    """Reads pictures."""

    kind: str  # with its version: what it read is kept under this name
    weights: tuple[KnownFile, ...]

    def read(self, picture: Pixels) -> Sequence[Written]:
        """The lines of a picture from top to bottom, and from left to right."""
