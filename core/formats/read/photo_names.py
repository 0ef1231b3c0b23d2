"""Reference photos carry their person's name in their path: ``Ross Geller/01.jpg`` or ``Ross Geller 2.jpg``."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path, PurePosixPath

NUMBER = re.compile(r"[\s_.-]*(?:\(\d+\)|\d+)$")  # of several photos of one person: "Ross 2", "Ross (2)", "ross_02"


def person_of(path: str) -> str:
    """The person's name as people write it, from a path relative to the folder of photos.

    >>> person_of("Ross Geller/01.jpg"), person_of("ross_geller-2.png"), person_of("amy/IMG_3.jpg")
    ('Ross Geller', 'Ross Geller', 'Amy')
    """
    parts = path.split("/")
    text = parts[0] if len(parts) > 1 else NUMBER.sub("", PurePosixPath(path).stem)
    text = " ".join(text.replace("_", " ").split())
    return " ".join(word.capitalize() for word in text.split()) if text.islower() else text


def photos_of(folder: Path, names: Collection[str]) -> list[Path]:
    """The photos in an uploaded folder that bear one of these names, given in small letters.

    A browser may have put the folder's own name around all of them.
    """
    found = []
    for photo in (path for path in folder.rglob("*") if path.is_file()):
        path = photo.relative_to(folder).as_posix()
        if {person_of(path).casefold(), person_of(path.partition("/")[2]).casefold()} & set(names):
            found.append(photo)
    return found
