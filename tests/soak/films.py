"""Films that are long or full in one way: ``python -m tests.soak.films [--seconds N] [--cuts N] [--crowd N]``.

A still, a cut twice a second, and a crowd, each taken in by the product itself. Prints processor time and memory of each.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import chain
from pathlib import Path

import av
import numpy as np

from core.jobs.ingest import ingest, project_at
from core.jobs.requests import IngestVideo
from core.media.faces.finder import FaceFinder
from core.media.ingest import Summary
from core.media.video.reader import Pixels
from tests.core.media.films import noisy
from tests.core.media.portraits import PEOPLE, portrait, scene
from tests.core.media.pretended import pretended_finder

RATE = 10


def written(path: Path, frames: Iterator[Pixels]) -> Path:
    """A film of as many frames as there are, none of which is kept."""
    with av.open(str(path), "w") as out:
        first = next(frames)
        stream = out.add_stream("libx264", rate=RATE, options={"preset": "ultrafast", "crf": "28"})
        stream.height, stream.width = first.shape[:2]
        stream.pix_fmt = "yuv420p"
        for k, pixels in enumerate(chain([first], frames)):
            out.mux(stream.encode(_frame(pixels, k)))
        out.mux(stream.encode())
    return path


def _frame(pixels: Pixels, number: int) -> av.VideoFrame:
    frame = av.VideoFrame.from_ndarray(pixels)
    frame.pts, frame.time_base = number, Fraction(1, RATE)
    return frame


def still(seconds: int) -> Iterator[Pixels]:
    picture = scene(portrait("Ada"), portrait("Bruno"))
    yield from (picture for _ in range(seconds * RATE))


def cut(many: int) -> Iterator[Pixels]:
    for seed in range(many):
        picture = noisy(seed)
        yield from (picture for _ in range(RATE // 2 + 1))


def crowd(many: int, seconds: int = 4) -> Iterator[Pixels]:
    """People in rows of twenty, 96 pixels each."""
    faces = [portrait(PEOPLE[k % len(PEOPLE)], 1 + k // len(PEOPLE) % 4)[24:216:2, 24:216:2] for k in range(many)]
    faces += [np.full_like(faces[0], 90)] * (-many % 20)
    picture = np.concatenate([np.concatenate(faces[k : k + 20], axis=1) for k in range(0, len(faces), 20)])
    yield from (picture for _ in range(seconds * RATE))


def taken_in(frames: Iterator[Pixels], finder: FaceFinder | None = None) -> Summary:
    with tempfile.TemporaryDirectory() as folder, project_at(Path(folder) / "p") as project:
        return ingest(project, IngestVideo(written(Path(folder) / "film.mp4", frames)), finder=finder)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.films")
    parser.add_argument("--seconds", type=int, default=3600, help="of the still")
    parser.add_argument("--cuts", type=int, default=10_000)
    parser.add_argument("--crowd", type=int, default=100, help="people")
    chosen = parser.parse_args()
    cases: dict[str, Callable[[], Summary]] = {
        f"a still of {chosen.seconds} s": lambda: taken_in(still(chosen.seconds)),
        f"{chosen.cuts} cuts": lambda: taken_in(cut(chosen.cuts), pretended_finder()),
        f"a crowd of {chosen.crowd}": lambda: taken_in(crowd(chosen.crowd)),
    }
    for name, case in cases.items():
        began = time.process_time()
        summary = case()
        import resource  # not on every system

        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
        print(f"{name}: {summary.text()}; {time.process_time() - began:.0f} s of processor, {memory} MB so far", flush=True)


if __name__ == "__main__":
    main()
