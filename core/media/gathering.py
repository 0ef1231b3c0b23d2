"""Looks at a video that was given, and plans the frames that come of it; what ``gather_pictures.py`` shares with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from core.media.cache import Cache
from core.media.captions.lines import Line
from core.media.film import NOTHING_HEARD, NOTHING_READ, WHOLE, Film, Stretch, hints
from core.media.names.cast import Cast
from core.media.prepare import Moment, Part, followed_faces
from core.media.screen.captions import OnScreen
from core.media.screen.kinds import Reader
from core.media.screen.texts import STRETCH, LazyReader, Screen
from core.media.speech.listening import DOUBT
from core.media.tracking import Tracked
from core.media.video.reader import Timeline
from core.media.video.sampling import Sampling, dense, stretches
from core.media.video.shots import scan
from core.media.work import Looking, Work
from core.records import Frame, NewFace, NewLine, NewSource, NewTrack, clock


@dataclass(frozen=True)
class Given:
    """A film's captions; those of them that Rollcall read itself are ``kept`` with the film."""

    lines: Sequence[Line] = ()
    kept: Sequence[NewLine] = ()


@dataclass(frozen=True)
class Recaption:
    """Another caption for a frame of the project, with the names that a table lists for it."""

    frame: int
    caption: str
    given: tuple[str, ...] | None = None
    screen: tuple[tuple[str, str], ...] = ()  # what names somebody on the screen: the text, and the name

    @property
    def moment(self) -> Moment:
        return Moment("", self.caption, self.given, screen=self.screen)


@dataclass(frozen=True)
class Gathered:
    """A source with the frames that were looked at, and what became of the others."""

    part: Part
    skipped: tuple[tuple[str, str], ...] = ()  # what cannot be used, and why
    there: int = 0  # frames that the project has already
    uncaptioned: int = 0  # pictures that came in without a caption
    stopped: bool = False
    captions: tuple[Recaption, ...] = ()  # for frames that the project has already
    notes: tuple[str, ...] = ()
    cast: Cast | None = None  # the cast list, as far as it counts


# --- Video -------------------------------------------------------------------------------------------------------------


def gather_video(
    work: Work, video: Path, content: str, timeline: Timeline, given: Given, how: Looking, cast: Cast | None
) -> Gathered:
    """Follows all faces, reads what is written on the screen, and gives the frames that the sampling asks for, with the
    captions that are shown over them."""
    film = Film(work, video, content, timeline)
    screen = screen_of(work.cache, content, timeline) if how.screen else None
    planned, _ = film.plan(how, given.lines, NOTHING_READ)
    held = work.held().of(lambda source: source.content == content)
    there = {(frame.time, frame.caption) for frame in held}
    if screen is None and all((moment.time, moment.written) in there for moment in planned.values()):
        return Gathered(Part(_source(video, content, timeline), []), there=len(planned), cast=cast)
    finished = film.look(planned, film.followed, screen)
    tracked = film.tracked(np.union1d(film.followed, list(planned)))
    texts = screen.texts() if screen else []
    read = OnScreen.of(texts, screen.size, cast) if screen and texts else NOTHING_READ
    heard = film.listen(how, cast, read) if finished and not given.lines else NOTHING_HEARD
    finished &= heard.finished
    lines = given.lines or heard.lines() or read.subtitles
    if finished:
        planned, finished = film.look_closer(how, lines, read, tracked)
    again = _told_more(planned.values(), held)
    there |= {(moment.time, moment.written) for _, moment in again}
    new = {place: moment for place, moment in planned.items() if (moment.time, moment.written) not in there}
    seen = {place: moment for place, moment in new.items() if work.cache.has(moment.content)}
    lost = [moment for place, moment in new.items() if place not in seen] if finished else []
    skipped = tuple((f"{video.name} at {clock(moment.time or 0)}", "cannot be decoded") for moment in lost)
    source = replace(_source(video, content, timeline), lines=(*given.kept, *heard.records(), *read.lines()) if seen else ())
    part = Part(source, list(seen.values()), tracked=tracked, lines=lines, listed=read.names)
    notes = [
        *read.told(),
        *(heard.told() if heard is not NOTHING_HEARD else []),
        *([DOUBT] if heard.doubted and cast else []),
        *([f"the screen was not read: {screen.wrong}"] if screen and screen.wrong else []),
    ]
    captions = tuple(Recaption(frame, moment.caption, None, moment.screen) for frame, moment in again)
    return Gathered(part, skipped, len(planned) - len(new), 0, not finished, captions, tuple(notes), heard.by(cast))


def _told_more(planned: Iterable[Moment], held: Sequence[Frame]) -> list[tuple[int, Moment]]:
    """Frames of the project that were added before the screen was read or anybody listened, with what is known now."""
    by_time, there = {frame.time: frame for frame in held}, {(frame.time, frame.caption) for frame in held}
    more = [moment for moment in planned if moment.time in by_time and (moment.time, moment.written) not in there]
    found = [(by_time[moment.time], moment) for moment in more]
    return [(frame.id, moment) for frame, moment in found if frame.caption in ("", moment.caption)]


def _source(video: Path, content: str, timeline: Timeline) -> NewSource:
    return NewSource("video", str(video.absolute()), video.name, content, timeline.duration)


def look_through(
    work: Work,
    video: Path,
    content: str,
    timeline: Timeline,
    spoken: Sequence[Stretch],
    sampling: Sampling,
    span: Stretch,
    screen: Screen | None = None,
) -> bool:
    """Looks at a piece of a film, from cut to cut, as ``gather_video`` does at the whole: what that will ask the cache for
    is then there. ``screen`` is watched on the way. False where it was told to stop."""
    film = Film(work, video, content, timeline, span)
    pieces = [piece for piece in stretches(sampling, timeline, spoken) if span[0] <= sum(piece) / 2 < span[1]]
    chosen = film.chosen(sampling, pieces)
    shown = {place for place, _ in chosen}
    if not film.look(shown, film.followed, screen):
        return False
    if sampling.way == "every":
        return True
    tracked = film.tracked(np.union1d(film.followed, list(shown)).astype(np.int64))
    return film.look({place for place, _ in film.completed(tracked, pieces, chosen)})


def screen_of(cache: Cache, content: str, timeline: Timeline, span: Stretch = WHOLE, reader: Reader | None = None) -> Screen:
    """The screen of a film, or those of its stretches that begin in a span: each is watched whole, by one piece alone."""
    looks = timeline.at(dense(timeline))
    begun = timeline.times[looks] // STRETCH * STRETCH
    here = np.unique(looks[(begun >= span[0]) & (begun < span[1])])
    return Screen(cache, content, timeline, here, reader or LazyReader())


def names_read(work: Work, content: str, timeline: Timeline, cast: Cast | None) -> list[str]:
    """The names that help to hear what is said: of the cast list, or else those that were read on the screen."""
    screen = screen_of(work.cache, content, timeline)
    return hints(cast, OnScreen.of(screen.texts(), screen.size, cast))


def follow(work: Work, video: Path, content: str, times: Sequence[float]) -> tuple[list[list[NewFace]], list[NewTrack]]:
    """Follows all faces of a film; gives those that are in view at given times, and all tracks."""
    timeline = timeline_of(work, video, content)
    if timeline is None:
        return [], []
    film = Film(work, video, content, timeline)
    places = timeline.at(times)
    if not film.look(set(places.tolist()), film.followed):
        return [], []
    tracked = film.tracked(np.union1d(film.followed, places))
    seen = [work.cache.get(film.key(place)).faces if work.cache.has(film.key(place)) else [] for place in places.tolist()]
    faces = [followed_faces(some, tracked, place) for some, place in zip(seen, places.tolist(), strict=True)]
    return faces, list(tracked.records())


def known_tracks(work: Work, video: Path, content: str) -> Tracked | None:
    """The tracks of a film that was looked at before, from what is kept of it alone; None where some of that is gone."""
    timeline = work.cache.timeline(content)
    if timeline is None:
        return None
    film = Film(work, video, content, timeline)
    whole = all(work.cache.has(film.key(place), shown=False) for place in film.followed.tolist())
    return film.tracked(film.followed) if whole else None


def timeline_of(work: Work, video: Path, content: str) -> Timeline | None:
    """The timeline of a film, scanned once; None if it was told to stop."""
    timeline = work.cache.timeline(content)
    if timeline is None:
        timeline = scan(video, work.progress, work.stop)
        if timeline is not None:
            work.cache.put_timeline(content, timeline)
    return timeline
