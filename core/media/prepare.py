"""From what was seen to records: names from captions, tracks from faces, frames read from the cache one at a time."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from core.media.cache import Cache
from core.media.captions.lines import Line
from core.media.captions.speakers import tags
from core.media.faces.kinds import Found
from core.media.names.cast import Cast
from core.media.names.kinds import is_dialogue, with_kinds
from core.media.names.mentions import find_names
from core.media.speaking import speaking
from core.media.tagged import Said
from core.media.tracking import Tracked
from core.problem import FloatArray
from core.progress import Progress
from core.records import NewFace, NewFrame, NewMention, NewMerge, NewSource


@dataclass(frozen=True)
class Moment:
    """A frame or picture to be added: where the cache has what was seen in it, and what is said about it."""

    content: str
    caption: str
    given: tuple[str, ...] | None = None  # names that a table lists
    time: float | None = None
    shot: int | None = None
    place: int = -1  # of a frame in its film
    path: str = ""
    picture: str = ""  # the sha256 of a picture's file, by which it is known again
    named: tuple[str, ...] = ()  # people who are on it, whatever its caption says: by its tags, or its folder
    screen: tuple[tuple[str, str], ...] = ()  # what names somebody on the screen: the text, and the name

    @property
    def written(self) -> str:
        """The caption, and below it what stands on the screen."""
        return "\n".join(text for text in (self.caption, *(text for text, _ in self.screen)) if text)


@dataclass(frozen=True, eq=False)
class Part:
    """What becomes one source of the project."""

    source: NewSource
    moments: Sequence[Moment]
    reference: bool = False  # photos of one person each: only the largest face counts, and it is that person
    tracked: Tracked | None = None  # who stays in view, in a film
    lines: Sequence[Line] = ()  # the captions of a film
    said: Sequence[Said] = ()  # what marks in pictures say of their faces
    listed: Sequence[str] = ()  # names that the film itself shows: they are known to be names

    def captions(self) -> list[tuple[str, tuple[str, ...] | None]]:
        """The captions of all moments and then all lines, and the names that are given for them."""
        return [(moment.caption, moment.given) for moment in self.moments] + [(line.written, None) for line in self.lines]


@dataclass(frozen=True)
class PartNames:
    """The names in a part: the mentions of each moment, and the speakers of each line."""

    mentions: Sequence[Sequence[NewMention]]
    speakers: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Names:
    """The names of the project: as people are called now, and every spelling that it ever had."""

    called: Sequence[str] = ()
    spellings: Collection[str] = ()


class Prepared:
    """The records of one ingest. ``frames`` is read once a part, in the order of the parts; the counts are right after."""

    def __init__(
        self, cache: Cache, named: Sequence[tuple[Part, PartNames]], merges: Sequence[NewMerge], progress: Progress
    ) -> None:
        self.cache, self.progress = cache, progress
        self.parts = [part for part, _ in named]
        self.found = [found for _, found in named]
        self.merges = merges  # spellings of one person, to be told with the last part
        self.done = self.faces = 0
        self.tracks = sum(part.tracked.many for part in self.parts if part.tracked)

    @property
    def names(self) -> tuple[str, ...]:
        """The names in the new captions, as they are called after merging."""
        called = {merge.name: merge.into for merge in self.merges}
        mentioned = (mention.name for found in self.found for some in found.mentions for mention in some)
        return tuple(dict.fromkeys(called.get(name, name) for name in mentioned))

    def source(self, part: Part) -> NewSource:
        """The source of a part, with the tracks of a film."""
        if part.tracked is None:
            return part.source
        speaks = speaking(part.tracked, part.lines, self.found[self.parts.index(part)].speakers)
        tracks = [replace(one, speaks=tuple(speaks.get(k, ()))) for k, one in enumerate(part.tracked.records())]
        return replace(part.source, tracks=tuple(tracks))

    def frames(self, part: Part) -> Iterator[NewFrame]:
        """The frames of a part, each read from the cache when it is asked for."""
        found, total = self.found[self.parts.index(part)], sum(len(part.moments) for part in self.parts)
        for moment, mentions in zip(part.moments, found.mentions, strict=True):
            seen = self.cache.get(moment.content)
            faces = followed_faces(seen.faces, part.tracked, moment.place) if part.tracked else _kept(seen.faces, part)
            self.done, self.faces = self.done + 1, self.faces + len(faces)
            yield NewFrame(
                caption=moment.written,
                mentions=mentions,
                faces=faces,
                time=moment.time,
                path=moment.path,
                picture=seen.picture,
                width=seen.width,
                height=seen.height,
                shot=moment.shot,
                content=moment.picture,
            )
            self.progress("saving", self.done, total)


def prepare(cache: Cache, parts: Sequence[Part], cast: Cast | None, names: Names, progress: Progress) -> Prepared:
    """Finds the names in all captions and gives the records of all parts."""
    progress("names", 0, 1)
    named, merges = _find(parts, cast, names)
    progress("names", 1, 1)
    return Prepared(cache, named, merges, progress)


def names_of(part: Part, cast: Cast | None, names: Names) -> tuple[PartNames, Sequence[NewMerge]]:
    """The names in a part, and the spellings that were taken together."""
    named, merges = _find([part], cast, names)
    return named[0][1], merges


def _find(parts: Sequence[Part], cast: Cast | None, names: Names) -> tuple[list[tuple[Part, PartNames]], Sequence[NewMerge]]:
    """The names in all captions; those that the project knows already take part, so that spellings meet across videos."""
    captions = [pair for part in parts for pair in part.captions()]
    known = [("", (name,)) for name in dict.fromkeys([*names.called, *(name for part in parts for name in part.listed)])]
    tagged = [("", moment.named) for part in parts for moment in part.moments if moment.named]
    every = [*captions, *tagged, *known]
    found = find_names([text for text, _ in every], cast, [given for _, given in every])
    left, by_tag = iter(found.mentions), iter(found.mentions[len(captions) :])
    named = []
    for part in parts:
        names_of_part = _of_part(part, [next(left) for _ in part.captions()])
        named.append((part, _with_tags(part, names_of_part, by_tag)))
    used = {mention.name for _, part in named for some in part.mentions for mention in some}
    settled = set(names.spellings)  # two spellings that were here before were merged before, or parted
    return named, [m for m in found.merges if {m.name, m.into} & used and not {m.name, m.into} <= settled]


def _with_tags(part: Part, found: PartNames, tagged: Iterator[Sequence[NewMention]]) -> PartNames:
    """The names in the captions, and behind them those of the tags."""
    mentions = []
    for moment, some in zip(part.moments, found.mentions, strict=True):
        more = next(tagged) if moment.named else ()
        there = {mention.name for mention in some}
        mentions.append(_with_screen(moment, [*some, *(mention for mention in more if mention.name not in there)]))
    return PartNames(mentions, found.speakers)


def _with_screen(moment: Moment, some: Sequence[NewMention]) -> list[NewMention]:
    """The names of a moment, and those that stand on its screen, each where its text stands in the caption."""
    found, at = {mention.name: mention for mention in some}, len(moment.caption) + bool(moment.caption)
    for text, name in moment.screen:
        before = found.get(name, NewMention(name, (), "screen"))
        found[name] = replace(before, spans=(*before.spans, (at, at + len(text))))
        at += len(text) + 1
    return list(found.values())


def _of_part(part: Part, mentions: Sequence[Sequence[NewMention]]) -> PartNames:
    otherwise = "spoken" if part.lines and is_dialogue(part.lines) else "described"
    kinds = [with_kinds(text, some, otherwise) for (text, _), some in zip(part.captions(), mentions, strict=True)]
    lines = kinds[len(part.moments) :]
    speakers = [_speakers(line.written, some) for line, some in zip(part.lines, lines, strict=True)]
    return PartNames(kinds[: len(part.moments)], speakers)


def _speakers(text: str, mentions: Sequence[NewMention]) -> list[str]:
    """Who speaks a line; where it has several tags, one name a tag, "" for somebody whom nobody can name."""
    speakers = [mention for mention in mentions if mention.kind == "speaker"]
    by_tag = [[one.name for one in speakers if any(t.start <= a < t.stop for a, _ in one.spans)] for t in tags(text)]
    if len(by_tag) < 2 or any(len(names) > 1 for names in by_tag):
        return [one.name for one in speakers]
    return ["".join(names) for names in by_tag]


def _kept(faces: Sequence[Found], part: Part) -> list[NewFace]:
    """All faces of a picture from left to right; of a reference photo only the largest."""
    if part.reference:
        faces = sorted(faces, key=lambda face: (face.box.right - face.box.left) * (face.box.bottom - face.box.top))[-1:]
    return [_new(face, face.embedding, None) for face in sorted(faces, key=lambda face: face.box.left)]


def followed_faces(faces: Sequence[Found], tracked: Tracked, place: int) -> list[NewFace]:
    """The faces of a film's frame that are in a track, each described by all of it."""
    numbers = tracked.at(place)
    kept = [(face, numbers[k]) for k, face in enumerate(faces) if k in numbers]
    new = [_new(_marked(face, bool(tracked.doubtful[track])), tracked.vectors[track], track) for face, track in kept]
    return sorted(new, key=lambda face: face.box.left)


def _marked(face: Found, doubtful: bool) -> Found:
    return replace(face, mark="doubtful") if doubtful else face


def _new(face: Found, vector: FloatArray, track: int | None) -> NewFace:
    return NewFace(vector, face.box, face.crop, face.score, face.mark, face.quality, track)
