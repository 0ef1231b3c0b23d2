"""Eyes, brows, nose and mouth: what a face says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assets.demo.canvas import Array, Colour, Point, Relief, Sheet, blob, blur, mask_of, mix, rgb, shade, smooth, strands
from assets.demo.looks import Look

DARK: Colour = (40, 22, 20)


@dataclass(frozen=True)
class Mien:
    """An expression: every part from about -1 to 1, 0 at rest."""

    smile: float = 0.3
    open: float = 0.0  # of the mouth: 0 shut, 1 wide
    round: float = 0.0  # of the lips: 1 an O
    lids: float = 1.0  # 0 shut, 1 open, more is wide
    brows: float = 0.0  # up, or down into a frown
    gaze: float = 0.0  # to the right


MIENS: dict[str, Mien] = {
    "calm": Mien(),
    "smile": Mien(smile=0.9, lids=0.88, brows=0.1),
    "grin": Mien(smile=1.1, open=0.42, lids=0.8, brows=0.2),
    "talk": Mien(smile=0.2, open=0.38, brows=0.15),
    "say": Mien(smile=0.3, open=0.16),
    "oh": Mien(smile=0.0, open=0.45, round=0.7, lids=1.05, brows=0.4),
    "surprised": Mien(smile=0.05, open=0.6, round=0.6, lids=1.25, brows=0.9),
    "frown": Mien(smile=-0.5, lids=0.9, brows=-0.8),
    "worried": Mien(smile=-0.35, lids=1.05, brows=0.5),
    "sing": Mien(smile=0.35, open=0.55, round=0.25, lids=0.72, brows=0.5),
}


def eye_shape(look: Look, mien: Mien, side: int) -> tuple[list[Point], list[Point]]:
    """The upper and the lower lid, from the inner to the outer corner."""
    x, wide = look.eye_gap, 0.245 * look.eye_size
    high, low = (
        0.145 * look.eye_size * mien.lids,
        0.075 * look.eye_size * min(mien.lids, 1.0) * (1 - 0.25 * max(mien.smile, 0)),
    )
    tilt = look.eye_tilt * 0.25
    inner, outer = (x - wide, 0.025 + tilt), (x + wide, -0.015 - tilt)
    upper = [
        inner,
        (x - wide * 0.5, -high * 0.82 + tilt / 2),
        (x + wide * 0.1, -high),
        (x + wide * 0.62, -high * 0.68),
        outer,
    ]
    lower = [inner, (x - wide * 0.4, low * 0.85 + 0.01), (x + wide * 0.2, low), (x + wide * 0.7, low * 0.6), outer]
    flip = [[(side * px, py) for px, py in curve] for curve in (upper, lower)]
    return flip[0], flip[1]


def eyes(relief: Relief, look: Look, mien: Mien) -> None:
    ink = mix(rgb(look.skin), DARK, 0.82)
    for side in (-1, 1):
        upper, lower = eye_shape(look, mien, side)
        almond = smooth(upper, closed=False) + smooth(lower, closed=False)[::-1]
        ball = Sheet()
        if mien.lids > 0.25:
            ball.shape(almond, mix((246, 240, 234), rgb(look.skin), 0.12), smoothed=False)
            _iris(ball, look, mien, side, mask_of(almond, smoothed=False))
        relief.lay(*ball.finished())
        lines = Sheet()
        lines.line(upper, ink, 0.042 if mien.lids > 0.25 else 0.035, opacity=0.95)
        lines.line(lower, mix(rgb(look.skin), DARK, 0.5), 0.016, opacity=0.65)
        if mien.lids > 0.25:
            crease = [(x * 1.0, y - 0.055 - 0.02 * (k in (1, 2, 3))) for k, (x, y) in enumerate(upper)]
            lines.line(crease, mix(rgb(look.skin), DARK, 0.45), 0.018, opacity=0.55)
        x, y = upper[-1]
        lines.line([(x - side * 0.05, y - 0.012), (x + side * 0.035, y - 0.03)], ink, 0.026, opacity=0.9)
        relief.lay(*lines.finished())
        # the ball is round and lies in the lid's shadow
        under = blob(side * look.eye_gap, -0.09 * look.eye_size, 0.2, 0.05) * 0.22
        relief.darken(under * mask_of(almond, smoothed=False))
        tired = blob(side * look.eye_gap, 0.17, 0.17, 0.04) * (0.12 + 0.2 * look.age)
        relief.tint(mix(rgb(look.skin), (60, 0, 0), 0.36), tired)


def _iris(sheet: Sheet, look: Look, mien: Mien, side: int, allowed: Array) -> None:
    x, y, r = side * look.eye_gap + mien.gaze * 0.08, -0.03, 0.132 * look.eye_size**0.7
    iris = rgb(look.iris)
    disc = Sheet()
    disc.oval(x, y, r, r, shade(iris, 0.45))
    disc.oval(x, y, r * 0.88, r * 0.88, iris)
    disc.oval(x, y + r * 0.25, r * 0.6, r * 0.5, shade(iris, 1.28), 0.6)
    disc.oval(x, y, r * 0.45, r * 0.45, (14, 10, 10))
    disc.oval(x - r * 0.34, y - r * 0.36, r * 0.24, r * 0.24, (255, 255, 255), 0.95)
    disc.oval(x + r * 0.34, y + r * 0.36, r * 0.11, r * 0.11, (255, 255, 255), 0.6)
    sheet.over(disc, allowed)


def brows(relief: Relief, look: Look, mien: Mien) -> None:
    colour = mix(rgb(look.hair), DARK, 0.25) if look.age < 0.7 else shade(rgb(look.hair), 0.82)
    if look.style == "tousled":
        colour = shade(rgb(look.hair), 0.68)
    sheet = Sheet()
    for side in (-1, 1):
        x, y = look.eye_gap, -look.brow_high - 0.07 * max(mien.brows, 0) + 0.05 * max(-mien.brows, 0)
        inner = 0.06 * max(-mien.brows, 0) - 0.05 * (mien.smile < -0.2) * max(mien.brows, 0) - look.brow_tilt
        spine = [
            (x - 0.25, y + 0.01 + inner),
            (x - 0.05, y - 0.05 + inner * 0.4),
            (x + 0.16, y - 0.05),
            (x + 0.32, y + 0.05),
        ]
        thick = [0.026, 0.044, 0.036, 0.006]
        top = [(side * px, py - t * look.brow_thick) for (px, py), t in zip(spine, thick, strict=True)]
        bottom = [(side * px, py + t * look.brow_thick * 0.7) for (px, py), t in zip(spine, thick, strict=True)]
        sheet.shape(smooth(top, False) + smooth(bottom, False)[::-1], colour, 0.78, smoothed=False)

        def hairs(chance: np.random.Generator, spine: list[Point] = spine, side: int = side) -> list[Point]:
            t = float(chance.uniform(0, 2.7))
            k, f = int(t), t - int(t)
            px = spine[k][0] * (1 - f) + spine[k + 1][0] * f
            py = spine[k][1] * (1 - f) + spine[k + 1][1] * f
            lift = float(chance.uniform(-0.9, 0.5)) * 0.05 * look.brow_thick
            return [(side * (px - 0.03), py + lift + 0.02), (side * (px + 0.04), py + lift - 0.015)]

        lines = Sheet(raw=True)
        strands(lines, hairs, colour, 40, 7 + side, width=0.014)
        sheet.over(lines)
    colour_, alpha = sheet.finished()
    relief.lay(colour_, blur(alpha, 0.008))


def nose(relief: Relief, look: Look) -> None:
    """The ridge and tip as relief, the wings' creases and nostrils as soft ink."""
    tip, wide = look.nose_long, 0.17 * look.nose_wide
    ridge = blob(0, tip * 0.45, 0.09 * look.nose_wide**0.5, tip * 0.44) * 0.15 * look.nose_high
    relief.height += ridge + blob(0, tip - 0.03, wide * 0.62, 0.1) * 0.2
    relief.height += (blob(-wide, tip + 0.02, 0.06, 0.065) + blob(wide, tip + 0.02, 0.06, 0.065)) * 0.085
    relief.height -= (blob(-wide - 0.12, tip, 0.09, 0.12) + blob(wide + 0.12, tip, 0.09, 0.12)) * 0.02
    dark = mix(rgb(look.skin), (70, 20, 16), 0.62)
    for side in (-1, 1):
        relief.tint(dark, blob(side * wide * 0.55, tip + 0.085, 0.055 * look.nose_wide**0.5, 0.024, side * 0.3) * 0.75)
        relief.tint(dark, blob(side * (wide + 0.055), tip + 0.01, 0.016, 0.06, -side * 0.25) * 0.42)
    relief.tint(dark, blob(0, tip + 0.1, 0.09, 0.028) * 0.38)
    relief.tint((205, 90, 76), blob(0, tip, 0.11, 0.09) * 0.14 * (0.4 + look.blush))
    relief.gloss += blob(0, tip - 0.05, 0.05, 0.05) * 0.12


def mouth(relief: Relief, look: Look, mien: Mien) -> None:
    """Lips with a cupid's bow; teeth and tongue where they part."""
    y = look.nose_long + 0.36 * (look.length - look.nose_long) + 0.05
    wide = look.mouth_wide * (1 + 0.3 * max(mien.smile, 0) - 0.38 * mien.round)
    lift, gap, full = -0.12 * mien.smile, 0.34 * mien.open, 0.085 * look.lip_full
    left, right = (-wide, y + lift), (wide, y + lift)
    up = y - gap * 0.22
    down = y + gap * 0.78 + 0.06 * max(mien.smile, 0)
    inner_top = [
        left,
        (-wide * 0.5, up + lift * 0.25 + 0.012),
        (0, up + 0.018),
        (wide * 0.5, up + lift * 0.25 + 0.012),
        right,
    ]
    inner_low = [
        left,
        (-wide * 0.5, down - gap * 0.12 + lift * 0.2 + 0.008),
        (0, down + 0.02),
        (wide * 0.5, down - gap * 0.12 + lift * 0.2 + 0.008),
        right,
    ]
    bow = up - full * 0.85
    outer_top = [
        left,
        (-wide * 0.55, bow + lift * 0.4 + 0.03),
        (-wide * 0.2, bow),
        (0, bow + 0.026),
        (wide * 0.2, bow),
        (wide * 0.55, bow + lift * 0.4 + 0.03),
        right,
    ]
    outer_low = [
        left,
        (-wide * 0.55, down + full * 0.75 + lift * 0.25),
        (0, down + full * 1.3 + 0.01),
        (wide * 0.55, down + full * 0.75 + lift * 0.25),
        right,
    ]
    lips = mix(rgb(look.lips), rgb(look.skin), 0.2)
    sheet = Sheet()
    sheet.shape(smooth(outer_low, False) + smooth(inner_low, False)[::-1], lips, 0.9, smoothed=False)
    sheet.shape(smooth(outer_top, False) + smooth(inner_top, False)[::-1], shade(lips, 0.82), 0.95, smoothed=False)
    if gap > 0.02:
        hole = smooth(inner_top, False) + smooth(inner_low, False)[::-1]
        sheet.shape(hole, (62, 20, 22), smoothed=False)
        inside = Sheet()
        teeth = 0.05 + 0.05 * max(mien.smile, 0) if mien.round < 0.5 else 0.03
        inside.shape(
            [
                (-wide * 0.8, up - 0.08),
                (wide * 0.8, up - 0.08),
                (wide * 0.62, up + teeth),
                (0, up + 0.02 + teeth),
                (-wide * 0.62, up + teeth),
            ],
            (255, 251, 244),
        )
        if gap > 0.1:
            inside.oval(0, down + 0.02, wide * 0.55, gap * 0.32, (178, 84, 84), 0.9)
        sheet.over(inside, mask_of(hole, smoothed=False))
    sheet.line(inner_top, mix(lips, DARK, 0.72), 0.026 if gap < 0.02 else 0.016, 0.9)
    colour, alpha = sheet.finished()
    relief.lay(colour, blur(alpha, 0.007))
    ridge = blob(0, down + full * 0.6, wide * 0.55, full * 0.55) * 0.05 * look.lip_full
    relief.height += ridge + blob(0, bow + full * 0.5, wide * 0.6, 0.04) * 0.03
    relief.gloss += blob(0, down + full * 0.55, wide * 0.35, 0.025) * 0.1
    dark = mix(rgb(look.skin), (80, 26, 20), 0.55)
    relief.tint(dark, blob(0, down + full * 1.3 + 0.07, wide * 0.5, 0.03) * 0.3)
    for side in (-1, 1):
        relief.tint(dark, blob(side * (wide + 0.02), y + lift, 0.025, 0.03) * 0.4)
        if (fold := max(mien.smile, 0) * 0.28 + look.age * 0.32) > 0.05:
            x0, y0 = side * (0.17 * look.nose_wide + 0.1), look.nose_long + 0.02
            x1, y1 = side * (wide + 0.11), y + lift
            relief.tint(
                dark, _crease([(x0, y0), ((x0 + x1) / 2 + side * 0.045, (y0 + y1) / 2 - 0.03), (x1, y1)], 0.02) * fold
            )


def _crease(points: list[Point], soft: float) -> Array:
    sheet = Sheet()
    sheet.line(points, (255, 255, 255), 0.03)
    return blur(sheet.finished()[1], soft)


def wrinkles(relief: Relief, look: Look) -> None:
    dark = mix(rgb(look.skin), (90, 40, 30), 0.5)
    lines: list[list[Point]] = [
        [(-0.5, -0.62), (-0.2, -0.66), (0.15, -0.65), (0.48, -0.61)],
        [(-0.4, -0.78), (0.0, -0.81), (0.42, -0.77)],
    ]
    for side in (-1, 1):
        x = look.eye_gap
        lines += [
            [(side * (x + 0.3), -0.03), (side * (x + 0.42), -0.09)],
            [(side * (x + 0.3), 0.02), (side * (x + 0.43), 0.03)],
            [(side * (x - 0.2), 0.16), (side * x, 0.21), (side * (x + 0.2), 0.17)],
        ]
    total = sum((_crease(line, 0.012) for line in lines), np.zeros_like(relief.alpha))
    relief.tint(dark, np.clip(total, 0, 1) * 0.5 * look.age)


def freckles(relief: Relief, look: Look, seed: int = 5) -> None:
    chance = np.random.default_rng(seed)
    sheet = Sheet()
    for _ in range(46):
        x, y = float(chance.normal(0, 0.38)), float(chance.normal(0.36, 0.11))
        if abs(x) < 0.85:
            r = float(chance.uniform(0.011, 0.02))
            sheet.oval(x, y, r, r, mix(rgb(look.skin), (150, 70, 30), 0.6), 0.6)
    relief.lay(*sheet.finished())
