"""A problem as the frames of a project: one for each of its groups, with its faces and its names."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from core.arrays import starts
from core.problem import NO_TRACK, Problem
from core.records import NewFace, NewFrame, NewMention


def frames_of(problem: Problem) -> Iterator[NewFrame]:
    """A frame for each group. Faces keep their numbers, and their tracks and truth where these are known."""
    order = np.argsort(problem.group, kind="stable")
    edges = starts(problem.group[order], problem.groups)
    tracks: list[int | None] = [None] * problem.faces
    if problem.track is not None:
        number = np.unique(problem.track, return_inverse=True)[1].tolist()  # a file's own numbers may be of any size
        tracks = [None if t == NO_TRACK else k for t, k in zip(problem.track.tolist(), number, strict=True)]
    kinds = problem.mention_kinds()
    for group, names in enumerate(problem.candidates()):
        caption = problem.captions[group] if problem.captions is not None else ""
        caption = caption or ", ".join(names)
        faces = [
            NewFace(
                problem.features[face],
                quality=1.0 if problem.quality is None else float(problem.quality[face]),
                track=tracks[face],
                truth=_truth(problem, face),
                number=face,
            )
            for face in order[edges[group] : edges[group + 1]].tolist()
        ]
        said = kinds[group] if kinds is not None else [""] * len(names)
        mentions = [NewMention(name, _spans(name, caption), kind) for name, kind in zip(names, said, strict=True)]
        yield NewFrame(caption, mentions, faces)


def _truth(problem: Problem, face: int) -> str | None:
    if problem.truth is None:
        return None
    name = int(problem.truth[face])
    return problem.names[name] if name >= 0 else ""


def _spans(name: str, caption: str) -> tuple[tuple[int, int], ...]:
    return tuple(match.span() for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", caption))
