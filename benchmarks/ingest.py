"""How fast faces are found in a video, as a multiple of facenet-pytorch's plain loop over the frames.

``python benchmarks/ingest.py [VIDEO] [--every SECONDS] [--repeats N]`` takes a frame every half second, finds and embeds its
faces in both ways, and times both in the same run, a few frames each in turn, so that a busy machine slows both. Decoding
counts in both. The default video is the test data's. Prints a line for people and saves JSON in ``benchmarks/results/``.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray
from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[1]))

from core.errors import BadInput
from core.media.faces.facenet_weights import facenet_state
from core.media.faces.finder import FaceFinder
from core.media.faces.mtcnn import Mtcnn
from core.media.faces.native_ops import make_ready
from core.problem import FloatArray

RESULTS = Path(__file__).parent / "results"
TURN = 16  # frames at a time

Picture = NDArray[np.uint8]
Find = Callable[[list[Picture]], list[FloatArray]]  # the boxes of each picture's faces, which are embedded too


def plain() -> Find:
    """What a reader of facenet-pytorch's documentation writes."""
    make_ready()
    import torch
    from facenet_pytorch import MTCNN, InceptionResnetV1

    detector = MTCNN(keep_all=True)
    embedder = InceptionResnetV1().eval()
    embedder.load_state_dict({name: torch.tensor(values) for name, values in facenet_state().items()}, strict=False)

    def one(picture: Picture) -> FloatArray:
        image = Image.fromarray(picture)
        boxes, scores = detector.detect(image)
        boxes = np.zeros((0, 4)) if boxes is None else boxes[scores.astype(float) >= Mtcnn.sure].astype(float)
        if len(boxes):
            with torch.no_grad():
                embedder(detector.extract(image, boxes, None))
        return boxes

    return lambda pictures: [one(picture) for picture in pictures]


def ours() -> Find:
    finder = FaceFinder()

    def find(pictures: list[Picture]) -> list[FloatArray]:
        boxes = [[[f.box.left, f.box.top, f.box.right, f.box.bottom] for f in faces] for faces in finder.find(pictures)]
        return [np.array(faces, float).reshape(-1, 4) for faces in boxes]

    return find


def frames(video: Path, every: float) -> Iterator[Picture]:
    """A frame every so many seconds."""
    with av.open(str(video)) as container:
        container.streams.video[0].thread_type = "AUTO"
        taken = 0
        for frame in container.decode(video=0):
            if frame.time is not None and frame.time >= taken * every:
                taken += 1
                yield np.asarray(frame.to_ndarray(format="rgb24"), np.uint8)


def shared(ones: FloatArray, others: FloatArray) -> int:
    """How many faces both found: their boxes overlap by half."""
    corner = np.maximum(ones[:, None, :2], others[:, :2])
    inter = (np.minimum(ones[:, None, 2:], others[:, 2:]) - corner).clip(0).prod(axis=2)
    area, other = ((boxes[:, 2:] - boxes[:, :2]).prod(axis=1) for boxes in (ones, others))
    return int((inter > 0.5 * (area[:, None] + other - inter)).any(axis=1).sum())


@dataclass
class Watched:
    """What one way needed for a video, and the boxes it found in each frame."""

    seconds: float = 0.0
    processor: float = 0.0  # seconds of all cores; hardly changes when others use the machine
    boxes: list[FloatArray] = field(default_factory=list)


def watch(video: Path, every: float, ways: list[Find]) -> list[Watched]:
    """A video seen in each way, a few frames each in turn."""
    films, watched = [frames(video, every) for _ in ways], [Watched() for _ in ways]
    while True:
        for film, way, so_far in zip(films, ways, watched, strict=True):
            wall, processor = time.perf_counter(), time.process_time()
            pictures = list(islice(film, TURN))
            so_far.boxes += way(pictures)
            so_far.seconds += time.perf_counter() - wall
            so_far.processor += time.process_time() - processor
        if not pictures:
            return watched


def default_video() -> Path | None:
    folder = os.environ.get("ROLLCALL_TEST_DATA")
    return Path(folder) / "clip" / "scene_a.mp4" if folder else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("video", type=Path, nargs="?", default=default_video(), help="default: the test data's")
    parser.add_argument("--every", type=float, default=0.5, help="seconds between frames")
    parser.add_argument("--repeats", type=int, default=3, help="times the video is gone through")
    parsed = parser.parse_args()
    if parsed.video is None or not parsed.video.is_file():
        parser.error("name a video, or set ROLLCALL_TEST_DATA to the folder with the test data")
    try:
        ways = [plain(), ours()]
    except BadInput as error:
        parser.error(str(error))
    for way in ways:  # the first pictures also warm up
        way(list(islice(frames(parsed.video, parsed.every), 4)))
    turns = [watch(parsed.video, parsed.every, ways) for _ in range(parsed.repeats)]
    slow, fast = (statistics.median(turn[k].seconds for turn in turns) for k in (0, 1))
    found = [watched.boxes for watched in turns[0]]
    result = {
        "work": "finding and embedding the faces of a video",
        "video": parsed.video.name,
        "frames": len(found[0]),
        "faces_plain": sum(map(len, found[0])),
        "faces": sum(map(len, found[1])),
        "faces_in_both": sum(shared(one, other) for one, other in zip(*found, strict=True)),
        "frames_a_second_plain": round(len(found[0]) / slow, 2),
        "frames_a_second": round(len(found[1]) / fast, 2),
        "times_plain": round(statistics.median(turn[0].seconds / turn[1].seconds for turn in turns), 2),
        "times_plain_by_processor": round(statistics.median(turn[0].processor / turn[1].processor for turn in turns), 2),
    }
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "ingest.json").write_text(json.dumps(result, indent=1) + "\n")
    print(
        f"{result['work']}: {result['frames_a_second']} frames a second, {result['times_plain']} times the plain loop's "
        f"{result['frames_a_second_plain']} ({result['times_plain_by_processor']} by processor time); "
        f"{result['faces']} faces, plain {result['faces_plain']}, {result['faces_in_both']} in both"
    )


if __name__ == "__main__":
    main()
