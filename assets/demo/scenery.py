"""What stands in more than one set: the lighthouse, the sea, wood and houses."""

from __future__ import annotations

import itertools

import numpy as np

from assets.demo.canvas import Point, mix, rgb, shade
from assets.demo.paint import HIGH, WIDE, Layer, Painting, sag


def lighthouse(layer: Layer, x: float, base: float, size: float, dim: float = 1.0, lamp: bool = False) -> Point:
    """On its rock; gives the place of its lamp."""
    white, red = shade(rgb("#f3e9da"), dim), shade(rgb("#c0483f"), dim)
    layer.shape(
        [
            (x - 70 * size, base + 12 * size),
            (x - 40 * size, base - 16 * size),
            (x + 10 * size, base - 20 * size),
            (x + 48 * size, base - 8 * size),
            (x + 80 * size, base + 12 * size),
        ],
        shade(rgb("#6f6a68"), dim),
    )
    top = base - 190 * size
    layer.shape(
        [(x - 25 * size, base - 14 * size), (x - 15 * size, top), (x + 15 * size, top), (x + 25 * size, base - 14 * size)],
        white,
    )
    for k in (0, 2):
        a, b = 0.16 + k * 0.22, 0.16 + k * 0.22 + 0.2
        ya, yb = base - 14 * size + (top - base + 14 * size) * a, base - 14 * size + (top - base + 14 * size) * b
        wa, wb = (25 - 10 * a) * size, (25 - 10 * b) * size
        layer.shape([(x - wa, ya), (x - wb, yb), (x + wb, yb), (x + wa, ya)], red)
    layer.shape(
        [(x + 6 * size, base - 14 * size), (x + 3 * size, top), (x + 15 * size, top), (x + 25 * size, base - 14 * size)],
        (40, 30, 50),
        0.18,
    )
    layer.box(x - 20 * size, top - 5 * size, x + 20 * size, top, shade(rgb("#4a3c3a"), dim))
    layer.box(
        x - 11 * size, top - 26 * size, x + 11 * size, top - 5 * size, rgb("#ffe9a8") if lamp else shade(rgb("#9cc4cc"), dim)
    )
    layer.shape([(x - 15 * size, top - 26 * size), (x, top - 42 * size), (x + 15 * size, top - 26 * size)], red)
    layer.box(x - 4 * size, base - 40 * size, x + 4 * size, base - 16 * size, shade(rgb("#4a3c3a"), dim), round_=3 * size)
    return x, top - 15 * size


def water(painting: Painting, top: float, near: str, far: str, glint: str, seed: int) -> None:
    """Sea down to the bottom, with rows of glints that grow towards us."""
    layer = Layer()
    for k in range(40):
        y = top + (HIGH - top) * k / 40
        layer.box(0, y, WIDE, HIGH, mix(rgb(far), rgb(near), k / 39))
    chance = np.random.default_rng(seed)
    for _ in range(420):
        depth = float(chance.uniform(0, 1)) ** 1.6
        x, y, long = float(chance.uniform(0, WIDE)), top + 3 + (HIGH - top) * depth, 5 + 46 * depth
        tone = rgb(glint) if chance.random() < 0.6 else shade(rgb(near), 0.8)
        layer.pen.line(
            [(x * 2, y * 2), ((x + long) * 2, y * 2)],
            fill=mix(tone, mix(rgb(far), rgb(near), depth), 0.55),
            width=round(2 + 5 * depth),
        )
    painting.lay(layer, 0.8)


def planks(layer: Layer, top: float, colour: str, dim: float = 1.0) -> None:
    """A wooden floor that runs away from us."""
    layer.shape([(0, top), (WIDE, top), (WIDE, HIGH), (0, HIGH)], shade(rgb(colour), dim))
    chance = np.random.default_rng(4)
    edges = np.linspace(-700, WIDE + 700, 19)
    for a, b in itertools.pairwise(edges):
        tone = shade(rgb(colour), dim * float(chance.uniform(0.86, 1.08)))
        xa, xb = WIDE / 2 + (a - WIDE / 2) * 0.55, WIDE / 2 + (b - WIDE / 2) * 0.55
        layer.shape([(xa, top), (xb, top), (float(b), HIGH), (float(a), HIGH)], tone)
        layer.line([(xb, top), (float(b), HIGH)], shade(rgb(colour), dim * 0.6), 2)


def posts(layer: Layer, top: float, foot: float, dim: float = 1.0) -> None:
    for x in (66, 250, 710, 894):
        layer.box(x - 13, top, x + 13, foot, shade(rgb("#7b5a43"), dim), round_=5)
        layer.box(x - 13, top, x - 5, foot, shade(rgb("#a07a5c"), dim), round_=4)
        layer.box(x - 16, top - 5, x + 16, top + 6, shade(rgb("#5d4433"), dim), round_=4)
    for a, b in ((-120, 66), (66, 250), (250, 710), (710, 894), (894, 1080)):
        layer.line(sag((a, top + 28), (b, top + 28), 30), shade(rgb("#cdb48c"), dim), 5)


def houses(layer: Layer, base: float, dim: float = 1.0, windows: str = "#f7e3b0") -> None:
    x = -20.0
    chance = np.random.default_rng(8)
    for k in range(9):
        wide, high = float(chance.uniform(56, 84)), float(chance.uniform(80, 140))
        colour = shade(rgb(("#d98b6a", "#e9d3a7", "#a9bcae", "#c9706a", "#e2b46a", "#9fb2c4")[k % 6]), dim)
        layer.box(x, base - high, x + wide, base, colour)
        layer.shape(
            [(x - 5, base - high), (x + wide / 2, base - high - 34), (x + wide + 5, base - high)], shade(rgb("#7d4a3e"), dim)
        )
        for wx in (0.22, 0.62):
            for wy in (0.25, 0.6):
                left, top = x + wide * wx, base - high + high * wy
                layer.box(left - 2, top - 2, left + 14, top + 20, shade(rgb("#f6efe2"), dim))
                layer.box(left, top, left + 12, top + 18, windows)
        x += wide + 3
        if x > 520:
            break
