"""Looks at a video that was given, and plans the frames that come of it; what ``gather_pictures.py`` shares with it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path

import numpy as np

from core.media.cache import Cache
from core.media.captions.lines import Line, caption_at
from core.media.looking import Finder, View, look
from core.media.names.cast import Cast
from core.media.prepare import Moment, Part, followed_faces
from core.media.screen.captions import OnScreen
from core.media.screen.kinds import Reader
from core.media.screen.texts import STRETCH, LazyReader, Screen
from core.media.speech.listening import Ear, Heard, listen
from core.media.tracking import Sample, Tracked, track, uncovered
from core.media.video.reader import Timeline, frames_at
from core.media.video.sampling import Sampling, dense, stretches
from core.media.video.shots import scan
from core.problem import FloatArray, IntArray
from core.progress import Progress
from core.records import Frame, NewFace, NewLine, NewSource, NewTrack, Source, clock

Stop = Callable[[], bool]
NOTHING_READ, NOTHING_HEARD = OnScreen(), Heard()
Stretch = tuple[float, float]  # from when to when
WHOLE: Stretch = (0.0, np.inf)


@dataclass(frozen=True)
class Held:
    """The sources and frames that the project holds already; none of these frames is added again."""

    sources: Sequence[Source] = ()
    frames: Sequence[Frame] = ()

    def of(self, wanted: Callable[[Source], bool]) -> list[Frame]:
        """The frames of the sources for which ``wanted`` holds."""
        sources = {source.id for source in self.sources if wanted(source)}
        return [frame for frame in self.frames if frame.source in sources]


@dataclass(frozen=True, eq=False)
class Work:
    """What all steps of one ingest share. ``held`` is asked when the plan of frames is made, not before."""

    held: Callable[[], Held]
    cache: Cache
    finder: Finder
    progress: Progress
    stop: Stop


@dataclass(frozen=True)
class Looking:
    """How a film is looked at: at which moments, how far around them captions count, whether the screen is read, and with
    which ear it is listened to, if it is."""

    sampling: Sampling
    window: float = 0.0
    screen: bool = True
    ear: Ear | None = None


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


# --- Video -------------------------------------------------------------------------------------------------------------


def gather_video(
    work: Work, video: Path, content: str, timeline: Timeline, given: Given, how: Looking, cast: Cast | None
) -> Gathered:
    """Follows all faces, reads what is written on the screen, and gives the frames that the sampling asks for, with the
    captions that are shown over them."""
    film = _Film(work, video, content, timeline)
    screen = screen_of(work.cache, content, timeline) if how.screen else None
    planned, _ = film.plan(how, given.lines, NOTHING_READ)
    held = work.held().of(lambda source: source.content == content)
    there = {(frame.time, frame.caption) for frame in held}
    if screen is None and all((moment.time, moment.written) in there for moment in planned.values()):
        return Gathered(Part(_source(video, content, timeline), []), there=len(planned))
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
        *([f"the screen was not read: {screen.wrong}"] if screen and screen.wrong else []),
    ]
    captions = tuple(Recaption(frame, moment.caption, None, moment.screen) for frame, moment in again)
    return Gathered(part, skipped, len(planned) - len(new), 0, not finished, captions, tuple(notes))


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
    film = _Film(work, video, content, timeline, span)
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
    return _hints(cast, OnScreen.of(screen.texts(), screen.size, cast))


def _hints(cast: Cast | None, read: OnScreen) -> list[str]:
    return list(cast.people) if cast else read.names


def follow(work: Work, video: Path, content: str, times: Sequence[float]) -> tuple[list[list[NewFace]], list[NewTrack]]:
    """Follows all faces of a film; gives those that are in view at given times, and all tracks."""
    timeline = timeline_of(work, video, content)
    if timeline is None:
        return [], []
    film = _Film(work, video, content, timeline)
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
    film = _Film(work, video, content, timeline)
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


@dataclass(frozen=True, eq=False)
class _Film:
    """A film, or a ``span`` of it, whose frames are looked at; a frame is known by its place in the timeline."""

    work: Work
    video: Path
    content: str
    timeline: Timeline
    span: Stretch = WHOLE

    @cached_property
    def followed(self) -> IntArray:
        """The places at which faces are followed."""
        times = dense(self.timeline)
        return np.unique(self.timeline.at(times[(times >= self.span[0]) & (times < self.span[1])]))

    @cached_property
    def before(self) -> dict[int, int]:
        """For each of these the one before it in its shot."""
        shot = self.timeline.shot(self.timeline.times[self.followed])
        goes_on = np.flatnonzero(shot[1:] == shot[:-1])
        return dict(zip(self.followed[goes_on + 1].tolist(), self.followed[goes_on].tolist(), strict=True))

    def chosen(self, sampling: Sampling, pieces: Sequence[Stretch]) -> list[tuple[int, float]]:
        """For each stretch of time the place that stands for it, and its middle."""
        middles = np.array([(start + stop) / 2 for start, stop in pieces])
        places = self.timeline.at(middles) if sampling.way == "every" else self.nearest(middles)
        return list(zip(places.tolist(), middles.tolist(), strict=True))

    def completed(
        self, tracked: Tracked, pieces: Sequence[Stretch], chosen: Sequence[tuple[int, float]]
    ) -> list[tuple[int, float]]:
        """These places, and further ones until everybody is seen on one."""
        whole = list(chosen)
        for (start, stop), (place, middle) in zip(pieces, chosen, strict=True):
            whole += [(further, middle) for further in uncovered(tracked, start, stop, [place])]
        # somebody who is in view only before or after a line is on no frame yet
        rest = uncovered(tracked, 0.0, self.timeline.duration, [place for place, _ in whole])
        return sorted(whole + [(place, float(self.timeline.times[place])) for place in rest])

    def nearest(self, times: FloatArray) -> IntArray:
        """The frames nearest to these times at which faces are followed anyway."""
        looks = self.timeline.times[self.followed]
        after = np.clip(np.searchsorted(looks, times), 1, max(len(looks) - 1, 1))
        closer = np.abs(times - looks[after - 1]) <= np.abs(times - looks[np.minimum(after, len(looks) - 1)])
        return np.asarray(self.followed[np.minimum(after - closer, len(looks) - 1)])

    def key(self, place: int) -> str:
        """Of a frame, in the cache."""
        return f"{self.content}:{self.timeline.stamps[place]}"

    def listen(self, how: Looking, cast: Cast | None, read: OnScreen) -> Heard:
        """What is said, if that is asked for."""
        if how.ear is None:
            return NOTHING_HEARD
        work, end = self.work, self.timeline.duration
        return listen(how.ear, work.cache, self.video, self.content, end, _hints(cast, read), work.progress, work.stop)

    def plan(
        self, how: Looking, lines: Sequence[Line], read: OnScreen
    ) -> tuple[dict[int, Moment], list[tuple[tuple[float, float], tuple[int, float]]]]:
        """The frames that the sampling asks for; and each stretch of time with its frame and the time it was chosen for."""
        spoken = [(line.start, line.stop) for line in lines]
        shown = [(one.shown.start, one.shown.stop) for one in read.naming]
        pieces = stretches(how.sampling, self.timeline, [*spoken, *shown])
        chosen = self.chosen(how.sampling, pieces)
        return self.moments(sorted(chosen), lines, how.window, read), list(zip(pieces, chosen, strict=True))

    def look_closer(
        self, how: Looking, lines: Sequence[Line], read: OnScreen, tracked: Tracked
    ) -> tuple[dict[int, Moment], bool]:
        """The final plan: with what was read, and with further frames for those whom the planned ones do not show."""
        planned, pieces = self.plan(how, lines, read)
        if how.sampling.way != "every":
            chosen = self.completed(tracked, [piece for piece, _ in pieces], [pair for _, pair in pieces])
            planned = self.moments(chosen, lines, how.window, read)
        return planned, self.look(planned)

    def moments(
        self, chosen: Sequence[tuple[int, float]], lines: Sequence[Line], window: float, read: OnScreen
    ) -> dict[int, Moment]:
        """Frames by their places, each with the captions of the times that it was chosen for."""
        planned = {}
        for place, group in groupby(chosen, key=lambda pair: pair[0]):
            wanted = [time for _, time in group]
            time = float(self.timeline.times[place])
            shot = int(self.timeline.shot(np.array([time]))[0])
            caption = caption_at(lines, wanted[0], wanted[-1], window)
            screen = read.during(wanted[0], wanted[-1])
            planned[place] = Moment(self.key(place), caption, time=time, shot=shot, place=place, screen=screen)
        return planned

    def look(self, shown: Collection[int], followed: IntArray | Sequence[int] = (), screen: Screen | None = None) -> bool:
        """Finds the faces of frames that people will see, and of those in which they are only followed; ``screen`` sees
        the same frames on the way."""
        cache = self.work.cache
        missing = {place for place in shown if not cache.has(self.key(place))}
        missing |= {place for place in followed if place not in shown and not cache.has(self.key(place), shown=False)}
        watched = frozenset(screen.wanted() if screen else ())
        if not missing | watched:
            return True
        views = self._views(missing, shown, screen, watched)
        total = len(missing | watched)
        return look(self.work.finder, cache, views, total, self.work.progress, self.work.stop, film=True)

    def _views(
        self, missing: Collection[int], shown: Collection[int], screen: Screen | None, watched: Collection[int]
    ) -> Iterator[View]:
        """Decodes frames; those that only the screen's watcher wants have nothing to find faces in."""
        for place, pixels in frames_at(self.video, self.timeline, sorted({*missing, *watched})):
            if screen is not None:
                screen.see(place, pixels, watched)
            yield View(self.key(place), pixels if place in missing else None, place in shown, self._key_before(place))
        if screen is not None:
            screen.end()

    def _key_before(self, place: int) -> str:
        return self.key(self.before[place]) if place in self.before else ""

    def tracked(self, places: IntArray) -> Tracked:
        """The faces of all these frames, as far as they were looked at, joined."""
        keys = [(place, self.key(place)) for place in places.tolist()]
        there = [(place, key) for place, key in keys if self.work.cache.has(key, shown=False)]
        samples = [Sample(place, key, self.before.get(place, -1)) for place, key in there]
        return track(self.work.cache, self.timeline, samples, self.work.finder.sure)
