"""Adds sources and faces: files first, beside the project's own; then one transaction that tells of them."""

from __future__ import annotations

import errno
import json
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import BadInput
from core.problem import FloatArray, check_writable
from core.records import Box, NewFrame, NewMerge, NewSource
from core.store import files
from core.store.decisions.log import Change
from core.store.decisions.log_reader import LogReader
from core.store.decisions.log_writer import decide
from core.store.tables import face_table, frame_table, line_table, name_table, project_table, source_table, track_table
from core.store.tables.database import Database, missing

ROLLCALL = "Rollcall"  # who decides what the program itself decides
STAGED = "incoming-"  # how the folder begins that holds files until the project's numbers are known


@dataclass
class _Staged:
    """What came in, as rows; the files lie in ``folder`` until the project's numbers are known."""

    folder: Path
    frames: list[tuple[Any, ...]] = field(default_factory=list)
    faces: list[tuple[Any, ...]] = field(default_factory=list)  # (number or None, frame, ...)
    mentions: list[tuple[int, str, str, str]] = field(default_factory=list)
    embeddings: list[FloatArray] = field(default_factory=list)
    frame_files: list[int] = field(default_factory=list)
    face_files: list[int] = field(default_factory=list)


def add_source(
    logs: LogReader, folder: Path, source: NewSource, frames: Iterable[NewFrame], embedder: str, merges: Sequence[NewMerge]
) -> int:
    """Adds a source whole or not at all; gives its number. ``merges`` are written as decisions of the program itself."""
    staged = _Staged(folder / f"{STAGED}{uuid.uuid4().hex}")
    with _disk(folder):
        try:
            for frame in frames:
                _stage(staged, frame)
            rows = _table(staged.embeddings)
            with logs.database.transaction():
                _check_embedder(logs.database, embedder, rows)
                number = _write(logs, folder, source, staged, rows)
        finally:
            files.erase(staged.folder)
    changes = [Change("merge", name=merge.name, other=merge.into) for merge in merges if merge.name != merge.into]
    if changes:
        decide(logs, ROLLCALL, changes)
    return number


def add_face(
    logs: LogReader, folder: Path, who: str, frame: int, box: Box, embedding: FloatArray, crop: bytes | None,
    step: str | None,
) -> int:  # fmt: skip
    """Adds one face by a box, as a decision of its own; gives its number."""
    database, rows = logs.database, np.asarray(embedding, np.float32)[None]
    with _disk(folder), database.transaction():
        if missing(database, "frame", [frame]):
            raise BadInput(f"{folder}: there is no frame {frame}; reload the page")
        _check_embedder(database, str(project_table.fact(database, "embedder")), rows)
        face = face_table.next_number(database)
        files.append_embeddings(folder, face, rows)
        if crop is not None:
            files.write_file(files.crop_path(folder, face), crop)
        area = (box.left, box.top, box.right, box.bottom)
        face_table.insert(database, [(face, frame, *area, 1.0, "", None, None, 1.0, crop is not None)])
        decide(logs, who, [Change("face", face=face, frame=frame)], step=step)
    return face


def _stage(staged: _Staged, frame: NewFrame) -> None:
    number = len(staged.frames)
    if frame.picture is not None:
        files.write_file(files.frame_path(staged.folder, number), frame.picture)
        staged.frame_files.append(number)
    size = (frame.width, frame.height)
    staged.frames.append(
        (frame.time, frame.path, *size, frame.caption, frame.shot, frame.picture is not None, frame.content)
    )
    for mention in frame.mentions:
        check_writable(mention.name)
        staged.mentions.append((number, mention.name, json.dumps(mention.spans), mention.kind))
    for face in frame.faces:
        if face.crop is not None:
            files.write_file(files.crop_path(staged.folder, len(staged.faces)), face.crop)
            staged.face_files.append(len(staged.faces))
        area = (face.box.left, face.box.top, face.box.right, face.box.bottom)
        about = (face.score, face.mark, face.track, face.truth, face.quality, face.crop is not None)
        staged.faces.append((face.number, number, *area, *about))
        staged.embeddings.append(np.asarray(face.embedding, np.float32))


def _table(embeddings: Sequence[FloatArray]) -> FloatArray:
    if len({len(row) for row in embeddings}) > 1:
        raise BadInput("the faces' vectors have different lengths; embed all of them in the same way")
    return np.stack(embeddings) if embeddings else np.zeros((0, 0), np.float32)


def _check_embedder(database: Database, embedder: str, rows: FloatArray) -> None:
    """Refuses embeddings of another kind than the project's: the two cannot be compared."""
    if not len(rows):
        return
    has, dimension = project_table.fact(database, "embedder"), project_table.fact(database, "dimension")
    if not dimension:
        project_table.set_embedder(database, embedder, rows.shape[1])
    elif (has, dimension) != (embedder, rows.shape[1]):
        raise BadInput(
            f"{database.path.parent}: its faces are described by {has or 'a problem file'} ({dimension} numbers), the new"
            f" ones by {embedder or 'a problem file'} ({rows.shape[1]}), which cannot be compared;"
            " find its faces again first, or make a project of their own"
        )


def _write(logs: LogReader, folder: Path, source: NewSource, staged: _Staged, rows: FloatArray) -> int:
    database = logs.database
    first_frame, first_face = frame_table.next_number(database), face_table.next_number(database)
    first_track = track_table.next_number(database)
    number = source_table.insert(database, source)
    frame_table.insert(database, [(first_frame + k, number, *row) for k, row in enumerate(staged.frames)])
    track_table.insert(database, first_track, number, source.tracks)
    spoken = [(first_track + k, name, odds) for k, track in enumerate(source.tracks) for name, odds in track.speaks]
    mentioned = [*(text for _, text, *_ in staged.mentions), *(text for _, text, _ in spoken)]
    mentioned += [line.name for line in source.lines if line.name]
    names = {text: spelling(logs, text) for text in dict.fromkeys(mentioned)}
    track_table.insert_evidence(database, [(track, names[text], odds) for track, text, odds in spoken])
    line_table.insert(database, number, source.lines, names)
    mentions = enumerate(staged.mentions)
    name_table.insert_mentions(
        database, [(first_frame + frame, names[text], k, spans, kind) for k, (frame, text, spans, kind) in mentions]
    )
    order = _order(staged)
    face_table.insert(
        database,
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


def spelling(logs: LogReader, text: str) -> int:
    """The number of a spelling, also of one that was merged: when it is split again, its mentions go with it."""
    spelt = next((number for number, was in logs.log().original.items() if was == text), None)
    return logs.name_number(text) if spelt is None else spelt


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
