"""Subtitles as Blu-rays have them (PGS), written byte by byte, and put into a film."""

import struct
from collections.abc import Sequence
from pathlib import Path

import av
import numpy as np
from PIL import Image, ImageDraw, ImageFont

PALETTE, OBJECT, COMPOSITION, WINDOW, END = 0x14, 0x15, 0x16, 0x17, 0x80
WIDE, HIGH = 640, 360


def _segment(kind: int, seconds: float, content: bytes) -> bytes:
    return b"PG" + struct.pack(">IIBH", round(seconds * 90_000), 0, kind, len(content)) + content


def _rows(pixels: np.ndarray) -> bytes:
    """Run-length encoded, as the format has it: 0 is nothing, 1 is ink."""
    out = bytearray()
    for row in pixels:
        edges = np.flatnonzero(np.diff(row)) + 1
        for run in np.split(row, edges):
            length, colour = len(run), int(run[0])
            while length:
                part = min(length, 16_383)
                ink = bytes([colour]) if colour else b""
                inked = 0x80 if colour else 0
                short = [inked | part] if part < 64 else [inked | 0x40 | part >> 8, part & 255]
                out += bytes([0, *short]) + ink
                length -= part
        out += b"\0\0"
    return bytes(out)


def written_in(text: str) -> np.ndarray:
    font = ImageFont.load_default(26)
    wide = round(font.getlength(text)) + 8
    image = Image.new("L", (wide, 40))
    ImageDraw.Draw(image).text((4, 2), text, font=font, fill=255)
    return (np.asarray(image) > 100).astype(np.uint8)


def _shown(number: int, start: float, stop: float, text: str) -> bytes:
    pixels = written_in(text)
    high, wide = pixels.shape
    x, y = (WIDE - wide) // 2, HIGH - 60
    place = struct.pack(">HBBHH", 0, 0, 0, x, y)
    head = struct.pack(">HHBHBBBB", WIDE, HIGH, 0x10, number, 0x80, 0, 0, 1)
    window = struct.pack(">BBHHHH", 1, 0, x, y, wide, high)
    data = _rows(pixels)
    drawn = struct.pack(">HBB", 0, 0, 0xC0) + (len(data) + 4).to_bytes(3, "big") + struct.pack(">HH", wide, high) + data
    colours = bytes([0, 0]) + bytes([1, 235, 128, 128, 255])
    clear = struct.pack(">HHBHBBBB", WIDE, HIGH, 0x10, number + 1, 0, 0, 0, 0)
    return b"".join(
        [
            _segment(COMPOSITION, start, head + place),
            _segment(WINDOW, start, window),
            _segment(PALETTE, start, colours),
            _segment(OBJECT, start, drawn),
            _segment(END, start, b""),
            _segment(COMPOSITION, stop, clear),
            _segment(WINDOW, stop, window),
            _segment(END, stop, b""),
        ]
    )


def with_subtitles(film: Path, lines: Sequence[tuple[float, float, str]], path: Path) -> Path:
    """A copy of a film as MKV, with pictured subtitles in it."""
    sup = path.with_suffix(".sup")
    sup.write_bytes(b"".join(_shown(2 * k, *line) for k, line in enumerate(lines)))
    with av.open(str(film)) as given, av.open(str(sup)) as drawn, av.open(str(path), "w") as out:
        video = out.add_stream_from_template(given.streams.video[0])
        words = out.add_stream_from_template(drawn.streams.subtitles[0])
        packets = [(packet, video) for packet in given.demux(video=0) if packet.dts is not None]
        packets += [(packet, words) for packet in drawn.demux(subtitles=0) if packet.pts is not None]
        for packet, stream in sorted(packets, key=lambda pair: float((pair[0].dts or 0) * (pair[0].time_base or 0))):
            packet.stream = stream
            out.mux(packet)
    return path
