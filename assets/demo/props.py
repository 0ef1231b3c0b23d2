"""Things that stand before the people: a table, the cake, parcels, a lantern, the bell."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from PIL import Image

from assets.demo.canvas import rgb, shade
from assets.demo.paint import Layer


def _table() -> Layer:
    layer = Layer(980, 160)
    layer.box(0, 20, 980, 160, "#8d5d3d")
    layer.box(0, 12, 980, 34, "#b98252", round_=5)
    layer.box(0, 12, 980, 18, "#d3a06c", round_=3)
    for x, y in ((120, 10), (150, 14), (800, 8)):
        layer.oval(x, y, 14, 6, "#f4ead6")
    layer.oval(830, 6, 40, 8, "#e9dcc4")
    layer.oval(830, 3, 30, 5, "#fbf4e6")
    return layer


def _cake() -> Layer:
    layer = Layer(190, 170)
    layer.oval(95, 148, 92, 16, "#e9dfd0")
    layer.oval(95, 145, 92, 15, "#f8f1e4")
    for left, right, top, bottom, colour in ((18, 172, 92, 146, "#e7a6a6"), (44, 146, 56, 98, "#f3d9b8")):
        layer.oval((left + right) / 2, bottom - 4, (right - left) / 2, 13, shade(rgb(colour), 0.8))
        layer.box(left, top, right, bottom - 4, colour)
        layer.box(left, top, left + 14, bottom - 4, shade(rgb(colour), 1.15), 0.6)
        layer.box(right - 26, top, right, bottom - 4, shade(rgb(colour), 0.8), 0.5)
        layer.oval((left + right) / 2, top, (right - left) / 2, 12, "#fff8ec")
        for x in range(left + 6, right, 15):
            layer.oval(x, top + 8, 8, 9, "#fff8ec")
    for k, x in enumerate((62, 78, 95, 112, 128)):
        layer.box(x - 2.5, 30, x + 2.5, 56, ("#7fb2b4", "#e0a93a", "#c8404a", "#8b5fa8", "#7fb2b4")[k])
        layer.oval(x, 21, 9, 12, "#ffdf8a", 0.35)
        layer.shape([(x - 4, 26), (x, 11), (x + 4, 26), (x, 30)], "#ffc14a")
        layer.oval(x, 24, 2, 4, "#fff6d8")
    return layer


def _parcels() -> Layer:
    layer = Layer(220, 150)
    for left, top, right, bottom, colour in (
        (10, 60, 130, 150, "#c59a68"),
        (110, 80, 210, 150, "#b5834f"),
        (40, 14, 120, 66, "#d8b584"),
    ):
        layer.box(left, top, right, bottom, colour, round_=4)
        layer.box(left, top, right, top + 9, shade(rgb(colour), 1.15), 0.7, round_=4)
        middle = (left + right) / 2
        layer.box(middle - 3, top, middle + 3, bottom, "#c8404a")
        layer.box(left, (top + bottom) / 2 - 3, right, (top + bottom) / 2 + 3, "#c8404a")
        layer.oval(middle - 9, top - 3, 9, 6, "#c8404a")
        layer.oval(middle + 9, top - 3, 9, 6, "#c8404a")
    return layer


def _lantern() -> Layer:
    layer = Layer(110, 170)
    for reach in range(54, 18, -4):
        layer.oval(55, 95, reach, reach * 1.1, "#ffcf7a", 0.045)
    layer.line([(35, 50), (40, 18), (70, 18), (75, 50)], "#4a3a34", 4)
    layer.box(30, 46, 80, 58, "#5a463c", round_=4)
    layer.box(34, 58, 76, 128, "#ffe9b0", 0.92, round_=6)
    layer.shape([(46, 112), (55, 76), (64, 112), (55, 122)], "#ff9f38")
    layer.oval(55, 108, 5, 10, "#fff6d8")
    for x in (34, 54, 74):
        layer.box(x - 1.5, 56, x + 2.5, 130, "#5a463c")
    layer.box(28, 128, 82, 144, "#5a463c", round_=4)
    return layer


def _bell() -> Layer:
    layer = Layer(150, 150)
    layer.line([(0, 12), (150, 12)], "#6b4d3a", 14)
    layer.box(70, 12, 80, 34, "#5a463c")
    layer.shape([(50, 96), (54, 52), (64, 34), (86, 34), (96, 52), (100, 96), (112, 110), (38, 110)], "#c9973f")
    layer.shape([(56, 96), (59, 54), (67, 38), (72, 38), (66, 96)], "#f0cf84", 0.8)
    layer.oval(75, 112, 37, 6, "#8f6828")
    layer.oval(75, 118, 8, 8, "#6d4e22")
    return layer


PROPS: dict[str, Callable[[], Layer]] = {
    "table": _table,
    "cake": _cake,
    "parcels": _parcels,
    "lantern": _lantern,
    "bell": _bell,
}


@cache
def prop(kind: str) -> Image.Image:
    return PROPS[kind]().finished()
