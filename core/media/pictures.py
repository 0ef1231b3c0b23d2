"""Pictures with captions: a folder or a zip of images, each upright and in RGB whatever way it was stored.

Nothing is unpacked to the disk, nothing outside of the folder is read, and what would blow up is refused.
"""

from __future__ import annotations

import io
import struct
import unicodedata
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from core.errors import BadInput
from core.formats.read.arrays import PACKINGS
from core.media.video.reader import MOST_PIXELS, Pixels

SUFFIXES = frozenset(Image.registered_extensions()) - {".pdf", ".ps", ".eps", ".mpg", ".mpeg", ".emf", ".wmf", ".h5", ".hdf"}
MOST_BYTES = 400_000_000  # of a picture's file
MOST_ENTRIES = 200_000  # of a zip
BOMB_FREE = 200_000_000  # bytes that a zip may hold unpacked, whatever its own size ...
BOMB_RATIO = 100  # ... and how many times its own size if that is more: pictures hardly shrink
MOST_UNPACKED = 200_000_000_000

warnings.filterwarnings("ignore", module=r"PIL\.")  # of large pictures, where MOST_PIXELS stands, and of broken notes


class Unreadable(Exception):
    """One picture cannot be used; the message says why, and the others go on."""


@dataclass(frozen=True)
class Shelf:
    """Files by their path within the folder or zip, those that look like pictures, and what reads the bytes of one."""

    files: tuple[str, ...]
    pictures: tuple[str, ...]
    read: Callable[[str], bytes]
    close: Callable[[], None]


def shelf(images: Path) -> Shelf:
    """The pictures in a folder or zip."""
    if images.is_dir():
        return _folder(images)
    if not images.is_file():
        raise BadInput(f"{images}: there is no such folder or zip; give the path of the pictures")
    return _zip(images)


def locate(paths: Iterable[str], wanted: Iterable[str]) -> dict[str, str | None]:
    """Each wanted path as it is really spelt, None where it is not there. Ways of writing accents, upper and lower case
    do not matter, nor does a folder that a zip wraps around everything."""
    paths = list(paths)
    exact = set(paths)
    wrap = wrapping(paths)
    plain: dict[str, str] = {}
    for path in sorted(paths, reverse=True):
        plain[_plain(path)] = path
        plain.setdefault(_plain(path.removeprefix(wrap)), path)
    return {path: path if path in exact else plain.get(_plain(path)) for path in wanted}


def wrapping(paths: Iterable[str]) -> str:
    """The folder that lies around everything, with a slash; "" where there is none."""
    paths = list(paths)
    tops = {path.split("/", 1)[0] for path in paths}
    return f"{tops.pop()}/" if len(tops) == 1 and all("/" in path for path in paths) else ""


def leads_out(path: str) -> bool:
    """Whether a path of a table or a zip leads out of the folder."""
    path = path.replace("\\", "/")
    return path.startswith("/") or ".." in PurePosixPath(path).parts or path[1:2] == ":"


def decode(content: bytes) -> Pixels:
    """The picture upright and in RGB: transparency on white, the first one of an animation."""
    with opened(content) as picture:
        return np.array(_rgb(_turned(picture)), dtype=np.uint8)


@contextmanager
def opened(content: bytes) -> Iterator[Image.Image]:
    """The picture, of which only the first bytes are read here; what is wrong with it is said in a few words."""
    try:
        with Image.open(io.BytesIO(content)) as picture:
            if picture.width * picture.height > MOST_PIXELS:
                raise Unreadable(f"{picture.width}×{picture.height} pixels are too many")
            yield picture
    except Image.DecompressionBombError as error:
        raise Unreadable("it has far too many pixels") from error
    except UnidentifiedImageError as error:
        raise Unreadable("this is no picture of a known kind" if content else "the file is empty") from error
    except MemoryError as error:
        raise Unreadable("it does not fit into the memory") from error
    except (OSError, ValueError, SyntaxError, TypeError, IndexError, KeyError, EOFError, zlib.error, RuntimeError) as error:
        raise Unreadable("the picture is damaged") from error


def encode(pixels: Pixels, longest: int = 1280, quality: int = 85) -> bytes:
    """A JPEG to show, no side longer than ``longest``."""
    picture = Image.fromarray(pixels)
    picture.thumbnail((longest, longest), Image.Resampling.BILINEAR, reducing_gap=2.0)
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=quality)
    return out.getvalue()


def _turned(picture: Image.Image) -> Image.Image:
    try:
        return ImageOps.exif_transpose(picture)
    except (
        SyntaxError,
        ValueError,
        TypeError,
        KeyError,
        struct.error,
    ):  # a broken note about the picture is no broken picture
        return picture


# --- Colours -----------------------------------------------------------------------------------------------------------


def _rgb(picture: Image.Image) -> Image.Image:
    if picture.mode.startswith("I;16") or picture.mode in ("I", "F"):
        return _eight_bits(picture)
    if picture.mode in ("RGBA", "LA", "PA", "RGBa", "La") or "transparency" in picture.info:
        layer = picture.convert("RGBA")
        white = Image.new("RGBA", layer.size, "white")
        return Image.alpha_composite(white, layer).convert("RGB")
    return picture.convert("RGB")


def _eight_bits(picture: Image.Image) -> Image.Image:
    """Grey of 16 or 32 bits or of fractions, on the scale that its numbers are on."""
    with np.errstate(invalid="ignore"):
        values = np.nan_to_num(np.asarray(picture, dtype=np.float64))
    if picture.mode.startswith("I;16") or (picture.mode == "I" and values.max(initial=0) > 255):
        top = 65535.0 if values.max(initial=0) <= 65535 else float(values.max())
    else:
        top = 1.0 if picture.mode == "F" and values.max(initial=0) <= 1 else max(255.0, float(values.max(initial=0)))
    return Image.fromarray(np.clip(np.rint(values * (255 / top)), 0, 255).astype(np.uint8)).convert("RGB")


# --- Folder and zip ----------------------------------------------------------------------------------------------------


def _folder(images: Path) -> Shelf:
    root = images.resolve()

    def read(path: str) -> bytes:
        file = (root / path).resolve()
        if not file.is_relative_to(root):
            raise Unreadable("it lies outside of the folder")
        try:
            if file.stat().st_size > MOST_BYTES:
                raise Unreadable("the file is too large")
            return file.read_bytes()
        except OSError as error:
            raise Unreadable(f"the file cannot be read ({error.strerror})") from error

    try:
        paths = [file.relative_to(root).as_posix() for file in sorted(root.rglob("*")) if file.is_file()]
    except OSError as error:
        raise BadInput(f"{images}: the folder cannot be read ({error.strerror}); make it readable") from error
    return Shelf(tuple(paths), _pictures(paths), read, lambda: None)


def _zip(images: Path) -> Shelf:
    try:
        archive = zipfile.ZipFile(images)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise BadInput(f"{images}: this is no zip that can be read; give a folder or zip of pictures") from error
    entries = {entry.filename.replace("\\", "/"): entry for entry in archive.infolist() if entry.filename}
    entries = {path: entry for path, entry in entries.items() if not path.endswith("/")}
    try:
        _check_zip(images, archive, entries)
    except BadInput:
        archive.close()
        raise

    def read(path: str) -> bytes:
        entry = entries[path]
        if entry.file_size > MOST_BYTES:
            raise Unreadable("the file is too large")
        if entry.flag_bits & 1:
            raise Unreadable("it is locked with a password")
        if entry.compress_type not in PACKINGS:
            raise Unreadable("it is packed in an unusual way")
        try:
            with archive.open(entry) as file:
                return file.read(MOST_BYTES)
        except (zipfile.BadZipFile, OSError, EOFError, NotImplementedError, RuntimeError, zlib.error) as error:
            raise Unreadable("it is damaged inside of the zip") from error

    return Shelf(tuple(sorted(entries)), _pictures(sorted(entries)), read, archive.close)


def _check_zip(images: Path, archive: zipfile.ZipFile, entries: dict[str, zipfile.ZipInfo]) -> None:
    if len(archive.infolist()) > MOST_ENTRIES:
        raise BadInput(f"{images}: {len(archive.infolist())} entries are more than {MOST_ENTRIES}; make several zips of it")
    unpacked, size = sum(entry.file_size for entry in archive.infolist()), images.stat().st_size
    if unpacked > min(MOST_UNPACKED, max(BOMB_FREE, BOMB_RATIO * size)):
        megabytes = unpacked // 1_000_000
        raise BadInput(f"{images}: unpacked it would be {megabytes} MB, as no zip of pictures is; give an honest one")
    outside = next((path for path in entries if leads_out(path)), None)
    if outside is not None:
        raise BadInput(f"{images}: {outside[:80]!r} in it leads out of the folder; make the zip anew without it")


def _pictures(paths: Iterable[str]) -> tuple[str, ...]:
    """What looks like a picture, without what systems leave behind beside pictures."""
    shown = (path for path in paths if not any(part.startswith(".") or part == "__MACOSX" for part in path.split("/")))
    return tuple(path for path in shown if PurePosixPath(path).suffix.lower() in SUFFIXES)


def _plain(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()
