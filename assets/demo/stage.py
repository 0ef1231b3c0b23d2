"""The people on the set: how they move, where their faces are, and how a moment is put together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, lru_cache
from zlib import crc32

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from assets.demo import script
from assets.demo.bodies import DROP, body
from assets.demo.canvas import LEFT, SIZE, TOP, UNIT, Light
from assets.demo.features import MIENS, Mien
from assets.demo.heads import head
from assets.demo.looks import CAST, EXTRAS, Look
from assets.demo.paint import HIGH, WIDE, noise, spot
from assets.demo.props import prop
from assets.demo.script import Actor, Shot
from assets.demo.sets import SETS, Set, backdrop

FRAME = (854, 480)
RATE = 12  # pictures a second
LOOKS: dict[str, Look] = CAST | EXTRAS
NECK = 1.3  # units below the eyes: where a head tilts
TALK = ("talk", "say", "oh", "say", "talk", "calm")


@dataclass(frozen=True)
class Pose:
    """One person at one moment, in a set's pixels."""

    who: str
    x: float
    y: float
    size: float
    yaw: float
    pitch: float
    tilt: float
    mien: Mien


@dataclass(frozen=True)
class Camera:
    """The part of a set that the frame shows."""

    left: float
    top: float
    wide: float

    @property
    def scale(self) -> float:
        return FRAME[0] / self.wide


def poses(number: int, time: float) -> list[Pose]:
    """Everyone in a shot, ``time`` seconds after its start."""
    shot = script.SHOTS[number]
    share = _eased(time / shot.seconds)
    found = []
    for actor, (x, y, size) in zip(shot.actors, script.placed(shot), strict=True):
        look, own = LOOKS[actor.who], crc32(f"{number} {actor.who}".encode()) % 628 / 100  # each has a rhythm of their own
        sway = math.sin(time * 1.7 + own)
        yaw = actor.yaw + ((actor.yaw if actor.to is None else actor.to) - actor.yaw) * share
        found.append(
            Pose(
                actor.who,
                x + 2.5 * sway,
                y + 1.5 * math.sin(time * 2.3 + own) + (18 if look.build < 1 else 0),
                size * (0.94 if look.build < 1 else 1.0),
                round(yaw / 0.06) * 0.06,
                actor.pitch,
                round(actor.tilt + 2.0 * sway),
                _mien(actor, shot, number, time, own),
            )
        )
    return found


def _mien(actor: Actor, shot: Shot, number: int, time: float, own: float) -> Mien:
    start = script.starts()[number]
    for spoken in script.spoken():
        talks = spoken.cue.speaker in (actor.who, "All") and spoken.start <= start + time < spoken.stop
        if talks and spoken.shot == number:
            return MIENS[TALK[int(time * 6 + own) % len(TALK)]]
    mien = MIENS[actor.mien]
    # Nobody blinks in the middle of a caption or of a silent shot: there Rollcall takes the crops that people look at.
    middles = [(spoken.start + spoken.stop) / 2 - start for spoken in script.spoken() if spoken.shot == number]
    if (time + own) % 3.1 < 0.17 and all(abs(time - middle) > 0.4 for middle in middles or [shot.seconds / 2]):
        return Mien(mien.smile, mien.open, mien.round, 0.0, mien.brows, mien.gaze)
    return mien


def camera(number: int, time: float) -> Camera:
    shot = script.SHOTS[number]
    share = _eased(time / shot.seconds)
    move = share if shot.closer >= 0 else 1 - share
    wide = 940 - 90 * abs(shot.closer) * move
    high = wide * FRAME[1] / FRAME[0]
    return Camera((WIDE - wide) / 2, (HIGH - high) * 0.42, wide)


def _eased(share: float) -> float:
    s = min(max(share, 0.0), 1.0)
    return s * s * (3 - 2 * s)


def face_box(pose: Pose, camera: Camera) -> tuple[float, float, float, float]:
    """Where a pose's face is in the frame: from brow to chin and from cheek to cheek, as detectors draw it."""
    look = LOOKS[pose.who]
    low, high = look.length * 1.04, -0.96
    middle_x, middle_y = pose.yaw * 0.45, (low + high) / 2 + pose.pitch * 0.4
    a = math.radians(pose.tilt)
    dx, dy = middle_x, middle_y - NECK
    x = pose.x + (dx * math.cos(a) - dy * math.sin(a)) * pose.size
    y = pose.y + (NECK + dx * math.sin(a) + dy * math.cos(a)) * pose.size
    half_x, half_y = 0.9 * look.cheek * pose.size, (low - high) / 2 * pose.size
    corners = (x - half_x - camera.left, y - half_y - camera.top, x + half_x - camera.left, y + half_y - camera.top)
    left, top, right, bottom = (value * camera.scale for value in corners)
    return left, top, right, bottom


@lru_cache(maxsize=256)
def _head(who: str, mien: Mien, yaw: float, pitch: float, tilt: float, size: float, light: Light) -> Image.Image:
    """A head at its size and tilt, both in one go."""
    picture = Image.fromarray(head(LOOKS[who], mien, yaw, pitch, light))
    scale, angle = UNIT / size, math.radians(tilt)
    side = round(SIZE / scale)
    cos, sin = scale * math.cos(angle), scale * math.sin(angle)
    x, y = -LEFT * UNIT, (NECK - TOP) * UNIT
    turn = (cos, sin, x - (cos * x + sin * y) / scale, -sin, cos, y - (cos * y - sin * x) / scale)
    return picture.transform((side, side), Image.Transform.AFFINE, turn, Image.Resampling.BICUBIC)


@lru_cache(maxsize=64)
def _body(who: str, size: float, light: Light) -> Image.Image:
    look = LOOKS[who]
    values = np.pad(body(look, light), ((0, round(4.6 * UNIT)), (0, 0), (0, 0)), mode="edge")
    picture = Image.fromarray(values)
    scale = size / UNIT
    return picture.resize((round(SIZE * scale * look.build), round(values.shape[0] * scale)), Image.Resampling.BICUBIC)


@cache
def _drift(seed: int) -> Image.Image:
    """A bank of fog, twice as wide as a set so that it can drift."""
    thick = np.clip(0.55 + 0.75 * noise(seed, 60) + 0.25 * noise(seed + 1, 22), 0, 1)
    return Image.fromarray((np.concatenate([thick, thick], axis=1) * 255).astype(np.uint8))


@cache
def _empty(place: str) -> Image.Image:
    """A set without people, darker towards its corners."""
    scene = backdrop(place).copy()
    dark = (1 - spot(WIDE / 2, HIGH / 2, 600, 360)) * 0.42
    scene.paste((28, 18, 26), (0, 0), Image.fromarray((dark * 255).astype(np.uint8)))
    return scene


@cache
def _warmth(x: float, y: float) -> Image.Image:
    return Image.fromarray((spot(x, y, 260, 220) * 255).astype(np.uint8))


def _beam(picture: Image.Image, place: tuple[float, float], time: float) -> None:
    """The lighthouse's light, sweeping."""
    mask = Image.new("L", (WIDE // 4, HIGH // 4))
    pen = ImageDraw.Draw(mask)
    angle = math.pi + 0.35 * math.sin(time * 0.8)
    for turn in (angle, angle + math.pi):
        x, y = place[0] / 4, place[1] / 4
        ends = [(x + 300 * math.cos(turn + d), y + 300 * math.sin(turn + d)) for d in (-0.07, 0.07)]
        pen.polygon([(x, y), *ends], fill=110)
    mask = mask.filter(ImageFilter.GaussianBlur(3)).resize(picture.size, Image.Resampling.BILINEAR)
    picture.paste((255, 238, 190), (0, 0), mask)


def _lettering(picture: Image.Image, title: str) -> None:
    big = title == script.TITLE
    font = ImageFont.load_default(46 if big else 34)
    pen = ImageDraw.Draw(picture)
    place = (320, 150) if big else (WIDE / 2 - 190, 240)
    pen.text((place[0] + 2, place[1] + 2), title, font=font, anchor="mm", fill=(60, 40, 50))
    pen.text(place, title, font=font, anchor="mm", fill=(255, 246, 226))


def picture(number: int, time: float) -> Image.Image:
    """A shot's frame, ``time`` seconds after its start."""
    shot = script.SHOTS[number]
    place = SETS[shot.place]
    scene = _empty(shot.place).copy()
    if place.beam:
        _beam(scene, place.beam, time)
    if place.fog:
        _fog(scene, place, time, 0.8)
    for pose in sorted(poses(number, time), key=lambda p: p.y):
        stand(scene, pose, place.light)
    for item in shot.props:
        thing = prop(item.kind)
        scene.paste(thing, (round(item.x - thing.width / 2), round(item.y - thing.height / 2)), thing)
    if place.fog:
        _fog(scene, place, time + 40, 0.22)
    if place.flicker:
        strength = 0.12 + 0.03 * math.sin(time * 9) * math.sin(time * 5.3)
        scene.paste((255, 214, 140), (0, 0), _warmth(*place.flicker).point(lambda value: value * strength))
    if shot.title:
        _lettering(scene, shot.title)
    view = camera(number, time)
    box = (view.left, view.top, view.left + view.wide, view.top + view.wide * FRAME[1] / FRAME[0])
    return scene.resize(FRAME, Image.Resampling.BILINEAR, box=box)


def _fog(scene: Image.Image, place: Set, time: float, share: float) -> None:
    bank = _drift(50)
    left = round(time * 22) % WIDE
    mask = bank.crop((left, 0, left + WIDE, HIGH)).point(lambda v: v * place.fog * share + 255 * place.fog * share * 0.5)
    scene.paste((206, 212, 212), (0, 0), mask)


def stand(scene: Image.Image, pose: Pose, light: Light) -> None:
    """Draws a person into a scene."""
    trunk = _body(pose.who, pose.size, light)
    scene.paste(trunk, (round(pose.x - trunk.width / 2), round(pose.y + (DROP + TOP) * pose.size)), trunk)
    top = _head(pose.who, pose.mien, pose.yaw, pose.pitch, pose.tilt, pose.size, light)
    scene.paste(top, (round(pose.x + LEFT * pose.size), round(pose.y + TOP * pose.size)), top)
