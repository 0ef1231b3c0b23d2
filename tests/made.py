"""A made-up project for tests of the app: drawn faces, captions that name them, one stranger who returns."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from core.records import Box, NewFace, NewFrame, NewMention, NewSource, SourceKind
from core.store.project import Project
from tests.known import known_run

NAMES = ("Anna", "Boris", "Chloe", "Dev")
DIMENSION = 64
WIDTH, HEIGHT = 480, 270
SECONDS = 4.0  # between two frames


def made_project(
    folder: Path,
    frames: int = 24,
    names: Sequence[str] = NAMES,
    a_frame: int = 2,
    strangers: int = 1,
    kind: SourceKind = "video",
    cropped: bool = True,
    run: bool = True,
    seed: int = 0,
    noise: float = 0.35,
) -> Project:
    """A project of ``frames`` frames with ``a_frame`` of the named people each and, in every third, a stranger.

    The more ``noise``, the less the faces of one person look alike.
    """
    random = np.random.default_rng(seed)
    looks = random.normal(size=(len(names) + strangers, DIMENSION))
    project = Project.create(folder, folder.name)
    source = NewSource(
        kind, f"/films/{folder.name}.mp4", f"{folder.name}.mp4", f"content of {folder.name}", frames * SECONDS
    )
    made = []
    for number in range(frames):
        seen = [(number + k * (1 + number // len(names))) % len(names) for k in range(a_frame)] if names else []
        seen = list(dict.fromkeys(seen))
        if strangers and number % 3 == 0:
            seen.append(len(names) + (number // 3) % strangers)
        made.append(_frame(number, seen, names, looks, random, kind, cropped, noise))
    project.add(source, made, "made")
    if run and frames:
        known_run(project)
    return project


def _frame(
    number: int,
    seen: Sequence[int],
    names: Sequence[str],
    looks: np.ndarray,
    random: np.random.Generator,
    kind: SourceKind,
    cropped: bool,
    noise: float,
) -> NewFrame:
    named = [names[who] for who in seen if who < len(names)]
    caption, mentions = "", []
    for place, name in enumerate(named):
        caption += " and " if place else ""
        mentions.append(NewMention(name, ((len(caption), len(caption) + len(name)),)))
        caption += name
    caption += " talk." if named else "Nobody is named."
    faces = []
    for place, who in enumerate(seen):
        vector = looks[who] + noise * random.normal(size=DIMENSION)
        left = 40.0 + 140 * place
        faces.append(
            NewFace(
                (vector / np.linalg.norm(vector)).astype(np.float32),
                Box(left, 60, left + 100, 180),
                drawn_face(who) if cropped else None,
                truth=names[who] if who < len(names) else "",
            )
        )
    return NewFrame(
        caption=caption,
        mentions=mentions,
        faces=faces,
        time=number * SECONDS if kind == "video" else None,
        path=f"picture-{number:03}.jpg" if kind == "pictures" else "",
        picture=_picture(tuple(seen)) if cropped else None,
        width=WIDTH,
        height=HEIGHT,
    )


@cache
def drawn_face(who: int) -> bytes:
    """A face as JPEG; each person has colours of their own."""
    image = Image.new("RGB", (160, 160))
    _draw(ImageDraw.Draw(image), who, 0, 0, 160)
    return _jpeg(image)


@cache
def _picture(seen: tuple[int, ...]) -> bytes:
    image = Image.new("RGB", (WIDTH, HEIGHT), (206, 200, 184))
    draw = ImageDraw.Draw(image)
    for place, who in enumerate(seen):
        _draw(draw, who, 40 + 140 * place, 60, 120)
    return _jpeg(image)


def _draw(draw: ImageDraw.ImageDraw, who: int, left: int, top: int, size: int) -> None:
    random = np.random.default_rng(1000 + who)
    wall, hair, shirt = (tuple(int(c) for c in random.integers(40, 210, 3)) for _ in range(3))
    skin = ((241, 205, 175), (222, 170, 130), (160, 110, 78), (106, 72, 52))[who % 4]

    def at(a: float, b: float, c: float, d: float) -> tuple[float, float, float, float]:
        return left + a * size, top + b * size, left + c * size, top + d * size

    draw.rectangle(at(0, 0, 1, 1), fill=wall)
    draw.ellipse(at(0.12, 0.72, 0.88, 1.3), fill=shirt)
    draw.ellipse(at(0.2, 0.08, 0.8, 0.7), fill=hair)
    draw.ellipse(at(0.26, 0.2, 0.74, 0.82), fill=skin)
    for x in (0.4, 0.6):
        draw.ellipse(at(x - 0.035, 0.44, x + 0.035, 0.51), fill=(30, 30, 34))
    draw.arc(at(0.38, 0.52, 0.62, 0.7), 20, 160, fill=(110, 40, 40), width=max(2, size // 50))


def _jpeg(image: Image.Image) -> bytes:
    file = BytesIO()
    image.save(file, "JPEG", quality=85)
    return file.getvalue()
