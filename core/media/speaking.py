"""Who speaks can be seen: how much a mouth moves during a line tells whether its face is the speaker's.

The mouth's region of the aligned face is compared from one look to the next. Faces that move their mouths while a line is
spoken are likelier to be its speaker's than those that do not, and less so where others in view move theirs, too. The
speaker may also be off screen.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from core.arrays import between
from core.media.captions.lines import Line
from core.media.faces.finder import SMALL_SIDE
from core.media.tracking import Tracked
from core.problem import FloatArray, IntArray

# Rows and columns of the aligned face of 40 pixels in which the mouth is.
MOUTH = (slice(23, 31), slice(14, 26))
APART = 0.6  # seconds between two looks that can be compared
LOOKS = 2  # comparisons during a line, at the least
FLOOR = 0.02  # change that is noise, as a share of the face's contrast
# The log of the change is a speaking mouth's rather than a silent one's by these log-odds: SLOPE × (log change - EVEN), at
# most and at least so much. Set by hand on the 15 pairs of a line and a known face of one scene, where this measure had the
# largest area under the curve (.80) of the three that were tried; it was not checked on another film.
SLOPE, EVEN, MOST, LEAST = 1.0, -1.7, 0.8, -1.6
OFF_SCREEN = 0.5  # how often a line's speaker is not in view


def speaking(
    tracked: Tracked, lines: Sequence[Line], speakers: Sequence[Sequence[str]]
) -> dict[int, list[tuple[str, float]]]:
    """By track, the names of speakers and the log-odds that the track is theirs. ``speakers`` has the names of each line;
    lines without a speaker, or with several, tell nothing."""
    time, number, change = _changes(tracked)
    found: defaultdict[int, dict[str, float]] = defaultdict(dict)
    for line, names in zip(lines, speakers, strict=True):
        here = between(time, line.start, line.stop)
        if len(names) != 1 or here.start == here.stop:
            continue
        inside = tracked.during(line.start, line.stop)
        for track, logodds in _line(tracked.number[inside], number[here], change[here]):
            found[track][names[0]] = found[track].get(names[0], 0.0) + logodds
    return {track: sorted(some.items()) for track, some in found.items()}


def _changes(tracked: Tracked) -> tuple[FloatArray, IntArray, FloatArray]:
    """Time, track and log change of the mouth of every two looks that follow each other, in the order of time."""
    order = np.lexsort((tracked.time, tracked.number))
    time, number = tracked.time[order], tracked.number[order]
    follows = np.flatnonzero((np.diff(number) == 0) & (np.diff(time) < APART))
    faces = tracked.small[order].astype(np.float32)
    mouths = faces[:, MOUTH[0], MOUTH[1]]
    mouths = mouths - mouths.mean(axis=(1, 2), keepdims=True)
    contrast = np.maximum(faces.reshape(len(faces), SMALL_SIDE**2).std(axis=1), 5.0)
    mouths /= contrast[:, None, None]
    change = np.log(np.abs(mouths[follows + 1] - mouths[follows]).mean(axis=(1, 2)) + FLOOR)
    middle = (time[follows + 1] + time[follows]) / 2
    by_time = np.argsort(middle, kind="stable")
    return middle[by_time], number[follows][by_time], change[by_time]


def _line(visible: IntArray, number: IntArray, change: FloatArray) -> list[tuple[int, float]]:
    """The log-odds of each track that can be compared, against all others in view and somebody off screen."""
    tracks, place, looks = np.unique(number, return_inverse=True, return_counts=True)
    mean = np.bincount(place, change) / looks
    ratio = np.exp(np.clip(SLOPE * (mean - EVEN), LEAST, MOST))
    ratio[looks < LOOKS] = 1.0
    others = max(len(np.unique(visible)) - 1, 0)
    rest = ratio.sum() - ratio + (others - (len(tracks) - 1))  # those that cannot be compared say nothing: 1
    against = OFF_SCREEN + (1 - OFF_SCREEN) * (rest / others if others else 1.0)
    return [(int(t), float(o)) for t, o, many in zip(tracks, np.log(ratio / against), looks, strict=True) if many >= LOOKS]
