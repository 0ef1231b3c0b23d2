"""The faces of a film as tracks: who stays in view, from when to when, and where nobody would see them on a chosen frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import between, find
from core.media.cache import Cache
from core.media.faces.doubt import doubtful
from core.media.faces.finder import SMALL_SIDE
from core.media.faces.following import corners
from core.media.faces.kinds import Found, Picture
from core.media.faces.tracks import mean_vectors, tracks
from core.media.video.reader import Timeline
from core.problem import BoolArray, FloatArray, IntArray
from core.records import Box, NewTrack

SLOWEST = 0.5  # seconds from one look to the next


@dataclass(frozen=True)
class Sample:
    """A frame that was looked at: its place in the timeline, its key in the cache, and the place of the look before it."""

    place: int
    content: str
    before: int = -1


@dataclass(frozen=True, eq=False)
class Tracked:
    """All faces of a film that are in a track, one row each, in the order of their times."""

    place: IntArray  # of the frame in the timeline
    index: IntArray  # of the face among those of its frame
    number: IntArray  # of the track
    time: FloatArray
    until: FloatArray  # start and stop of the time that the frame stands for: rows × 2
    box: FloatArray  # rows × 4
    quality: FloatArray
    small: Picture  # rows × 40 × 40, grey
    vectors: FloatArray  # of the tracks: the quality-weighted means
    doubtful: BoolArray  # of the tracks: perhaps no face

    @property
    def many(self) -> int:
        return len(self.vectors)

    def at(self, place: int) -> dict[int, int]:
        """The tracks on a frame: the index of the face there, and the track's number."""
        rows = between(self.place, place, place + 1)
        return dict(zip(self.index[rows].tolist(), self.number[rows].tolist(), strict=True))

    def of(self, track: int) -> IntArray:
        """The rows of a track."""
        return np.flatnonzero(self.number == track)

    def during(self, start: float, stop: float) -> slice:
        """The rows of a stretch of time."""
        return between(self.time, start - 1e-6, stop)

    def records(self) -> Iterator[NewTrack]:
        """The tracks in the order of their numbers."""
        order = np.argsort(self.number, kind="stable")
        for rows in np.split(order, np.flatnonzero(np.diff(self.number[order])) + 1) if len(order) else ():
            boxes = [Box(*corners) for corners in np.round(self.box[rows], 1).tolist()]
            times = np.round(self.time[rows], 3).tolist()
            start, stop = self.until[rows[0], 0], self.until[rows[-1], 1]
            yield NewTrack(float(start), float(stop), tuple(zip(times, boxes, strict=True)))


def track(cache: Cache, timeline: Timeline, samples: Sequence[Sample], sure: float) -> Tracked:
    """Joins the faces of all samples, which come in the order of their places. ``sure`` is the score of a face."""
    faces = [(sample, k, face) for sample in samples for k, face in enumerate(cache.faces(sample.content))]
    place = np.array([sample.place for sample, _, _ in faces], np.int64)
    index = np.array([k for _, k, _ in faces], np.int64)
    time = timeline.times[place] if len(place) else np.zeros(0)
    box = corners([face.box for *_, face in faces])
    quality = np.array([face.quality for *_, face in faces])
    score = np.array([face.score for *_, face in faces])
    small = np.array([face.small for *_, face in faces], np.uint8).reshape(-1, SMALL_SIDE, SMALL_SIDE)
    source = _embedded(faces)
    vectors = np.array([face.embedding for *_, face in faces], np.float32)[source]
    del faces  # as large as all that follows
    weight = quality * (source == np.arange(len(source))) + 1e-9
    number = tracks(_clock(timeline, samples, place), timeline.shot(time), box, vectors, weight)
    kept = _seen_often(number, score, sure)[number] if len(number) else np.zeros(0, bool)
    kept &= vectors.any(axis=1) if len(number) else kept
    number = np.unique(number[kept], return_inverse=True)[1]
    until = _until(timeline, np.array([sample.place for sample in samples], np.int64), place[kept])
    means = mean_vectors(number, vectors[kept], weight[kept]) if len(number) else np.zeros((0, 0))
    return Tracked(
        place=place[kept],
        index=index[kept],
        number=number,
        time=time[kept],
        until=until,
        box=box[kept],
        quality=quality[kept],
        small=small[kept],
        vectors=means.astype(np.float32),
        doubtful=doubtful(number, timeline.shot(time[kept]), score[kept], box[kept], small[kept], sure),
    )


def _clock(timeline: Timeline, samples: Sequence[Sample], place: IntArray) -> FloatArray:
    """The times of faces, as if no look came later than ``SLOWEST`` after the one before: in a film of few frames a second
    nobody is away in between."""
    looks = np.array([sample.place for sample in samples], np.int64)
    steps = np.minimum(np.diff(timeline.times[looks]), SLOWEST) if len(looks) else np.zeros(0)
    return np.asarray(np.r_[0.0, np.cumsum(steps)][np.searchsorted(looks, place)])


def _embedded(faces: Sequence[tuple[Sample, int, Found]]) -> IntArray:
    """For each face the row of the one whose vector it has: its own, or that of the face which it goes on from."""
    rows = {(sample.place, k): row for row, (sample, k, _) in enumerate(faces)}
    source = np.array(
        [rows.get((sample.before, face.follows), row) if face.since else row for row, (sample, _, face) in enumerate(faces)],
        np.int64,
    )
    while (further := source[source] != source).any():
        source = np.where(further, source[source], source)
    return source


def _seen_often(number: IntArray, score: FloatArray, sure: float) -> BoolArray:
    """By track, whether it is somebody: its best face is one for sure, and surer still where it is the only one."""
    best = np.zeros(int(number.max()) + 1)
    np.maximum.at(best, number, score)
    return np.asarray(best >= np.where(np.bincount(number) > 1, sure, (1 + sure) / 2))


def _until(timeline: Timeline, samples: IntArray, place: IntArray) -> FloatArray:
    """From when to when the frame of each row stands: half-way to the next ones, and never over a cut."""
    if not len(samples):
        return np.zeros((0, 2))
    times = timeline.times[samples]
    shot = timeline.shot(times)
    edges = np.r_[0.0, timeline.cuts, timeline.duration]
    between = (times[1:] + times[:-1]) / 2
    same = shot[1:] == shot[:-1]
    start = np.r_[edges[shot[0]], np.where(same, between, edges[shot[1:]])]
    stop = np.r_[np.where(same, between, edges[shot[:-1] + 1]), edges[shot[-1] + 1]]
    at = find(samples, place)
    return np.stack([start[at], stop[at]], axis=1)


def uncovered(tracked: Tracked, start: float, stop: float, shown: Sequence[int]) -> list[int]:
    """The fewest further frames of a stretch of time on which everybody is seen whom the ``shown`` ones do not show."""
    rows = tracked.during(start, stop)
    place, number = tracked.place[rows], tracked.number[rows]
    chosen: list[int] = []
    while len(number := number[keep := ~np.isin(number, number_at(tracked, [*shown, *chosen]))]):
        place = place[keep]
        frames, many = np.unique(place, return_counts=True)
        chosen.append(int(frames[np.argmax(many)]))
    return chosen


def number_at(tracked: Tracked, places: Sequence[int]) -> IntArray:
    """The tracks that are on some of these frames."""
    return np.asarray(tracked.number[np.isin(tracked.place, places)])
