"""From what was seen to records: names from captions, tracks from faces, frames read from the cache one at a time."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core.media.cache import Cache
from core.media.faces.finder import Found
from core.media.faces.tracks import tracks
from core.media.names.cast import Cast
from core.media.names.mentions import NamesFound, find_names
from core.progress import Progress
from core.records import NewFace, NewFrame, NewMerge, NewSource


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
class Names:
    """The names of the project: as people are called now, and every spelling that it ever had."""

    called: Sequence[str] = ()
    spellings: Collection[str] = ()


class Prepared:
    """The records of one ingest. ``frames`` is read once a part, in the order of the parts; the counts are right after."""

    def __init__(self, cache: Cache, parts: Sequence[Part], found: NamesFound, progress: Progress) -> None:
        self.cache, self.parts, self.found, self.progress = cache, parts, found, progress
        self.done = self.faces = self.tracks = 0

    @property
    def merges(self) -> Sequence[NewMerge]:
        """Spellings of one person, to be told with the last part."""
        return self.found.merges

    @property
    def names(self) -> tuple[str, ...]:
        """The names in the new captions, as they are called after merging."""
        called = {merge.name: merge.into for merge in self.merges}
        mentioned = (mention.name for some in self.found.mentions for mention in some)
        return tuple(dict.fromkeys(called.get(name, name) for name in mentioned))

    def frames(self, part: Part) -> Iterator[NewFrame]:
        """The frames of a part, each read from the cache when it is asked for."""
        numbers = iter(self._tracked(part))
        for moment in part.moments:
            seen = self.cache.get(moment.content)
            faces = [
                NewFace(face.embedding, face.box, face.crop, face.score, face.mark, track)
                for face, track in zip(_kept(seen.faces, part), numbers, strict=False)
            ]
            mentions = self.found.mentions[self.done]
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
            self.progress("saving", self.done, len(self.found.mentions))

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


def prepare(cache: Cache, parts: Sequence[Part], cast: Cast | None, names: Names, progress: Progress) -> Prepared:
    """Finds the names in all captions and gives the records of all parts."""
    progress("names", 0, 1)
    found = _find([moment for part in parts for moment in part.moments], cast, names)
    progress("names", 1, 1)
    return Prepared(cache, parts, found, progress)


def _find(moments: Sequence[Moment], cast: Cast | None, names: Names) -> NamesFound:
    """The names in all captions; those that the project knows already take part, so that spellings meet across videos."""
    captions = [moment.caption for moment in moments] + [""] * len(names.called)
    given = [moment.given for moment in moments] + [(name,) for name in names.called]
    found = find_names(captions, cast, given)
    used = {mention.name for some in found.mentions[: len(moments)] for mention in some}
    settled = set(names.spellings)  # two spellings that were here before were merged before, or parted
    merges = [m for m in found.merges if {m.name, m.into} & used and not {m.name, m.into} <= settled]
    return NamesFound(found.mentions[: len(moments)], merges)


def _kept(faces: Sequence[Found], part: Part) -> Sequence[Found]:
    """All faces from left to right; of a reference photo only the largest."""
    if part.reference:
        return sorted(faces, key=lambda face: (face.box.right - face.box.left) * (face.box.bottom - face.box.top))[-1:]
    return sorted(faces, key=lambda face: face.box.left)
