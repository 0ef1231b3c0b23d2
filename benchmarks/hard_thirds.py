"""Lower thirds that are hard to read: thin, handwritten, hollow, pale, spaced, condensed, broken, slanted, tiny, on a
restless ground."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from PIL import Image, ImageDraw, ImageFont

Colour = tuple[int, int, int]
Font = Callable[[str, int], ImageFont.FreeTypeFont]
WHITE, BLACK = (255, 255, 255), (0, 0, 0)


@dataclass(frozen=True)
class Style:
    """How a name is written: sizes are shares of the picture's height, what is not set is not there."""

    font: str
    size: float = 0.055
    ink: Colour | None = WHITE
    edge: Colour | None = None
    plate: Colour | None = None
    spaced: float = 0.0  # between letters
    wide: float = 1.0  # of a letter, against its own width
    slant: float = 0.0
    shouted: bool = False
    restless: bool = False  # the ground is a pattern of light and dark


STYLES = {
    "thin": Style("SourceSansPro-ExtraLight"),
    "handwritten": Style("Intuitive", 0.06, plate=(30, 60, 40)),
    "hollow": Style("Lato-Black", 0.06, ink=None, edge=WHITE),
    "pale": Style("Lato-Regular", ink=(206, 206, 202), plate=(172, 174, 176)),
    "spaced": Style("SourceSansPro-Light", 0.042, spaced=0.02, shouted=True, plate=(20, 24, 30)),
    "condensed": Style("Manrope-Bold", 0.06, wide=0.5, plate=(120, 10, 20)),
    "restless": Style("OpenSans-Bold", restless=True),
    "broken": Style("KaTeX_Fraktur-Regular", 0.065, plate=(40, 24, 10)),
    "slanted": Style("SourceSerifPro-LightIt", slant=0.35, plate=(10, 30, 60)),
    "tiny": Style("OpenSans-Regular", 0.03, plate=(10, 10, 10)),
    "thin capitals": Style("AmaticSC-Regular", 0.07, shouted=True, plate=(16, 16, 20)),
    "fat": Style("FredokaOne-Regular", 0.055, ink=(250, 220, 60), edge=(200, 40, 90)),
    "dark": Style("SourceSansPro-Regular", ink=(70, 20, 24), plate=(34, 12, 60)),
    "edged": Style("SourceSerifPro-Black", 0.05, ink=BLACK, edge=WHITE),
    "wide": Style("HankenGrotesk-Light", 0.036, wide=1.7, shouted=True),
}  # fmt: skip


def hard_third(picture: Image.Image, name: str, role: str, style: Style, alpha: float, font: Font) -> None:
    """A name and a role below it, in a style."""
    if alpha <= 0:
        return
    wide, high = picture.size
    before = picture.copy()
    left, top = round(wide * 0.07), round(high * 0.74)
    rows = [_row(text, style, size, high, font) for text, size in ((name, style.size), (role, style.size * 0.7))]
    room = (left + max(row[0].width for row in rows) + round(high * 0.03), top + sum(row[0].height for row in rows))
    pen = ImageDraw.Draw(picture)
    if style.plate:
        pen.rectangle((left - high * 0.03, top - high * 0.01, *room), fill=style.plate)
    if style.restless:
        picture.paste(_pattern(room[0] - left, room[1] - top), (left, top))
    for ink, edge in rows:
        for mask, colour in ((edge, style.edge), (ink, style.ink)):
            if colour:
                picture.paste(colour, (left, top), mask)
        top += ink.height
    if alpha < 1:
        picture.paste(Image.blend(before, picture, alpha))


def _row(text: str, style: Style, size: float, high: int, font: Font) -> tuple[Image.Image, Image.Image]:
    """Where the letters of a line are, and where their edges are."""
    letters = font(style.font, max(6, round(high * size)))
    text, gap = text.upper() if style.shouted else text, round(high * style.spaced)
    places = np.cumsum([0, *(letters.getlength(letter) + gap for letter in text)])
    thick = max(1, round(high * 0.003))
    tall = round(high * size * 1.5)
    masks = []
    for edge in (0, thick):
        mask = Image.new("L", (round(places[-1]) + 4 * thick + round(tall * style.slant) + 2, tall))
        pen = ImageDraw.Draw(mask)
        for place, letter in zip(places[:-1], text, strict=True) if gap else [(0.0, text)]:
            pen.text((float(place) + 2 * thick, 2 * thick), letter, font=letters, fill=255, stroke_width=edge)
        shape = mask.resize((max(1, round(mask.width * style.wide)), tall), Image.Resampling.BICUBIC)
        flat = (1, style.slant, -style.slant * tall * 0.7, 0, 1, 0)
        masks.append(shape.transform(shape.size, Image.Transform.AFFINE, flat) if style.slant else shape)
    ink, around = masks
    rim = Image.fromarray(np.asarray(around) - np.minimum(np.asarray(around), np.asarray(ink)))
    return ink, rim


@cache
def _pattern(wide: int, high: int) -> Image.Image:
    """Windows of a house, say: blocks of light and dark."""
    random = np.random.default_rng(7)
    block = max(2, high // 9)
    grid = random.integers(30, 230, (high // block + 1, wide // block + 1, 3)).astype(np.uint8)
    return Image.fromarray(grid.repeat(block, 0).repeat(block, 1)[:high, :wide])
