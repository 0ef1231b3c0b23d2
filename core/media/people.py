"""Reference photos by name, ``DIR/Ross Geller/*.jpg`` or ``DIR/Ross Geller.jpg``: they help captions or replace them."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from core.errors import BadInput
from core.media.pictures import Shelf, shelf

NUMBER = re.compile(r"[\s_.-]*(?:\(\d+\)|\d+)$")  # of several photos of one person: "Ross 2", "Ross (2)", "ross_02"


@dataclass(frozen=True)
class Reference:
    """A photo of somebody whose name is known; ``path`` is relative to the folder."""

    name: str
    path: str


def references(people: Path) -> tuple[Shelf, list[Reference]]:
    """The photos in a folder or zip; the folder around a photo, or else the photo's own name, is the person's."""
    photos = shelf(people)
    found = [Reference(_name(path), path) for path in photos.pictures]
    found = [reference for reference in found if reference.name]
    if not found:
        photos.close()
        raise BadInput(f"{people}: there are no photos in it; put them as Name.jpg, or into one folder a person")
    return photos, found


def photos_of(folder: Path, names: Collection[str]) -> list[Path]:
    """The photos in an uploaded folder that are called by one of these names, in small letters; a browser may have put the
    folder's own name around all of them."""
    found = []
    for photo in (path for path in folder.rglob("*") if path.is_file()):
        path = photo.relative_to(folder).as_posix()
        if {_name(path).casefold(), _name(path.partition("/")[2]).casefold()} & set(names):
            found.append(photo)
    return found


def _name(path: str) -> str:
    """The person's name as people write it.

    >>> _name("Ross Geller/01.jpg"), _name("ross_geller-2.png"), _name("amy/IMG_3.jpg")
    ('Ross Geller', 'Ross Geller', 'Amy')
    """
    parts = path.split("/")
    text = parts[0] if len(parts) > 1 else NUMBER.sub("", PurePosixPath(path).stem)
    text = " ".join(text.replace("_", " ").split())
    return " ".join(word.capitalize() for word in text.split()) if text.islower() else text
