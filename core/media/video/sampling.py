"""Which moments of a video are looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Literal

import numpy as np

from core.errors import BadInput
from core.media.video.reader import Timeline
from core.problem import FloatArray

Way = Literal["caption", "shot", "every"]
LONGEST = 5.0  # seconds that one frame stands for at the most, so that a long shot is not lost
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


def moments(sampling: Sampling, timeline: Timeline, spoken: Sequence[tuple[float, float]]) -> FloatArray:
    """The times to look at, in order; ``spoken`` holds start and stop of each caption."""
    if sampling.way == "every":
        return np.arange(min(sampling.seconds, timeline.duration) / 2, timeline.duration, sampling.seconds)
    shots = timeline.shots()
    stretches = shots if sampling.way == "shot" else _captioned(shots, spoken)
    return np.unique([time for start, stop in stretches for time in _middles(start, stop)])


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


def _middles(start: float, stop: float) -> list[float]:
    pieces = max(1, ceil((stop - start) / LONGEST))
    return [start + (stop - start) * (piece + 0.5) / pieces for piece in range(pieces)]
