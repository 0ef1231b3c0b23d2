"""What the tests of ingesting share: people before a wall, a film's captions, and a finder that counts."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from core.media.faces import FaceFinder, Found
from core.media.video import Pixels
from tests.core.media.films import plain

SRT = """1
00:00:00,200 --> 00:00:01,800
PENNY: Raj is late again.

2
00:00:02,200 --> 00:00:03,800
RAJ: I am not.

3
00:00:04,200 --> 00:00:05,800
Penny looks at Raj.
"""


class Counting(FaceFinder):
    """The real finder; it counts what it looks at, and fails or calls when told to."""

    def __init__(self) -> None:
        super().__init__()
        self.looked = 0
        self.after: Callable[[int], None] = lambda looked: None

    def find(self, pictures: Sequence[Pixels]) -> list[list[Found]]:
        found = super().find(pictures)
        self.looked += len(pictures)
        self.after(self.looked)
        return found


def portrait(data: Path, who: str, number: int = 1) -> Pixels:
    with Image.open(data / "photos" / who / f"{who}{number}.png") as picture:
        return np.asarray(picture.convert("RGB").resize((240, 240)))


def scene(*people: Pixels, wall: tuple[int, int, int] = (90, 100, 110)) -> Pixels:
    """People side by side before a wall."""
    picture = plain(wall, 288, 640)
    for k, person in enumerate(people):
        picture[24:264, 40 + 300 * k : 280 + 300 * k] = person
    return picture


def captions(video: Path) -> Path:
    return video.with_suffix(".srt")
