"""Portraits of people whom the networks find and tell apart, drawn with the demo film's pen; and albums of them."""

from csv import writer
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from PIL import Image

from assets.demo import stage
from assets.demo.features import MIENS
from assets.demo.sets import SETS
from core.media.video.reader import Pixels
from tests.core.media.films import film, plain

SIDE = 240
PEOPLE = ("Ada", "Bruno", "Cleo", "Dev", "Finn", "Greta")
# yaw, tilt, expression, the set whose light falls on them, and the colour of the wall
SITTINGS = (
    (0.0, 0.0, "calm", "bakery", (90, 100, 110)),
    (-0.18, 3.0, "smile", "quay", (150, 140, 120)),
    (0.18, -3.0, "grin", "dawn", (60, 70, 60)),
    (0.12, -2.0, "smile", "boat", (180, 180, 170)),
)
STILLS = (  # who is on it, and its caption
    (("Ada", "Bruno", "Cleo"), "Ada, Bruno and Cleo at the quay."),
    (("Dev", "Greta"), "Dev, Finn and Greta."),  # Finn is named but not there
    (("Finn", "Ada", "Dev"), "Finn and Ada."),  # Dev is there but not named
)


@cache
def portrait(who: str, number: int = 1) -> Pixels:
    """One of the cast of the demo film, in one of four sittings (1 to 4). 240 × 240 × 3."""
    yaw, tilt, mien, light, wall = SITTINGS[number - 1]
    picture = Image.new("RGB", (SIDE, SIDE), wall)
    pose = stage.Pose(who, SIDE / 2, SIDE * 0.45, SIDE * 0.21, yaw, 0.0, tilt, MIENS[mien])
    stage.stand(picture, pose, SETS[light].light)
    return np.asarray(picture)


def scene(*people: Pixels, wall: tuple[int, int, int] = (90, 100, 110)) -> Pixels:
    """Portraits side by side before a wall."""
    picture = plain(wall, SIDE + 48, 640 if len(people) < 3 else 40 + 300 * len(people))
    for k, person in enumerate(people):
        picture[24 : SIDE + 24, 40 + 300 * k : SIDE + 40 + 300 * k] = person
    return picture


@dataclass(frozen=True)
class Album:
    """Portraits in folders that tell who it is, stills of several people beside them, and ``captions.csv``."""

    folder: Path
    people: int
    portraits: int
    on_stills: int  # faces on all stills
    unlisted: int = 0  # pictures that the table does not list

    @property
    def captions(self) -> Path:
        return self.folder / "captions.csv"


def drawn_album(folder: Path) -> None:
    rows = [("image", "caption")]
    for who in PEOPLE:
        (folder / who.lower()).mkdir(parents=True)
        for number in range(1, len(SITTINGS) + 1):
            path = f"{who.lower()}/{who.lower()}{number}.png"
            Image.fromarray(portrait(who, number)).save(folder / path)
            rows.append((path, f"A portrait of {who}."))
    for number, (people, caption) in enumerate(STILLS, start=1):
        faces = [portrait(who, 1 + (number + place) % len(SITTINGS)) for place, who in enumerate(people)]
        Image.fromarray(scene(*faces)).save(folder / f"still{number}.png")
        rows.append((f"still{number}.png", caption))
    with (folder / "captions.csv").open("w", newline="") as file:
        writer(file).writerows(rows)


def drawn(folder: Path) -> Album:
    """The album that ``drawn_album`` wrote there."""
    return Album(folder, len(PEOPLE), len(PEOPLE) * len(SITTINGS), sum(len(people) for people, _ in STILLS))


def photographed(folder: Path) -> Album:
    """The private one."""
    return Album(folder, people=8, portraits=40, on_stills=23, unlisted=1)


def drawn_clip(folder: Path) -> Path:
    """A film of four shots, in each of which somebody speaks; its captions also name somebody who is not there."""
    lines = [("Ada", "Where is Cleo?"), ("Bruno", "With Greta, Ada."), ("Cleo", "Here I am."), ("Ada", "At last, Cleo!")]
    walls = [(60, 30, 20), (150, 140, 120), (20, 60, 90), (60, 30, 20)]
    shots = [scene(portrait(who), wall=wall) for (who, _), wall in zip(lines, walls, strict=True)]
    cues = [f"{k + 1}\n00:00:0{k},100 --> 00:00:0{k},900\n{who.upper()}: {said}\n" for k, (who, said) in enumerate(lines)]
    (folder / "clip.srt").write_text("\n".join(cues))
    return film(folder / "clip.mp4", [shot for shot in shots for _ in range(25)])
