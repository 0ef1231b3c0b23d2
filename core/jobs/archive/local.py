"""Tasks on this machine's cores: some processes, each of which does one task at a time.

A process that dies takes no other task with it. What it was doing is done again by another one; a task that has ended
``KILLS`` of them is given up.
"""

from __future__ import annotations

import os
import queue
import struct
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import IO

from core.jobs.archive.engine import KILLS, Ended, waiting
from core.jobs.archive.scratch import SCRATCH

ROOT = Path(__file__).resolve().parents[3]
LENGTH = struct.Struct("<Q")
NO_TASK = 1 << 62  # behind all others


class LocalEngine:
    """Begins its processes when there is work for them."""

    def __init__(self, processes: int, scratch: Path, log: Path) -> None:
        self.processes, self._scratch, self._log = processes, scratch, log
        self._tasks: queue.PriorityQueue[tuple[int, bytes]] = queue.PriorityQueue()
        self._ended: queue.Queue[Ended] = queue.Queue()
        self._kills: Counter[int] = Counter()
        self._running: dict[int, subprocess.Popen[bytes]] = {}  # by number of the thread that feeds it
        self._closed = threading.Event()
        scratch.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._threads = [
            threading.Thread(target=self._feed, args=(number,), name=f"feeds worker {number}", daemon=True)
            for number in range(processes)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, number: int, message: bytes, gpu: bool = False, where: str = "", avoid: Collection[str] = ()) -> None:
        self._tasks.put((number, message))

    def ended(self, timeout: float) -> list[Ended]:
        return waiting(self._ended, timeout)

    def slots(self) -> int:
        return self.processes

    def pids(self) -> list[int]:
        """The processes that there are now."""
        return [process.pid for process in list(self._running.values()) if process.poll() is None]

    def close(self) -> None:
        self._closed.set()
        for process in list(self._running.values()):
            process.kill()  # nothing half done is left: files are written whole, the database in transactions
        for _ in self._threads:
            self._tasks.put((NO_TASK, b""))
        for thread in self._threads:
            thread.join(timeout=10)
        for process in self._running.values():
            process.wait()

    def _feed(self, mine: int) -> None:
        """Gives one process its tasks; begins another one when it has died."""
        while not self._closed.is_set():
            number, message = self._tasks.get()
            if number == NO_TASK:
                return
            process = self._running.get(mine)
            if process is None or process.poll() is not None:
                process = self._running[mine] = self._begin(mine)
            answer = _exchange(process, message)
            if answer is not None:
                self._kills.pop(number, None)
                self._ended.put(Ended(number, "answered", answer, str(process.pid)))
                continue
            process.kill()
            process.wait()
            self._kills[number] += 1
            if self._closed.is_set():
                return
            if self._kills[number] < KILLS:
                self._tasks.put((number, message))
            else:
                self._ended.put(Ended(number, "killed", worker=str(process.pid)))

    def _begin(self, mine: int) -> subprocess.Popen[bytes]:
        environment = os.environ | {"OMP_WAIT_POLICY": "PASSIVE", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        environment[SCRATCH] = str(self._scratch)
        with self._log.open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "core.jobs.archive.worker"],
                cwd=ROOT,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,  # Ctrl-C is for the coordinator, which ends what it began
            )


def _exchange(process: subprocess.Popen[bytes], message: bytes) -> bytes | None:
    """The answer to a message; None where the process has died over it."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        write(process.stdin, message)
        return read(process.stdout)
    except (OSError, ValueError):
        return None


def write(pipe: IO[bytes], message: bytes) -> None:
    pipe.write(LENGTH.pack(len(message)))
    pipe.write(message)
    pipe.flush()


def read(pipe: IO[bytes]) -> bytes | None:
    """The next message; None at the end."""
    head = pipe.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (size,) = LENGTH.unpack(head)
    message = pipe.read(size)
    return message if len(message) == size else None
