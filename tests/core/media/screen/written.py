"""Pictures with writing on them, made for tests with the font that Pillow carries; readers that need no network."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from core.media.faces.known_file import KnownFile
from core.media.screen.kinds import Written
from core.media.screen.watch import Shown
from core.media.video.reader import Pixels
from core.records import Box
from tests.core.media.films import film
from tests.core.media.portraits import portrait

HIGH, WIDE = 360, 640


def ground(seed: int = 0, shift: int = 0) -> Pixels:
    """A street out of focus, which moves."""
    small = np.random.default_rng(seed).integers(40, 160, (HIGH // 60, 2 * WIDE // 60, 3), dtype=np.uint8)
    whole = np.asarray(Image.fromarray(small).resize((2 * WIDE, HIGH), Image.Resampling.BICUBIC))
    return np.ascontiguousarray(whole[:, shift : shift + WIDE])


def with_text(picture: Pixels, *texts: tuple[str, int, int], size: int = 22) -> Pixels:
    """White on dark plates, each with its top left corner."""
    image = Image.fromarray(picture)
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(size)
    for text, x, y in texts:
        pen.rectangle((x - 8, y - 4, x + font.getlength(text) + 8, y + size * 1.3), fill=(16, 30, 80))
        pen.text((x, y), text, font=font, fill=(255, 255, 255))
    return np.asarray(image)


@dataclass
class Told:
    """A reader that says what it is told to, and counts."""

    texts: Sequence[str] = ("Anna Berg",)
    kind: str = "told"
    weights: tuple[KnownFile, ...] = ()
    seen: list[Pixels] = field(default_factory=list)

    def read(self, picture: Pixels) -> Sequence[Written]:
        self.seen.append(picture)
        return [Written(text, Box(10, 4, picture.shape[1] - 10, 20), 0.99) for text in self.texts]


def shown(text: str, start: float = 0.0, stop: float = 3.0, top: float = 280, left: float = 50, **more: bool) -> Shown:
    """A text that was read for sure."""
    return Shown(start, stop, text, Box(left, top, left + 9 * len(text), top + 24), 0.99, **more)


def news(folder: Path, name: str = "Anna Berg", role: str = "Reporter") -> Path:
    """Three seconds of somebody above a name; the street behind them moves."""
    frames = []
    for k in range(36):
        picture = ground(1, 3 * k).copy()
        picture[10:250, 200:440] = portrait("Ada")
        frames.append(with_text(picture, (name, 60, 270), (role, 60, 304)) if k >= 6 else picture)
    return film(folder / "news.mp4", frames, rate=12, options={"crf": "22"})
