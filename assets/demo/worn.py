"""Beards, glasses, earrings and hats."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from assets.demo.canvas import (
    UNIT,
    Array,
    Colour,
    Point,
    Relief,
    Sheet,
    blur,
    mask_of,
    mirrored,
    puff,
    rgb,
    shade,
    smooth,
    strands,
)
from assets.demo.looks import Look


def beard(relief: Relief, look: Look) -> None:
    """Laid before the mouth, so that the lips stay free."""
    if not look.beard:
        return
    colour, tip, chin = rgb(look.hair), look.nose_long, look.length
    lips = tip + 0.36 * (chin - tip) + 0.05
    shapes: list[list[Point]] = []
    if look.beard == "full":
        c, j = look.cheek, look.jaw
        side = [
            (c * 0.97, -0.02),
            (c * 1.02, 0.35),
            (j * 1.07, chin * 0.68),
            (j * 0.8, chin * 1.0),
            (0.3, chin * 1.13),
            (0.0, chin * 1.15),
        ]
        rim = [
            (0.0, lips + 0.2),
            (0.3, lips + 0.13),
            (0.44, lips - 0.1),
            (0.62, tip + 0.12),
            (c * 0.86, tip - 0.1),
            (c * 0.92, 0.12),
        ]
        shapes.append([*side, *((-x, y) for x, y in reversed(side[:-1])), *((-x, y) for x, y in reversed(rim[1:])), *rim])
    if look.beard in ("full", "moustache"):
        wide = look.mouth_wide * (1.15 if look.beard == "moustache" else 1.2)
        droop = 0.06 if look.beard == "moustache" else 0.14
        shapes.append(
            mirrored(
                [
                    (0.0, tip + 0.13),
                    (0.14, tip + 0.12),
                    (wide * 0.7, lips - 0.13),
                    (wide * 1.05, lips - 0.02 + droop),
                    (wide * 0.8, lips - 0.01),
                    (0.0, lips - 0.07),
                ]
            )
        )
    if look.beard == "goatee":
        shapes.append(
            mirrored(
                [
                    (0.0, lips + 0.2),
                    (0.2, lips + 0.21),
                    (look.chin * 0.9, chin * 0.93),
                    (0.2, chin * 1.06),
                    (0.0, chin * 1.08),
                ]
            )
        )
    for shape in shapes:
        mask = mask_of(shape)
        sheet = Sheet()
        sheet.shape(shape, shade(colour, 0.85), 0.96)
        hairs = Sheet(raw=True)
        outline = smooth(shape)

        def path(chance: np.random.Generator, outline: list[Point] = outline) -> list[Point]:
            x, y = outline[int(chance.integers(len(outline)))]
            s = float(chance.uniform(0.45, 1.0))
            x, y = x * s, lips + (y - lips) * s
            run = float(chance.uniform(0.08, 0.2))
            return [(x, y), (x + x * run * 0.4 + float(chance.normal(0, 0.03)), y + run * 0.6), (x + x * run * 0.3, y + run)]

        strands(hairs, path, colour, 260, 31, width=0.018)
        sheet.over(hairs, mask)
        hair, alpha = sheet.finished()
        relief.lay(hair, blur(alpha, 0.018), relief.height + puff(mask, 0.09, 0.09), gloss=0.03)


def glasses(relief: Relief, look: Look) -> None:
    kind = next((item for item in look.worn if item.endswith("glasses")), None)
    if kind is None:
        return
    sheet = Sheet()
    x, frame = look.eye_gap + 0.01, (34, 30, 36) if kind == "round glasses" else (132, 62, 58)
    for side in (-1, 1):
        if kind == "round glasses":
            rim = [
                (side * x + 0.31 * np.cos(a), 0.03 + 0.29 * np.sin(a)) for a in np.linspace(0, 2 * np.pi, 24, endpoint=False)
            ]
        else:
            rim = [
                (side * x + dx, 0.03 + dy)
                for dx, dy in [(-0.3, -0.16), (0, -0.2), (0.3, -0.17), (0.31, 0.06), (0.2, 0.2), (-0.2, 0.2), (-0.31, 0.06)]
            ]
        points = [(float(px), float(py)) for px, py in rim]
        sheet.shape(points, (255, 255, 255), 0.1)
        sheet.line(smooth([*points, points[0]], closed=False), frame, 0.042, steps=2)
        sheet.line([(side * (x + 0.3), -0.03), (side * look.cheek, -0.09)], frame, 0.04)
        sheet.line([(side * x - 0.16, -0.1), (side * x - 0.06, -0.17)], (255, 255, 255), 0.03, 0.5)
    sheet.line([(-x + 0.3, -0.02), (0.0, -0.07), (x - 0.3, -0.02)], frame, 0.042)
    colour, alpha = sheet.finished()
    relief.darken(np.roll(blur(alpha, 0.03), (4, 2), (0, 1)) * 0.22)
    relief.lay(colour, alpha)


def earrings(relief: Relief, look: Look) -> None:
    sheet = Sheet()
    for side in (-1, 1):
        sheet.oval(side * (look.cheek + 0.07), 0.5, 0.075, 0.075, (222, 168, 60))
        sheet.oval(side * (look.cheek + 0.055), 0.475, 0.028, 0.028, (255, 236, 170))
    colour, alpha = sheet.finished()
    relief.lay(colour, alpha, relief.height + puff(alpha, 0.03, 0.05), gloss=0.5)


def _captain(look: Look) -> list[Sheet]:
    crown = [
        (-1.12, -0.92),
        (-1.34, -1.5),
        (-0.9, -1.95),
        (0.0, -2.08),
        (0.9, -1.95),
        (1.34, -1.5),
        (1.12, -0.92),
        (0.0, -1.02),
    ]
    top, band, peak = Sheet(), Sheet(), Sheet()
    top.shape(crown, (240, 236, 226))
    top.line([(-1.2, -1.42), (0.0, -1.6), (1.2, -1.42)], (206, 200, 190), 0.03, 0.5)
    band.shape([(-1.12, -1.2), (0.0, -1.32), (1.12, -1.2), (1.09, -0.72), (0.0, -0.82), (-1.09, -0.72)], (34, 44, 70))
    band.line([(-1.08, -0.86), (0.0, -0.96), (1.08, -0.86)], (214, 170, 76), 0.05)
    band.oval(0, -1.1, 0.15, 0.17, (214, 170, 76))
    band.line([(0, -1.2), (0, -1.0)], (34, 44, 70), 0.04)
    band.line([(-0.07, -1.05), (0.0, -0.99), (0.07, -1.05)], (34, 44, 70), 0.03)
    peak.shape([(-0.9, -0.8), (0.0, -0.9), (0.9, -0.8), (0.7, -0.6), (0.0, -0.52), (-0.7, -0.6)], (26, 26, 34))
    peak.line([(-0.6, -0.63), (0.0, -0.57), (0.6, -0.63)], (110, 110, 124), 0.03, 0.6)
    return [top, band, peak]


def _knitted(points: list[Point], colour: Colour, lines: int) -> Sheet:
    sheet = Sheet()
    sheet.shape(points, colour)
    ribs = Sheet()
    for x in np.linspace(-1.15, 1.15, lines):
        ribs.line([(float(x) * 0.5, -1.95), (float(x) * 0.95, -1.4), (float(x), -0.6)], shade(colour, 0.72), 0.03, 0.55)
    sheet.over(ribs, mask_of(points))
    return sheet


def _beanie(look: Look) -> list[Sheet]:
    colour: Colour = (92, 104, 112)
    dome = [
        (-1.08, -0.8),
        (-1.1, -1.25),
        (-0.75, -1.75),
        (0.0, -1.95),
        (0.75, -1.75),
        (1.1, -1.25),
        (1.08, -0.8),
        (0.0, -0.9),
    ]
    cuff = [(-1.12, -1.02), (0.0, -1.14), (1.12, -1.02), (1.1, -0.62), (0.0, -0.72), (-1.1, -0.62)]
    return [_knitted(dome, colour, 15), _knitted(cuff, shade(colour, 0.86), 25)]


def _flat_cap(look: Look) -> list[Sheet]:
    colour: Colour = (126, 112, 92)
    dome, peak = Sheet(), Sheet()
    outline = [
        (-1.08, -0.75),
        (-1.18, -1.15),
        (-0.75, -1.58),
        (0.0, -1.7),
        (0.8, -1.58),
        (1.2, -1.12),
        (1.08, -0.75),
        (0.0, -0.86),
    ]
    dome.shape(outline, colour)
    weave = Sheet()
    for k in np.linspace(-1.3, 1.3, 16):
        weave.line([(float(k), -1.8), (float(k), -0.6)], shade(colour, 0.8), 0.02, 0.5)
        weave.line([(-1.3, -1.2 + float(k) * 0.5), (1.3, -1.2 + float(k) * 0.5)], shade(colour, 1.15), 0.015, 0.5)
    dome.over(weave, mask_of(outline))
    peak.shape([(-0.98, -0.88), (0.0, -1.0), (0.98, -0.88), (0.8, -0.62), (0.0, -0.55), (-0.8, -0.62)], shade(colour, 0.8))
    return [dome, peak]


def _headscarf(look: Look) -> list[Sheet]:
    colour: Colour = (176, 92, 66)
    sheet = Sheet()
    c = look.cheek
    outer = [(0.0, -1.72), (0.7, -1.58), (1.16, -1.05), (1.26, -0.2), (1.18, 0.7), (0.8, 1.3), (0.3, 1.62)]
    inner = [(0.2, 1.45), (0.62, 1.16), (0.92 * c, 0.6), (0.98 * c, 0.0), (0.88, -0.62), (0.45, -0.98), (0.0, -1.06)]
    sheet.shape(
        [*outer, *inner, *((-x, y) for x, y in reversed(inner[:-1])), *((-x, y) for x, y in reversed(outer[1:]))], colour
    )
    dots = Sheet()
    chance = np.random.default_rng(41)
    for _ in range(60):
        dots.oval(float(chance.uniform(-1.3, 1.3)), float(chance.uniform(-1.7, 1.5)), 0.04, 0.04, (238, 208, 160), 0.8)
    sheet.over(dots, sheet.finished()[1])
    return [sheet]


HATS: dict[str, Callable[[Look], list[Sheet]]] = {
    "captain": _captain,
    "beanie": _beanie,
    "flat cap": _flat_cap,
    "headscarf": _headscarf,
}


@lru_cache(maxsize=16)
def _hat(look: Look) -> list[tuple[Array, Array, Array, Array]]:
    """Its parts from the back to the front: colour, opacity, height, and the shadow below."""
    parts: list[tuple[Array, Array, Array, Array]] = []
    for sheet in HATS[look.hat](look):
        colour, alpha = sheet.finished()
        shadow = np.roll(blur(alpha, 0.06), round(0.09 * UNIT), 0) * (1 - alpha) * 0.4
        parts.append((colour, alpha, 0.75 + puff(alpha, 0.2, 0.14), shadow))
    return parts


def hat(relief: Relief, look: Look) -> None:
    if look.hat:
        for colour, alpha, height, shadow in _hat(look):
            relief.darken(shadow)
            relief.lay(colour, alpha, height, gloss=0.02)
