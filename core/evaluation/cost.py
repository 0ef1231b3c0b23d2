"""What each method costs as faces, links and names grow, on generated films."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from core.corrections import bind
from core.evaluation.generate import films
from core.evaluation.measure import markdown
from core.problem import Problem
from core.progress import Progress, silent
from core.solve import solve
from core.solvers.dbgae.links import build_links, calibrate

BASE_GROUPS, BASE_NAMES, BASE_FILMS = 280, 90, 7  # half of MPII-MD


@dataclass(frozen=True)
class Timed:
    """How long one method took on one generated problem of a series in which ``grows`` grows."""

    method: str
    grows: str
    faces: int
    links: int
    names: int
    seconds: float

    @property
    def size(self) -> int:
        return {"faces": self.faces, "links": self.links, "names": self.names}[self.grows]


SERIES: dict[str, tuple[Callable[[], Problem], ...]] = {
    # more films of the same kind: links and names a face stay the same
    "faces": tuple(
        partial(films, films=max(1, int(BASE_FILMS * k)), groups=int(BASE_GROUPS * k), names=int(BASE_NAMES * k))
        for k in (0.5, 1, 2, 4)
    ),
    # the same faces, more of them named in their captions
    "links": tuple(
        partial(films, films=BASE_FILMS, groups=BASE_GROUPS, names=BASE_NAMES, named=named)
        for named in (0.1, 0.25, 0.5, 1.0)
    ),
    # as many frames, larger casts
    "names": tuple(partial(films, films=BASE_FILMS, groups=BASE_GROUPS, names=int(BASE_NAMES * k)) for k in (0.5, 1, 2, 4)),
}


def time_growth(
    methods: Iterable[str], series: Iterable[str] = tuple(SERIES), repeats: int = 3, progress: Progress = silent
) -> list[Timed]:
    """Every method on every problem of the series; the fastest of ``repeats`` turns counts, the others were disturbed."""
    methods, series = list(methods), list(series)
    total = len(methods) * sum(len(SERIES[grows]) for grows in series)
    found = []
    for grows in series:
        for make in SERIES[grows]:
            problem = make()
            links = _links(problem)
            for method in methods:
                seconds = min(_seconds(problem, method) for _ in range(repeats))
                found.append(Timed(method, grows, problem.faces, links, len(problem.names), seconds))
                progress("cost", len(found), total)
    return found


def exponent(timed: Sequence[Timed]) -> float:
    """The slope of log seconds over log size: 1 is linear growth, 2 quadratic."""
    size, seconds = (np.log([getattr(row, what) for row in timed]) for what in ("size", "seconds"))
    if np.ptp(size) == 0:
        return float("nan")
    return float(np.polyfit(size, seconds, 1)[0])


def cost_table(timed: Sequence[Timed]) -> str:
    """For each method its time on the smallest and largest problem of each series, and the fitted exponent."""
    grown = list(dict.fromkeys(row.grows for row in timed))
    head = ["method"]
    for grows in grown:
        sizes = [row.size for row in timed if row.grows == grows]
        head += [f"{grows} {min(sizes):,} → {max(sizes):,}", "exponent"]
    rows = []
    for method in dict.fromkeys(row.method for row in timed):
        cells = []
        for grows in grown:
            mine = sorted((row for row in timed if (row.method, row.grows) == (method, grows)), key=lambda row: row.size)
            if not mine:
                cells += ["–", "–"]
                continue
            cells += [f"{mine[0].seconds:.2g} → {mine[-1].seconds:.2g} s", f"{exponent(mine):.1f}"]
        rows.append([method, *cells])
    return markdown(head, rows)


def _links(problem: Problem) -> int:
    bare, bound = bind(problem, [])
    links = build_links(bare, bound, calibrate(bare))
    return len(links.within_face) + len(links.cross_face)


def _seconds(problem: Problem, method: str) -> float:
    started = time.perf_counter()
    solve(problem, method)
    return time.perf_counter() - started
