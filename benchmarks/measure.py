"""What the benchmarks share: a row of the table, work in a process of its own, and the yardstick.

Every piece of work runs in a process of its own, so that its peak memory is its own (``child.py``).
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"
PROBLEMS = RESULTS / "problems"
YARDSTICK = "products and passes"  # what most rows are measured against


@dataclass(frozen=True)
class Row:
    """One line of the table. ``times`` is the multiple of ``against``, timed in the same run."""

    work: str
    seconds: float | None  # None: it could not be done, and the note says why
    times: float = 0.0
    against: str = YARDSTICK
    memory_mb: int | None = None
    accuracy: float | None = None
    reach: str = ""  # what is asked of it
    note: str = ""
    faces: int | None = None  # where it belongs to a series that grows
    series: str = ""

    def line(self) -> str:
        if self.seconds is None:
            return f"{self.work}: {self.note}"
        told = f"{self.work}: {duration(self.seconds)}, {self.times:.2f} times {self.against}"
        told += f", {self.memory_mb} MB" if self.memory_mb else ""
        told += f", accuracy {self.accuracy:.3f}" if self.accuracy is not None else ""
        told += f" (to reach: {self.reach})" if self.reach else ""
        return told + (f"; {self.note}" if self.note else "")


@dataclass(frozen=True)
class Ran:
    """What a child process needed and said."""

    seconds: float
    processor: float
    memory_mb: int
    out: str
    code: int

    def json(self) -> Any:
        """What it said in its last line."""
        return json.loads(self.out.strip().splitlines()[-1])


def ran(*arguments: str | Path, echo: bool = False) -> Ran:
    """Python with these arguments in a process of its own, from the top of the repository.

    With ``echo`` what it says goes to the screen, and its exit code is the caller's to look at.
    """
    command = [sys.executable, *map(str, arguments)]
    with tempfile.NamedTemporaryFile("r") as needed:
        between = [sys.executable, "-I", "-S", str(ROOT / "benchmarks" / "child.py"), needed.name]
        child = subprocess.run([*between, *command], stdout=None if echo else subprocess.PIPE, text=True, cwd=ROOT)
        if child.returncode and not echo:
            sys.exit(f"{' '.join(command)} failed with code {child.returncode}")
        seconds, processor, memory_mb = needed.read().split()
    return Ran(float(seconds), float(processor), int(memory_mb), child.stdout or "", child.returncode)


def processor(own: bool = False) -> float:
    import resource  # not on every system

    used = resource.getrusage(resource.RUSAGE_SELF if own else resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def yardstick() -> float:
    """Seconds of a fixed piece of work in a process of its own: how quick the machine is just now."""
    return float(ran("-m", "benchmarks.measure").json())


def products_and_passes() -> float:
    """Matrix products that fill the processor, and passes over more memory than its caches hold; the median of three."""
    import numpy as np

    square = np.random.default_rng(0).normal(size=(2000, 2000)).astype(np.float32)
    large = np.ones(32_000_000, np.float32)

    def once() -> float:
        started = time.perf_counter()
        for _ in range(4):
            square @ square
            large.sum()
        return time.perf_counter() - started

    once()  # warms up
    return median(once() for _ in range(3))


def problem_file(kind: str, faces: int | None = None, groups: int | None = None, names: int | None = None) -> Path:
    """A generated problem, made once and kept."""
    path = PROBLEMS / f"{kind}{f'-{faces}' if faces else ''}.npz"
    if not path.exists():
        sizes = {"--faces": faces, "--groups": groups, "--names": names}
        given = [str(part) for size in sizes.items() if size[1] for part in size]
        ran("-m", "benchmarks.problems", kind, "--out", path, *given)
    return path


class Report:
    """The rows of one benchmark, told and saved as they come."""

    def __init__(self, name: str) -> None:
        self.path, self.rows = RESULTS / f"{name}.json", list[Row]()

    def add(self, row: Row) -> None:
        print(row.line(), flush=True)
        self.rows.append(row)
        RESULTS.mkdir(parents=True, exist_ok=True)
        self.path.write_text(json.dumps([asdict(row) for row in self.rows], indent=1) + "\n")

    def measure(self, work: Callable[[], Row]) -> None:
        """Adds a row measured between two turns of the yardstick."""
        before = yardstick()
        row = work()
        self.add(replace(row, times=2 * (row.seconds or 0) / (before + yardstick())))


def load(name: str) -> list[Row]:
    path = RESULTS / f"{name}.json"
    return [Row(**row) for row in json.loads(path.read_text())] if path.exists() else []


def duration(seconds: float) -> str:
    if seconds >= 120:
        return f"{seconds / 60:.1f} min"
    return f"{seconds:.2f} s" if seconds >= 0.1 else f"{seconds * 1000:.2g} ms"


if __name__ == "__main__":
    print(products_and_passes())
