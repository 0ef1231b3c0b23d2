"""What carries tasks to workers. Two kinds do the same: ``local.py`` on this machine's cores, ``cluster.py`` on others'."""

from __future__ import annotations

import queue
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, Protocol

KILLS = 3  # workers that one task may end before it is given up
Fate = Literal["answered", "killed", "lost"]


@dataclass(frozen=True)
class Ended:
    """What became of a task: its answer, or that it ended ``KILLS`` workers, or that nobody knows (ask again)."""

    number: int
    fate: Fate
    answer: bytes = b""
    worker: str = ""


class Engine(Protocol):
    """Tasks go in with a number and come out in any order, each exactly once."""

    def submit(self, number: int, message: bytes, gpu: bool = False, where: str = "", avoid: Collection[str] = ()) -> None:
        """Lets a worker do a task; ``where`` names the one that it should be, ``avoid`` those that it must not be."""

    def ended(self, timeout: float) -> list[Ended]:
        """What has ended since, waiting so many seconds for the first."""

    def slots(self) -> int:
        """How many tasks can be done at once."""

    def close(self) -> None:
        """Ends all of its processes that this engine began."""


def waiting(ended: queue.Queue[Ended], timeout: float) -> list[Ended]:
    """What lies in the queue, waiting so many seconds for the first."""
    found = []
    try:
        found.append(ended.get(timeout=timeout))
        while True:
            found.append(ended.get_nowait())
    except queue.Empty:
        return found
