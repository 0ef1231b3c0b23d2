"""A news programme drawn for the purpose: thirty people, each with a name on the screen, and much else that is written.

Everybody stands before a moving ground while a lower third names them, in one of eight fonts and in several layouts. Between
them come headlines, places, a channel's sign, a ticker and a clock, which name nobody; at the end credits roll. What is
written stands in ``programmes.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import av
import numpy as np
from PIL import Image, ImageDraw

from assets.demo import stage
from assets.demo.features import MIENS
from assets.demo.hair import STYLES
from assets.demo.looks import CAST, Look
from assets.demo.sets import SETS
from benchmarks.fonts import font
from benchmarks.hard_thirds import STYLES as HARD_STYLES
from benchmarks.hard_thirds import hard_third
from benchmarks.programmes import Programme

RATE = 12  # pictures a second
SHOT, FIRST, LAST = 5.0, 0.9, 4.4  # seconds of a person, and from when to when their name stands there
FADE = 0.3


# --- People and grounds ------------------------------------------------------------------------------------------------


def _looks(programme: Programme) -> list[str]:
    """Thirty people unlike each other, by the names that the demo's stage knows them under."""
    random = np.random.default_rng(programme.seed)
    skins = ("#f8d6bf", "#8a5636", "#efc39b", "#b67a4f", "#6d432e", "#f9dcc4", "#dba886", "#cf9a70")
    hairs = ("#b4482a", "#231b19", "#211f2b", "#e2b04c", "#dcdad6", "#3d2618", "#7a5a3c", "#8f8a84")
    cloths = ("#2f6f73", "#d98e2b", "#c8404a", "#4f68b3", "#8b5fa8", "#4f8f4a", "#59636e", "#2c3f5e")
    made = []
    for k in range(len(programme.people)):
        base: Look = list(CAST.values())[int(random.integers(len(CAST)))]
        name = f"{programme.title} {k}"
        stage.LOOKS[name] = replace(
            base,
            skin=str(random.choice(skins)), hair=str(random.choice(hairs)), clothes=str(random.choice(cloths)),
            style=str(random.choice(sorted(STYLES))), hat="", garment=str(random.choice(["jumper", "coat", "shirt"])),
            beard=str(random.choice(["", "", "", "full", "moustache", "goatee"])),
            cheek=float(random.uniform(0.92, 1.06)), jaw=float(random.uniform(0.74, 0.98)),
            length=float(random.uniform(1.22, 1.46)), eye_gap=float(random.uniform(0.38, 0.45)),
            eye_size=float(random.uniform(0.85, 1.2)), nose_wide=float(random.uniform(0.8, 1.5)),
            nose_long=float(random.uniform(0.44, 0.66)), mouth_wide=float(random.uniform(0.3, 0.4)),
        )  # fmt: skip
        made.append(name)
    return made


@cache
def _ground(seed: int, wide: int, high: int) -> Image.Image:
    """A street or a room, out of focus: twice as wide as the picture, so that it can move."""
    random = np.random.default_rng(seed)
    picture = Image.new("RGB", (2 * wide, high), tuple(random.integers(40, 130, 3).tolist()))
    pen = ImageDraw.Draw(picture)
    for _ in range(60):
        x, y = int(random.integers(0, 2 * wide)), int(random.integers(0, high))
        w, h = int(random.integers(wide // 40, wide // 6)), int(random.integers(high // 20, high // 2))
        pen.rectangle((x, y, x + w, y + h), fill=tuple(random.integers(20, 220, 3).tolist()))
    small = picture.resize((2 * wide // 6, high // 6), Image.Resampling.BILINEAR)
    return small.resize((2 * wide, high), Image.Resampling.BICUBIC)


def _person(picture: Image.Image, who: str, number: int, time: float) -> None:
    high = picture.height
    mien = MIENS["talk" if int(time * 6) % 2 else "say"]
    side = (-0.16, 0.0, 0.16)[number % 3] * picture.width
    sway = round(np.sin(time * 1.7 + number)) * high * 0.004
    x, yaw = picture.width / 2 + side + sway, 0.06 * (number % 3 - 1)
    pose = stage.Pose(who, x, high * 0.42, high * 0.15, yaw, 0.0, 0.0, mien)
    stage.stand(picture, pose, SETS["bakery"].light)


# --- Writing -----------------------------------------------------------------------------------------------------------


def _third(picture: Image.Image, name: str, role: str, face: str, layout: int, alpha: float) -> None:
    """A lower third: on a plate, on a translucent one, or over the picture with a shadow; name first, role below."""
    if alpha <= 0:
        return
    wide, high = picture.size
    shouted = layout % 4 == 3
    big, small = font(face, round(high * (0.052, 0.06, 0.046)[layout % 3])), font(face, round(high * 0.036))
    text = name.upper() if shouted else name
    x, y = round(wide * (0.06, 0.09, 0.12)[layout % 3]), round(high * (0.74, 0.78, 0.7)[layout % 3])
    below = picture.crop((0, round(high * 0.6), wide, high))
    over, y = below.convert("RGBA"), y - round(high * 0.6)
    layer = Image.new("RGBA", over.size, (0, 0, 0, 0))
    pen = ImageDraw.Draw(layer)
    length = max(big.getlength(text), small.getlength(role)) + high * 0.06
    plate = ((18, 40, 96, 255), (10, 10, 10, 150), (0, 0, 0, 0), (240, 240, 236, 235))[layout % 4]
    ink = (20, 20, 20, 255) if layout % 4 == 3 else (255, 255, 255, 255)
    pen.rectangle((x - high * 0.03, y - high * 0.015, x + length, y + high * 0.125), fill=plate)
    if layout % 4 == 2:
        pen.text((x + 2, y + 2), text, font=big, fill=(0, 0, 0, 200))
        pen.text((x + 1, y + high * 0.072 + 1), role, font=small, fill=(0, 0, 0, 200))
    pen.text((x, y), text, font=big, fill=ink)
    pen.text((x, y + high * 0.072), role, font=small, fill=ink)
    layer.putalpha(layer.getchannel("A").point(lambda value: round(value * alpha)))
    picture.paste(Image.alpha_composite(over, layer).convert("RGB"), (0, high - below.height))


def _sign(picture: Image.Image, face: str, time: float, ticker: str) -> None:
    """What is there all the time: the channel's sign, a clock, and a ticker that runs."""
    wide, high = picture.size
    pen = ImageDraw.Draw(picture)
    small = font(face, round(high * 0.04))
    pen.text((wide * 0.88, high * 0.05), "N24", font=small, fill=(255, 255, 255))
    pen.text((wide * 0.04, high * 0.05), f"{20 + int(time) // 3600}:{int(time) // 60 % 60:02}", font=small, fill="white")
    if ticker:
        pen.rectangle((0, high * 0.93, wide, high), fill=(120, 16, 24))
        pen.text((wide - time * wide * 0.12 % (2 * wide), high * 0.935), ticker, font=small, fill=(255, 255, 255))


def _card(picture: Image.Image, text: str, face: str, place: int) -> None:
    """A text that names nobody: a headline below, a place above, or a title in the middle."""
    wide, high = picture.size
    pen = ImageDraw.Draw(picture)
    large = font(face, round(high * 0.06))
    if place % 3 == 0:
        pen.rectangle((0, high * 0.76, wide, high * 0.88), fill=(150, 20, 28))
        pen.text((wide * 0.05, high * 0.79), text, font=large, fill=(255, 255, 255))
    elif place % 3 == 1:
        pen.text((wide * 0.05 + 2, high * 0.13 + 2), text, font=large, fill=(0, 0, 0))
        pen.text((wide * 0.05, high * 0.13), text, font=large, fill=(255, 255, 255))
    else:
        pen.rectangle((wide * 0.1, high * 0.4, wide * 0.9, high * 0.6), fill=(20, 30, 60))
        pen.text((wide / 2, high / 2), text, font=large, anchor="mm", fill=(250, 250, 240))


def pictures(programme: Programme, high: int, people: int | None = None) -> Iterator[Image.Image]:
    """All pictures of the programme, ``high`` pixels high."""
    wide = round(high * 16 / 9 / 2) * 2
    looks, time = _looks(programme), 0.0
    ticker = "   +++   ".join(programme.others)
    shown = programme.people[:people]
    for number, (name, role) in enumerate(shown):
        face = programme.fonts[number % len(programme.fonts)]
        ground = _ground(programme.seed * 100 + number, wide, high)
        for k in range(round(SHOT * RATE)):
            at = k / RATE
            left = round(at * wide * 0.06 * (number % 4))
            picture = ground.crop((left, 0, left + wide, high))
            _person(picture, looks[number], number, at)
            alpha = min(1.0, (at - FIRST) / FADE, (LAST - at) / FADE)
            if programme.styles:
                style = HARD_STYLES[programme.styles[number % len(programme.styles)]]
                hard_third(picture, name, role, style, alpha, font)
            else:
                _third(picture, name, role, face, number, alpha)
            _sign(picture, face, time, ticker if number % 2 else "")
            yield picture
            time += 1 / RATE
        if number % 3 == 2:
            text = programme.others[number // 3 * 2 % len(programme.others)]
            for k in range(round(2.5 * RATE)):
                other = ground.crop((wide - k, 0, 2 * wide - k, high))
                _card(other, text if k < 1.25 * RATE else _next(programme, text), face, number // 3)
                _sign(other, face, time, "")
                yield other
                time += 1 / RATE
    yield from _credits(programme, wide, high)


def _next(programme: Programme, text: str) -> str:
    return programme.others[(programme.others.index(text) + 1) % len(programme.others)]


def _credits(programme: Programme, wide: int, high: int) -> Iterator[Image.Image]:
    """They roll from below, what somebody did on the left and who on the right."""
    face = programme.fonts[0]
    plain, rows = font(face, round(high * 0.05)), programme.crew
    steps = round(9.0 * RATE)
    for k in range(steps):
        picture = Image.new("RGB", (wide, high), (6, 6, 8))
        pen = ImageDraw.Draw(picture)
        for row, (what, who) in enumerate(rows):
            y = high * (1.05 + 0.11 * row) - k / steps * high * (1.15 + 0.11 * len(rows))
            pen.text((wide * 0.46, y), what, font=plain, anchor="ra", fill=(200, 200, 200))
            pen.text((wide * 0.54, y), who, font=plain, anchor="la", fill=(255, 255, 255))
        yield picture


def render(path: Path, programme: Programme, high: int, people: int | None = None) -> Path:
    """Writes the programme as a film, compressed as films on the web are."""
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=RATE, options={"crf": "26", "preset": "veryfast"})
        stream.width, stream.height, stream.pix_fmt = round(high * 16 / 9 / 2) * 2, high, "yuv420p"
        for picture in pictures(programme, high, people):
            out.mux(stream.encode(av.VideoFrame.from_ndarray(np.asarray(picture))))
        out.mux(stream.encode())
    return path
