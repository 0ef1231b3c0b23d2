"""What pictures say about themselves: faces that somebody marked in them, who is on them, and a caption.

Programs write it into the picture (XMP, IPTC, EXIF) or beside it (an XMP file, ``.picasa.ini``). What is damaged is told in
one sentence and left out; the picture stays good.
"""

from __future__ import annotations

import io
import re
import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from PIL import ExifTags, Image, ImageFile, IptcImagePlugin

from core.errors import BadInput
from core.formats.read.xmp import LARGEST, MarkedFace, Xmp, read_xmp

MOST_REGIONS = 500  # of one picture
SAME = 0.5  # intersection over union of two regions that mark one face
LONGEST_CAPTION = 5000  # characters
IPTC_CAPTION, IPTC_CODING, UTF8 = (2, 120), (1, 90), b"\x1b%G"
IPTC_PNG, IPTC_BLOCK, IPTC_HEAD = "Raw profile type iptc", b"8BIM\x04\x04", 12  # bytes before the notes
EXTENSION = re.compile(rb"http://ns\.adobe\.com/xmp/extension/\0(.{32})(.{4})(.{4})", re.DOTALL)
# what cameras write by themselves where a caption could stand
CAMERA = re.compile(
    r"(olympus|minolta|konica minolta|samsung|kodak|hp|vivitar|jenoptik|medion|polaroid|casio)?\s*(digital (still )?camera"
    r"|techwin.*|camera)|sony dsc|dcim|exif_?jpeg.*|lead technologies.*|created (by|with) .*|default|untitled|\W*",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class PictureTags:
    """Faces as shares of the upright picture, people who are on it somewhere, a caption, and what could not be read."""

    faces: tuple[MarkedFace, ...] = ()
    persons: tuple[str, ...] = ()
    caption: str = ""
    troubles: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody who is named."""
        return tuple(dict.fromkeys([*(face.name for face in self.faces if face.name), *self.persons]))

    def __bool__(self) -> bool:
        return bool(self.faces or self.persons or self.caption or self.troubles)


def read_tags(content: bytes, sidecar: bytes | None = None, picasa: Sequence[MarkedFace] = ()) -> PictureTags:
    """All that a picture's own bytes, the XMP file beside it and ``.picasa.ini`` say; of two that differ, the XMP file."""
    troubles: list[str] = []
    inside, size, orientation = _inside(content, troubles)
    beside = _packet(sidecar, "the XMP file beside it", troubles) if sidecar is not None else Xmp()
    within = _packet(inside.get("xmp"), "its XMP", troubles)
    behind = _packet(inside.get("more xmp"), "the second part of its XMP", troubles)
    packets = (beside, within, behind)
    faces: list[MarkedFace] = []
    for marked in (*(_upright(packet, size, orientation) for packet in packets), picasa):
        for face in marked:
            if face.right <= face.left or face.bottom <= face.top:
                troubles.append("a face region of Picasa lies nowhere in it")
            elif not any(overlap(face, other) >= SAME for other in faces):
                faces.append(face)
    if len(faces) > MOST_REGIONS:
        troubles.append(f"it has {len(faces)} face regions, of which {MOST_REGIONS} count")
    persons = dict.fromkeys(name for packet in packets for name in packet.persons)
    captions = (*(packet.caption for packet in packets), inside.get("iptc", ""), inside.get("exif", ""))
    caption = next((text for text in map(_tidy, captions) if text), "")
    return PictureTags(tuple(faces[:MOST_REGIONS]), tuple(persons), caption, tuple(troubles))


def overlap(one: MarkedFace, other: MarkedFace) -> float:
    """Intersection over union."""
    width = min(one.right, other.right) - max(one.left, other.left)
    height = min(one.bottom, other.bottom) - max(one.top, other.top)
    if width <= 0 or height <= 0:
        return 0.0
    both = width * height
    areas = ((face.right - face.left) * (face.bottom - face.top) for face in (one, other))
    return both / (sum(areas) - both)


# --- Inside of the picture ---------------------------------------------------------------------------------------------


def _inside(content: bytes, troubles: list[str]) -> tuple[Mapping[str, Any], tuple[int, int], int]:
    """The XMP, the IPTC caption and the EXIF description; the size as stored, and how it is to be turned."""
    found: dict[str, Any] = {}
    try:
        with Image.open(io.BytesIO(content)) as picture:
            size = picture.size
            orientation = _orientation(picture)
            xmp = picture.info.get("xmp")
            if isinstance(xmp, bytes | str):
                found["xmp"] = xmp.encode() if isinstance(xmp, str) else xmp
            found["more xmp"] = _extension(picture)
            for kind, read in (("iptc", _iptc), ("exif", _description)):
                try:
                    found[kind] = read(picture)
                except (SyntaxError, ValueError, TypeError, KeyError, IndexError, OSError, struct.error, zlib.error):
                    troubles.append(f"its {kind.upper()} notes are damaged")
        return found, size, orientation
    except (Image.DecompressionBombError, OSError, ValueError, SyntaxError, TypeError, KeyError, IndexError, struct.error):
        return {}, (0, 0), 1  # whether it is a picture at all is said where it is decoded


def orientation_of(content: bytes) -> int:
    """The EXIF orientation, 1 to 8; 1 where there is none."""
    return _inside(content, [])[2]


def _orientation(picture: Image.Image) -> int:
    try:
        value = picture.getexif().get(ExifTags.Base.Orientation, 1)
    except (SyntaxError, ValueError, TypeError, KeyError, OSError, struct.error):
        return 1
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def _extension(picture: Image.Image) -> bytes:
    """What does not fit into the first packet of a JPEG, which holds 64 kB, put together again."""
    parts: dict[int, bytes] = {}
    owner = b""
    for _, content in getattr(picture, "applist", ()):
        head = EXTENSION.match(content)
        if head and (not owner or head[1] == owner):
            owner = head[1]
            parts[int.from_bytes(head[3], "big")] = content[head.end() :]
    return b"".join(parts[at] for at in sorted(parts))[:LARGEST]


def _iptc(picture: ImageFile.ImageFile) -> str:
    notes = IptcImagePlugin.getiptcinfo(picture) or _profile(picture.info.get(IPTC_PNG, ""))
    raw = notes.get(IPTC_CAPTION, b"")
    raw = raw[0] if isinstance(raw, list) else raw
    return _text(raw, utf8=notes.get(IPTC_CODING) == UTF8)


def _profile(text: str) -> dict[tuple[int, int], Any]:
    """The IPTC notes of a PNG, which stand in it as a text: a kind, a length, and hexadecimal digits."""
    content = bytes.fromhex("".join(text.split()[2:]))
    block = content.find(IPTC_BLOCK)
    at = block + IPTC_HEAD if block >= 0 else 0
    found: dict[tuple[int, int], Any] = {}
    while content[at : at + 1] == b"\x1c" and at + 5 <= len(content):
        record, kind, length = struct.unpack_from(">BBH", content, at + 1)
        found.setdefault((record, kind), content[at + 5 : at + 5 + length])
        at += 5 + length
    return found


def _description(picture: Image.Image) -> str:
    value = picture.getexif().get(ExifTags.Base.ImageDescription, "")
    if isinstance(value, str):  # Pillow reads the bytes as Latin-1, most programs write UTF-8
        value = value.encode("latin-1", "ignore")
    return _text(value)


def _text(raw: Any, utf8: bool = False) -> str:
    if not isinstance(raw, bytes):
        return ""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("utf-8" if utf8 else "cp1252", "replace")


def _tidy(text: str) -> str:
    lines = [" ".join(line.split()) for line in text.replace("\0", "").splitlines()]
    whole = "\n".join(line for line in lines if line)[:LONGEST_CAPTION]
    return "" if CAMERA.fullmatch(whole) else whole


# --- XMP ---------------------------------------------------------------------------------------------------------------


def _packet(raw: bytes | None, what: str, troubles: list[str]) -> Xmp:
    if not raw or not raw.strip(b"\0 \t\r\n"):
        return Xmp()
    try:
        found = read_xmp(raw)
    except BadInput as error:
        troubles.append(f"{what} cannot be read ({error})")
        return Xmp()
    troubles += [f"{what}: {trouble}" for trouble in found.troubles]
    return found


def _upright(packet: Xmp, size: tuple[int, int], orientation: int) -> Iterable[MarkedFace]:
    """Regions are told of the picture as it is stored; some programs tell of it as it is shown, and give away that they do
    by the size that they say it has."""
    if orientation == 1 or not packet.faces:
        return packet.faces
    width, height = size
    applied = packet.applied
    if orientation >= 5 and applied and width != height and (applied[0] > applied[1]) != (width > height):
        return packet.faces
    return [turned(face, orientation) for face in packet.faces]


def turned(face: MarkedFace, orientation: int) -> MarkedFace:
    """A region of the stored picture as one of the upright picture."""
    left, top, right, bottom = face.left, face.top, face.right, face.bottom
    boxes = {
        2: (1 - right, top, 1 - left, bottom),
        3: (1 - right, 1 - bottom, 1 - left, 1 - top),
        4: (left, 1 - bottom, right, 1 - top),
        5: (top, left, bottom, right),
        6: (1 - bottom, left, 1 - top, right),
        7: (1 - bottom, 1 - right, 1 - top, 1 - left),
        8: (top, 1 - right, bottom, 1 - left),
    }
    left, top, right, bottom = boxes.get(orientation, (left, top, right, bottom))
    return replace(face, left=left, top=top, right=right, bottom=bottom)


def stored(face: MarkedFace, orientation: int) -> MarkedFace:
    """The other way round: a region of the upright picture as one of the stored picture."""
    return turned(face, {6: 8, 8: 6}.get(orientation, orientation))
