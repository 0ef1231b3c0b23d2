"""Neck, shoulders and clothes. A body has a sheet of its own, ``DROP`` units below its head's."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from assets.demo.canvas import Colour, Light, Point, Relief, Sheet, blob, lit, mask_of, mirrored, mix, puff, rgb, shade
from assets.demo.looks import Look

DROP = 3.5  # units from a head's sheet down to its body's

SHOULDERS = mirrored(
    [
        (0.0, -2.0),
        (0.5, -1.98),
        (1.0, -1.74),
        (1.55, -1.5),
        (1.86, -1.0),
        (1.98, -0.1),
        (2.05, 1.0),
        (2.08, 1.89),
        (0.0, 1.89),
    ]
)
CHEST = mirrored([(0.0, -1.95), (0.5, -1.9), (0.95, -1.4), (1.28, -0.6), (1.34, 0.6), (1.3, 1.89), (0.0, 1.89)])


def _ribs(sheet: Sheet, colour: Colour, mask: list[Point]) -> None:
    lines = Sheet()
    for x in np.linspace(-2.1, 2.1, 43):
        lines.line([(float(x) * 0.8, -2.1), (float(x), 2.0)], shade(colour, 0.8), 0.022, 0.4)
    sheet.over(lines, mask_of(mask))


def _jumper(sheet: Sheet, look: Look) -> None:
    colour = rgb(look.clothes)
    _ribs(sheet, colour, SHOULDERS)
    bands = Sheet()
    for y, wide in ((-0.55, 0.16), (-0.25, 0.06)):
        bands.line([(-2.2, y + 0.15), (0.0, y), (2.2, y + 0.15)], rgb(look.trim), wide, 0.85)
    sheet.over(bands, mask_of(SHOULDERS))
    _collar(sheet, shade(colour, 0.85))


def _collar(sheet: Sheet, colour: Colour) -> None:
    """A rolled neck."""
    sheet.shape(mirrored([(0.0, -2.14), (0.46, -2.2), (0.62, -1.98), (0.4, -1.74), (0.0, -1.66)]), colour)
    sheet.line([(-0.52, -2.0), (0.0, -1.84), (0.52, -2.0)], shade(colour, 0.7), 0.03, 0.6)


def _coat(sheet: Sheet, look: Look) -> None:
    colour = rgb(look.clothes)
    sheet.shape(mirrored([(0.0, -1.9), (0.4, -2.05), (0.0, -1.0)]), rgb(look.trim), smoothed=False)
    for side in (-1, 1):
        lapel: list[Point] = [(side * 0.42, -2.12), (side * 0.85, -1.75), (side * 0.6, -1.15), (side * 0.03, -0.75)]
        sheet.shape(lapel, shade(colour, 0.84), smoothed=False)
        sheet.line([(side * 0.42, -2.12), (side * 0.03, -0.75)], shade(colour, 0.65), 0.03, 0.8)
    sheet.line([(0.02, -0.75), (0.02, 1.9)], shade(colour, 0.6), 0.03, 0.8)
    for y in (-0.4, 0.2, 0.8):
        sheet.oval(0.18, y, 0.08, 0.08, mix(colour, (240, 220, 180), 0.6))


def _raincoat(sheet: Sheet, look: Look) -> None:
    colour = rgb(look.clothes)
    sheet.shape(mirrored([(0.0, -1.75), (0.5, -2.25), (1.0, -1.95), (0.9, -1.5), (0.0, -1.15)]), shade(colour, 0.85))
    sheet.line([(0.0, -1.2), (0.0, 1.9)], rgb(look.trim), 0.05, 0.9)
    for y in (-0.9, -0.2, 0.5):
        sheet.oval(0.0, y, 0.07, 0.07, rgb(look.trim))
    for side in (-1, 1):
        sheet.line([(side * 0.22, -1.35), (side * 0.26, -0.6)], rgb(look.trim), 0.03)


def _shirt(sheet: Sheet, look: Look) -> None:
    colour = rgb(look.clothes)
    for side in (-1, 1):
        sheet.shape(
            [(0.0, -1.62), (side * 0.3, -2.2), (side * 0.66, -1.95), (side * 0.45, -1.45)],
            shade(colour, 1.14),
            smoothed=False,
        )
        sheet.line([(side * 0.95, -1.75), (side * 0.85, 1.9)], (70, 52, 44), 0.2)  # braces
    sheet.line([(0.0, -1.6), (0.0, 1.9)], shade(colour, 0.7), 0.03, 0.8)
    for y in (-1.2, -0.6, 0.0, 0.6):
        sheet.oval(0.0, y, 0.05, 0.05, (236, 226, 206))


def _apron(sheet: Sheet, look: Look) -> None:
    _collar(sheet, shade(rgb(look.clothes), 0.9))
    trim = rgb(look.trim)
    bib = mirrored([(0.0, -0.95), (0.78, -1.0), (0.95, -0.2), (1.05, 1.89), (0.0, 1.89)])
    sheet.shape(bib, trim, smoothed=False)
    for side in (-1, 1):
        sheet.line([(side * 0.74, -0.95), (side * 0.72, -1.85)], trim, 0.15)
    sheet.line([(-0.78, -0.9), (0.0, -0.86), (0.78, -0.9)], shade(trim, 0.8), 0.03, 0.8)
    sheet.shape([(-0.2, -0.3), (0.0, -0.42), (0.2, -0.3), (0.0, 0.0)], (200, 90, 90), 0.9)


def _scarf(sheet: Sheet, look: Look) -> None:
    _ribs(sheet, rgb(look.clothes), SHOULDERS)
    trim = rgb(look.trim)
    sheet.shape([(0.2, -1.75), (0.62, -1.7), (0.78, -0.3), (0.4, -0.25)], shade(trim, 0.88), smoothed=False)
    for k in range(4):
        sheet.line([(0.42 + k * 0.1, -0.28), (0.43 + k * 0.1, -0.12)], trim, 0.04)
    sheet.shape(mirrored([(0.0, -2.2), (0.55, -2.3), (0.8, -1.98), (0.5, -1.6), (0.0, -1.5)]), trim)
    for y in (-2.02, -1.76):
        sheet.line([(-0.68, y - 0.06), (0.0, y + 0.14), (0.68, y - 0.06)], shade(trim, 0.72), 0.035, 0.7)


def _shawl(sheet: Sheet, look: Look) -> None:
    colour = mix(rgb(look.clothes), (250, 240, 230), 0.25)
    sheet.shape(mirrored([(0.0, -1.5), (0.5, -2.1), (1.3, -1.72), (1.95, -0.9), (1.7, 0.1), (0.0, 0.75)]), colour)
    sheet.line([(-0.5, -2.05), (0.0, -1.4), (0.5, -2.05)], shade(colour, 0.7), 0.05, 0.8)
    for k in np.linspace(-1.7, 1.7, 18):
        y = 0.75 - abs(float(k)) * 0.42
        sheet.line([(float(k), y - 0.05), (float(k) * 1.03, y + 0.25)], shade(colour, 0.85), 0.035, 0.8)
        sheet.line([(float(k) * 0.35, -1.4), (float(k), y)], shade(colour, 0.86), 0.025, 0.5)
    sheet.oval(0.0, -1.3, 0.13, 0.13, (206, 164, 84))


def _captain(sheet: Sheet, look: Look) -> None:
    _coat(sheet, look)
    for side in (-1, 1):
        for y in (-0.4, 0.2, 0.8):
            sheet.oval(side * 0.42, y, 0.09, 0.09, (214, 170, 76))
        sheet.line([(side * 1.25, -1.62), (side * 1.75, -1.3)], (214, 170, 76), 0.14)


GARMENTS: dict[str, Callable[[Sheet, Look], None]] = {
    "jumper": _jumper,
    "coat": _coat,
    "raincoat": _raincoat,
    "shirt": _shirt,
    "apron": _apron,
    "scarf": _scarf,
    "shawl": _shawl,
    "captain": _captain,
}


@lru_cache(maxsize=32)
def _drawn(look: Look) -> Relief:
    relief = Relief()
    mask = mask_of(SHOULDERS)
    sheet = Sheet()
    sheet.shape(SHOULDERS, rgb(look.clothes))
    GARMENTS[look.garment](sheet, look)
    neck = Sheet()
    wide = 0.5 * look.jaw + 0.1
    neck.shape(mirrored([(0.0, -2.49), (wide, -2.49), (wide, -2.1), (wide + 0.12, -1.9), (0.0, -1.72)]), rgb(look.skin))
    colour, alpha = neck.finished()
    relief.lay(colour, alpha, 0.35, gloss=0.02)
    relief.darken(blob(0, -2.4, 0.7, 0.3) * 0.55)  # the chin's shadow
    colour, alpha = sheet.finished()
    relief.lay(colour, alpha, 0.1 + puff(mask, 0.5, 0.6) + puff(mask_of(CHEST), 0.3, 0.18), gloss=0.01)
    for side in (-1, 1):
        relief.darken(blob(side * 1.36, 0.6, 0.07, 1.0, side * 0.06) * 0.3)  # where the arms hang
    return relief


@lru_cache(maxsize=64)
def body(look: Look, light: Light) -> NDArray[np.uint8]:
    return lit(_drawn(look), light)
