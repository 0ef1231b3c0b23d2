"""A folder of face pictures by name, as Labeled Faces in the Wild has them: ``Ross_Geller/Ross_Geller_0001.jpg``.

Faces of nobody are in ``nobody``, those without an answer in ``unknown``; a face without a picture is left out.
``names.csv`` says whose folder each is.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

from core.errors import BadInput
from core.formats.write.csv import cell
from core.formats.write.folder import apart, put, safe_part, whole_folder
from core.formats.write.text import NOBODY_LABEL, UNKNOWN_LABEL, category, names_of
from core.records import Labels


def write(labels: Labels, path: Path) -> None:
    """Copies every face's picture into the folder of its name."""
    crops: dict[str | None, list[str]] = defaultdict(list)
    there = _listing()
    for frame in labels.frames:
        for label in frame.faces:
            if label.face.crop is not None and there(crop := os.fspath(label.face.crop)):
                crops[category(label)].append(crop)
    if not crops:
        raise BadInput(f"{path}: none of the faces has a picture, so there is nothing to write; choose another format")
    names = [name for name in names_of(labels) if name in crops]
    # as LFW writes names; a person called "nobody" must not land among those who are nobody
    taken = [NOBODY_LABEL, UNKNOWN_LABEL]
    parts = apart((safe_part(name).replace(" ", "_") for name in names), taken=taken)
    folders: dict[str | None, str] = {"": NOBODY_LABEL, None: UNKNOWN_LABEL} | dict(zip(names, parts, strict=True))
    whole_folder(path, lambda folder: _copy(crops, folders, folder))


def _listing() -> Callable[[str], bool]:
    """Whether a file is there, and is no link; a folder is read once, not asked for each of its thousand files."""
    listed: dict[str, frozenset[str]] = {}

    def there(file: str) -> bool:
        folder, name = os.path.split(file)
        if folder not in listed:
            with suppress(FileNotFoundError), os.scandir(folder or ".") as entries:
                listed[folder] = frozenset(entry.name for entry in entries if entry.is_file(follow_symlinks=False))
        return name in listed.setdefault(folder, frozenset())

    return there


def _copy(crops: Mapping[str | None, list[str]], folders: Mapping[str | None, str], into: Path) -> None:
    rows, copies = ["folder,name,pictures"], []
    for name, pictures in crops.items():
        folder = folders[name]
        (into / folder).mkdir()
        start = f"{into}/{folder}/{folder}_"
        copies += [(f"{start}{place:04d}.jpg", partial(_read, picture)) for place, picture in enumerate(pictures, start=1)]
        rows.append(f"{cell(folder)},{cell(name or '')},{len(pictures)}")
    put(copies)
    (into / "names.csv").write_text("\n".join([*rows, ""]), encoding="utf-8", newline="")


def _read(path: str) -> bytes:
    with open(path, "rb", buffering=0) as file:
        return file.read()
