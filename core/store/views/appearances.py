"""Who appears when, and who with whom: counted from the current labels, for charts of a project of any size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array

from core.arrays import find, ragged
from core.problem import BoolArray, FloatArray, IntArray
from core.store.decisions.log import Log
from core.store.reader import Reader
from core.store.tables import frame_table, track_table
from core.store.views.current_labels import OPEN, CurrentLabels


@dataclass(frozen=True, eq=False)
class Appearances:
    """Each row is a stretch of one source in which somebody is seen: from ``start`` on, ``width`` long.

    Both are seconds where ``timed``, else counted in pictures from 1.
    """

    names: tuple[str, ...]  # those with most faces first
    person: IntArray  # index into names
    start: FloatArray
    width: float
    frame: IntArray  # a frame that shows the person, the first of the stretch if there is one
    faces: IntArray  # that are shown in the stretch
    said: BoolArray  # a person has said so of at least one of the faces
    span: float  # where the source ends
    timed: bool


@dataclass(frozen=True, eq=False)
class Together:
    """The most frequent people, and in how many frames two of them are seen together (``one < other``)."""

    names: tuple[str, ...]
    faces: IntArray
    one: IntArray
    other: IntArray
    frames: IntArray


def appearances(reader: Reader, source: int, most: int = 24, stretches: int = 120) -> Appearances:
    """Who of the ``most`` frequent people of a source appears when. At most ``stretches`` stretches of equal length."""
    moments = [(frame, time) for frame, time, of in frame_table.moments(reader.database) if of == source]
    frames = np.array([frame for frame, _ in moments], np.int64)
    timed = any(time is not None for _, time in moments)
    at = np.array([time or 0.0 for _, time in moments]) if timed else np.arange(1.0, len(moments) + 1)
    labels, log = reader.current_labels(), reader.log()
    by_number = np.argsort(frames)
    row = find(frames[by_number], labels.frame)
    here = np.flatnonzero((labels.name >= 0) & (row >= 0))
    place = by_number[row[here]]
    here, place = here[np.argsort(place, kind="stable")], np.sort(place)
    ids, person, _ = _most(labels, here, most)
    here, place, person = here[person >= 0], place[person >= 0], person[person >= 0]
    width = _width(at, timed, stretches)
    first = float(at[0]) if len(at) and not timed else 0.0
    begins, ends = _in_view(reader, labels, here, at[place])
    low = np.floor((begins - first) / width + 1e-9).astype(np.int64)
    high = np.maximum(np.ceil((ends - first) / width - 1e-9).astype(np.int64), low + 1)
    row = np.repeat(np.arange(len(here)), high - low)
    stretch = ragged(low, high - low)
    many = int(stretch.max(initial=0)) + 1
    kept, earliest, inverse = np.unique(person[row] * many + stretch, return_index=True, return_inverse=True)
    inside = np.floor((at[place] - first) / width + 1e-9).astype(np.int64)[row] == stretch
    faces = np.bincount(inverse, inside, minlength=len(kept)).astype(np.int64)
    said = np.bincount(inverse, labels.state[here[row]] != OPEN, minlength=len(kept)) > 0
    return Appearances(
        names=tuple(log.text(int(name)) for name in ids),
        person=kept // many,
        start=first + (kept % many) * width,
        width=width,
        frame=labels.frame[here[row[earliest]]],
        faces=faces,
        said=said,
        span=(float(at[-1]) if len(at) else 0.0) + width,
        timed=timed,
    )


def together(labels: CurrentLabels, log: Log, most: int = 40) -> Together:
    """Who appears with whom, among the ``most`` frequent people of the project."""
    here = np.flatnonzero(labels.name >= 0)
    ids, person, faces = _most(labels, here, most)
    here, person = here[person >= 0], person[person >= 0]
    frames, frame = np.unique(labels.frame[here], return_inverse=True)
    seen = coo_array((np.ones(len(here)), (frame, person)), shape=(len(frames), len(ids))).tocsr()
    seen.data[:] = 1  # two faces of one person in a frame are one appearance
    pairs = coo_array(seen.T @ seen)
    one, other = (np.asarray(side, np.int64) for side in pairs.coords)
    upper = one < other
    names = tuple(log.text(int(name)) for name in ids)
    return Together(names, faces, one[upper], other[upper], pairs.data[upper].astype(np.int64))


def _in_view(reader: Reader, labels: CurrentLabels, rows: IntArray, at: FloatArray) -> tuple[FloatArray, FloatArray]:
    """From when to when each face is in view: those of a track until half-way to its next face, others at their moment."""
    begins, ends = at.copy(), at.copy()
    edges = track_table.spans(reader.database)
    tracked = np.flatnonzero(np.isin(labels.track[rows], list(edges)))
    order = tracked[np.lexsort((at[tracked], labels.track[rows[tracked]]))]
    track = labels.track[rows[order]]
    middle, same = (at[order][1:] + at[order][:-1]) / 2, track[1:] == track[:-1]
    span = np.array([edges[number] for number in track.tolist()]).reshape(-1, 2)
    begins[order] = np.r_[span[:1, 0], np.where(same, middle, span[1:, 0])]
    ends[order] = np.r_[np.where(same, middle, span[:-1, 1]), span[-1:, 1]]
    return begins, ends


def _most(labels: CurrentLabels, rows: IntArray, most: int) -> tuple[IntArray, IntArray, IntArray]:
    """The most frequent names among ``rows``; for each row its place among them, -1 for the others; and their faces."""
    names, place, many = np.unique(labels.name[rows], return_inverse=True, return_counts=True)
    order = np.argsort(-many, kind="stable")[:most]
    rank = np.full(len(names), -1)
    rank[order] = np.arange(len(order))
    return names[order], rank[place], many[order]


def _width(at: FloatArray, timed: bool, stretches: int) -> float:
    """How long a stretch is: the usual gap between two moments, or longer where there would be too many stretches."""
    if not timed:
        return float(max(1, -(-len(at) // stretches)))
    moments = np.unique(at)
    gap = float(np.median(np.diff(moments))) if len(moments) > 1 else 1.0
    return max(gap, (float(at[-1]) if len(at) else 0.0) / stretches)
