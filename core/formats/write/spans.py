"""Who is on screen when.

A face of a track stands for all of it: from when the person comes into view to when they leave. Where people named the faces
of one track differently, each stands for the time until half-way to the next one.

Other faces stand for their frames. A frame stands for the time until the next frame of its video, but never for more than
twice the usual gap. Where the next frame is in another shot, the cut is somewhere between them, and half of the time is
taken. Intervals of one person that touch are one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

import numpy as np

from core.errors import BadInput
from core.problem import FloatArray
from core.records import Labelled, LabelledFrame, Labels, Source, Track

ALONE = 1.0  # seconds that a video's only frame stands for


@dataclass(frozen=True)
class Interval:
    """A person is in view from ``start`` to ``stop`` (seconds), in so many faces; the empty name is nobody,
    or somebody ``unknown``."""

    source: Source
    name: str
    start: float
    stop: float
    faces: int
    unknown: bool = False


def intervals(labels: Labels) -> list[Interval]:
    """All intervals, ordered by source, start and name."""
    timed = sorted(
        (frame for frame in labels.frames if frame.frame.time is not None),
        key=lambda frame: (frame.source.id, frame.frame.time, frame.frame.id),
    )
    tracks = {track.id: track for track in labels.tracks}
    found: list[Interval] = []
    for _, group in groupby(timed, key=lambda frame: frame.source.id):
        frames = list(group)
        found += _joined([*_of_frames(frames, tracks), *_of_tracks(frames, tracks)])
    return found


def _of_tracks(frames: Sequence[LabelledFrame], tracks: Mapping[int, Track]) -> Iterator[Interval]:
    """The times in which the tracks of a source's faces are in view."""
    seen: defaultdict[int, list[tuple[float, Labelled]]] = defaultdict(list)
    for frame in frames:
        for face in frame.faces:
            if face.face.track is not None and face.face.track in tracks:
                seen[face.face.track].append((frame.frame.time or 0.0, face))
    for number, faces in seen.items():
        track, times = tracks[number], [time for time, _ in faces]
        edges = [track.start, *((a + b) / 2 for a, b in pairwise(times)), track.stop]
        for (time, face), begins, ends in zip(faces, edges, edges[1:], strict=False):
            for start, stop in track.spans():
                if max(start, begins) < min(stop, ends):
                    span, here = (max(start, begins), min(stop, ends)), int(start <= time < stop)
                    yield Interval(frames[0].source, face.name, *span, here, face.answer == "unknown")


def _of_frames(frames: Sequence[LabelledFrame], tracks: Mapping[int, Track]) -> Iterator[Interval]:
    """The times that frames stand for, with their faces that are in no track."""
    start = np.array([frame.frame.time for frame in frames], dtype=np.float64)
    stop = _stops(frames, start)
    for frame, begins, ends in zip(frames, start.tolist(), stop.tolist(), strict=True):
        alone = [(face.name, face.answer == "unknown") for face in frame.faces if face.face.track not in tracks]
        for (name, unknown), many in Counter(alone).items():
            yield Interval(frame.source, name, begins, ends, many, unknown)


def _joined(found: Sequence[Interval]) -> list[Interval]:
    """Intervals of one person that touch are one."""
    done: list[Interval] = []
    running: dict[tuple[str, bool], Interval] = {}
    for interval in sorted(found, key=lambda interval: interval.start):
        key = interval.name, interval.unknown
        before = running.get(key)
        if before is not None and before.stop >= interval.start - 1e-9:
            faces = before.faces + interval.faces
            running[key] = replace(before, stop=max(interval.stop, before.stop), faces=faces)
        else:
            done += [before] if before else []
            running[key] = interval
    return sorted([*done, *running.values()], key=lambda interval: (interval.start, interval.name, interval.unknown))


def _stops(frames: Sequence[LabelledFrame], start: FloatArray) -> FloatArray:
    """Until when each frame stands."""
    moments, place = np.unique(start, return_inverse=True)
    gaps = np.diff(moments)
    usual = float(np.median(gaps)) if len(gaps) else ALONE
    shot = [frame.frame.shot for frame in frames]
    last = np.flatnonzero(np.r_[np.diff(place) > 0, True])  # the last frame of each moment, and the first of the next
    cut = [None not in (shot[a], shot[a + 1]) and shot[a] != shot[a + 1] for a in last[:-1].tolist()]
    lasts = np.minimum(np.r_[np.where(cut, gaps / 2, gaps), usual], 2 * usual)
    return np.asarray((moments + lasts)[place])


def one_video(labels: Labels, what: str) -> list[Interval]:
    """The intervals of named people, for a file that is about one video."""
    found = [interval for interval in intervals(labels) if interval.name]
    titles = list(dict.fromkeys((interval.source.id, interval.source.title) for interval in found))
    if len(titles) > 1:
        listed = ", ".join(title for _, title in titles[:3]) + (", ..." if len(titles) > 3 else "")
        raise BadInput(
            f"{len(titles)} videos have named faces ({listed}), but {what} is about one; "
            "export one source at a time, or all in the format intervals"
        )
    return found


def scenes(found: list[Interval]) -> list[tuple[float, float, tuple[str, ...]]]:
    """The times in which the same people are in view, as (start, stop, names), without overlap."""
    edges = sorted({edge for interval in found for edge in (round(interval.start, 3), round(interval.stop, 3))})
    rank = {edge: k for k, edge in enumerate(edges)}
    seen: list[list[str]] = [[] for _ in edges]
    for interval in found:
        for k in range(rank[round(interval.start, 3)], rank[round(interval.stop, 3)]):
            seen[k].append(interval.name)
    return [(a, b, tuple(names)) for (a, b), names in zip(pairwise(edges), seen, strict=False) if names]


def of_source(labels: Labels, source: int) -> Labels:
    """The labels of one source only."""
    tracks = tuple(track for track in labels.tracks if track.source == source)
    return replace(labels, frames=tuple(frame for frame in labels.frames if frame.source.id == source), tracks=tracks)
