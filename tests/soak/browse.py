"""A project with 100,000 faces, without a screen and in a browser: ``python -m tests.soak.browse``."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.app import make
from core.store.project import Change, Project
from tests.browser.install import installed
from tests.soak.browsing import browse
from tests.soak.kills import started
from tests.soak.load import share

PATIENCE = 10.0  # seconds; on an idle machine one is enough


def timed(what: str, work: Callable[[], object], times: int = 1) -> float:
    began = time.process_time()
    for _ in range(times):
        work()
    spent = (time.process_time() - began) / times
    print(f"{what:48} {1000 * spent:9.1f} ms of processor time", flush=True)
    return spent


def report(spent: dict[str, list[float]]) -> float:
    """Prints what people waited for; gives the longest median."""
    for what, times in spent.items():
        print(
            f"{what:24} {len(times):4} times: median {share(times, 0.5):.2f} s, p95 {share(times, 0.95):.2f} s", flush=True
        )
    return max(share(times, 0.5) for times in spent.values())


def main() -> int:
    import resource  # not on every system

    parser = argparse.ArgumentParser(description="browses a large project")
    parser.add_argument("--faces", type=int, default=100_000)
    parser.add_argument("--clicks", type=int, default=40, help="of each kind, in the browser")
    parsed = parser.parse_args()
    if installed() is None:
        print("there is no browser here; see tests/browser/install.py")
        return 1
    with tempfile.TemporaryDirectory(prefix="rollcall-browse-") as place:
        folder = Path(place) / "large"
        make(folder, parsed.faces)
        opened: list[Project] = []
        timed("open, with the check of its database", lambda: opened.append(Project.open(folder)))
        project, chance = opened[0], np.random.default_rng(0)
        timed("the first queue", project.review.queue)
        current = project.current_labels()
        rows = chance.integers(0, len(current.face), 1000).tolist()

        def click() -> None:
            row = rows.pop()
            frame, face = int(current.frame[row]), int(current.face[row])
            project.decide("Ann", Change("is", face=face, name="Ann herself"))
            project.review.queue(who="Ann")
            project.review.graph(frame)

        spent = timed("a decision, the queue and the frame after it", click, 50)
        timed("the people", project.people.named)
        timed("the labels of all", project.labels)
        project.close()
        with started() as browser:
            slow = report(browse(folder, browser, parsed.clicks))
    print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MB at most")
    return 1 if spent > 1 or slow > PATIENCE else 0


if __name__ == "__main__":
    sys.exit(main())
