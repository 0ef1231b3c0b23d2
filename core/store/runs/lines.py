"""The groups of a project: a line and everybody who is in view during it, in one shot; a shot without a line; a picture.

Several frames may stand for one line, so that everybody is on one of them. Who is in a group is somebody else than all
others in it, so people who were never seen at once are in two groups of the line: one may be the other, come back. Who is
missed for a moment and goes on is seen at once with somebody who was elsewhere in that moment.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np

from core.problem import FloatArray, IntArray
from core.records import Box, Face, Frame

Group = list[Frame]
Looks = Mapping[int, Mapping[float, Box]]  # by track, the moments at which it was seen, in their order, and where
APART = 1.0  # of the larger face's width: boxes whose middles are farther apart than this are two people's


def grouped(
    frames: Sequence[Frame], faces: Sequence[Face], looks: Looks, named: Collection[int] = ()
) -> tuple[list[Group], IntArray]:
    """The groups, and the group of each face; ``named`` are the frames that hold a name. Frames with faces that are in no
    track stay by themselves: two of their faces may be one person."""
    shown: dict[int, set[int]] = {frame.id: set() for frame in frames}
    for face in faces:
        shown[face.frame] |= {-1 if face.track is None else face.track}
    groups: list[Group] = []
    line: list[tuple[Group, set[int]]] = []  # the groups of the line that is being gone through, and their tracks
    for frame in sorted(frames, key=lambda frame: (frame.source, frame.time or 0.0, frame.id)):
        here = shown[frame.id]
        if line and (frame.shot is None or -1 in here | line[0][1] or _line(line[0][0][0]) != _line(frame)):
            line = []
        fitting = next(((group, seen) for group, seen in line if _at_once(here, seen, looks)), None)
        if fitting is None:
            fitting = [], set()
            groups.append(fitting[0])
            line.append(fitting)
        fitting[0].append(frame)
        fitting[1].update(here)
    groups.sort(key=lambda group: group[0].id)
    return _without_silence(groups, faces, named)


def _line(frame: Frame) -> tuple[int, int | None, str]:
    return frame.source, frame.shot, frame.caption


def _at_once(one: Collection[int], other: Collection[int], looks: Looks) -> bool:
    """Whether each of these tracks was seen at a moment with each of the others."""
    return all(a == b or _two_people(looks.get(a, {}), looks.get(b, {})) for a in one for b in other)


def _two_people(one: Mapping[float, Box], other: Mapping[float, Box]) -> bool:
    """Whether two tracks were seen at one moment, or all looks at one are elsewhere than the other, which goes on."""
    if not one.keys().isdisjoint(other):
        return True
    return _within(one, other) or _within(other, one)


def _within(one: Mapping[float, Box], other: Mapping[float, Box]) -> bool:
    """Whether a track lies within the time of another, and is elsewhere than that must be in the meantime."""
    if not one or not other or min(one) < min(other) or max(one) > max(other):
        return False
    times, mine = np.array(list(other)), np.array(list(one))
    theirs, here = _places(other.values()), _places(one.values())
    between = np.stack([np.interp(mine, times, theirs[:, k]) for k in range(3)], axis=1)
    far = np.hypot(*(here - between)[:, :2].T)
    return bool((far > APART * np.maximum(here[:, 2], between[:, 2])).all())


def _places(boxes: Iterable[Box]) -> FloatArray:
    """The middle and the width of boxes."""
    return np.array([((b.left + b.right) / 2, (b.top + b.bottom) / 2, b.right - b.left) for b in boxes])


def _without_silence(groups: Sequence[Group], faces: Sequence[Face], named: Collection[int]) -> tuple[list[Group], IntArray]:
    """Who is in view during a line is not also there, in the same shot, while nobody says anything: where nothing is said,
    nobody could be named, unless a person did. Such faces go to the nearest line of their track; groups that are left
    without faces go."""
    frames = {frame.id: frame for group in groups for frame in group}
    place = {frame.id: k for k, group in enumerate(groups) for frame in group}
    told = {frame.id for group in groups if any(one.caption or one.id in named for one in group) for frame in group}
    spoken: dict[tuple[int, int | None, int], list[Frame]] = {}
    for face in faces:
        frame = frames[face.frame]
        if face.track is not None and frame.shot is not None and frame.id in told:
            spoken.setdefault((frame.source, frame.shot, face.track), []).append(frame)
    group = np.array([place[face.frame] for face in faces], np.int64)
    for row, face in enumerate(faces):
        frame = frames[face.frame]
        lines = spoken.get((frame.source, frame.shot, -1 if face.track is None else face.track), ())
        if lines and frame.id not in told:
            group[row] = place[min(lines, key=lambda other: abs((other.time or 0.0) - (frame.time or 0.0))).id]
    left = np.bincount(group, minlength=len(groups)) == 0
    left &= np.isin(np.arange(len(groups)), [place[face.frame] for face in faces])
    return [one for one, gone in zip(groups, left, strict=True) if not gone], group - np.cumsum(left)[group]
