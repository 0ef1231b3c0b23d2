"""When each frame is: the order of sources and times, and where in the whole a frame stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.problem import FloatArray, IntArray
from core.records import Source


@dataclass(frozen=True, eq=False)
class Timeline:
    """All frames, in the order of their sources and times; ``share`` runs from 0 to 1 through the whole."""

    frame: IntArray
    share: FloatArray
    place: IntArray  # by frame number, its place in ``frame``; -1 where there is no such frame
    seconds: float | None  # how long the one video is; None for pictures, or several videos

    def at(self, share: float) -> int:
        """The frame nearest to a share of the whole."""
        return int(self.frame[np.argmin(np.abs(self.share - share))])

    def where(self, frame: int) -> float:
        """The share of the whole at which a frame stands."""
        return float(self.share[self.place[frame]])

    def before(self, frame: int) -> int | None:
        """The frame before it."""
        place = int(self.place[frame])
        return int(self.frame[place - 1]) if place > 0 else None

    def after(self, frame: int) -> int | None:
        """The frame after it."""
        place = int(self.place[frame]) + 1
        return int(self.frame[place]) if place < len(self.frame) else None


def timeline(moments: Sequence[tuple[int, float | None, int]], sources: Sequence[Source]) -> Timeline:
    """``moments``: all frames as (number, time, source), in the order of their sources and times."""
    frame = np.array([number for number, _, _ in moments], np.int64)
    place = np.full(int(frame.max(initial=-1)) + 1, -1, np.int64)
    place[frame] = np.arange(len(frame))
    share, seconds = np.arange(len(frame)) / max(len(frame) - 1, 1), None
    videos = [source for source in sources if source.kind == "video"]
    times = [time for _, time, _ in moments if time is not None]
    if len(videos) == 1 and len({source for _, _, source in moments}) == 1 and len(times) == len(moments):
        seconds = max(videos[0].duration or 0.0, max(times))
        share = np.array(times) / (seconds or 1.0)
    return Timeline(frame, share, place, seconds)
