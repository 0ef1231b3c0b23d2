"""Renders the film, its captions, and the truth about who is where."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, islice, pairwise
from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray

from assets.demo import script, stage
from assets.demo.looks import CAST
from core.formats.write.webvtt import clock
from core.progress import Progress, silent
from core.records import Box

BIT_RATE = 190_000
WORKERS = 2  # shots drawn at a time
SAME = 0.4  # overlap from which a found face is the drawn one
STEP = 0.5  # seconds: how finely the truth is written down


@dataclass(frozen=True)
class DemoFilm:
    """Where the film and what belongs to it lie."""

    video: Path
    captions: Path
    truth: Path


def seconds() -> float:
    return script.starts()[-1]


def shot_at(time: float) -> int:
    return min(max(bisect_right(script.starts(), time) - 1, 0), len(script.SHOTS) - 1)


def people_at(time: float) -> list[tuple[Box, str]]:
    """The faces in the picture at this time, from left to right: where, and who; extras by what they are."""
    number = shot_at(time)
    since = _shown(time) - script.starts()[number]
    view = stage.camera(number, since)
    faces = [(Box(*stage.face_box(pose, view)), pose.who) for pose in stage.poses(number, since)]
    return sorted(faces, key=lambda face: face[0].left)


def truth_at(time: float) -> list[tuple[Box, str]]:
    """The faces in the picture at this time, from left to right: where, and who; "" for an extra, who is nobody."""
    return [(box, who if who in CAST else "") for box, who in people_at(time)]


def who_is(time: float, box: Box) -> str | None:
    """Whose face was found in this box at this time: a name, "" for nobody, None where no face was drawn."""
    overlaps = [(overlap(box, drawn), who) for drawn, who in truth_at(time)]
    best, who = max(overlaps, default=(0.0, ""))
    return who if best > SAME else None


def overlap(one: Box, other: Box) -> float:
    """The share of their common area that two boxes both cover."""
    wide = min(one.right, other.right) - max(one.left, other.left)
    high = min(one.bottom, other.bottom) - max(one.top, other.top)
    both = max(wide, 0.0) * max(high, 0.0)
    areas = sum((box.right - box.left) * (box.bottom - box.top) for box in (one, other))
    return both / (areas - both)


def _shown(time: float) -> float:
    """The time of the picture that is on screen: pictures change only so often."""
    return max(int(time * stage.RATE + 1e-6) / stage.RATE, script.starts()[shot_at(time)])


def render(folder: Path, progress: Progress = silent) -> DemoFilm:
    """Writes the film, its captions (dialogue and description in one file) and the truth into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    film = DemoFilm(folder / "the-lighthouse-birthday.mp4", folder / "the-lighthouse-birthday.srt", folder / "truth.json")
    film.captions.write_text(captions(), encoding="utf-8")
    film.truth.write_text(json.dumps(truth(), indent=1), encoding="utf-8")
    _encode(film.video, progress)
    return film


def _encode(path: Path, progress: Progress) -> None:
    total = int(seconds() * stage.RATE)
    known = "libx264" in av.codecs_available
    with av.open(str(path), "w", options={"movflags": "faststart"}) as file:
        stream = file.add_stream("libx264" if known else "mpeg4", rate=stage.RATE)
        stream.width, stream.height = stage.FRAME
        stream.pix_fmt = "yuv420p"
        stream.time_base = Fraction(1, stage.RATE)
        if known:
            stream.options = {"crf": "23", "preset": "veryfast", "tune": "animation", "threads": "1"}
        else:
            stream.bit_rate = BIT_RATE
        for index, picture in enumerate(_pictures(total)):
            frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
            frame.pts = index
            file.mux(stream.encode(frame))
            progress("drawing the film", index + 1, total)
        file.mux(stream.encode())


def _pictures(total: int) -> Iterator[NDArray[np.uint8]]:
    """All pictures in their order; two shots are drawn at a time, and only a few are kept waiting."""
    times = [index / stage.RATE for index in range(total)]
    shots = [list(same) for _, same in groupby(times, shot_at)]
    with ThreadPoolExecutor(WORKERS) as pool:
        waiting = deque(pool.submit(_drawn, shot) for shot in shots[: WORKERS + 1])
        following = iter(shots[WORKERS + 1 :])
        while waiting:
            yield from waiting.popleft().result()
            waiting.extend(pool.submit(_drawn, shot) for shot in islice(following, 1))


def _drawn(times: Sequence[float]) -> list[NDArray[np.uint8]]:
    number = shot_at(times[0])
    return [np.asarray(stage.picture(number, time - script.starts()[number])) for time in times]


def captions() -> str:
    """The captions as SubRip: who speaks in capitals before a colon, what is seen in brackets."""
    lines = [
        f"{k}\n{clock(spoken.start, ',')} --> {clock(spoken.stop, ',')}\n{spoken.cue.line}\n"
        for k, spoken in enumerate(script.spoken(), start=1)
    ]
    return "\n".join(lines)


def truth() -> list[dict[str, object]]:
    """Who is where: for every half second of every shot each face's box at its middle; an extra's person is ""."""
    rows: list[dict[str, object]] = []
    for number, (start, stop) in enumerate(zip(script.starts()[:-1], script.starts()[1:], strict=True)):
        pieces = max(1, round((stop - start) / STEP))
        edges = np.linspace(start, stop, pieces + 1).tolist()
        for from_, to in pairwise(edges):
            for box, person in truth_at((from_ + to) / 2):
                corners = [round(value, 1) for value in (box.left, box.top, box.right, box.bottom)]
                rows.append(
                    {"start": round(from_, 3), "stop": round(to, 3), "shot": number, "person": person, "box": corners}
                )
    return rows
