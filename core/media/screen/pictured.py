"""Subtitles that are pictures of text (PGS of Blu-rays, DVD, DVB): read, and kept by content as they are."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import av
import numpy as np
from av.container import InputContainer
from av.subtitles.stream import SubtitleStream
from av.subtitles.subtitle import BitmapSubtitle

from core.errors import BadInput
from core.media.cache import Cache
from core.media.captions.streams import PICTURES, best_stream
from core.media.screen.kinds import Reader
from core.media.video.reader import Pixels
from core.problem import FloatArray
from core.progress import Progress
from core.records import Box, NewLine

BLU_RAY = ("hdmv_pgs_subtitle", "pgssub")
COLOURS = 0x14  # the segment of a packet that defines colours
VERSION = 1  # of how they are read: what another version kept is not used
LASTS = 6.0  # seconds that a subtitle stays, unless it is told to go before
LONGEST = 120.0  # seconds that it can be told to stay; more means "until the next one"
LARGEST = 40_000_000  # pixels of a subtitle; more is damaged
GROUND = 40  # grey that transparent pixels become
MARGIN = 16  # pixels around it
SURE = 0.5  # of the reader


@dataclass(frozen=True, eq=False)
class Pictured:
    """A subtitle as a picture; ``stop`` is None until the next one."""

    start: float
    stop: float | None
    picture: Pixels
    left: float = 0.0
    top: float = 0.0


def pictured_lines(
    reader: Reader, cache: Cache, video: Path, content: str, duration: float, progress: Progress, stop: Callable[[], bool]
) -> list[NewLine] | None:
    """The lines of a film's subtitles, if they are pictures; none if it has none such, None if it was told to stop."""
    found: list[NewLine] = []
    total = max(1, int(duration))
    try:
        for number, one in enumerate(_timed(_pictures(video))):
            if stop():
                return None
            found += _read(reader, cache, f"{content}:{number}:{one.start:.3f}", one)
            progress("subtitles", min(int(one.start), total), total)
    except (av.FFmpegError, OSError, ValueError) as error:
        if not found:
            raise BadInput(f"{video}: the subtitles inside the video cannot be read; name a captions file") from error
    return found


def _read(reader: Reader, cache: Cache, key: str, one: Pictured) -> list[NewLine]:
    kind = f"subtitles {VERSION} {reader.kind}"
    note = cache.note(kind, key)
    if note is None:
        lines = [line for line in reader.read(one.picture) if line.score >= SURE]
        rows = [[line.text, line.box.left, line.box.top, line.box.right, line.box.bottom, line.score] for line in lines]
        note = json.dumps(rows)
        cache.put_note(kind, key, note)
    rows = json.loads(note)
    if not rows:
        return []
    text = "\n".join(row[0] for row in rows)
    edges = np.array([row[1:5] for row in rows]) + np.array([one.left, one.top] * 2) - MARGIN
    box = Box(*edges[:, :2].min(axis=0).tolist(), *edges[:, 2:].max(axis=0).tolist())
    score = float(np.mean([row[5] for row in rows]))
    return [NewLine("subtitles", round(one.start, 3), round(one.stop or one.start, 3), text, box, score=round(score, 3))]


def _timed(pictures: Iterator[Pictured | float]) -> Iterator[Pictured]:
    """Each subtitle until it is told to go (a number: when the screen is cleared), or the next one comes."""
    shown: Pictured | None = None
    for one in pictures:
        now = one if isinstance(one, float) else one.start
        if shown is not None and now > shown.start:
            yield replace(shown, stop=min(now, shown.stop or shown.start + LASTS))
            shown = None
        if isinstance(one, Pictured):
            shown = one
    if shown is not None:
        yield replace(shown, stop=shown.stop or shown.start + LASTS)


def _pictures(video: Path) -> Iterator[Pictured | float]:
    with av.open(str(video.resolve()), options={"protocol_whitelist": "file"}) as container:
        streams = [stream for stream in container.streams.subtitles if stream.codec_context.name in PICTURES]
        if streams:
            yield from _of(container, best_stream(streams))


def _of(container: InputContainer, stream: SubtitleStream) -> Iterator[Pictured | float]:
    begin = float(container.start_time or 0) / av.time_base
    inks = np.zeros((256, 2), np.float32)
    for packet in container.demux(stream):
        if packet.pts is None or packet.time_base is None or not packet.size:
            continue
        if stream.codec_context.name in BLU_RAY:
            inks = palette(bytes(packet), inks)
        try:
            shown = stream.codec_context.decode2(packet)
        except (av.FFmpegError, OSError, ValueError):
            continue  # a damaged one; the next may be good
        parts = [part for part in (shown or ()) if isinstance(part, BitmapSubtitle)]
        start, stays = (
            max(0.0, float(packet.pts * packet.time_base) - begin),
            [float((packet.duration or 0) * packet.time_base)],
        )
        if shown is not None:
            start, stays = _told(stream, start, stays, shown.start_display_time / 1000, shown.end_display_time / 1000)
        likely = [seconds for seconds in stays if 0 < seconds <= LONGEST]
        whole = _drawn(parts, inks)
        yield start if whole is None else Pictured(start, start + min(likely) if likely else None, *whole)


def _told(stream: SubtitleStream, start: float, stays: list[float], begins: float, ends: float) -> tuple[float, list[float]]:
    """From when a subtitle is shown and for how long, where it tells so itself, as a DVD's does; its packet may tell it,
    too, or last until the next one. AVI has no times of its packets."""
    return (begins, [ends - begins]) if stream.codec_context.name == "xsub" else (start, [*stays, ends])


def palette(packet: bytes, before: FloatArray) -> FloatArray:
    """The brightness and opacity (0 to 1) of each colour, as a Blu-ray's packet defines them; else as before. Other kinds
    of subtitles keep their colours elsewhere."""
    inks, at = before.copy(), 0
    while at + 3 <= len(packet):
        kind, length = packet[at], int.from_bytes(packet[at + 1 : at + 3], "big")
        if kind == COLOURS:
            rows = np.frombuffer(packet[at + 5 : at + 3 + length], np.uint8)
            rows = rows[: len(rows) // 5 * 5].reshape(-1, 5)  # number, brightness, two of colour, opacity
            inks[rows[:, 0]] = rows[:, [1, 4]] / np.float32(255)
        at += 3 + length
    return inks


def _drawn(parts: list[BitmapSubtitle], inks: FloatArray) -> tuple[Pixels, float, float] | None:
    """All parts of a subtitle on one dark ground, and where its corner stands; None where there is nothing to see."""
    parts = [part for part in parts if part.width > 0 and part.height > 0]
    if not parts:
        return None
    left, top = min(part.x for part in parts), min(part.y for part in parts)
    wide = max(part.x + part.width for part in parts) - left + 2 * MARGIN
    high = max(part.y + part.height for part in parts) - top + 2 * MARGIN
    if wide * high > LARGEST:
        return None
    picture = np.full((high, wide), GROUND, np.uint8)
    for part in parts:
        buffer = np.frombuffer(cast(bytes, part.planes[0]), np.uint8)
        index = buffer[: len(buffer) // part.height * part.height].reshape(part.height, -1)[:, : part.width]
        bright, share = np.moveaxis((inks if inks.any() else _guessed(index))[index], -1, 0)
        y, x = part.y - top + MARGIN, part.x - left + MARGIN
        below = picture[y : y + part.height, x : x + part.width]
        below[:] = (255 * bright * share + below * (1 - share)).astype(np.uint8)
    return np.repeat(picture[..., None], 3, axis=2), float(left), float(top)


def _guessed(index: Pixels) -> FloatArray:
    """Colours that are not told: the one along the edges is no ink, and of the others the commonest is the letters' own."""
    edge = np.bincount(np.concatenate([index[0], index[-1], index[:, 0], index[:, -1]]), minlength=256)
    many = np.bincount(index.ravel(), minlength=256)
    many[int(edge.argmax())] = 0
    inks = np.zeros((256, 2), np.float32)
    inks[int(many.argmax())] = 1
    return inks
