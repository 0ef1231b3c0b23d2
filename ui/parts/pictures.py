"""How pictures reach the page: crops and frames as data URLs, each read from the disk once."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Collection, Iterable
from functools import lru_cache
from io import BytesIO
from pathlib import Path

import streamlit as st
from PIL import Image

from core.store.project import read_file

THUMBNAIL = (160, 90)
SILHOUETTE = (
    "data:image/svg+xml;utf8,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100'><rect width='100' height='100' "
    "fill='%23b9b4a8'/><circle cx='50' cy='40' r='19' fill='%23e9e5dc'/><path d='M14 100Q16 66 50 66Q84 66 86 100Z' "
    "fill='%23e9e5dc'/></svg>"
)


def picture(path: Path | None) -> str:
    """A crop or frame as something the page can show; a silhouette where there is none."""
    if path is None:
        return SILHOUETTE
    try:
        return _data(str(path), path.stat().st_mtime_ns)
    except OSError:
        return SILHOUETTE


def thumbnail(path: Path | None) -> str | None:
    """A frame in small; None where there is none."""
    try:
        return None if path is None else _small(str(path), path.stat().st_mtime_ns)
    except OSError:
        return None


def forget_pictures() -> None:
    """Drops all pictures that are kept in memory."""
    _data.cache_clear()
    _small.cache_clear()
    st.cache_data.clear()


@lru_cache(maxsize=4000)  # not st.cache_data, which takes a millisecond to give each of them back
def _data(path: str, changed: int) -> str:
    return data_url(read_file(Path(path)))


@lru_cache(maxsize=2000)
def _small(path: str, changed: int) -> str:
    with Image.open(BytesIO(read_file(Path(path)))) as image:
        image.draft("RGB", (2 * THUMBNAIL[0], 2 * THUMBNAIL[1]))
        small = image.convert("RGB")
        small.thumbnail(THUMBNAIL)
    file = BytesIO()
    small.save(file, "JPEG", quality=80)
    return data_url(file.getvalue())


class Sheet:
    """The pictures of one screen, each known by a short mark, so that none goes to the browser twice."""

    def __init__(self) -> None:
        self.pictures: dict[str, str] = {}

    def mark(self, picture: str) -> str:
        """What stands for the picture."""
        mark = _mark(picture)
        self.pictures[mark] = picture
        return mark

    def marks(self, pictures: Iterable[str]) -> list[str]:
        return [self.mark(picture) for picture in pictures]

    def without(self, there: Collection[str]) -> dict[str, str]:
        """By mark, the pictures that the browser does not have yet."""
        return {mark: picture for mark, picture in self.pictures.items() if mark not in there}


@lru_cache(maxsize=4000)
def _mark(picture: str) -> str:
    return hashlib.blake2b(picture.encode(), digest_size=9).hexdigest()


def data_url(jpeg: bytes) -> str:
    """A JPEG as something the page can show."""
    return "data:image/jpeg;base64," + base64.b64encode(jpeg).decode()
