"""Who is on screen when: frames are moments, and these are the times between them.

A frame stands for the time until the next frame of its video, but never for more than twice the usual gap. Where the next
frame is in another shot, the cut is somewhere between them, and half of the time is taken. Frames that follow each other
with the same person are one interval.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

import numpy as np

from core.errors import BadInput
from core.problem import FloatArray
from core.records import LabelledFrame, Labels, Source

ALONE = 1.0  # seconds that a video's only frame stands for


@dataclass(frozen=True)
class Interval:
    """A person is in view from ``start`` to ``stop`` (seconds), in so many faces; the empty name is nobody."""

    source: Source
    name: str
    start: float
    stop: float
    faces: int


def intervals(labels: Labels) -> list[Interval]:
    """All intervals, ordered by source, start and name."""
    timed = sorted(
        (frame for frame in labels.frames if frame.frame.time is not None),
        key=lambda frame: (frame.source.id, frame.frame.time, frame.frame.id),
    )
    found: list[Interval] = []
    for _, group in groupby(timed, key=lambda frame: frame.source.id):
        found += _of_one(list(group))
    return found


def _of_one(frames: list[LabelledFrame]) -> list[Interval]:
    source = frames[0].source
    start = np.array([frame.frame.time for frame in frames], dtype=np.float64)
    stop = _stops(frames, start)
    done: list[Interval] = []
    running: dict[str, Interval] = {}
    for frame, begins, ends in zip(frames, start.tolist(), stop.tolist(), strict=True):
        for name, many in Counter(face.name for face in frame.faces).items():
            before = running.get(name)
            if before is not None and before.stop >= begins - 1e-9:
                running[name] = replace(before, stop=max(ends, before.stop), faces=before.faces + many)
            else:
                done += [before] if before else []
                running[name] = Interval(source, name, begins, ends, many)
    return sorted([*done, *running.values()], key=lambda interval: (interval.start, interval.name))


def _stops(frames: list[LabelledFrame], start: FloatArray) -> FloatArray:
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
    return replace(labels, frames=tuple(frame for frame in labels.frames if frame.source.id == source))
