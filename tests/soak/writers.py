"""Kills a process that writes decisions, again and again: ``python -m tests.soak.writers FOLDER KILLS``.

One process forks the writers, so that hundreds of kills need not import everything anew. Prints how many were killed and how
many of their decisions were acknowledged; all of those are in the log.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from pathlib import Path

from core.store.project import Change, Project


def write(folder: Path, told: int) -> None:
    """Decides, and tells each step once it is acknowledged, until the kill comes."""
    project = Project.open(folder)
    os.write(told, b"open\n")
    for turn in range(100_000):
        step = project.decide("forked", Change("nobody", face=turn % 10), Change("is not", face=0, name="X"))
        os.write(told, step.encode() + b"\n")
    os._exit(0)


def killed(folder: Path, opened: bool, moment: float) -> list[str]:
    """The steps that were acknowledged by a writer that is killed after so long, counted from when it has ``opened``."""
    here, there = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(here)
        write(folder, there)
    os.close(there)
    if opened:
        assert os.read(here, 5) == b"open\n"
    time.sleep(moment)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with os.fdopen(here, "rb") as said:
        return [line.decode() for line in said.read().split(b"\n")[:-1] if line != b"open"]


def check(folder: Path, steps: list[str]) -> None:
    with Project.open(folder) as project:
        written = {row[0] for row in project.database.rows("SELECT step FROM decision GROUP BY step HAVING count(*) = 2")}
        odd = project.database.one("SELECT count(*) FROM decision WHERE who = 'forked'") % 2
        assert set(steps) <= written, "an acknowledged decision is lost"
        assert not odd, "half a step was written"


def kill_writers(folder: Path, kills: int) -> int:
    """How many decisions were acknowledged; three in four writers are killed while they write, the fourth at any moment,
    opening included."""
    chance, acknowledged = random.Random(11), 0
    for number in range(kills):
        steps = killed(folder, bool(number % 4), chance.uniform(0.0, 0.03))
        check(folder, steps)
        acknowledged += len(steps)
    return acknowledged


if __name__ == "__main__":
    place, many = Path(sys.argv[1]), int(sys.argv[2])
    print(many, kill_writers(place, many))
