"""Reference photos by name, ``DIR/Ross Geller/*.jpg`` or ``DIR/Ross Geller.jpg``: they help captions or replace them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.errors import BadInput
from core.formats.read.photo_names import person_of
from core.media.pictures import Shelf, shelf


@dataclass(frozen=True)
class Reference:
    """A photo of somebody whose name is known; ``path`` is relative to the folder."""

    name: str
    path: str


def references(people: Path) -> tuple[Shelf, list[Reference]]:
    """The photos in a folder or zip; the folder around a photo, or else the photo's own name, is the person's."""
    photos = shelf(people)
    found = [Reference(person_of(path), path) for path in photos.pictures]
    found = [reference for reference in found if reference.name]
    if not found:
        photos.close()
        raise BadInput(f"{people}: there are no photos in it; put them as Name.jpg, or into one folder a person")
    return photos, found
