"""Which moments of a video are looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import Literal

import numpy as np

from core.errors import BadInput
from core.media.video.reader import Timeline
from core.problem import FloatArray

Way = Literal["caption", "shot", "every"]
LONGEST = 5.0  # seconds that one frame stands for at the most, so that a long shot is not lost
FOLLOWED = 0.24  # seconds between two looks at a face that is followed
SLIVER = 0.5  # seconds by which a caption may run on into another shot without speaking of it


@dataclass(frozen=True)
class Sampling:
    """``caption``: the middle of each caption in each shot that it is shown over, and of each shot without one;
    ``shot``: the middle of each shot; ``every``: a frame every so many seconds.

    >>> Sampling.each(2.0)
    Sampling(way='every', seconds=2.0)
    """

    way: Way = "caption"
    seconds: float = 0.0  # of "every"

    @staticmethod
    def each(seconds: float) -> Sampling:
        """A frame every so many seconds."""
        if not 0.01 <= seconds <= 86_400:
            raise BadInput(f"a frame every {seconds:g} seconds cannot be taken; give from 0.01 to 86400 seconds")
        return Sampling("every", seconds)


def dense(timeline: Timeline) -> FloatArray:
    """The times at which faces are followed: several a second in every shot, the first and last near its cuts."""
    edges = [np.linspace(start, stop, max(1, ceil((stop - start) / FOLLOWED)) + 1) for start, stop in timeline.shots()]
    return np.concatenate([(each[1:] + each[:-1]) / 2 for each in edges])


def parts(timeline: Timeline, seconds: float) -> list[tuple[float, float]]:
    """The film in pieces of about so many seconds, from cut to cut, as nobody is followed over a cut. A shot of twice that
    is cut, too."""
    edges, end = [0.0], timeline.duration
    while end - edges[-1] > 1.5 * seconds:
        start, wanted = edges[-1], edges[-1] + seconds
        near = timeline.cuts[(timeline.cuts > start + seconds / 2) & (timeline.cuts < min(start + 2 * seconds, end))]
        edges.append(float(near[np.abs(near - wanted).argmin()]) if len(near) else wanted)
    return list(pairwise([*edges, end + 1.0]))


def stretches(sampling: Sampling, timeline: Timeline, spoken: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The stretches of time that one frame stands for each, in order; ``spoken`` holds start and stop of each caption."""
    if sampling.way == "every":
        step = min(sampling.seconds, timeline.duration)
        middles = np.arange(step / 2, timeline.duration, sampling.seconds).tolist()
        return [(middle - step / 2, middle + step / 2) for middle in middles]
    shots = timeline.shots()
    whole = shots if sampling.way == "shot" else _captioned(shots, spoken)
    return sorted(piece for start, stop in whole for piece in _pieces(start, stop))


def _captioned(shots: Sequence[tuple[float, float]], spoken: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Each caption cut up by shots, without slivers, and the shots that no caption speaks of."""
    starts, stops = (np.array(edges) for edges in zip(*shots, strict=True))
    touched: set[int] = set()
    stretches = []
    for start, stop in spoken:
        over = np.flatnonzero((starts < stop) & (stops > start))
        if not len(over):
            continue
        lasts = np.minimum(stops[over], stop) - np.maximum(starts[over], start)
        for shot in over[(lasts >= SLIVER) | (lasts == lasts.max())].tolist():
            touched.add(shot)
            stretches.append((max(start, shots[shot][0]), min(stop, shots[shot][1])))
    return stretches + [stretch for shot, stretch in enumerate(shots) if shot not in touched]


def _pieces(start: float, stop: float) -> list[tuple[float, float]]:
    edges = np.linspace(start, stop, max(1, ceil((stop - start) / LONGEST)) + 1).tolist()
    return list(pairwise(edges))
