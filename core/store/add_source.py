"""New frames and faces: files first, beside the project's own; then one transaction that tells of them."""

from __future__ import annotations

import errno
import json
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core.errors import BadInput
from core.problem import FloatArray, check_writable
from core.records import Box, NewFrame, NewMerge, NewSource
from core.store import files
from core.store.contents import now
from core.store.decisions import Change

if TYPE_CHECKING:
    from core.project import Project


@dataclass
class _Staged:
    """What came in, as rows; the files lie in ``folder`` until the project's numbers are known."""

    folder: Path
    frames: list[tuple[Any, ...]] = field(default_factory=list)
    faces: list[tuple[Any, ...]] = field(default_factory=list)  # (number or None, frame, ...)
    mentions: list[tuple[int, str, str]] = field(default_factory=list)
    embeddings: list[FloatArray] = field(default_factory=list)
    frame_files: list[int] = field(default_factory=list)
    face_files: list[int] = field(default_factory=list)


def add(project: Project, source: NewSource, frames: Iterable[NewFrame], embedder: str, merges: Sequence[NewMerge]) -> int:
    """Adds a source whole or not at all; gives its number."""
    staged = _Staged(project.folder / f"incoming-{uuid.uuid4().hex}")
    with _disk(project.folder):
        try:
            for frame in frames:
                _stage(staged, frame)
            rows = _table(staged.embeddings)
            with project.database.transaction():
                _check_kind(project, embedder, rows)
                number = _write(project, source, staged, rows)
        finally:
            files.erase(staged.folder)
    changes = [Change("merge", name=merge.name, other=merge.into) for merge in merges if merge.name != merge.into]
    if changes:
        from core.project import ROLLCALL

        project.decide(ROLLCALL, *changes)
    return number


def add_face(
    project: Project, who: str, frame: int, box: Box, embedding: FloatArray, crop: bytes | None, step: str | None
) -> int:
    """Adds one face by a box, as a decision of its own."""
    rows = np.asarray(embedding, np.float32)[None]
    with _disk(project.folder), project.database.transaction():
        if not project.frames([frame]):
            raise BadInput(f"{project.folder}: there is no frame {frame}; reload the page")
        _check_kind(project, str(project.fact("embedder")), rows)
        face = next_face(project)
        files.append_embeddings(project.folder, face, rows)
        if crop is not None:
            files.write_file(files.crop_path(project.folder, face), crop)
        area = (box.left, box.top, box.right, box.bottom)
        project.database.run(FACE, (face, frame, *area, 1.0, "", None, None, crop is not None))
        project.decide(who, Change("face", face=face, frame=frame), step=step)
    return face


FACE = (
    "INSERT INTO face (id, frame, left_, top, right_, bottom, score, mark, track, truth, cropped)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def _stage(staged: _Staged, frame: NewFrame) -> None:
    number = len(staged.frames)
    if frame.picture is not None:
        files.write_file(files.frame_path(staged.folder, number), frame.picture)
        staged.frame_files.append(number)
    size = (frame.width, frame.height)
    staged.frames.append((frame.time, frame.path, *size, frame.caption, frame.shot, frame.picture is not None))
    for mention in frame.mentions:
        check_writable(mention.name)
        staged.mentions.append((number, mention.name, json.dumps(mention.spans)))
    for face in frame.faces:
        if face.crop is not None:
            files.write_file(files.crop_path(staged.folder, len(staged.faces)), face.crop)
            staged.face_files.append(len(staged.faces))
        area = (face.box.left, face.box.top, face.box.right, face.box.bottom)
        about = (face.score, face.mark, face.track, face.truth, face.crop is not None)
        staged.faces.append((face.number, number, *area, *about))
        staged.embeddings.append(np.asarray(face.embedding, np.float32))


def _table(embeddings: Sequence[FloatArray]) -> FloatArray:
    if len({len(row) for row in embeddings}) > 1:
        raise BadInput("the faces' vectors have different lengths; embed all of them in the same way")
    return np.stack(embeddings) if embeddings else np.zeros((0, 0), np.float32)


def _check_kind(project: Project, embedder: str, rows: FloatArray) -> None:
    """Embeddings of two kinds never mix."""
    if not len(rows):
        return
    has, dimension = project.database.rows("SELECT embedder, dimension FROM project")[0]
    if not dimension:
        project.database.run("UPDATE project SET embedder = ?, dimension = ?", (embedder, rows.shape[1]))
    elif (has, dimension) != (embedder, rows.shape[1]):
        raise BadInput(
            f"{project.folder}: its faces are described by {has or 'a problem file'} ({dimension} numbers), the new ones by "
            f"{embedder or 'a problem file'} ({rows.shape[1]}), which cannot be compared; make a project of their own"
        )


def _write(project: Project, source: NewSource, staged: _Staged, rows: FloatArray) -> int:
    run, folder = project.database.run, project.folder
    first_face = next_face(project)
    first_frame = int(project.database.one("SELECT coalesce(max(id), -1) + 1 FROM frame"))
    first_track = int(project.database.one("SELECT coalesce(max(track), -1) + 1 FROM face"))
    number = run(
        "INSERT INTO source (kind, path, title, content, duration, added) VALUES (?, ?, ?, ?, ?, ?)",
        (source.kind, source.path, source.title, source.content, source.duration, now()),
    )
    project.database.many(
        "INSERT INTO frame (id, source, time, path, width, height, caption, shot, pictured)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(first_frame + k, number, *row) for k, row in enumerate(staged.frames)],
    )
    names = {text: _spelling(project, text) for text in dict.fromkeys(text for _, text, _ in staged.mentions)}
    project.database.many(
        "INSERT OR IGNORE INTO mention (frame, name, place, spans) VALUES (?, ?, ?, ?)",
        [(first_frame + frame, names[text], k, spans) for k, (frame, text, spans) in enumerate(staged.mentions)],
    )
    order = _order(staged)
    project.database.many(
        FACE,
        [
            (first_face + place, first_frame + row[1], *row[2:8], None if row[8] is None else first_track + row[8], *row[9:])
            for place, row in zip(order, staged.faces, strict=True)
        ],
    )
    if len(rows):
        files.append_embeddings(folder, first_face, rows[np.argsort(order)])
    for k in staged.frame_files:
        _move(files.frame_path(staged.folder, k), files.frame_path(folder, first_frame + k))
    for k in staged.face_files:
        _move(files.crop_path(staged.folder, k), files.crop_path(folder, first_face + order[k]))
    return number


def _order(staged: _Staged) -> list[int]:
    """Each face's place among the new ones: its own number where it has one (a problem's), else as it came."""
    numbers = [row[0] for row in staged.faces]
    if sorted(n for n in numbers if n is not None) == list(range(len(numbers))):
        return [int(n) for n in numbers if n is not None]
    return list(range(len(numbers)))


def _spelling(project: Project, text: str) -> int:
    """The number of a spelling, also of one that was merged: when it is split again, its mentions go with it."""
    spelt = next((number for number, was in project.log().original.items() if was == text), None)
    return project.name_number(text) if spelt is None else spelt


def next_face(project: Project) -> int:
    """The number of the next new face: never one that the log knows, since that may be of somebody who was removed."""
    known = "SELECT id FROM face UNION ALL SELECT face FROM decision"
    return int(project.database.one(f"SELECT coalesce(max(id), -1) + 1 FROM ({known})"))


def _move(path: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    path.replace(target)


@contextmanager
def _disk(folder: Path) -> Iterator[None]:
    """Says in one sentence what a disk refuses."""
    try:
        yield
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise BadInput(f"{folder}: the disk is full, so nothing was added; free some space and try again") from error
        raise BadInput(f"{folder}: cannot be written ({error.strerror}); make the folder writable") from error
