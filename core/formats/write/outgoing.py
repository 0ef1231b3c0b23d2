"""Around an export: which labels leave, whether they fit a format, how the file begins, and the file as bytes."""

from __future__ import annotations

import csv
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Literal

import numpy as np

from core.errors import BadInput
from core.formats.write.exports import EXPORTS, export
from core.formats.write.folder import safe_part
from core.problem import FloatArray
from core.records import Labels, State

BEGINNING = 12  # faces in a preview
LINES = 40  # of a text in a preview
TABLES = frozenset({"csv", "intervals", "texts"})


@dataclass(frozen=True)
class Counted:
    """What an export holds."""

    faces: int
    frames: int  # with a face in them
    names: int
    nobody: int
    unknown: int
    states: dict[State, int]


@dataclass(frozen=True)
class Beginning:
    """How an export begins: a table with its heading, lines of text, or the files of a folder."""

    kind: Literal["table", "text", "files"]
    rows: tuple[tuple[str, ...], ...]
    more: bool


def filtered(
    labels: Labels,
    confirmed: bool = False,
    min_confidence: float = 0.0,
    without_nobody: bool = False,
    source: int | None = None,
) -> Labels:
    """The labels without what is to be left out: faces, or all frames of other sources."""
    frames = [frame for frame in labels.frames if source is None or frame.source.id == source]
    if confirmed or min_confidence or without_nobody:
        frames = [
            replace(
                frame,
                faces=tuple(
                    face
                    for face in frame.faces
                    if face.confidence >= min_confidence
                    and not (confirmed and face.state == "predicted")
                    and (face.name or not without_nobody)
                ),
            )
            for frame in frames
        ]
    return replace(labels, frames=tuple(frames))


def counted(labels: Labels) -> Counted:
    faces = [face for frame in labels.frames for face in frame.faces]
    kinds = Counter(face.answer for face in faces)
    return Counted(
        faces=len(faces),
        frames=sum(1 for frame in labels.frames if frame.faces),
        names=len({face.name for face in faces} - {""}),
        nobody=kinds["nobody"],
        unknown=kinds["unknown"],
        states=dict(Counter(face.state for face in faces)),
    )


def begin(labels: Labels, format: str, embeddings: FloatArray | None = None) -> Beginning:
    """How the export of these labels begins, as the format's own writer makes it from the first faces."""
    frames, left = [], BEGINNING
    for frame in labels.frames:
        if not left:
            break
        if frame.faces:
            frames.append(replace(frame, faces=frame.faces[:left]))
            left -= len(frames[-1].faces)
    more = sum(len(frame.faces) for frame in labels.frames) > BEGINNING - left
    few = replace(labels, frames=tuple(frames))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"first{EXPORTS[format].suffix}"
        export(few, format, path, embeddings)
        return _read(path, format, more)


def _read(path: Path, format: str, more: bool) -> Beginning:
    if path.is_dir():
        files = sorted(str(file.relative_to(path)) for file in path.rglob("*") if file.is_file())
        return Beginning("files", tuple((file,) for file in files), more)
    if path.suffix == ".npz":
        with np.load(path, allow_pickle=False) as archive:
            arrays = [(name, " × ".join(map(str, archive[name].shape)) or "1", str(archive[name].dtype)) for name in archive]
        return Beginning("table", (("array", "shape", "type"), *arrays), more)
    text = path.read_text(encoding="utf-8")
    if format in TABLES:
        return Beginning("table", tuple(tuple(row) for row in csv.reader(text.splitlines(keepends=True))), more)
    lines = text.splitlines()
    return Beginning("text", tuple((line,) for line in lines[:LINES]), more or len(lines) > LINES)


def file_name(title: str, format: str, packed: bool = True) -> str:
    """What the file is called; a folder is packed into a zip."""
    suffix = EXPORTS[format].suffix or (".zip" if packed else "")
    same = [other for other in EXPORTS.values() if other.suffix == EXPORTS[format].suffix]
    kind = "" if format == same[0].name and EXPORTS[format].suffix else f"-{format}"
    return f"{safe_part(title)}{kind}{suffix}"


def packed(write: Callable[[Path], None], suffix: str) -> bytes:
    """What ``write`` puts at a path, as bytes: a file as it is, a folder (no ``suffix``) as a zip."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"export{suffix}"
        try:
            write(path)
            return path.read_bytes() if path.is_file() else _zip(path)
        except OSError as error:
            raise BadInput(f"the export cannot be written ({error.strerror}); free some space and try again") from error


def _zip(folder: Path) -> bytes:
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(folder).as_posix())
    return file.getvalue()
