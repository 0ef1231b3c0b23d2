"""Subtitles as DVDs have them (VobSub), written byte by byte, and put into a film."""

import struct
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

from tests.core.media.screen.pgs import HIGH, WIDE, written_in

GROUND, INK, OUTLINE = 0, 1, 2  # of the four colours that a subtitle has
TICK = 1024 / 90_000  # seconds, in which a subtitle's commands are timed
COLOURS = ", ".join(["101010", "f0f0f0", "202020", *["808080"] * 13])


def _nibbles(row: np.ndarray) -> list[int]:
    """A row, run-length encoded: the longer a run, the more digits of four bits tell its length and colour."""
    out: list[int] = []
    for run in np.split(row, np.flatnonzero(np.diff(row)) + 1):
        length, colour = len(run), int(run[0])
        while length:
            part = min(length, 255)
            digits = 1 if part < 4 else 2 if part < 16 else 3 if part < 64 else 4
            code = part << 2 | colour
            out += [code >> 4 * k & 15 for k in reversed(range(digits))]
            length -= part
    return out + [0] * (len(out) % 2)


def _rows(pixels: np.ndarray) -> bytes:
    return b"".join(bytes(a << 4 | b for a, b in zip(*[iter(_nibbles(row))] * 2, strict=True)) for row in pixels)


def _packet(text: str, seconds: float) -> bytes:
    """A subtitle picture: rows of even and of odd number, then what to do with them and when."""
    ink = np.pad(written_in(text), 3)
    ink = ink[: len(ink) // 2 * 2]
    around = np.zeros_like(ink)
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            around |= np.roll(ink, (down, right), (0, 1))
    pixels = np.where(ink == 1, INK, np.where(around == 1, OUTLINE, GROUND))
    high, wide = pixels.shape
    left, top = (WIDE - wide) // 2, HIGH - 70
    even, odd = _rows(pixels[::2]), _rows(pixels[1::2])
    at = 4 + len(even) + len(odd)
    ends = [left << 12 | left + wide - 1, top << 12 | top + high - 1]
    show = b"\x03\x32\x10\x04\x0f\xf0\x05" + b"".join(end.to_bytes(3, "big") for end in ends)
    show += b"\x06" + struct.pack(">HH", 4, 4 + len(even)) + b"\x01\xff"
    after = at + 4 + len(show)
    hide = struct.pack(">HH", round(seconds / TICK), after) + b"\x02\xff"
    body = even + odd + struct.pack(">HH", 0, after) + show + hide
    return struct.pack(">HH", 4 + len(body), at) + body


def with_dvd_subtitles(film: Path, lines: Sequence[tuple[float, float, str]], path: Path) -> Path:
    """A copy of a film as MKV, with a DVD's subtitles in it."""
    with av.open(str(film)) as given, av.open(str(path), "w") as out:
        video = out.add_stream_from_template(given.streams.video[0])
        words = out.add_stream("dvdsub")
        words.codec_context.extradata = f"size: {WIDE}x{HIGH}\npalette: {COLOURS}\n".encode()
        packets = [(float(one.dts * one.time_base), one, video) for one in given.demux(video=0) if one.dts is not None]
        for start, stop, text in lines:
            packet = av.Packet(_packet(text, stop - start))
            packet.time_base, packet.pts, packet.dts = Fraction(1, 1000), round(start * 1000), round(start * 1000)
            packets.append((start, packet, words))
        for _, packet, stream in sorted(packets, key=lambda one: one[0]):
            packet.stream = stream
            out.mux(packet)
    return path
