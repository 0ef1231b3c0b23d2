"""The table ``face``: every face that was found or added, where it is, and what never changes about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.problem import BoolArray, FloatArray, IntArray
from core.records import Box, Face
from core.store import files
from core.store.tables.database import Database, among

INSERT = (
    "INSERT INTO face (id, frame, left_, top, right_, bottom, score, mark, track, truth, quality, cropped)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
COLUMNS = "id, frame, left_, top, right_, bottom, score, mark, track, truth, quality, cropped"


@dataclass(frozen=True, eq=False)
class FaceArrays:
    """All faces of the project by number, as arrays."""

    face: IntArray
    frame: IntArray
    track: IntArray  # -1: none
    shows: FloatArray  # how well its picture shows who it is: large, sharp, turned to the camera; below 0 if marked
    doubtful: BoolArray  # whether it is perhaps no face, so that nobody is asked about it
    best: BoolArray  # whether it is the best picture of its track: large, sharp, turned to the camera


def read(database: Database, folder: Path, frame: int | None = None, ids: Sequence[int] | None = None) -> list[Face]:
    """All faces by number, those of a frame, or the asked ones."""
    where, values = (" WHERE frame = ?", [frame]) if frame is not None else among("id", ids)
    rows = database.rows(f"SELECT {COLUMNS} FROM face{where} ORDER BY id", values)
    return [Face(*(*r[:2], Box(*r[2:6]), *r[6:10], files.crop_path(folder, r[0]) if r[11] else None, r[10])) for r in rows]


def read_arrays(database: Database) -> FaceArrays:
    size = "(right_ - left_) * (bottom - top) * quality"
    rows = database.rows(
        f"SELECT id, frame, coalesce(track, -1), mark = '', {size}, mark = 'doubtful' FROM face ORDER BY id"
    )
    table = np.array(rows, np.float64).reshape(-1, 6)
    face, frame, track = (np.ascontiguousarray(column, np.int64) for column in table[:, :3].T)
    order = np.lexsort((-table[:, 4], -table[:, 3], track))
    first = np.r_[True, np.diff(track[order]) != 0][: len(order)]
    best = track < 0
    best[order[first]] = True
    shows = np.where(table[:, 3] > 0, table[:, 4], -1.0 / (1.0 + table[:, 4]))
    return FaceArrays(face, frame, track, shows, table[:, 5] > 0, best)


def read_row(database: Database, face: int) -> tuple[Any, ...]:
    """A face's row as it is, to be copied into another project."""
    found: tuple[Any, ...] = database.rows(f"SELECT {COLUMNS} FROM face WHERE id = ?", (face,))[0]
    return found


def state(database: Database) -> tuple[int, int, int]:
    """Three numbers that change whenever faces come or go, or are found again."""
    found: tuple[int, int, int] = database.first(
        "SELECT count(*), coalesce(max(id), -1), coalesce(sum(track), -1) FROM face"
    )
    return found


def insert(database: Database, rows: Sequence[Sequence[Any]]) -> None:
    database.many(INSERT, rows)


def end(database: Database) -> int:
    """One more than the largest number: how many rows of the embeddings' table count."""
    return int(database.one("SELECT coalesce(max(id), -1) + 1 FROM face"))


def next_number(database: Database) -> int:
    """The number of the next new face: never one that the log knows, since that may be of somebody who was removed."""
    known = "SELECT id FROM face UNION ALL SELECT face FROM decision"
    return int(database.one(f"SELECT coalesce(max(id), -1) + 1 FROM ({known})"))


def set_truth(database: Database, truth: Mapping[int, str]) -> None:
    database.many("UPDATE face SET truth = ? WHERE id = ?", [(name, face) for face, name in truth.items()])


def forget_truth(database: Database, names: Iterable[str]) -> None:
    """No face is known to be one of ``names`` any more."""
    database.many("UPDATE face SET truth = NULL WHERE truth = ?", [(name,) for name in names])


def remove(database: Database, faces: Iterable[int]) -> None:
    database.many("DELETE FROM face WHERE id = ?", [(face,) for face in faces])
