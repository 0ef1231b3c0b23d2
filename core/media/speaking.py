"""Who speaks can be seen: how much a mouth moves during a line tells whether its face is the speaker's.

The mouth's region of the aligned face is compared from one look to the next. Faces that move their mouths while a line is
spoken are likelier to be its speaker's than those that do not, and less so where others in view move theirs, too. The
speaker may also be off screen.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import between
from core.media.captions.lines import Line
from core.media.captions.speakers import tags
from core.media.faces.finder import SMALL_SIDE
from core.media.tracking import Tracked
from core.problem import FloatArray, IntArray

# Rows and columns of the aligned face of 40 pixels in which the mouth is, and the eyes.
MOUTH = (slice(23, 31), slice(14, 26))
EYES = (slice(11, 19), slice(9, 31))
APART = 0.6  # seconds between two looks that can be compared
LOOKS = 2  # comparisons during a line, at the least
FLOOR = 0.02  # change that is noise, as a share of the face's contrast
STILL = 0.05  # change below which the picture stands still, which tells nothing of a mouth; faces of real films exceed .1
HEAD = 0.5  # how much of the eyes' change, by which a head moves as a whole, the mouth's is lessened
# A face is the speaker's by these log-odds: SLOPE × (motion - EVEN), at most and at least so much; less of it where the face
# is small or few looks can be compared. The measure was chosen on the drawn demo and the one real film with speakers. SLOPE
# and its bounds were doubled because each of the two films, asked what would serve the other best, stretched them more.
SLOPE, EVEN, MOST, LEAST = 8.0, -0.9, 3.0, -4.0
FEW = 2.0  # comparisons that count as much as knowing nothing
TINY, PLAIN = 16.0, 32.0  # pixels of a face whose mouth shows nothing, and of one whose mouth shows all
OFF_SCREEN = 0.5  # how often a line's speaker is not in view


@dataclass(frozen=True, eq=False)
class _Motion:
    """How much mouths move from one look to the next, in the order of time."""

    time: FloatArray
    track: IntArray
    change: FloatArray  # the log of the mouth's change, less a part of the eyes'
    side: FloatArray  # of the face, in pixels


def speaking(
    tracked: Tracked, lines: Sequence[Line], speakers: Sequence[Sequence[str]]
) -> dict[int, list[tuple[str, float]]]:
    """By track, the names of speakers and the log-odds that the track is theirs. ``speakers`` has the names of each line, in
    the order of its tags where it has several, "" for one whom nobody can name; lines without a speaker, or whose speakers
    speak at once, tell nothing."""
    motion = _motion(tracked)
    found: defaultdict[int, dict[str, float]] = defaultdict(dict)
    for start, stop, name in (turn for line, names in zip(lines, speakers, strict=True) for turn in turns(line, names)):
        here = between(motion.time, start, stop)
        if here.start == here.stop:
            continue
        inside = tracked.during(start, stop)
        for track, logodds in _line(tracked.number[inside], motion, here):
            found[track][name] = found[track].get(name, 0.0) + logodds
    return {track: sorted(some.items()) for track, some in found.items()}


def turns(line: Line, speakers: Sequence[str]) -> list[tuple[float, float, str]]:
    """From when to when each speaker of a line speaks, as far as that is known: those of several tags share its time by how
    much they say."""
    text = line.written
    found = tags(text)
    if not found or len(found) != len(speakers):
        return [(line.start, line.stop, name) for name in speakers if len(speakers) == 1]
    starts = [text.rfind("\n", 0, tag.start) + 1 for tag in found]
    said = [max(len(text[tag.end : end].strip()), 1) for tag, end in zip(found, [*starts[1:], len(text)], strict=True)]
    at = np.cumsum([len(text[: starts[0]].strip()), *said])
    edges = line.start + (line.stop - line.start) * at / at[-1]
    return [turn for turn in zip(edges[:-1].tolist(), edges[1:].tolist(), speakers, strict=True) if turn[2]]


def _motion(tracked: Tracked) -> _Motion:
    """Of every two looks at a track that follow each other."""
    order = np.lexsort((tracked.time, tracked.number))
    time, number, box = tracked.time[order], tracked.number[order], tracked.box[order]
    follows = np.flatnonzero((np.diff(number) == 0) & (np.diff(time) < APART))
    faces = tracked.small[order].astype(np.float32)
    faces /= np.maximum(faces.reshape(len(faces), SMALL_SIDE**2).std(axis=1), 5.0)[:, None, None]
    mouth, eyes = _change(faces, follows, MOUTH), _change(faces, follows, EYES)
    alive = np.maximum(mouth, eyes) > np.log(FLOOR + STILL)
    follows, change = follows[alive], (mouth - HEAD * eyes)[alive]
    middle = (time[follows + 1] + time[follows]) / 2
    side = (box[:, 2] - box[:, 0])[follows]
    by_time = np.argsort(middle, kind="stable")
    return _Motion(middle[by_time], number[follows][by_time], change[by_time], side[by_time])


def _change(faces: FloatArray, follows: IntArray, region: tuple[slice, slice]) -> FloatArray:
    """The log of how much a region of the face changes from one look to the next, whatever the light."""
    parts = faces[:, region[0], region[1]]
    parts = parts - parts.mean(axis=(1, 2), keepdims=True)
    return np.asarray(np.log(np.abs(parts[follows + 1] - parts[follows]).mean(axis=(1, 2)) + FLOOR))


def _line(visible: IntArray, motion: _Motion, here: slice) -> list[tuple[int, float]]:
    """The log-odds of each track that can be compared, against all others in view and somebody off screen."""
    tracks, place, looks = np.unique(motion.track[here], return_inverse=True, return_counts=True)
    mean = np.bincount(place, motion.change[here]) / looks
    clear = np.clip((np.bincount(place, motion.side[here]) / looks - TINY) / (PLAIN - TINY), 0, 1)
    trust = np.where(looks >= LOOKS, clear * looks / (looks + FEW), 0.0)
    ratio = np.exp(np.clip(SLOPE * (mean - EVEN), LEAST, MOST) * trust)
    others = max(len(np.unique(visible)) - 1, 0)
    rest = ratio.sum() - ratio + (others - (len(tracks) - 1))  # those that cannot be compared say nothing: 1
    against = OFF_SCREEN + (1 - OFF_SCREEN) * (rest / others if others else 1.0)
    return [(int(t), float(o)) for t, o, how in zip(tracks, np.log(ratio / against), trust, strict=True) if how > 0]
