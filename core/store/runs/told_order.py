"""Whom a description means by the order in which it names people: "Steve asks Tony" over two shots shows Steve, then Tony.

It is worked out from the frames whenever a problem is made, as the evidence of names on the screen is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from core.records import Face, Frame, Mention

IN_ORDER = (
    0.55  # log-odds of one link: of two people and two shots, the told order is right three times of four. Not learned
)

Evidence = dict[tuple[int, str], float]  # by track and name, log-odds


def told_in_order(frames: Sequence[Frame], faces: Sequence[Face], mentions: Mapping[int, Sequence[Mention]]) -> Evidence:
    """Where a description names as many people as it has shots with faces, each shot is more likely to show the one whose
    turn it is."""
    shown: dict[int, set[int]] = {}
    for face in faces:
        if face.track is not None:
            shown.setdefault(face.frame, set()).add(face.track)
    there = [frame for frame in frames if frame.shot is not None and frame.id in shown]
    found: Evidence = {}
    for _, line in groupby(sorted(there, key=_place), key=lambda frame: (frame.source, frame.caption)):
        shots = [[*some] for _, some in groupby(line, key=lambda frame: frame.shot)]
        names = _told(mentions.get(shots[0][0].id, ()))
        if len(shots) < 2 or len(names) != len(shots):
            continue
        for name, some in zip(names, shots, strict=True):
            for track in set().union(*(shown[frame.id] for frame in some)):
                found[track, name] = found.get((track, name), 0.0) + IN_ORDER
    return found


def _place(frame: Frame) -> tuple[int, float, int]:
    return frame.source, frame.time or 0.0, frame.id


def _told(mentions: Sequence[Mention]) -> list[str]:
    """The names of a description in their order; none where somebody speaks or a person added one."""
    here = [mention for mention in mentions if mention.kind != "absent"]
    if any(mention.kind != "described" or mention.added or not mention.spans for mention in here):
        return []
    return [mention.name for mention in sorted(here, key=lambda mention: mention.spans[0])]
