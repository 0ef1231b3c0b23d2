"""Files that came through a browser, put into a project's folder under names that are safe there."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Protocol

from core.errors import BadInput
from core.jobs.intake import sort_out

PICTURES = "pictures"  # the folder of pictures that were dropped
LARGEST = 1000  # MB through the browser, which keeps them in memory; what is larger is named by its path
LONGEST = 120  # characters of a file's name


class Dropped(Protocol):
    """A file as a browser gave it, perhaps with the folder that it lay in before its name."""

    name: str

    def getbuffer(self) -> memoryview: ...


def safe_path(name: str) -> PurePosixPath:
    """A file's name as it came from a browser, perhaps with folders, without any way out of the place it is put in.

    >>> str(safe_path("../../etc/passwd")), str(safe_path("C:\\\\My films\\\\film.mp4")), str(safe_path(".hidden"))
    ('etc/passwd', 'C_/My films/film.mp4', 'hidden')
    """
    parts = [_safe(part) for part in name.replace("\\", "/").split("/") if part.strip(". ")]
    return PurePosixPath(*parts) if parts else PurePosixPath("file")


def _safe(part: str) -> str:
    text = unicodedata.normalize("NFC", part)
    text = "".join("_" if unicodedata.category(c)[0] == "C" or c in '<>:"|?*' else c for c in text).strip(". ")
    stem, dot, suffix = text.rpartition(".")
    kept = stem[: LONGEST - len(suffix)] + dot + suffix if dot and len(suffix) < 10 else text[:LONGEST]
    while len(kept.encode()) > 240:  # what file systems take
        kept = kept[1:]
    return kept or "file"


def put(folder: Path, name: str, content: bytes | memoryview) -> Path:
    """Writes an uploaded file into ``folder``; one of the same name there gets a sibling."""
    first = path = folder / safe_path(name)
    number = 2
    while path.exists():
        path, number = first.with_name(f"{first.stem} {number}{first.suffix}"), number + 1
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        raise BadInput(f"{name}: cannot be kept ({error.strerror}); free some space or name its path instead") from error
    return path


def lay_out(folder: Path, files: Sequence[Dropped]) -> tuple[Path, Path | None]:
    """Puts the files that belong together into ``folder``; gives the film, the problem or what holds the pictures, and the
    captions."""
    from core.media.pictures import wrapping  # loads what reads pictures, which no page waits for

    found = sort_out([file.name for file in files])
    around = wrapping(found.main) if found.several else ""
    place = folder / PICTURES if found.several and not around else folder
    wanted = set(found.main)
    mains = [put(place, file.name, file.getbuffer()) for file in files if file.name in wanted]
    captions = next((put(folder, file.name, file.getbuffer()) for file in files if file.name == found.captions), None)
    if not found.several:
        return mains[0], captions
    return folder / safe_path(around) if around else place, captions


def room(free: int) -> int:
    """How many MB a file may have that comes through the browser, with ``free`` bytes where such files lie on their way.

    It lies there twice for a while: as it comes, and when it is looked into.

    >>> room(10**12), room(500_000_000), room(0)
    (1000, 250, 0)
    """
    return min(LARGEST, free // 2 // 1_000_000)


def new_folder(projects: Path, title: str) -> Path:
    """A folder for a project of that title, with a name that reads well in a URL and that nothing has yet."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    base = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40].rstrip("-") or "project"
    name, number = base, 2
    while (projects / name).exists():
        name, number = f"{base}-{number}", number + 1
    return projects / name


def in_short(message: str, *folders: Path) -> str:
    """A message without the folders in front of file names that people know by their names alone.

    Pictures that were dropped lie in a folder of ours: what is wrong with all of them is said without it.
    """
    for folder in folders:
        inside = rf"{re.escape(str(folder))}[\\/](?:\d+[\\/])?"  # uploads lie in numbered folders
        message = re.sub(rf"^{inside}{PICTURES}: (.)", lambda found: found[1].upper(), message)
        message = re.sub(inside, "", message)
    return message
