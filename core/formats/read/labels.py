"""Label files of other programs, and our own: boxes around faces in pictures, and who says whose they are.

COCO, Label Studio, CVAT for images and tables in CSV are told apart by what is in them. One box that makes no sense is told
and left out; a file that makes none is refused in one sentence.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from core.errors import BadInput
from core.formats.read import coco, cvat, label_studio, label_table
from core.formats.read.boxes import WANTED, FaceLabels

SUFFIXES = (".json", ".csv", ".xml")
LARGEST = 500_000_000  # bytes of a file


def read_labels(path: Path) -> FaceLabels:
    """The labels in a file."""
    try:
        if path.stat().st_size > LARGEST:
            raise BadInput(f"{path}: the file is larger than {LARGEST // 1_000_000} MB; split it")
        content = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}); check the path") from error
    return parse_labels(content, str(path))


def parse_labels(content: bytes, path: str) -> FaceLabels:
    """The same for the bytes of a file; ``path`` is what messages call it."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: this is not UTF-8, so it is no label file that can be read; {WANTED}") from error
    start = text.lstrip()[:1]
    try:
        if start in ("{", "["):
            document = _json(text)
            if not coco.is_one(document) and not label_studio.is_one(document):
                raise BadInput(f"this JSON holds no boxes around faces; {WANTED}")
            found = coco.parse(document) if coco.is_one(document) else label_studio.parse(document)
        else:
            found = cvat.parse(content) if start == "<" else label_table.parse(text)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from error
    if not found.boxes:
        why = f" ({found.troubles[0]})" if found.troubles else ""
        raise BadInput(f"{path}: no face in it has a name{why}; {WANTED}")
    return found


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"this is not JSON ({error}); export the labels again") from error
