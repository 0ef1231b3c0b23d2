"""What lies beside or inside of what was given: captions, notes about faces, folders that bear people's names."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from core.errors import BadInput
from core.formats.read import picasa
from core.formats.read.boxes import FaceLabels
from core.formats.read.labels import SUFFIXES as LABELS
from core.formats.read.labels import parse_labels
from core.formats.read.photo_names import person_of
from core.formats.read.picture_tags import PictureTags, read_tags
from core.formats.read.xmp import MarkedFace
from core.media.captions.sources import SUFFIXES
from core.media.captions.tables import INSTEAD, WHAT, PictureCaption, parse_table
from core.media.captions.text import decoded
from core.media.names.words import words
from core.media.pictures import Shelf, Unreadable, locate, shelf

TABLES = (".csv", ".json")
TABLE_NAMES = ("captions", "caption", "names")  # of a table, the likeliest first
LABEL_NAMES = ("labels", "annotations", "instances", "instances_default", "result", "results")  # of label files
MOST_LABELS = 50  # files that are looked into for labels
LARGEST_NOTE = 20_000_000  # bytes of an XMP file or of Picasa's notes
PERSON = re.compile(r"[^\W\d_][\w'’.-]*( [^\W\d_][\w'’.-]*){0,3}")


@dataclass(frozen=True)
class Table:
    """Captions of pictures: the rows, where they were found ("" where they were given), or what is wrong with them."""

    rows: tuple[PictureCaption, ...]
    path: str = ""
    wrong: str = ""


def table_of(images: Path, pictures: Shelf) -> Table | None:
    """The captions table inside of the pictures' folder or zip, else the one beside it that is called as it is."""
    inside = _tables_inside(pictures)
    for path in inside:
        try:
            return _table(pictures.read(path), path, pictures)
        except Unreadable as error:
            return Table((), path, f"{path}: {error}")
        except BadInput as error:
            if _is_surely_one(path):
                return Table((), path, str(error))
    stem = images.stem if images.is_file() else images.name
    for beside in (images.absolute().parent / f"{stem}{suffix}" for suffix in TABLES):
        if beside.is_file() and not beside.is_symlink():
            try:
                return _table(beside.read_bytes(), beside.name, pictures)
            except (BadInput, OSError):  # it may be about anything
                continue
    return None


def _table(content: bytes, path: str, pictures: Shelf) -> Table:
    """The table, if it is about these pictures."""
    rows = tuple(parse_table(decoded(content, path, WHAT, INSTEAD), path))
    if not any(locate(pictures.files, [row.image for row in rows]).values()):
        raise BadInput(f"{path}: none of its {len(rows)} pictures is there, so its captions are not used; check its paths")
    return Table(rows, path)


def spelt_as(images: Path, pictures: Shelf, rows: Sequence[PictureCaption]) -> dict[str, str | None]:
    """Each picture of a table as it is really spelt; refuses a table that is about other pictures."""
    spelt = locate(pictures.files, [row.image for row in rows])
    if rows and not any(spelt.values()):
        raise BadInput(f"{images}: no picture of the table is there, such as {rows[0].image}; check the paths in it")
    return spelt


def _tables_inside(pictures: Shelf) -> list[str]:
    """Tables at the top, those with a telling name first. A folder that a zip wraps around everything does not count."""
    depth = min((path.count("/") for path in pictures.pictures), default=0)
    shown = [path for path in pictures.files if not any(part.startswith((".", "__")) for part in path.split("/"))]
    top = [path for path in shown if path.lower().endswith(TABLES) and path.count("/") <= depth]
    return sorted(top, key=lambda path: (not _is_surely_one(path), path.count("/"), path))[:20]


def _is_surely_one(path: str) -> bool:
    return PurePosixPath(path).stem.lower() in TABLE_NAMES


def labels_inside(images: Path) -> tuple[list[tuple[str, Path | FaceLabels]], list[str]]:
    """The label files among pictures, and what is wrong with those that are surely meant to be some."""
    pictures = shelf(images)
    try:
        depth = min((path.count("/") for path in pictures.pictures), default=0)
        found: list[tuple[str, Path | FaceLabels]] = []
        troubles = []
        for path in _may_be_labels(pictures.files, depth)[:MOST_LABELS]:
            try:
                found.append((path, parse_labels(pictures.read(path), path)))
            except (BadInput, Unreadable) as error:
                if PurePosixPath(path).stem.lower() in LABEL_NAMES:
                    troubles.append(str(error) if isinstance(error, BadInput) else f"{path}: {error}")
        return found, troubles
    finally:
        pictures.close()


def _may_be_labels(files: Iterable[str], depth: int) -> list[str]:
    """Files at the top, or in a folder there that is called as labels are; those with a telling name first."""
    found = []
    for path in files:
        parts = path.split("/")
        inside = len(parts) - 1 <= depth or (len(parts) - 2 <= depth and parts[-2].lower() in LABEL_NAMES)
        if inside and path.lower().endswith(LABELS) and not any(part.startswith((".", "__")) for part in parts):
            found.append(path)
    return sorted(found, key=lambda path: (PurePosixPath(path).stem.lower() not in LABEL_NAMES, path))


def captions_beside(video: Path) -> Path | None:
    """The captions file beside a film: ``film.srt``, ``film.en.srt``. English comes first, as it does inside of films."""
    stem, folder = video.stem, video.absolute().parent
    try:
        names = sorted(name for name in os.listdir(folder) if name.startswith(f"{stem}."))  # of thousands there, few
    except OSError:
        return None
    near = [path for name in names if (path := folder / name).suffix.lower() in SUFFIXES and path.is_file()]
    fitting = [path for path in near if path.suffix.lower() != ".txt" or path.stem == stem]

    def rank(path: Path) -> tuple[bool, bool]:
        language = path.stem[len(stem) + 1 :].lower()
        return bool(language), not language.startswith("en")

    return min(fitting, key=rank, default=None)


# --- People ------------------------------------------------------------------------------------------------------------


def folder_person(path: str) -> str:
    """The person whose name the folder around a picture may bear; "" where it is none."""
    folder = PurePosixPath(path).parent.name
    name = person_of(f"{folder}/x") if folder else ""
    parts = re.split(r"[\s.-]+", name.lower())
    return name if PERSON.fullmatch(name) and not words("no person") & set(parts) else ""


def people_folders(pictures: Iterable[str]) -> dict[str, int]:
    """Folders that may be called after people, with how many pictures each holds. One folder alone says nothing."""
    found = Counter(name for path in pictures if (name := folder_person(path)))
    return dict(found) if len(found) > 1 else {}


# --- Notes about faces -------------------------------------------------------------------------------------------------


class Notes:
    """What the pictures of a shelf say about themselves, and what files beside them say of them."""

    def __init__(self, pictures: Shelf) -> None:
        self._shelf = pictures
        self._files = {path.casefold(): path for path in pictures.files}
        self.troubles: list[str] = []
        self._picasa = self._read_picasa(
            [path for path in pictures.files if PurePosixPath(path).name.lower() in picasa.FILE]
        )

    def of(self, path: str, content: bytes) -> PictureTags:
        """The tags of the picture at ``path``, whose bytes are ``content``."""
        place = PurePosixPath(path)
        marked = self._picasa.get(str(place.parent), {}).get(place.name.lower(), ())
        return read_tags(content, self._sidecar(place), marked)

    def _sidecar(self, place: PurePosixPath) -> bytes | None:
        for name in (f"{place.name}.xmp", f"{place.stem}.xmp"):  # as digiKam and as Adobe call it
            found = self._files.get(str(place.with_name(name)).casefold())
            if found is not None:
                return self._read(found)
        return None

    def _read_picasa(self, paths: Sequence[str]) -> dict[str, dict[str, list[MarkedFace]]]:
        texts = [(self._read(path) or b"").decode("utf-8", "replace") for path in paths]
        folders = [str(PurePosixPath(path).parent) for path in paths]
        return dict(zip(folders, picasa.read_picasa(texts), strict=True))

    def _read(self, path: str) -> bytes | None:
        try:
            content = self._shelf.read(path)
        except Unreadable as error:
            self.troubles.append(f"{path}: {error}")
            return None
        if len(content) > LARGEST_NOTE:
            self.troubles.append(f"{path}: it is too large")
            return None
        return content
