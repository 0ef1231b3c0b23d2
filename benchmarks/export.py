"""What writing a project's labels costs in each format, as a multiple of putting the same bytes on the disk.

``python benchmarks/export.py [--faces N] [--repeats N] [--formats a,b]`` exports made-up labels and, turn by turn, writes as
many plain bytes into as many files of the same folders, so that a busy disk slows both. What is made is removed at the very
end: file systems are slow to make files where many were just deleted. Prints a line a format and saves JSON in
``benchmarks/results/``.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from core.formats.write.exports import EXPORTS, export
from core.records import Box, Face, Frame, Labelled, LabelledFrame, Labels, Source

RESULTS = Path(__file__).parent / "results"


def made(faces: int, kind: str, crop: Path) -> Labels:
    """Labels of a film or an album: two faces a frame, 200 names, a caption a frame."""
    pictures = kind == "pictures"
    source = Source(0, "pictures" if pictures else "video", f"/x/{kind}", kind, "", None)
    frames = []
    for k in range(faces // 2):
        names = tuple(f"Person {(7 * k + j) % 200}" for j in range(3))
        labelled = tuple(
            Labelled(
                Face(2 * k + j, k, Box(90.5 + 200 * j, 40, 210 + 200 * j, 190.25), 0.9, "", k // 5, None, crop),
                names[j] if (k + j) % 5 else "",
                0.81,
                "predicted" if k % 3 else "confirmed",
                "" if k % 3 else "Ann",
            )
            for j in range(2)
        )
        caption = f"{names[0]} speaks to {names[1]}, and {names[2]} listens from the other end of the room."
        frame = Frame(
            k, 0, None if pictures else 0.5 * k, f"d{k % 50}/{k}.jpg" if pictures else "", 1280, 720, caption, k // 9, None
        )
        frames.append(LabelledFrame(frame, source, names, labelled))
    return Labels("benchmark", tuple(frames))


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds on the clock, and of the processor."""
    started, busy = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - started, time.process_time() - busy


def plain(sizes: dict[str, int], folder: Path) -> None:
    """The yardstick: files of the same places and sizes, the one file of a file format flushed to the disk."""
    for parent in {(folder / name).parent for name in sizes}:
        parent.mkdir(parents=True, exist_ok=True)
    for name, size in sizes.items():
        with (folder / name).open("wb") as file:
            file.write(bytes(size))
            if len(sizes) == 1:
                file.flush()
                os.fsync(file.fileno())


def measure(name: str, labels: Labels, embeddings: np.ndarray, repeats: int, folder: Path) -> dict[str, object]:
    turns = []
    for turn in range(repeats):
        path = folder / f"{name}{turn}{EXPORTS[name].suffix}"
        took, busy = timed(lambda path=path: export(labels, name, path, embeddings))  # type: ignore[misc]
        files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
        sizes = {str(file.relative_to(path)) if path.is_dir() else "one": file.stat().st_size for file in files}
        turns.append((took, busy, timed(lambda sizes=sizes, turn=turn: plain(sizes, folder / f"{name}{turn}.plain"))[0]))  # type: ignore[misc]
    return {
        "format": name,
        "faces": sum(len(frame.faces) for frame in labels.frames),
        "megabytes": round(sum(sizes.values()) / 1e6, 2),
        "files": len(sizes),
        "seconds": round(statistics.median(took for took, _, _ in turns), 3),
        "processor_seconds": round(statistics.median(busy for _, busy, _ in turns), 3),
        "times_the_yardstick": round(statistics.median(took / raw for took, _, raw in turns), 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faces", type=int, default=20_000)
    parser.add_argument("--repeats", type=int, default=3, help="turns")
    parser.add_argument(
        "--formats",
        default=",".join(name for name, chosen in EXPORTS.items() if not chosen.needs_project),
        help="separated by commas",
    )
    parsed = parser.parse_args()
    results = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "crop.jpg").write_bytes(bytes(8_000))
        film, album = (made(parsed.faces, kind, folder / "crop.jpg") for kind in ("video", "pictures"))
        embeddings = np.random.default_rng(0).normal(size=(parsed.faces, 512)).astype(np.float32)
        for name in parsed.formats.split(","):
            labels = album if EXPORTS[name].needs == "pictures" else film
            results.append(measure(name, labels, embeddings, parsed.repeats, folder))
            print("{format}: {faces} faces, {megabytes} MB in {files} files, {seconds} s ({processor_seconds} s of the "
                  "processor), {times_the_yardstick} times the plain bytes".format(**results[-1]), flush=True)  # fmt: skip
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "export.json").write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
