"""Whom a name on the screen means: the one face above it, or the faces beside which names stand side by side.

It is worked out from the tracks whenever a problem is made, so it holds when faces are found again.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

import numpy as np

from core.problem import FloatArray
from core.records import SourceLine, Track

SOON = 1.0  # seconds after a name came up, at which it is seen who is there
LARGER = 3.0  # times the area of all others that makes a face the one which is meant
LESS = 0.5  # how much of the evidence is left where others are in view


def screen_evidence(
    lines: Sequence[SourceLine], tracks: Sequence[Track], doubtful: Collection[int]
) -> dict[tuple[int, str], float]:
    """By track and name, the log-odds that the name is the track's; ``doubtful`` tracks are perhaps no faces."""
    found: dict[tuple[int, str], float] = {}
    named = [line for line in lines if line.name and line.logodds > 0]
    for line in named:
        moment = line.start + min(SOON, (line.stop - line.start) / 2)
        here = [t for t in tracks if t.source == line.source and t.id not in doubtful and _shows(t, moment)]
        beside = [one for one in named if one.source == line.source and one.start <= moment <= one.stop]
        meant = _meant(line, {one.name: one for one in beside}, here, moment)
        if meant is not None:
            track, share = meant
            found[track.id, line.name] = max(found.get((track.id, line.name), 0.0), share * line.logodds)
    return found


def _shows(track: Track, moment: float) -> bool:
    return any(start <= moment <= stop for start, stop in track.spans())


def _meant(
    line: SourceLine, names: dict[str, SourceLine], tracks: Sequence[Track], moment: float
) -> tuple[Track, float] | None:
    """The track that a name means, and how much of its evidence counts."""
    if len(tracks) == 1 and len(names) == 1:
        return tracks[0], 1.0
    boxes = [_box(track, moment) for track in tracks]
    if len(names) == 1 and tracks:
        area = np.array([(right - left) * (bottom - top) for left, top, right, bottom in boxes])
        largest = int(area.argmax())
        return (tracks[largest], LESS) if area[largest] >= LARGER * (area.sum() - area[largest]) else None
    if len(names) != len(tracks) or any(one.box is None for one in names.values()):
        return None
    in_order = sorted(names.values(), key=lambda one: one.box.left if one.box else 0.0)
    apart = all(a.box and b.box and a.box.right <= b.box.left for a, b in pairwise(in_order))
    by_place = [track for _, track in sorted(zip([box[0] for box in boxes], tracks, strict=True), key=lambda pair: pair[0])]
    place = next(k for k, one in enumerate(in_order) if one.name == line.name)
    return (by_place[place], LESS) if apart else None


def _box(track: Track, moment: float) -> FloatArray:
    _, box = min(track.boxes, key=lambda pair: abs(pair[0] - moment))
    return np.array([box.left, box.top, box.right, box.bottom])
