"""A film whose frames are looked at: which of them, which faces are on them, and who is followed from one to the next."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path

import numpy as np

from core.media.captions.lines import Line, caption_at
from core.media.looking import View, look
from core.media.names.cast import Cast
from core.media.prepare import Moment
from core.media.screen.captions import OnScreen
from core.media.screen.texts import Screen
from core.media.speech.listening import Heard, listen
from core.media.tracking import Sample, Tracked, track, uncovered
from core.media.video.reader import Timeline, frames_at
from core.media.video.sampling import Sampling, dense, stretches
from core.media.work import Looking, Work
from core.problem import FloatArray, IntArray

NOTHING_READ, NOTHING_HEARD = OnScreen(), Heard()
Stretch = tuple[float, float]  # from when to when
WHOLE: Stretch = (0.0, np.inf)


@dataclass(frozen=True, eq=False)
class Film:
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
        return listen(how.ear, work.cache, self.video, self.content, end, hints(cast, read), work.progress, work.stop)

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


def hints(cast: Cast | None, read: OnScreen) -> list[str]:
    """The names that help to hear what is said."""
    return list(cast.people) if cast else read.names
