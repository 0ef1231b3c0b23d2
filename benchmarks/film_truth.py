"""Who is where in the test films, and which found face is whose."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from assets.demo.film import who_is
from core.media.faces.suppress import overlaps
from core.problem import FloatArray, IntArray
from core.records import Box, Track

DEMO = Path(__file__).parents[1] / "assets" / "demo" / "project" / "uploads"
SAME = 0.3  # intersection over union of a found face and a true one
NEAR = 0.16  # seconds between the two
NOT_KNOWN = None


@dataclass(frozen=True)
class Film:
    name: str
    video: Path
    captions: Path
    truth: Path | None  # None: the demo, which knows who it drew where


def films(folder: Path | None) -> list[Film]:
    """All films there are."""
    found = [Film("demo", next(DEMO.glob("*.mp4")), next(DEMO.glob("*.srt")), None)]
    if folder is None:
        return found
    for truth in sorted((folder / "films").glob("*.truth.json")):
        name = truth.name.removesuffix(".truth.json")
        video = next(path for where in ("films", "clip") if (path := folder / where / f"{name}.mp4").exists())
        found.append(Film(name, video, video.with_suffix(".srt"), truth))
    return found


class Truth:
    """Who is where: ``who`` gives, for a found face, the true track's number (-1: none) and its name (None: not known)."""

    def __init__(self, film: Film) -> None:
        listed = json.loads(film.truth.read_text()) if film.truth else []
        self.names = [track["name"] if track["known"] else NOT_KNOWN for track in listed]
        rows = [(*face, number) for number, track in enumerate(listed) for face in track["faces"]]
        table = np.array(rows, np.float64).reshape(-1, 6)
        table = table[np.argsort(table[:, 0], kind="stable")]
        self.time, self.box, self.track = table[:, 0], table[:, 1:5], table[:, 5].astype(np.int64)
        self.drawn = film.truth is None
        self.shown: dict[str, int] = {}

    def who(self, moment: float, box: Box) -> tuple[int, str | None]:
        if self.drawn:
            name = who_is(moment, box)
            return (-1, "") if name is None else (self.shown.setdefault(name, len(self.shown)), name)
        rows = self.at(moment)
        overlap = overlaps(np.array([[box.left, box.top, box.right, box.bottom]]), self.box[rows])[0]
        if not len(rows) or overlap.max() < SAME:
            return -1, NOT_KNOWN
        track = int(self.track[rows[overlap.argmax()]])
        return track, self.names[track]

    def at(self, moment: float) -> IntArray:
        """The rows of the true moment that is nearest, if it is near."""
        if not len(self.time):
            return np.zeros(0, np.int64)
        nearest = self.time[np.argmin(np.abs(self.time - moment))]
        return np.flatnonzero(self.time == nearest) if abs(nearest - moment) <= NEAR else np.zeros(0, np.int64)


@dataclass(frozen=True, eq=False)
class Faces:
    """All faces of all tracks, one row each, with who they are."""

    track: IntArray  # index into the list of tracks
    time: FloatArray
    box: FloatArray
    true: IntArray  # number of the true track, -1: none
    name: list[str | None]


def scored(tracks: Sequence[Track], truth: Truth) -> Faces:
    rows = [(k, time, box, *truth.who(time, box)) for k, track in enumerate(tracks) for time, box in track.boxes]
    return Faces(
        np.array([row[0] for row in rows], np.int64),
        np.array([row[1] for row in rows]),
        np.array([(row[2].left, row[2].top, row[2].right, row[2].bottom) for row in rows]).reshape(-1, 4),
        np.array([row[3] for row in rows], np.int64),
        [row[4] for row in rows],
    )


def most(names: Sequence[str | None]) -> str | None:
    """Who a track is: the name of most of its known faces."""
    known = Counter(name for name in names if name is not None)
    return known.most_common(1)[0][0] if known else NOT_KNOWN
