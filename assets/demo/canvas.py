"""Paper, pencil and lamp: smooth shapes drawn with Pillow, given a relief, turned a little, and lit.

A *unit* is half the width of an average face. Every head is drawn on the same square sheet, the point between its eyes
at the origin, x to the right and y downwards.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from scipy.ndimage import gaussian_filter, map_coordinates

Array = NDArray[np.floating[Any]]
Point = tuple[float, float]
Colour = tuple[int, int, int]
Ink = tuple[int, int, int, int]
Stroke = Callable[[ImageDraw.ImageDraw, Sequence[Point], Ink], None]

UNIT = 58  # pixels a unit on a finished sheet
FINE = 2  # sheets are drawn this much larger and reduced
LEFT, TOP = -2.2, -2.5  # the sheet's corner, in units
SIZE = round(4.4 * UNIT)  # pixels, both ways


@cache
def grid() -> tuple[Array, Array]:
    """x and y of every pixel, in units."""
    steps = (np.arange(SIZE, dtype=np.float32) + 0.5) / UNIT
    x, y = np.meshgrid(steps + LEFT, steps + TOP)
    return x.astype(np.float32), y.astype(np.float32)


def blob(x: float, y: float, width: float, height: float, tilt: float = 0.0) -> Array:
    """A soft spot: a Gaussian of these standard deviations."""
    gx, gy = grid()
    dx, dy = gx - x, gy - y
    if tilt:
        cos, sin = np.float32(np.cos(tilt)), np.float32(np.sin(tilt))
        dx, dy = dx * cos + dy * sin, dy * cos - dx * sin
    return np.exp(-0.5 * ((dx / width) ** 2 + (dy / height) ** 2), dtype=np.float32)


def blur(values: Array, units: float) -> Array:
    result: Array = gaussian_filter(values, units * UNIT, mode="nearest", truncate=2.5)
    return result


def rgb(colour: str) -> Colour:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mix(one: Colour, other: Colour, share: float) -> Colour:
    r, g, b = (round(a + (c - a) * share) for a, c in zip(one, other, strict=True))
    return r, g, b


def shade(colour: Colour, factor: float) -> Colour:
    """Darker below 1, lighter above."""
    return mix(colour, (0, 0, 0), 1 - factor) if factor <= 1 else mix(colour, (255, 255, 255), factor - 1)


def smooth(points: Sequence[Point], closed: bool = True, steps: int = 10) -> list[Point]:
    """A Catmull–Rom curve through the points."""
    p = np.array(points, dtype=np.float64)
    before, after = (p[-1:], p[:2]) if closed else (p[:1], p[-1:])
    p = np.vstack([before, p, after])
    t = np.linspace(0, 1, steps, endpoint=False)[None, :, None]
    a, b, c, d = (p[k : len(p) - 3 + k, None, :] for k in range(4))
    curve = 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
    flat = curve.reshape(-1, 2)
    if not closed:
        flat = np.vstack([flat, p[-2]])
    return [(float(x), float(y)) for x, y in flat]


def mirrored(points: Sequence[Point]) -> list[Point]:
    """The right half of an outline from top to bottom, with its left half added."""
    return [*points, *((-x, y) for x, y in reversed(points) if abs(x) > 1e-6)]


class Sheet:
    """A transparent sheet in units, drawn finely."""

    def __init__(self, raw: bool = False) -> None:
        self.raw = raw  # strokes replace what is below: for strands, which lie on a sheet of their own
        self.image = Image.new("RGBA", (SIZE * FINE, SIZE * FINE))
        self.pen = ImageDraw.Draw(self.image)

    def at(self, point: Point) -> Point:
        return (point[0] - LEFT) * UNIT * FINE, (point[1] - TOP) * UNIT * FINE

    def shape(self, points: Sequence[Point], colour: Colour, opacity: float = 1.0, smoothed: bool = True) -> None:
        path = [self.at(p) for p in (smooth(points) if smoothed else points)]
        self._ink(path, 0, colour, opacity, lambda pen, moved, ink: pen.polygon(moved, fill=ink))

    def line(self, points: Sequence[Point], colour: Colour, width: float, opacity: float = 1.0, steps: int = 10) -> None:
        """A curve with round ends."""
        path = [self.at(p) for p in (smooth(points, closed=False, steps=steps) if len(points) > 2 else points)]
        thick = max(1, round(width * UNIT * FINE))

        def draw(pen: ImageDraw.ImageDraw, moved: Sequence[Point], ink: Ink) -> None:
            pen.line(moved, fill=ink, width=thick, joint="curve")
            if thick > 3:
                for x, y in (moved[0], moved[-1]):
                    pen.ellipse((x - thick / 2, y - thick / 2, x + thick / 2, y + thick / 2), fill=ink)

        self._ink(path, thick, colour, opacity, draw)

    def oval(self, x: float, y: float, width: float, height: float, colour: Colour, opacity: float = 1.0) -> None:
        corners = [self.at((x - width, y - height)), self.at((x + width, y + height))]
        self._ink(corners, 0, colour, opacity, lambda pen, moved, ink: pen.ellipse((*moved[0], *moved[1]), fill=ink))

    def _ink(self, path: Sequence[Point], margin: int, colour: Colour, opacity: float, draw: Stroke) -> None:
        """Draws, blending what is not opaque: on a sheet with opacity Pillow's own pen would replace instead."""
        ink = (*colour, round(255 * opacity))
        if opacity >= 1 or self.raw:
            draw(self.pen, path, ink)
            return
        xs, ys = [x for x, _ in path], [y for _, y in path]
        left, top = max(0, int(min(xs)) - margin - 2), max(0, int(min(ys)) - margin - 2)
        right, bottom = min(self.image.width, int(max(xs)) + margin + 3), min(self.image.height, int(max(ys)) + margin + 3)
        if right > left and bottom > top:
            patch = Image.new("RGBA", (right - left, bottom - top))
            draw(ImageDraw.Draw(patch), [(x - left, y - top) for x, y in path], ink)
            self.image.alpha_composite(patch, (left, top))

    def over(self, other: Sheet, mask: Array | None = None) -> None:
        """Lays another sheet on this one, only where the mask of a finished sheet allows it."""
        image = other.image
        if mask is not None:
            allowed = Image.fromarray((np.clip(mask, 0, 1) * 255).astype(np.uint8)).resize(
                image.size, Image.Resampling.BILINEAR
            )
            alpha = np.asarray(image.getchannel("A"), dtype=np.uint16) * np.asarray(allowed, dtype=np.uint16) // 255
            image.putalpha(Image.fromarray(alpha.astype(np.uint8)))
        self.image.alpha_composite(image)

    def finished(self) -> tuple[Array, Array]:
        """Colours (0 to 1) and opacity."""
        # Reduced with premultiplied colours, or the edges would darken.
        image = self.image.convert("RGBa").reduce(FINE)
        values = np.asarray(image, dtype=np.float32) / 255
        alpha = values[..., 3]
        return values[..., :3] / np.maximum(alpha, 1 / 255)[..., None], alpha


def mask_of(*shapes: Sequence[Point], smoothed: bool = True) -> Array:
    """Where the shapes are, from 0 to 1."""
    sheet = Sheet()
    for points in shapes:
        sheet.shape(points, (255, 255, 255), smoothed=smoothed)
    return sheet.finished()[1]


@dataclass
class Relief:
    """A picture with opacity and height: what the lamp needs. Layers are laid on it one by one."""

    colour: Array = field(default_factory=lambda: np.zeros((SIZE, SIZE, 3), np.float32))
    alpha: Array = field(default_factory=lambda: np.zeros((SIZE, SIZE), np.float32))
    height: Array = field(default_factory=lambda: np.zeros((SIZE, SIZE), np.float32))
    gloss: Array = field(default_factory=lambda: np.zeros((SIZE, SIZE), np.float32))

    def lay(self, colour: Array, alpha: Array, height: Array | float | None = None, gloss: float | None = None) -> None:
        """Lays a layer on top; without a height it is ink that follows what lies below."""
        total = alpha + self.alpha * (1 - alpha)
        share = (alpha / np.maximum(total, 1e-4))[..., None]
        self.colour = self.colour * (1 - share) + colour * share
        self.alpha = total
        if height is not None:
            self.height = self.height * (1 - alpha) + height * alpha
        if gloss is not None:
            self.gloss = self.gloss * (1 - alpha) + gloss * alpha

    def tint(self, colour: Colour, strength: Array) -> None:
        target = np.array(colour, np.float32) / 255
        self.colour += (target - self.colour) * strength[..., None]

    def copy(self) -> Relief:
        return Relief(self.colour.copy(), self.alpha.copy(), self.height.copy(), self.gloss.copy())

    def darken(self, strength: Array) -> None:
        self.colour *= (1 - strength)[..., None]


def puff(mask: Array, units: float, high: float) -> Array:
    """A cushion over a mask: how high a shape of this softness rises."""
    return np.sqrt(np.clip(blur(mask, units) * 2 - 1, 0, 1)) * high


@dataclass(frozen=True)
class Light:
    """Where light comes from (x, y to the light; z to the viewer), its colour, and what fills the shadows."""

    direction: tuple[float, float, float]
    key: tuple[float, float, float]
    fill: tuple[float, float, float]
    rim: tuple[float, float, float] = (0.0, 0.0, 0.0)


def lit(relief: Relief, light: Light) -> NDArray[np.uint8]:
    """The relief under the light: wrapped Lambert, a soft gleam, and a rim; RGBA."""
    slope_y, slope_x = np.gradient(gaussian_filter(relief.height, 0.8), 1 / UNIT)
    length = np.sqrt(slope_x**2 + slope_y**2 + 1)
    nx, ny, nz = -slope_x / length, -slope_y / length, 1 / length
    far = math.hypot(*light.direction)
    lx, ly, lz = (part / far for part in light.direction)
    facing = nx * lx + ny * ly + nz * lz
    # Red reaches further round than blue: skin scatters it, and shadows on faces turn warm.
    wrap = np.array([0.5, 0.36, 0.3], np.float32)
    lambert = np.clip((facing[..., None] + wrap) / (1 + wrap), 0, 1)
    sky = (0.85 + 0.15 * -ny)[..., None]
    bright = lambert * np.array(light.key, np.float32) + sky * np.array(light.fill, np.float32)
    gleam = np.clip((nx * lx + ny * ly + nz * (lz + 1)) / math.hypot(lx, ly, lz + 1), 0, 1) ** 26 * relief.gloss
    edge = np.clip(1 - nz, 0, 1) ** 3 * np.clip(0.4 - 0.6 * ny, 0, 1)
    colour = relief.colour * bright + gleam[..., None] * np.array(light.key, np.float32)
    colour = colour + edge[..., None] * np.array(light.rim, np.float32) * 0.6
    colour = np.clip(colour, 0, None)
    colour = np.where(colour > 0.8, 0.8 + 0.2 * np.tanh((colour - 0.8) / 0.2), colour)  # highlights roll off
    out = np.concatenate([colour, relief.alpha[..., None]], axis=2)
    picture: NDArray[np.uint8] = (np.clip(out, 0, 1) * 255 + 0.5).astype(np.uint8)
    return picture


def turn(depth: Array, yaw: float, pitch: float) -> Array:
    """Where each pixel of a turned head comes from (row and column): what is near moves most, the outline stays."""
    gx, gy = grid()
    rows, columns = (gy - TOP) * UNIT - 0.5, (gx - LEFT) * UNIT - 0.5
    place = np.stack([rows, columns])
    for _ in range(3):  # found by repetition, since depth is known only at the source
        z = map_coordinates(depth, place, order=1, mode="nearest") * UNIT
        place = np.stack([rows - z * pitch, columns - z * yaw])
    return place


def turned(relief: Relief, place: Array) -> Relief:
    """The relief with every pixel taken from its place, in between by straight lines."""
    values = np.dstack([relief.colour * relief.alpha[..., None], relief.alpha, relief.height, relief.gloss])
    corner = np.clip(place.astype(np.int32), 0, SIZE - 2)
    share = np.clip(place - corner, 0, 1).astype(np.float32)
    flat, at = values.reshape(-1, values.shape[2]), corner[0] * SIZE + corner[1]
    down, right = share[0][..., None], share[1][..., None]
    upper = flat[at] * (1 - right) + flat[at + 1] * right
    lower = flat[at + SIZE] * (1 - right) + flat[at + SIZE + 1] * right
    out = upper * (1 - down) + lower * down
    alpha = out[..., 3]
    return Relief(out[..., :3] / np.maximum(alpha, 1e-3)[..., None], alpha, out[..., 4], out[..., 5])


def strands(
    sheet: Sheet,
    paths: Callable[[np.random.Generator], Sequence[Point]],
    colour: Colour,
    count: int,
    seed: int,
    width: float = 0.016,
) -> None:
    """Hair: many thin curves, some lighter and some darker than the colour."""
    chance = np.random.default_rng(seed)
    for _ in range(count):
        tone = float(chance.normal(1.0, 0.2))
        sheet.line(paths(chance), shade(colour, float(np.clip(tone, 0.5, 1.35))), width, opacity=0.55, steps=6)
