"""Puts other faces in place of a project's: those that were found again keep their numbers, and so what was said of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.formats import whole_file
from core.problem import FloatArray
from core.records import NewFace, NewTrack
from core.store import files
from core.store.reader import Reader
from core.store.runs.comparison import forget_compared
from core.store.tables import face_table, project_table, track_table


@dataclass(frozen=True, eq=False)
class Refound:
    """A face that was found again; ``number`` is that of the face whose place it takes, None where it is new.

    Its track counts within its source.
    """

    number: int | None
    frame: int
    face: NewFace


def replace_faces(reader: Reader, found: Sequence[Refound], tracks: Mapping[int, Sequence[NewTrack]], embedder: str) -> None:
    """All faces of the project become ``found``, and their tracks those of ``tracks``, by source.

    Answers of earlier runs are forgotten: they speak of other vectors. What mouths said for names goes over to the tracks
    that now have the same faces. If it is interrupted, it can be done again.
    """
    database, folder = reader.database, reader.folder
    sources = {frame.id: frame.source for frame in reader.frames()}
    free = face_table.next_number(database)
    before = {face.id: face for face in face_table.read(database, folder)}
    numbers = []
    for one in found:
        numbers.append(free if one.number is None else one.number)
        free += one.number is None
    gone = sorted(set(before) - set(numbers))
    reader.runs.remove_with([*before])
    forget_compared(folder)
    evidence = track_table.read_evidence(database)
    with database.transaction():
        face_table.remove(database, list(before))
        track_table.remove(database, [])
        first = {}
        for source, some in tracks.items():
            first[source] = track_table.next_number(database)
            track_table.insert(database, first[source], source, some)
        rows = []
        goes_on: dict[int, int] = {}  # by track before, the one that has its faces now
        for number, one in zip(numbers, found, strict=True):
            face = one.face
            track = None if face.track is None else first[sources[one.frame]] + face.track
            truth = before[number].truth if number in before else None
            was = before[number].track if number in before else None
            if track is not None and was is not None:
                goes_on.setdefault(was, track)
            box = (face.box.left, face.box.top, face.box.right, face.box.bottom)
            rows.append((number, one.frame, *box, face.score, face.mark, track, truth, face.quality, face.crop is not None))
        face_table.insert(database, rows)
        spoken = {(goes_on[was], name): (goes_on[was], name, odds) for was, name, odds in evidence if was in goes_on}
        track_table.insert_evidence(database, list(spoken.values()))
        project_table.set_embedder(database, embedder, len(found[0].face.embedding))
        _write_files(folder, numbers, found, gone)


def _write_files(folder: Path, numbers: Sequence[int], found: Sequence[Refound], gone: Sequence[int]) -> None:
    table: FloatArray = np.zeros((max(numbers) + 1, len(found[0].face.embedding)), np.float32)
    table[list(numbers)] = [one.face.embedding for one in found]
    for number, one in zip(numbers, found, strict=True):
        if one.face.crop is not None:
            files.write_file(files.crop_path(folder, number), one.face.crop)
    whole_file(folder / files.EMBEDDINGS, lambda file: file.write(table.tobytes()))
    for number in gone:
        files.erase(files.crop_path(folder, number))
