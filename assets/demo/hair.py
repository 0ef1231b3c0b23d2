"""Hair: what hangs behind a head and what lies on it, each with its strands."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from assets.demo.canvas import Sheet, mirrored, mix, rgb, shade
from assets.demo.hair_parts import cap, curl, falling, filled, strands_from
from assets.demo.looks import Look

Draw = Callable[[Look, Sheet, Sheet], None]  # look, behind the head, on the head


def curls(look: Look, back: Sheet, front: Sheet) -> None:
    chance = np.random.default_rng(3)
    mane = [(0.0, -1.68), (0.8, -1.45), (1.25, -0.8), (1.3, 0.0), (1.22, 0.95), (0.7, 1.05), (0.0, 0.9)]
    back.shape(mirrored(mane), shade(rgb(look.hair), 0.7))
    for _ in range(95):
        angle = float(chance.uniform(-0.35, np.pi + 0.35))
        far = float(chance.uniform(0.75, 1.42))
        x, y = np.cos(angle) * far * 1.02, -np.sin(angle) * far * 1.12 - 0.32
        curl(back, float(x), float(y), float(chance.uniform(0.15, 0.23)), look, chance)
    for side in (-1, 1):
        for y in np.linspace(0.05, 0.95, 7):
            for _ in range(3):
                x = side * (1.08 + float(chance.normal(0.06, 0.1)))
                curl(back, float(x), float(y), float(chance.uniform(0.15, 0.21)), look, chance)
    for angle in np.linspace(0.12, np.pi - 0.12, 26):
        for far in (1.0, 1.17):
            x, y = np.cos(angle) * far * 0.98, -np.sin(angle) * far * 1.05 - 0.27 + float(chance.normal(0, 0.03))
            curl(front, float(x), float(y), float(chance.uniform(0.13, 0.18)), look, chance)


def bald(look: Look, back: Sheet, front: Sheet) -> None:
    pass


def short(look: Look, back: Sheet, front: Sheet) -> None:
    line = [
        (0.93 * look.cheek, -0.1),
        (0.84, -0.62),
        (0.62, -0.9),
        (0.2, -0.98),
        (-0.2, -0.98),
        (-0.62, -0.9),
        (-0.84, -0.62),
        (-0.93 * look.cheek, -0.1),
    ]
    filled(front, cap(look, line, 0.08, -0.05), look, strands_from((0.1, -1.5), line, 0.1), 160, 11)


def bob(look: Look, back: Sheet, front: Sheet) -> None:
    outer = mirrored(
        [(0.0, -1.68), (0.6, -1.58), (1.08, -1.1), (1.24, -0.3), (1.25, 0.5), (1.16, 1.02), (0.7, 1.12), (0.0, 1.0)]
    )
    filled(back, outer, look, falling(-1.25, 1.25, -1.3, 1.2), 260, 12)
    fringe = [
        (1.04 * look.cheek, 0.35),
        (0.92, -0.2),
        (0.78, -0.46),
        (0.4, -0.52),
        (0.0, -0.5),
        (-0.4, -0.52),
        (-0.78, -0.46),
        (-0.92, -0.2),
        (-1.04 * look.cheek, 0.35),
    ]
    filled(front, cap(look, fringe, 0.17, 0.5), look, strands_from((0.0, -1.6), fringe, 0.12), 280, 13)


def quiff(look: Look, back: Sheet, front: Sheet) -> None:
    line = [
        (0.97 * look.cheek, -0.1),
        (0.86, -0.6),
        (0.7, -0.84),
        (0.3, -1.0),
        (-0.15, -0.94),
        (-0.55, -0.86),
        (-0.8, -0.62),
        (-0.97 * look.cheek, -0.1),
    ]
    w = look.cheek
    top = [
        (-w - 0.05, -0.1),
        (-w - 0.07, -0.6),
        (-0.92, -1.2),
        (-0.6, -1.62),
        (0.0, -1.86),
        (0.55, -1.82),
        (0.95, -1.45),
        (w + 0.06, -0.75),
        (w + 0.05, -0.1),
    ]
    swept = [(0.9, -1.3), (0.6, -1.75), (0.1, -1.85), (-0.4, -1.75), (-0.8, -1.4), (-0.95, -0.7)]
    filled(front, [*top, *line], look, strands_from((-0.45, -0.9), swept, -0.25), 260, 14)


def bun(look: Look, back: Sheet, front: Sheet) -> None:
    chance = np.random.default_rng(15)
    for _ in range(40):
        a, r = float(chance.uniform(0, 6.28)), float(chance.uniform(0, 0.34))
        curl(back, r * float(np.cos(a)), -1.88 + r * float(np.sin(a)), 0.17, look, chance)
    line = [
        (0.98 * look.cheek, -0.2),
        (0.88, -0.62),
        (0.6, -0.95),
        (0.2, -1.06),
        (-0.2, -1.06),
        (-0.6, -0.95),
        (-0.88, -0.62),
        (-0.98 * look.cheek, -0.2),
    ]
    filled(front, cap(look, line, 0.05, -0.15), look, strands_from((0.0, -1.75), line, 0.05), 260, 16)


def tousled(look: Look, back: Sheet, front: Sheet) -> None:
    chance = np.random.default_rng(17)
    line = [
        (1.0 * look.cheek, -0.1),
        (0.9, -0.5),
        (0.6, -0.62),
        (0.35, -0.78),
        (0.05, -0.6),
        (-0.25, -0.76),
        (-0.55, -0.58),
        (-0.88, -0.5),
        (-1.0 * look.cheek, -0.1),
    ]
    shape = cap(look, line, 0.12, -0.05)
    tufts = Sheet()
    for angle in np.linspace(0.1, np.pi - 0.1, 17):
        x, y = float(np.cos(angle)) * 1.0, -float(np.sin(angle)) * 1.12 - 0.48
        lean = float(chance.normal(0.15, 0.22))
        out = np.array([x, (y + 0.48) / 1.12])
        across = np.array([-out[1], out[0]])
        base, tip = np.array([x, y]), np.array([x + out[0] * 0.22 + lean * 0.6, y + out[1] * 0.3])
        points = [
            base - across * 0.2,
            base - across * 0.12 + out * 0.12,
            tip,
            base + across * 0.12 + out * 0.1,
            base + across * 0.2,
        ]
        tufts.shape([(float(px), float(py)) for px, py in points], shade(rgb(look.hair), 0.88))
    front.over(tufts)
    filled(front, shape, look, strands_from((-0.2, -1.6), line, 0.18), 260, 18)


def waves(look: Look, back: Sheet, front: Sheet) -> None:
    chance = np.random.default_rng(19)
    for _ in range(60):
        angle = float(chance.uniform(-0.25, np.pi + 0.25))
        far = float(chance.uniform(0.95, 1.2))
        curl(back, float(np.cos(angle)) * far, -float(np.sin(angle)) * far * 1.15 - 0.28, 0.22, look, chance)
    line = [
        (1.0 * look.cheek, 0.12),
        (0.96, -0.35),
        (0.74, -0.72),
        (0.3, -0.95),
        (-0.2, -0.86),
        (-0.68, -0.66),
        (-0.93, -0.3),
        (-1.0 * look.cheek, 0.12),
    ]
    filled(front, cap(look, line, 0.16, 0.15), look, strands_from((0.25, -1.5), line, 0.3), 260, 20)


def fringe(look: Look, back: Sheet, front: Sheet) -> None:
    """Hair at the sides only: a hat hides the rest."""
    for side in (-1, 1):
        patch = [
            (side * 0.88, -0.75),
            (side * 1.07, -0.7),
            (side * 1.14, -0.2),
            (side * 1.1, 0.3),
            (side * 0.99, 0.42),
            (side * 0.95, -0.1),
        ]
        filled(front, patch, look, falling(side * 1.0 - 0.15, side * 1.0 + 0.15, -0.8, 0.5), 50, 21)


def braids(look: Look, back: Sheet, front: Sheet) -> None:
    for side in (-1, 1):
        for k, y in enumerate(np.linspace(0.3, 1.75, 8)):
            lean = 0.09 if k % 2 else -0.02
            x = side * (1.06 + lean * 0.6)
            knot = [(x - 0.17, y - 0.02), (x, y - 0.16), (x + 0.17, y - 0.02), (x + 0.1, y + 0.16), (x - 0.1, y + 0.16)]
            filled(back, knot, look, falling(x - 0.15, x + 0.15, float(y) - 0.2, float(y) + 0.8), 18, 22 + k)
        back.oval(side * 1.09, 1.84, 0.12, 0.06, (200, 70, 70))
    _parted(look, back, front, 0.0)


def ponytail(look: Look, back: Sheet, front: Sheet) -> None:
    tail = [(0.75, -1.35), (1.3, -1.25), (1.62, -0.6), (1.6, 0.3), (1.36, 0.95), (1.25, 0.3), (1.1, -0.4)]
    filled(back, tail, look, strands_from((0.9, -1.2), [(1.25, 0.9), (1.5, 0.6), (1.6, 0.2)], 0.3), 90, 23)
    line = [
        (look.cheek, 0.2),
        (0.93, -0.25),
        (0.8, -0.5),
        (0.45, -0.62),
        (0.1, -0.66),
        (-0.4, -0.58),
        (-0.8, -0.46),
        (-0.93, -0.2),
        (-look.cheek, 0.2),
    ]
    filled(front, cap(look, line, 0.09, 0.3), look, strands_from((-0.3, -1.45), line, 0.15), 260, 28)
    band = [(-1.03, -0.72), (-0.7, -1.2), (0.0, -1.38), (0.7, -1.2), (1.03, -0.72)]
    front.line(band, (63, 143, 138), 0.13)
    front.line([(x, y - 0.03) for x, y in band], (120, 190, 180), 0.03, 0.6)


def _parted(look: Look, back: Sheet, front: Sheet, part: float) -> None:
    w = look.cheek
    line = [
        (w, 0.2),
        (0.95, -0.3),
        (0.78, -0.7),
        (0.42, -0.98),
        (part, -1.16),
        (-0.46, -0.96),
        (-0.8, -0.68),
        (-0.95, -0.3),
        (-w, 0.2),
    ]
    filled(front, cap(look, line, 0.09, 0.3), look, strands_from((part, -1.52), line, 0.22), 260, 24)
    front.line([(part, -1.58), (part, -1.18)], mix(rgb(look.hair), rgb(look.skin), 0.45), 0.02, 0.8)


def long(look: Look, back: Sheet, front: Sheet) -> None:
    outer = mirrored([(0.0, -1.6), (0.7, -1.46), (1.1, -0.9), (1.17, 0.0), (1.2, 0.9), (1.1, 1.5), (0.5, 1.6), (0.0, 1.5)])
    filled(back, outer, look, falling(-1.2, 1.2, -1.2, 1.7), 260, 27)
    _parted(look, back, front, 0.12)


STYLES: dict[str, Draw] = {
    "curls": curls, "bald": bald, "short": short, "bob": bob, "quiff": quiff, "bun": bun, "tousled": tousled, "waves": waves,
    "fringe": fringe, "braids": braids, "ponytail": ponytail, "long": long,
}  # fmt: skip
