"""What styles of hair are made of: shapes filled with strands, the cap on the skull, curls."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from assets.demo.canvas import Point, Sheet, mask_of, rgb, shade, smooth, strands
from assets.demo.looks import Look


def filled(
    sheet: Sheet,
    points: Sequence[Point],
    look: Look,
    paths: Callable[[np.random.Generator], Sequence[Point]],
    count: int,
    seed: int,
) -> None:
    """A shape of hair with strands that stay inside it."""
    colour = rgb(look.hair)
    sheet.shape(points, shade(colour, 0.86))
    lines = Sheet(raw=True)
    strands(lines, paths, colour, count, seed)
    sheet.over(lines, mask_of(points))


def cap(look: Look, hairline: Sequence[Point], swell: float, down: float) -> list[Point]:
    """Hair on the skull: its outer edge from ear to ear, then the hairline from right to left."""
    w = look.cheek
    right = [
        (0.0, -1.5 - swell),
        (0.5, -1.43 - swell),
        (0.86 * w + swell * 0.6, -1.1 - swell * 0.5),
        (w + swell * 0.9, -0.55),
        (w + swell * 0.8, down),
    ]
    left = [(-x, y) for x, y in reversed(right[1:])]
    return [*left, *right, *hairline]


def strands_from(part: Point, reach: Sequence[Point], bend: float = 0.25) -> Callable[[np.random.Generator], list[Point]]:
    """Strands that leave a parting and end somewhere along a curve."""
    ends = smooth(reach, closed=False)

    def path(chance: np.random.Generator) -> list[Point]:
        x1, y1 = ends[int(chance.integers(len(ends)))]
        x0, y0 = part[0] + float(chance.normal(0, 0.1)), part[1] + float(chance.normal(0, 0.06))
        x1, y1 = x1 + float(chance.normal(0, 0.08)), y1 + float(chance.normal(0, 0.08))
        return [(x0, y0), ((x0 + x1) / 2 + (x1 - x0) * bend, (y0 + y1) / 2 - abs(x1 - x0) * bend), (x1, y1)]

    return path


def falling(
    left: float, right: float, top: float, bottom: float, wave: float = 0.03
) -> Callable[[np.random.Generator], list[Point]]:
    """Strands that hang."""

    def path(chance: np.random.Generator) -> list[Point]:
        x = float(chance.uniform(left, right))
        y0, y1 = top + float(chance.uniform(0, 0.5)), bottom - float(chance.uniform(0, 0.6))
        sway = float(chance.normal(0, wave))
        return [(x, y0), (x + sway, (2 * y0 + y1) / 3), (x - sway, (y0 + 2 * y1) / 3), (x + sway, y1)]

    return path


def curl(sheet: Sheet, x: float, y: float, r: float, look: Look, chance: np.random.Generator) -> None:
    colour = rgb(look.hair)
    sheet.oval(x, y, r, r, shade(colour, float(chance.uniform(0.78, 0.95))))
    for k in range(5):
        s, start = r * (0.92 - 0.16 * k), float(chance.uniform(0, 6.28))
        arc = [(x + s * np.cos(start + a), y + s * np.sin(start + a)) for a in (0, 0.7, 1.4, 2.1, 2.8)]
        sheet.line([(float(px), float(py)) for px, py in arc], shade(colour, float(chance.uniform(0.6, 1.22))), 0.028, 0.6)
