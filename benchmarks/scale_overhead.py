"""What an archive costs more than the same films taken in one by one, in processor time of all processes.

Three ways take turns, each time in another order, so that a machine that grows slower or busier touches all alike: the
commands ``ingest`` and ``run`` for each film, the same two in one process for all films with one thread for each kind of
work, as a worker has, and ``archive`` with one worker.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from benchmarks.measure import processor

ROOT = Path(__file__).resolve().parents[1]
METHOD = "cluster-voting"  # the solver is measured elsewhere
ALONE = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "OMP_WAIT_POLICY": "PASSIVE"}  # the worker's environment


def overhead(place: Path, films: Sequence[Path], repeats: int) -> None:
    """So many repeats of each way, after one that is not counted: what is read from the disk lies in memory then."""
    source = place / "films"
    source.mkdir()
    for film in films:
        for path in film.parent.glob(f"{film.stem}.*"):
            if path.suffix in (film.suffix, ".srt", ".vtt"):
                shutil.copy(path, source)
    copies = [source / film.name for film in films]
    ways: dict[str, Callable[[Path], float]] = {
        "commands": lambda folder: _commands(folder, copies),
        "one process": lambda folder: cost("-m", "benchmarks.scale_overhead", str(folder), *map(str, copies), **ALONE),
        "archive": lambda folder: _archive(folder, source),
    }
    names = list(ways)
    used: dict[str, list[float]] = {name: [] for name in ways}
    for turn in range(repeats + 1):
        for name in [*names[turn % 3 :], *names[: turn % 3]][:: 1 if turn % 2 else -1]:
            seconds = ways[name](place / "taken")
            shutil.rmtree(place / "taken")
            if turn:
                used[name].append(seconds)
        if turn:
            print(", ".join(f"{name} {used[name][-1]:.2f} s" for name in names), flush=True)
    for name in names:
        print(f"{name}: {_told(np.array(used[name]))} s of processor")
    for name in names[:2]:
        more = np.array(used["archive"]) / np.array(used[name]) - 1
        print(f"archive against {name}: {_told(100 * more, '+')} %")


def _told(values: np.ndarray, sign: str = "") -> str:
    low, middle, high = np.percentile(values, (25, 50, 75))
    return f"median {middle:{sign}.2f}, half of them from {low:{sign}.2f} to {high:{sign}.2f}, of {len(values)}"


def _commands(folder: Path, films: Sequence[Path]) -> float:
    used = 0.0
    for film in films:
        project = str(folder / film.stem)
        used += cost("-m", "core", "ingest", "--project", project, "--video", str(film))
        used += cost("-m", "core", "run", "--project", project, "--method", METHOD)
    return used


def _archive(folder: Path, source: Path) -> float:
    words = ("--films", str(source), "--one-each", "--workers", "1", "--method", METHOD)
    return cost("-m", "core", "archive", "--archive", str(folder), *words)


def cost(*words: str, **environment: str) -> float:
    """Processor seconds of Python with these words and everything that it began."""
    before = processor()
    around = os.environ | {"PYTHONPATH": str(ROOT)} | environment
    done = subprocess.run([sys.executable, *words], cwd=ROOT, env=around, capture_output=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr.decode())
    return processor() - before


def take_in(folder: Path, films: Sequence[Path]) -> None:
    """All films, a project each, in this process."""
    from core.jobs.ingest import ingest, project_at
    from core.jobs.requests import IngestVideo
    from core.media.faces.finder import FaceFinder

    finder = FaceFinder(threads=1)
    for film in films:
        with project_at(folder / film.stem) as project:
            ingest(project, IngestVideo(film), finder=finder)
            project.run(METHOD)


if __name__ == "__main__":
    take_in(Path(sys.argv[1]), [Path(text) for text in sys.argv[2:]])
