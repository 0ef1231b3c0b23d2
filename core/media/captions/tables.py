"""Tables of pictures and their captions, as CSV or JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import BadInput, shown
from core.media.captions.text import read_text

WHAT = "a table of pictures and captions"
INSTEAD = "name a CSV or JSON file with the columns image and caption"


LONGEST_CELL = 100_000  # characters; an open quotation mark makes one cell of all that follows


@dataclass(frozen=True)
class PictureCaption:
    """A picture's path as the table gives it, its caption, and the names in it where the table lists them."""

    image: str
    caption: str
    names: tuple[str, ...] | None = None


def read_table(path: Path) -> list[PictureCaption]:
    """The captions in a CSV or JSON file, in its order; several captions of one picture become one of several lines."""
    return parse_table(read_text(path, WHAT, INSTEAD), str(path))


def parse_table(text: str, path: str) -> list[PictureCaption]:
    """The same for a text; ``path`` is what messages call it."""
    try:
        rows = _json(text) if text.lstrip()[:1] in ("[", "{") or path.lower().endswith(".json") else _csv(text)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from error
    if not rows:
        raise BadInput(f"{path}: the table lists no picture; {INSTEAD}")
    return _joined(rows)


def _csv(text: str) -> list[PictureCaption]:
    first = text.lstrip("\n").split("\n", 1)[0]
    separator = max(",;\t", key=first.count)
    try:
        reader = csv.reader(io.StringIO(text.lstrip("\n")), delimiter=separator)
        header = [column.strip().strip("\ufeff").lower() for column in next(reader)]
        missing = [column for column in ("image", "caption") if column not in header]
        if missing:
            found = ", ".join(shown(column)[:40] for column in header[:8] if column) or "nothing"
            columns = f"column {missing[0]}" if len(missing) == 1 else "columns image and caption"
            raise BadInput(f"the table has no {columns} (its first line has {found}); add a first line: image,caption")
        image, caption = header.index("image"), header.index("caption")
        names = header.index("names") if "names" in header else None
        rows = []
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            cells += [""] * (len(header) - len(cells))
            if max(map(len, cells)) > LONGEST_CELL:
                raise csv.Error(f"line {reader.line_num} has a cell of over {LONGEST_CELL} characters")
            if not cells[image].strip():
                raise BadInput(f"line {reader.line_num} has no image; fill it in or take the line out")
            listed = None if names is None else _split(cells[names])
            rows.append(PictureCaption(_path(cells[image]), _tidy(cells[caption]), listed))
        return rows
    except csv.Error as error:
        raise BadInput(f"this is not a readable CSV table ({error}); save it as CSV again") from error


def _json(text: str) -> list[PictureCaption]:
    try:
        content: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"this is not JSON ({error}); write a list of objects with image and caption") from error
    if isinstance(content, dict) and all(isinstance(value, str) for value in content.values()):
        content = [{"image": image, "caption": caption} for image, caption in content.items()]
    if not isinstance(content, list):
        raise BadInput(f"must hold a JSON list of objects with image and caption, not {type(content).__name__}")
    return [_entry(entry, place) for place, entry in enumerate(content, start=1)]


def _entry(entry: Any, place: int) -> PictureCaption:
    if not isinstance(entry, dict):
        raise BadInput(f"entry {place} must be an object with image and caption, not {type(entry).__name__}")
    for key in ("image", "caption"):
        if not isinstance(entry.get(key), str) or (key == "image" and not entry[key].strip()):
            wrong = f"the {key} {shown(str(entry[key]))[:60]}" if key in entry else f"no {key}"
            raise BadInput(f"entry {place} has {wrong}; it must be a text")
    names = entry.get("names")
    if isinstance(names, str):
        names = _split(names)
    if names is not None and not (isinstance(names, list | tuple) and all(isinstance(name, str) for name in names)):
        raise BadInput(f"entry {place} has names that are no list of texts; write them as a list of names")
    listed = None if names is None else _unique(names)
    return PictureCaption(_path(entry["image"]), _tidy(entry["caption"]), listed)


def _joined(rows: list[PictureCaption]) -> list[PictureCaption]:
    by_image: dict[str, list[PictureCaption]] = {}
    for row in rows:
        by_image.setdefault(row.image, []).append(row)
    joined = []
    for image, several in by_image.items():
        listed = [name for row in several for name in row.names or ()]
        names = _unique(listed) if any(row.names is not None for row in several) else None
        joined.append(PictureCaption(image, "\n".join(dict.fromkeys(row.caption for row in several if row.caption)), names))
    return joined


def _split(cell: str) -> tuple[str, ...]:
    return _unique(cell.replace("|", ";").split(";"))


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_tidy(name) for name in names if name.strip()))


def _tidy(text: str) -> str:
    return "\n".join(" ".join(line.split()) for line in text.strip().split("\n"))


def _path(cell: str) -> str:
    return cell.strip().replace("\\", "/").removeprefix("./")
