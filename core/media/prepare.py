"""From what was seen to a project's frames: names from captions, tracks from faces, then all of it added at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass

import numpy as np

from core.media.cache import Cache
from core.media.cast import Cast
from core.media.faces import Found
from core.media.names import NamesFound, find_names
from core.media.tracks import tracks
from core.progress import Progress
from core.project import Change, Project
from core.records import NewFace, NewFrame, NewMention, NewMerge, NewSource


@dataclass(frozen=True)
class Moment:
    """A frame or picture to be added: where the cache has what was seen in it, and what is said about it."""

    content: str
    caption: str
    given: tuple[str, ...] | None = None  # names that a table lists
    time: float | None = None
    shot: int | None = None
    path: str = ""


@dataclass(frozen=True)
class Part:
    """What becomes one source of the project."""

    source: NewSource
    moments: Sequence[Moment]
    reference: bool = False  # photos of one person each: only the largest face counts, and it is that person


@dataclass(frozen=True)
class Added:
    frames: int
    faces: int
    tracks: int
    names: tuple[str, ...]  # as they are called after merging
    merges: tuple[NewMerge, ...]


def add(
    project: Project, cache: Cache, parts: Sequence[Part], cast: Cast | None, embedder: str, who: str, progress: Progress
) -> Added:
    """Adds all parts or nothing. ``who`` gave the reference photos, and so said who is on them."""
    moments = [moment for part in parts for moment in part.moments]
    progress("names", 0, 1)
    found = _names(project, moments, cast)
    progress("names", 1, 1)
    saving = _Saving(cache, found.mentions, progress)
    # One part is a transaction by itself, and locks other writers out only at its end.
    whole = project.database.transaction() if len(parts) > 1 else nullcontext()
    try:
        with whole:
            for part in parts:
                merges = found.merges if part is parts[-1] else ()
                number = project.add(part.source, saving.frames(part), embedder, merges)
                if part.reference:
                    _confirm(project, number, who)
    except BaseException:
        project.forget_log()  # it may know names that were never written
        raise
    called = {merge.name: merge.into for merge in found.merges}
    names = dict.fromkeys(called.get(mention.name, mention.name) for some in found.mentions for mention in some)
    return Added(len(moments), saving.faces, saving.tracks, tuple(names), tuple(found.merges))


def _names(project: Project, moments: Sequence[Moment], cast: Cast | None) -> NamesFound:
    """The names in all captions; those that the project knows already take part, so that spellings meet across videos."""
    known = project.names()
    captions = [moment.caption for moment in moments] + [""] * len(known)
    given = [moment.given for moment in moments] + [(name,) for name in known]
    found = find_names(captions, cast, given)
    used = {mention.name for some in found.mentions[: len(moments)] for mention in some}
    settled = set(project.log().original.values())  # two spellings that were here before were merged before, or parted
    merges = [m for m in found.merges if {m.name, m.into} & used and not {m.name, m.into} <= settled]
    return NamesFound(found.mentions[: len(moments)], merges)


def _confirm(project: Project, source: int, who: str) -> None:
    """Who is on a reference photo is an answer of the person who gave it."""
    frames = [frame.id for frame in project.frames() if frame.source == source]
    names = {frame: mentions[0].name for frame, mentions in project.all_mentions(frames).items()}
    changes = [Change("is", face=face.id, name=names[face.frame]) for face in project.faces() if face.frame in names]
    if changes:
        project.decide(who, *changes)


class _Saving:
    """Frames for the project, read from the cache one at a time, and a count of what went in."""

    def __init__(self, cache: Cache, mentions: Sequence[Sequence[NewMention]], progress: Progress) -> None:
        self.cache, self.mentions, self.progress = cache, mentions, progress
        self.done = self.faces = self.tracks = 0

    def frames(self, part: Part) -> Iterator[NewFrame]:
        numbers = iter(self._tracked(part))
        for moment in part.moments:
            seen = self.cache.get(moment.content)
            faces = [
                NewFace(face.embedding, face.box, face.crop, face.score, face.mark, track)
                for face, track in zip(_kept(seen.faces, part), numbers, strict=False)
            ]
            mentions = self.mentions[self.done]
            self.done, self.faces = self.done + 1, self.faces + len(faces)
            yield NewFrame(
                caption=moment.caption,
                mentions=mentions,
                faces=faces,
                time=moment.time,
                path=moment.path,
                picture=seen.picture,
                width=seen.width,
                height=seen.height,
                shot=moment.shot,
            )
            self.progress("saving", self.done, len(self.mentions))

    def _tracked(self, part: Part) -> list[int | None]:
        """A track for each face of a video; pictures have none."""
        found = [
            (k, face) for k, moment in enumerate(part.moments) for face in _kept(self.cache.faces(moment.content), part)
        ]
        if part.source.kind != "video":
            return [None] * len(found)
        shots = [part.moments[k].shot or 0 for k, _ in found]
        vectors = np.array([face.embedding for _, face in found])
        numbers = tracks([k for k, _ in found], shots, [face.box for _, face in found], vectors)
        self.tracks += len(set(numbers))
        return list(numbers)


def _kept(faces: Sequence[Found], part: Part) -> Sequence[Found]:
    """All faces from left to right; of a reference photo only the largest."""
    if part.reference:
        return sorted(faces, key=lambda face: (face.box.right - face.box.left) * (face.box.bottom - face.box.top))[-1:]
    return sorted(faces, key=lambda face: face.box.left)
