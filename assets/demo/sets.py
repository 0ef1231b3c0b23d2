"""The places of the film, and how each is lit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from PIL import Image

from assets.demo.canvas import Light, Point, mix, rgb, shade
from assets.demo.paint import HIGH, WIDE, Layer, Painting, bunting, lanterns
from assets.demo.scenery import houses, lighthouse, planks, posts, water

DAY = Light((-0.5, -0.7, 1.0), (0.92, 0.86, 0.77), (0.4, 0.4, 0.43), (0.3, 0.28, 0.2))
GOLD = Light((0.6, -0.45, 0.9), (1.0, 0.82, 0.6), (0.4, 0.36, 0.4), (0.5, 0.35, 0.2))
LAMP = Light((-0.5, -0.25, 0.95), (1.0, 0.79, 0.55), (0.38, 0.33, 0.34), (0.2, 0.16, 0.2))
HAZE = Light((-0.2, -0.8, 0.8), (0.55, 0.57, 0.58), (0.46, 0.49, 0.52), (0.2, 0.2, 0.2))
NIGHT = Light((0.5, -0.3, 0.9), (0.82, 0.67, 0.52), (0.28, 0.3, 0.42), (0.3, 0.36, 0.55))
GLOW = Light((0.15, -0.5, 0.95), (0.96, 0.8, 0.6), (0.36, 0.33, 0.36), (0.7, 0.55, 0.3))


@dataclass(frozen=True)
class Set:
    paint: Callable[[], Painting]
    light: Light
    fog: float = 0.0  # how thick it drifts
    beam: Point | None = None  # where the lighthouse's lamp turns
    flicker: Point | None = None  # a flame's warmth


def quay() -> Painting:
    p = Painting("#8fbfd0", "#c9dfd8", "#f6e6c8", until=300)
    p.glow(760, 110, 200, 120, "#fff0c8", 0.6)
    p.clouds(1, "#fffaf0", 0.8, 10, 240)
    water(p, 282, "#3f8088", "#86b5b0", "#e9f2e4", 2)
    layer = Layer()
    lighthouse(layer, 800, 290, 0.85)
    houses(layer, 318)
    layer.shape([(0, 316), (620, 316), (700, 352), (700, 380), (0, 380)], "#a8988a")
    p.lay(layer, 1.6)
    floor = Layer()
    floor.shape([(0, 372), (WIDE, 372), (WIDE, HIGH), (0, HIGH)], "#b8a793")
    chance = np.random.default_rng(5)
    for row in range(6):
        y = 372 + row * row * 5.5 + row * 6
        for x in np.arange(-40 + 30 * (row % 2), WIDE, 66 + row * 12):
            floor.box(
                float(x) + 2,
                y + 2,
                float(x) + 62 + row * 12,
                y + 14 + row * 11,
                shade(rgb("#b8a793"), float(chance.uniform(0.88, 1.08))),
                round_=4,
            )
    bunting(floor, (-10, 40), (500, 24), 40, 12)
    bunting(floor, (490, 24), (980, 66), 46, 12)
    p.lay(floor, 1.2)
    p.grain(3, 0.05)
    return p


def pier(night: bool = False) -> Painting:
    dim = 0.42 if night else 1.0
    p = Painting(*(("#141c3a", "#26325c", "#574d74") if night else ("#7fb0c8", "#f0d2a4", "#f6b27c")), until=300)
    if night:
        chance = np.random.default_rng(6)
        stars = Layer()
        for _ in range(90):
            r = float(chance.uniform(0.5, 1.5))
            stars.oval(float(chance.uniform(0, WIDE)), float(chance.uniform(0, 230)), r, r, "#fff6dc")
        stars.oval(190, 80, 30, 30, "#fdf1cf")
        p.lay(stars, 0.4)
        p.glow(190, 80, 70, 70, "#fdf1cf", 0.5)
    else:
        p.glow(640, 250, 260, 120, "#ffdf9a", 0.75)
    p.clouds(11, "#4a4a78" if night else "#fff0da", 0.5, 20, 250)
    water(
        p, 290, "#1c2c4c" if night else "#3d7480", "#3f4a74" if night else "#e2b68c", "#e8c27a" if night else "#ffe7b8", 12
    )
    layer = Layer()
    lamp = lighthouse(layer, 690, 300, 0.95, 0.6 if night else 1.0, lamp=night)
    p.lay(layer, 1.4)
    if night:
        p.glow(*lamp, 60, 50, "#ffe2a0", 0.9)
    wood = Layer()
    planks(wood, 392, "#a9805c", dim + 0.1 * night)
    posts(wood, 330, 430, dim + 0.1 * night)
    places = lanterns(wood, (-20, 70), (500, 40), 66, 7, night) + lanterns(wood, (480, 40), (985, 80), 60, 7, night)
    p.lay(wood, 1.0)
    if night:
        for x, y in places:
            p.glow(x, y, 34, 34, "#ffb65c", 0.5)
        p.glow(480, 470, 420, 90, "#ff9a4c", 0.22)
    p.grain(13, 0.05)
    return p


def bakery() -> Painting:
    p = Painting("#c98d5a", "#dca770", "#b97f52")
    layer = Layer()
    for k in range(12):
        layer.box(0, k * 48, WIDE, k * 48 + 2, "#b57c4e", 0.35)
    layer.box(90, 60, 300, 300, "#7a5238", round_=8)
    layer.box(102, 72, 288, 288, "#bfe0e2")
    layer.box(102, 200, 288, 288, "#6fa6a2")
    lighthouse(layer, 220, 214, 0.55)
    layer.box(190, 72, 200, 288, "#7a5238")
    layer.box(102, 174, 288, 183, "#7a5238")
    chance = np.random.default_rng(9)
    for y in (130, 236, 342):
        layer.box(410, y, 930, y + 12, "#6d4630")
        for x in np.arange(430, 905, 50):
            w, h = float(chance.uniform(17, 23)), float(chance.uniform(13, 21))
            tone = shade(rgb("#c9813a"), float(chance.uniform(0.78, 1.1)))
            layer.oval(float(x) + 12, y - h, w, h, tone)
            layer.oval(float(x) + 8, y - h * 1.3, w * 0.5, h * 0.4, shade(tone, 1.2), 0.6)
            layer.line([(float(x) + 2, y - h * 1.5), (float(x) + 20, y - h * 1.2)], shade(tone, 0.72), 2)
    layer.box(0, 420, WIDE, HIGH, "#8a5c3e")
    p.lay(layer, 2.0)
    p.glow(200, 190, 220, 170, "#fff2cc", 0.42)
    p.glow(930, 470, 240, 200, "#ff9a40", 0.5)
    p.shadow(480, 0, 700, 120, 0.35)
    p.grain(15, 0.06)
    return p


def stairs() -> Painting:
    p = Painting("#a88a6c", "#c4a27c", "#8f7056")
    layer = Layer()
    chance = np.random.default_rng(16)
    for row in range(14):
        for x in np.arange(-60 + 45 * (row % 2), WIDE, 92):
            tone = shade(rgb("#c0a079"), float(chance.uniform(0.82, 1.08)))
            layer.box(float(x) + 2, row * 40 + 2, float(x) + 90, row * 40 + 38, tone, round_=6)
    layer.oval(480, 130, 84, 84, "#7c6048")
    layer.box(396, 130, 564, 300, "#7c6048")
    layer.oval(480, 132, 70, 72, "#a9d3d8")
    layer.box(410, 130, 550, 288, "#a9d3d8")
    layer.box(410, 222, 550, 288, "#5b959c")
    layer.box(476, 60, 484, 288, "#7c6048")
    layer.box(388, 288, 572, 304, "#92755a")
    layer.line([(-20, 470), (300, 400), (660, 330), (980, 250)], "#5a4234", 12)
    for rail in range(0, WIDE, 70):
        layer.line([(rail, 466 - rail * 0.222), (rail, HIGH)], "#5a4234", 5)
    p.lay(layer, 1.8)
    p.glow(480, 180, 190, 150, "#fff4d2", 0.5)
    p.glow(90, 300, 190, 200, "#ffb35a", 0.5)
    p.shadow(880, 500, 330, 260, 0.4)
    p.grain(17, 0.06)
    return p


def boat(fog: bool = False) -> Painting:
    if fog:
        p = Painting("#a9b4b8", "#c6cdcc", "#b4bfc0")
        water(p, 290, "#7f9298", "#b6c1c2", "#d2dad8", 18)
    else:
        p = Painting("#7db4cc", "#bfdcdc", "#f4e7cc", until=280)
        p.glow(240, 120, 220, 120, "#fff2cc", 0.5)
        p.clouds(19, "#fffaf0", 0.9, 20, 230)
        water(p, 270, "#2f6f80", "#7fb2b4", "#e6f2ea", 18)
        far = Layer()
        lighthouse(far, 140, 280, 0.6)
        p.lay(far, 1.5)
    layer = Layer()
    layer.shape([(560, 0), (WIDE, 0), (WIDE, HIGH), (600, HIGH)], "#f0e6d2")
    layer.shape([(600, 50), (WIDE, 50), (WIDE, 250), (612, 250)], "#8a5f44")
    layer.shape([(612, 62), (WIDE, 62), (WIDE, 238), (624, 238)], "#c3d2d4" if fog else "#a8d2da")
    layer.shape([(560, 0), (WIDE, 0), (WIDE, 26), (562, 26)], "#c8404a")
    layer.line([(60, -10), (60, HIGH)], "#7a5a44", 10)
    layer.line([(60, 20), (560, 300)], "#5f4a3c", 2)
    layer.shape([(70, 40), (170, 62), (70, 96)], "#c8404a")
    layer.shape([(70, 60), (170, 62), (70, 74)], "#f3e9da")
    layer.box(0, 430, WIDE, HIGH, "#7a5238")
    layer.box(0, 424, WIDE, 440, "#f3ead8")
    p.lay(layer, 1.5)
    p.grain(20, 0.05)
    return p


def lamp_room() -> Painting:
    p = Painting("#1a2244", "#2c345e", "#5b4a66", until=400)
    stars = Layer()
    chance = np.random.default_rng(21)
    for _ in range(80):
        stars.oval(float(chance.uniform(0, WIDE)), float(chance.uniform(0, 300)), 1.2, 1.2, "#fff6dc")
    stars.box(0, 330, WIDE, HIGH, "#22304f")
    p.lay(stars, 0.4)
    p.glow(480, 190, 330, 210, "#ffcf7a", 0.75)
    layer = Layer()
    for x in range(-40, WIDE + 80, 130):
        layer.box(x - 7, 0, x + 7, 380, "#4f3a34")
        layer.box(x - 7, 0, x - 3, 380, "#8f6a4c")
    layer.box(0, 180, WIDE, 188, "#4f3a34")
    layer.box(0, 0, WIDE, 30, "#6a3a36")
    layer.box(0, 372, WIDE, HIGH, "#6d4a3a")
    layer.box(0, 366, WIDE, 380, "#a37a54")
    for k in range(9):
        w = 74 - abs(k - 4) * 9
        layer.oval(480, 92 + k * 24, w, 15, mix(rgb("#ffe7a6"), (255, 255, 255), 0.35 if k % 2 else 0.0))
        layer.oval(480, 92 + k * 24, w * 0.5, 7, "#fffbe8")
    layer.box(430, 300, 530, 380, "#7a5a3a", round_=6)
    bunting(layer, (-10, 44), (480, 40), 50, 11)
    bunting(layer, (480, 40), (970, 44), 50, 11)
    p.lay(layer, 1.8)
    p.glow(480, 190, 130, 150, "#fff0c0", 0.85)
    p.grain(23, 0.05)
    return p


def outside(night: bool = False) -> Painting:
    p = Painting(*(("#111834", "#27315a", "#6a5578") if night else ("#6f9fb8", "#f3cfa0", "#f5a873")), until=360)
    if night:
        chance = np.random.default_rng(24)
        stars = Layer()
        for _ in range(140):
            r = float(chance.uniform(0.5, 1.6))
            stars.oval(float(chance.uniform(0, WIDE)), float(chance.uniform(0, 330)), r, r, "#fff6dc")
        p.lay(stars, 0.3)
    else:
        p.glow(300, 330, 300, 130, "#ffe2a0", 0.85)
    p.clouds(25, "#46466f" if night else "#fff0da", 0.6, 20, 330)
    water(
        p, 360, "#182642" if night else "#39707c", "#454c78" if night else "#e6b288", "#f0c878" if night else "#ffe8bc", 26
    )
    layer = Layer()
    lamp = lighthouse(layer, 680, 410, 1.55, 0.62 if night else 1.0, lamp=night)
    if not night:
        layer.shape([(180, 400), (300, 400), (280, 424), (200, 424)], "#8a4a3c")
        layer.shape([(236, 300), (236, 394), (300, 394)], "#f6ecd8")
        layer.shape([(230, 318), (230, 394), (190, 394)], "#f0dcc0")
    p.lay(layer, 0.7)
    if night:
        p.glow(*lamp, 70, 60, "#ffe2a0", 0.95)
    p.grain(27, 0.04)
    return p


def _night(paint: Callable[[bool], Painting]) -> Callable[[], Painting]:
    return lambda: paint(True)


SETS: dict[str, Set] = {
    "dawn": Set(outside, GOLD),
    "bakery": Set(bakery, LAMP),
    "quay": Set(quay, DAY),
    "stairs": Set(stairs, LAMP),
    "boat": Set(boat, DAY),
    "pier": Set(pier, GOLD),
    "fog boat": Set(_night(boat), HAZE, fog=0.34),
    "fog pier": Set(pier, HAZE, fog=0.5),
    "night pier": Set(_night(pier), NIGHT, beam=(690, 105)),
    "lamp room": Set(lamp_room, GLOW, flicker=(480, 190)),
    "night": Set(_night(outside), NIGHT, beam=(680, 92)),
}


@cache
def backdrop(name: str) -> Image.Image:
    return SETS[name].paint().finished()
