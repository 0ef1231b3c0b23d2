"""What an hour of film costs: ``python -m benchmarks.film_hour [--height 360] [--minutes 60] [--keep DIR]``.

The film is made of the test data's clips, with their captions: parts of them one after the other, in an order of their own,
each mirrored or not, cut closer, lighter or darker, so that no two parts are the same. It is taken in by the command, in a
process of its own; in another height it is the same film, enlarged. Prints processor time, memory, and what came in.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

from benchmarks.film_truth import Film, films
from benchmarks.measure import ran
from core.errors import BadInput
from core.media.captions.lines import Line
from core.media.captions.sources import read_captions
from core.media.video.reader import Pixels
from core.records import clock

RATE, HEIGHT = 25, 360  # of the film that is made first
SHORTEST = 8.0  # seconds of a part
CLOSER = 1.3  # by which a part is cut closer at the most
LIGHTER = 0.2  # by which it is lighter or darker at the most


@dataclass(frozen=True)
class Part:
    """A part of a clip, and what is done to its pictures."""

    film: Film
    start: float
    stop: float
    mirrored: bool
    closer: float
    aside: tuple[float, float]  # 0 to 1: where the closer cut lies
    lighter: float

    def changed(self, pixels: Pixels, width: int, height: int) -> Pixels:
        import cv2

        wide, high = pixels.shape[1] / self.closer, pixels.shape[0] / self.closer
        left, top = self.aside[0] * (pixels.shape[1] - wide), self.aside[1] * (pixels.shape[0] - high)
        part = pixels[int(top) : int(top + high), int(left) : int(left + wide)]
        turned = part[:, ::-1] if self.mirrored else part
        sized = cv2.resize(turned, (width, height), interpolation=cv2.INTER_LINEAR)
        return np.asarray(cv2.convertScaleAbs(sized, alpha=self.lighter), np.uint8)


def parts(clips: list[Film], seconds: float, seed: int = 0) -> Iterator[Part]:
    """Parts of all clips in turn, until so many seconds are full."""
    chance, length = random.Random(seed), {clip.name: duration(clip.video) for clip in clips}
    full = 0.0
    while full < seconds:
        for clip in chance.sample(clips, len(clips)):
            long = min(chance.uniform(SHORTEST, length[clip.name]), seconds - full)
            start, aside = chance.uniform(0, length[clip.name] - long), (chance.random(), chance.random())
            look = chance.random() < 0.5, chance.uniform(1, CLOSER), aside, chance.uniform(1 - LIGHTER, 1 + LIGHTER)
            if long > 0:
                yield Part(clip, start, start + long, *look)
            full += long


def duration(video: Path) -> float:
    with av.open(str(video)) as file:
        stream = file.streams.video[0]
        return float((stream.duration or 0) * (stream.time_base or 0))


def pictures(part: Part) -> Iterator[tuple[float, Pixels]]:
    """The pictures of a part, from its beginning on."""
    with av.open(str(part.film.video)) as file:
        for frame in file.decode(video=0):
            if frame.time is not None and part.start <= frame.time < part.stop:
                yield frame.time - part.start, np.asarray(frame.to_ndarray(format="rgb24"), np.uint8)


def make(folder: Path, clips: list[Film], seconds: float) -> None:
    """Writes the film and its captions, as large as most of the clips are."""
    path, at, lines = folder / f"hour-{HEIGHT}.mp4", 0.0, list[Line]()
    width, height = size = HEIGHT * 16 // 9, HEIGHT
    with av.open(str(path), "w") as out:
        stream = encoder(out, size)
        number = 0
        for part in parts(clips, seconds):
            for moment, pixels in pictures(part):
                while number / RATE <= at + moment:
                    frame = av.VideoFrame.from_ndarray(part.changed(pixels, width, height))
                    frame.pts, frame.time_base = number, Fraction(1, RATE)
                    out.mux(stream.encode(frame))
                    number += 1
            inside = [line for line in read_captions(part.film.captions) if part.start <= line.start < part.stop]
            lines += [Line(at + line.start - part.start, at + line.stop - part.start, line.written) for line in inside]
            at += part.stop - part.start
        out.mux(stream.encode())
    path.with_suffix(".srt").write_text(subtitles(lines), encoding="utf-8")


def enlarge(folder: Path, height: int) -> None:
    """Writes the film that is there in another size."""
    path, other = folder / f"hour-{HEIGHT}.mp4", folder / f"hour-{height}.mp4"
    width, height = size = height * 16 // 9, height
    with av.open(str(path)) as film, av.open(str(other), "w") as out:
        stream = encoder(out, size)
        for frame in film.decode(video=0):
            out.mux(stream.encode(frame.reformat(width, height, "yuv420p")))
        out.mux(stream.encode())
    shutil.copy(path.with_suffix(".srt"), other.with_suffix(".srt"))


def encoder(out: av.container.OutputContainer, size: tuple[int, int]) -> av.VideoStream:
    stream = out.add_stream("libx264", rate=RATE, options={"preset": "superfast", "crf": "23"})
    stream.width, stream.height, stream.pix_fmt = *size, "yuv420p"
    return stream


def subtitles(lines: list[Line]) -> str:
    def when(seconds: float) -> str:
        whole, part = divmod(round(seconds * 1000), 1000)
        return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02},{part:03}"

    return "\n".join(f"{k}\n{when(line.start)} --> {when(line.stop)}\n{line.written}\n" for k, line in enumerate(lines, 1))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.film_hour")
    parser.add_argument("--height", type=int, default=HEIGHT)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument(
        "--keep", type=Path, help="a folder to keep the film and its project in; a film that is there is used"
    )
    chosen = parser.parse_args()
    data = os.environ.get("ROLLCALL_TEST_DATA")
    clips = [film for film in films(Path(data) if data else None) if film.truth]
    if not clips:
        raise BadInput("the clips are in the test data; say in ROLLCALL_TEST_DATA where that is")
    with tempfile.TemporaryDirectory() as folder:
        place = chosen.keep or Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        film = place / f"hour-{chosen.height}.mp4"
        if not (place / f"hour-{HEIGHT}.srt").exists():
            make(place, clips, chosen.minutes * 60)
        if not film.with_suffix(".srt").exists():
            enlarge(place, chosen.height)
        project = place / f"project-{chosen.height}"
        shutil.rmtree(project, ignore_errors=True)
        words = ["ingest", "--project", project, "--video", film, "--captions", film.with_suffix(".srt")]
        took = ran("-m", "core", *words)
        print(f"{clock(duration(film))} of film, {film.stat().st_size >> 20} MB: {took.out.strip().splitlines()[-1]}")
        print(f"{took.processor:.0f} s of processor, {took.seconds:.0f} s on the clock, {took.memory_mb} MB at the most")


if __name__ == "__main__":
    try:
        main()
    except BadInput as error:
        sys.exit(str(error))
