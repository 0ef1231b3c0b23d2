"""What naming costs with the default method: ``python -m benchmarks.solving [--large]``.

From nothing it is the whole command, ``python -m core solve``, with everything it imports; a rerun after one correction is
timed inside a running process, as the app does it. ``--large`` adds 200,000 faces.
"""

from __future__ import annotations

import argparse
import csv
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.measure import PROBLEMS, Report, Row, problem_file, ran
from core.problem import NOBODY

SIZES = (5_000, 80_000)  # M-VAD's own size lies between
GROWTH = "rollcall"  # the series these make


def cold_start(path: Path, work: str, reach: str, series: str = "", method: str = "rollcall") -> Row:
    """The command, and how right its answer is."""
    out = PROBLEMS / "answer.csv"
    found = ran("-m", "core", "solve", path, "--method", method, "--out", out)
    right, faces = accuracy(path, out)
    return Row(work, found.seconds, memory_mb=found.memory_mb, accuracy=right, reach=reach, faces=faces, series=series)


def accuracy(path: Path, answer: Path) -> tuple[float, int]:
    """The share of faces named rightly in a CSV, and how many faces there are."""
    with np.load(path, allow_pickle=False) as problem:
        names, truth = problem["names"].tolist(), problem["truth"].tolist()
    with answer.open(newline="", encoding="utf-8") as file:
        named = [row["name"] for row in csv.DictReader(file)]
    right = [name == ("" if who == NOBODY else names[who]) for name, who in zip(named, truth, strict=True)]
    return sum(right) / len(right), len(right)


def rerun(path: Path, work: str, reach: str) -> Row:
    found = ran("-m", "benchmarks.rerun", path)
    told = found.json()
    return Row(work, told["seconds"], memory_mb=found.memory_mb, accuracy=told["accuracy"], reach=reach, note=told["note"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", action="store_true", help="also 200,000 faces, about half an hour")
    large = parser.parse_args().large
    report = Report("solving")
    film, mvad = problem_file("mpii-md", 1000), problem_file("m-vad")
    report.measure(lambda: cold_start(film, "`rollcall` cold start, 1,000 faces (MPII-MD)", "5 s, 1 GB"))
    report.measure(lambda: rerun(film, "rerun after one correction, 1,000 faces", "0.5 s"))
    report.measure(lambda: cold_start(mvad, "`rollcall` cold start, 22,258 faces (M-VAD)", "90 s, 4 GB", GROWTH))
    report.measure(lambda: rerun(mvad, "rerun after one correction, 22,258 faces", "3 s"))
    for faces in SIZES:
        path = problem_file("m-vad", faces)
        report.measure(partial(cold_start, path, f"`rollcall` cold start, {faces:,} faces", "", GROWTH))
    if large:
        path = problem_file("m-vad", 200_000, 150_000, 5_000)
        report.measure(lambda: cold_start(path, "`rollcall` cold start, 200,000 faces", "30 min, 12 GB", GROWTH))


if __name__ == "__main__":
    main()
