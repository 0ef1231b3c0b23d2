"""A project with 100,000 faces, without a screen and in a browser: ``python -m tests.soak.browse``."""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from core.project import Change, Project
from core.records import Box, NewFace, NewFrame, NewMention, NewSource
from tests.browser.install import installed
from tests.soak.browsing import answer, browse
from tests.soak.kills import started
from tests.soak.load import share

PEOPLE = 600
PATIENCE = 10.0  # seconds; on an idle machine one is enough


def make(folder: Path, faces: int, a_frame: int = 2) -> Project:
    """A project of so many faces, never run."""
    chance = np.random.default_rng(0)
    vectors = chance.normal(size=(faces, 64)).astype(np.float32)

    def frames() -> Iterator[NewFrame]:
        for number in range(faces // a_frame):
            name = f"Person {number % PEOPLE}"
            found = [NewFace(vectors[number * a_frame + k], Box(60 * k, 10, 60 * k + 50, 60)) for k in range(a_frame)]
            yield NewFrame(f"{name} talks.", [NewMention(name, ((0, len(name)),))], found, time=4.0 * number)

    project = Project.create(folder, "Large")
    project.add(NewSource("video", "/films/large.mp4", "large.mp4", duration=2.0 * faces), frames(), "made")
    return project


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
    parser = argparse.ArgumentParser(description="browses a large project")
    parser.add_argument("--faces", type=int, default=100_000)
    parser.add_argument("--clicks", type=int, default=40, help="of each kind, in the browser")
    parsed = parser.parse_args()
    if installed() is None:
        print("there is no browser here; see tests/browser/install.py")
        return 1
    with tempfile.TemporaryDirectory(prefix="rollcall-browse-") as place:
        folder = Path(place) / "large"
        make(folder, parsed.faces).close()
        opened: list[Project] = []
        timed("open, with the check of its database", lambda: opened.append(Project.open(folder)))
        project, chance = opened[0], np.random.default_rng(0)
        timed("the first queue", project.queue)
        frames = chance.integers(0, project.count("frame"), 1000).tolist()

        def click() -> None:
            frame = frames.pop()
            face = project.faces(frame)[0].id
            project.decide("Ann", Change("is", face=face, name=f"Person {frame % PEOPLE}"))
            project.queue(who="Ann")
            project.graph(frame)

        spent = timed("a decision, the queue and the frame after it", click, 50)
        timed("the people", project.people)
        timed("the labels of all", project.labels)
        timed("a run's answer kept", lambda: answer(project))
        project.close()
        with started() as browser:
            slow = report(browse(folder, browser, parsed.clicks))
    print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MB at most")
    return 1 if spent > 1 or slow > PATIENCE else 0


if __name__ == "__main__":
    sys.exit(main())
