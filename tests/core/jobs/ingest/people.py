"""What the tests of ingesting share: a film's captions, and a finder that counts."""

from collections.abc import Callable, Sequence
from pathlib import Path

from core.media.faces.finder import Before, FaceFinder
from core.media.faces.kinds import Found
from core.media.video.reader import Pixels

SRT = """1
00:00:00,200 --> 00:00:01,800
ADA: Bruno is late again.

2
00:00:02,200 --> 00:00:03,800
BRUNO: I am not.

3
00:00:04,200 --> 00:00:05,800
Ada looks at Bruno.
"""


class Counting(FaceFinder):
    """The real finder; it counts what it looks at, and fails or calls when told to."""

    def __init__(self, loaded: FaceFinder) -> None:
        super().__init__(loaded.embedder)
        self.looked = 0
        self.after: Callable[[int], None] = lambda looked: None

    def follow(self, pictures: Sequence[Pixels], shown: Sequence[bool], before: Sequence[Before]) -> list[list[Found]]:
        return self._counted(super().follow(pictures, shown, before))

    def find(self, pictures: Sequence[Pixels]) -> list[list[Found]]:
        return self._counted(super().find(pictures))

    def _counted(self, found: list[list[Found]]) -> list[list[Found]]:
        self.looked += len(found)
        self.after(self.looked)
        return found


def captions(video: Path) -> Path:
    return video.with_suffix(".srt")
