"""A painter's tools for sets: gradients, glows, texture, and shapes in the film's own pixels."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from PIL import Image, ImageDraw, ImageFilter
from scipy.ndimage import gaussian_filter

from assets.demo.canvas import Array, Colour, Ink, Point, mix, rgb, shade

WIDE, HIGH = 960, 540  # a set: a little larger than the film's frame, so that the camera can move
FINE = 2
Brush = Callable[[ImageDraw.ImageDraw, Ink], None]


def noise(seed: int, soft: float, wide: int = WIDE, high: int = HIGH) -> Array:
    """Clouds from -1 to 1 that join at the left and right edges."""
    rough = np.random.default_rng(seed).normal(size=(high, wide)).astype(np.float32)
    soft_noise: Array = gaussian_filter(rough, (soft * 0.6, soft), mode=("nearest", "wrap"))
    return soft_noise / np.float32(max(float(np.abs(soft_noise).max()), 1e-6))


def spot(x: float, y: float, wide: float, high: float) -> Array:
    gx, gy = np.meshgrid(np.arange(WIDE, dtype=np.float32), np.arange(HIGH, dtype=np.float32))
    return np.exp(-0.5 * (((gx - x) / wide) ** 2 + ((gy - y) / high) ** 2), dtype=np.float32)


class Painting:
    """A picture of a set, painted from back to front."""

    def __init__(self, *sky: str, until: float = HIGH) -> None:
        """The sky: its colours from the top down to ``until``."""
        stops = np.linspace(0, until, len(sky))
        rows = np.arange(HIGH)
        colours = np.array([rgb(c) for c in sky], np.float32)
        column = np.stack([np.interp(rows, stops, colours[:, k]) for k in range(3)], axis=1)
        self.pixels: Array = np.repeat(column[:, None, :], WIDE, axis=1).astype(np.float32)

    def glow(self, x: float, y: float, wide: float, high: float, colour: str, strength: float) -> None:
        light = spot(x, y, wide, high)[..., None] * strength
        self.pixels += (255 - self.pixels) * light * (np.array(rgb(colour), np.float32) / 255)

    def shadow(self, x: float, y: float, wide: float, high: float, strength: float) -> None:
        self.pixels *= 1 - spot(x, y, wide, high)[..., None] * strength

    def clouds(self, seed: int, colour: str, strength: float, top: float, bottom: float) -> None:
        rows = np.arange(HIGH, dtype=np.float32)
        band = np.clip((rows - top) / 40, 0, 1) * np.clip((bottom - rows) / 60, 0, 1)
        density = np.clip(noise(seed, 34) * 1.6 + noise(seed + 1, 12) * 0.5, 0, 1) * band[:, None] * strength
        self.pixels += (np.array(rgb(colour), np.float32) - self.pixels) * density[..., None]

    def grain(self, seed: int, strength: float) -> None:
        self.pixels *= (1 + strength * (noise(seed, 1.5) + noise(seed + 1, 9)))[..., None]

    def soften(self, radius: float) -> None:
        self.pixels = gaussian_filter(self.pixels, (radius, radius, 0), mode="nearest")

    def lay(self, layer: Layer, soft: float = 0.0) -> None:
        image = layer.image.filter(ImageFilter.GaussianBlur(soft * FINE)) if soft else layer.image
        values = np.asarray(image.convert("RGBa").reduce(FINE), dtype=np.float32)
        self.pixels = self.pixels * (1 - values[..., 3:] / 255) + values[..., :3]

    def finished(self) -> Image.Image:
        return Image.fromarray(np.clip(self.pixels + 0.5, 0, 255).astype(np.uint8))


class Layer:
    """Shapes in a set's pixels, blended one over another."""

    def __init__(self, wide: int = WIDE, high: int = HIGH) -> None:
        self.image = Image.new("RGBA", (wide * FINE, high * FINE))
        self.pen = ImageDraw.Draw(self.image)

    def shape(self, points: Sequence[Point], colour: Colour | str, opacity: float = 1.0) -> None:
        self._ink(lambda pen, ink: pen.polygon([(x * FINE, y * FINE) for x, y in points], fill=ink), colour, opacity)

    def box(
        self,
        left: float,
        top: float,
        right: float,
        bottom: float,
        colour: Colour | str,
        opacity: float = 1.0,
        round_: float = 0,
    ) -> None:
        area = (left * FINE, top * FINE, right * FINE, bottom * FINE)
        self._ink(lambda pen, ink: pen.rounded_rectangle(area, round_ * FINE, fill=ink), colour, opacity)

    def oval(self, x: float, y: float, wide: float, high: float, colour: Colour | str, opacity: float = 1.0) -> None:
        area = ((x - wide) * FINE, (y - high) * FINE, (x + wide) * FINE, (y + high) * FINE)
        self._ink(lambda pen, ink: pen.ellipse(area, fill=ink), colour, opacity)

    def line(self, points: Sequence[Point], colour: Colour | str, width: float, opacity: float = 1.0) -> None:
        path, thick = [(x * FINE, y * FINE) for x, y in points], max(1, round(width * FINE))
        self._ink(lambda pen, ink: pen.line(path, fill=ink, width=thick, joint="curve"), colour, opacity)

    def _ink(self, draw: Brush, colour: Colour | str, opacity: float) -> None:
        ink = (*(rgb(colour) if isinstance(colour, str) else colour), round(255 * opacity))
        if opacity >= 1:
            draw(self.pen, ink)
            return
        patch = Image.new("RGBA", self.image.size)
        draw(ImageDraw.Draw(patch), ink)
        self.image.alpha_composite(patch)

    def finished(self) -> Image.Image:
        return self.image.reduce(FINE)


def sag(left: Point, right: Point, drop: float, steps: int = 24) -> list[Point]:
    """A hanging line between two points."""
    t = np.linspace(0, 1, steps)
    x, y = left[0] + (right[0] - left[0]) * t, left[1] + (right[1] - left[1]) * t + drop * 4 * t * (1 - t)
    return [(float(a), float(b)) for a, b in zip(x, y, strict=True)]


def bunting(layer: Layer, left: Point, right: Point, drop: float, count: int, dim: float = 1.0) -> None:
    """Little flags on a line, in the film's colours."""
    path = sag(left, right, drop, count * 2 + 1)
    layer.line(path, shade(rgb("#7a5a44"), dim), 1.6)
    for k in range(1, count * 2, 2):
        (x0, y0), (x1, y1) = path[k - 1], path[k + 1]
        colour = rgb(("#c8404a", "#e0a93a", "#2f6f73", "#f0e2c8", "#8b5fa8")[k // 2 % 5])
        reach = abs(x1 - x0)
        layer.shape(
            [(x0 + reach * 0.1, y0), (x1 - reach * 0.1, y1), ((x0 + x1) / 2, (y0 + y1) / 2 + reach * 0.85)],
            shade(colour, dim),
        )


def lanterns(layer: Layer, left: Point, right: Point, drop: float, count: int, lit: bool) -> list[Point]:
    """Paper lanterns on a line; gives their places."""
    path = sag(left, right, drop, count + 2)
    layer.line(sag(left, right, drop), "#5a463c", 1.4)
    for k, (x, y) in enumerate(path[1:-1]):
        colour = rgb(("#f0b84c", "#e2725b", "#f4e1b4", "#d98aa0")[k % 4])
        layer.oval(x, y + 15, 12, 14, mix(colour, (255, 244, 214), 0.45) if lit else colour)
        layer.oval(x - 3, y + 12, 5, 8, (255, 250, 235), 0.55 if lit else 0.25)
        layer.box(x - 5, y, x + 5, y + 3, "#6a4f40")
        layer.box(x - 5, y + 27, x + 5, y + 30, "#6a4f40")
    return [(x, y + 15) for x, y in path[1:-1]]
