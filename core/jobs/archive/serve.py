"""A cluster's scheduler and workers: ``rollcall cluster scheduler`` and ``rollcall cluster worker``.

They are Dask's, without its HTTP servers, which would listen on all networks and speak with anybody.
"""

from __future__ import annotations

import asyncio
import logging
import math
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import BadInput
from core.jobs.archive.carry import carry_out
from core.jobs.archive.engine import KILLS
from core.jobs.archive.network import Address, check_installed, quiet, security
from core.jobs.archive.scratch import SCRATCH
from core.jobs.archive.wire import HEAD

if TYPE_CHECKING:
    from distributed import Scheduler, Worker

ROOT = Path(__file__).resolve().parents[3]
GPU = "GPU"  # the resource that a worker with one has
AGAIN = 2.0  # seconds after which a worker that ended is begun anew
NO_SCHEDULER = "no scheduler answers there, or not with these certificates"
SETTINGS = {
    "distributed.scheduler.allowed-failures": KILLS - 1,
    "distributed.scheduler.worker-saturation": 1.0,  # nothing waits at a worker that may die of something else
    "distributed.scheduler.work-stealing": False,
    "distributed.scheduler.worker-ttl": "5 minutes",
    "distributed.worker.memory.target": False,  # a task holds what it needs, and answers are fetched at once
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": False,
    "distributed.worker.profile.enabled": False,
    "distributed.comm.timeouts.connect": "30s",
    "distributed.comm.compression": None,
    "distributed.admin.large-graph-warning-threshold": "1GB",
}


def _no_http(self: Any, *_: object, **__: object) -> None:
    """In place of a server that starts an HTTP port."""


def scheduler_class() -> type[Scheduler]:
    """Dask's scheduler without an HTTP port."""
    check_installed()
    import dask
    from distributed import Scheduler

    dask.config.set(SETTINGS)
    return type("QuietScheduler", (Scheduler,), {"start_http_server": _no_http})


def worker_class() -> type[Worker]:
    """Dask's worker without an HTTP port."""
    check_installed()
    import dask
    from distributed import Worker

    dask.config.set(SETTINGS)
    return type("QuietWorker", (Worker,), {"start_http_server": _no_http})


def serve_scheduler(address: Address, certificates: Path | None, told: Callable[[str], None] = print) -> None:
    """Listens until it is stopped."""

    quiet(logging.WARNING)

    async def main() -> None:
        made = scheduler_class()(
            host=address.host,
            port=address.port,
            protocol="tls" if address.tls else "tcp",
            security=security(certificates),
            dashboard=False,
        )
        async with made as scheduler:
            told(f"scheduler at {scheduler.address}")
            await _until_stopped(scheduler.finished())

    asyncio.run(main())


def serve_worker(
    scheduler: Address, address: Address, certificates: Path | None, gpu: bool, told: Callable[[str], None] = print
) -> None:
    """Does tasks of the scheduler, one at a time, until it is stopped or the scheduler is gone."""
    quiet(logging.WARNING)

    async def main() -> None:
        made = worker_class()(
            str(scheduler),
            nthreads=1,
            host=address.host,
            port=address.port,
            protocol="tls" if address.tls else "tcp",
            security=security(certificates),
            resources={GPU: 1} if gpu else None,
            local_directory=os.environ.get(SCRATCH),
            memory_limit=0,
            dashboard=False,
            death_timeout=60,
        )
        try:
            await made
        except (TimeoutError, OSError) as error:
            await made.close()
            raise BadInput(f"{scheduler}: {NO_SCHEDULER}; start it, and this worker finds it") from error
        async with made as worker:
            told(f"worker at {worker.address}, for the scheduler at {scheduler}")
            await _until_stopped(worker.finished())

    asyncio.run(main())


async def _until_stopped(finished: Any) -> None:
    loop, stopped = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    waiting = {asyncio.ensure_future(finished), asyncio.ensure_future(stopped.wait())}
    await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    for one in waiting:
        one.cancel()


def answered(message: bytes) -> bytes:
    """What a cluster's worker does with a task: the answer, and before it who gave it."""
    from distributed import get_worker

    who = get_worker().address.encode()
    return HEAD.pack(len(who)) + who + carry_out(message)


class Keeper:
    """Keeps so many workers of this machine alive: one that a task ended, or that lost its scheduler, is begun anew as soon
    as somebody listens where the scheduler is looked for. After ``patience`` seconds without that it ends."""

    def __init__(
        self, processes: int, command: list[str], scratch: Path, scheduler: Address, patience: float = math.inf
    ) -> None:
        self.command, self.scratch, self.scheduler, self.patience = command, scratch, scheduler, patience
        self.processes: list[subprocess.Popen[bytes]] = [self._begin() for _ in range(processes)]

    def _begin(self) -> subprocess.Popen[bytes]:
        quiet = {"OMP_WAIT_POLICY": "PASSIVE", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        environment = os.environ | quiet | {SCRATCH: str(self.scratch)}
        return subprocess.Popen([sys.executable, "-m", "core", *self.command], cwd=ROOT, env=environment)

    def keep(self, stop: Callable[[], bool]) -> None:
        seen = time.monotonic()
        while not stop():
            time.sleep(AGAIN)
            ended = [place for place, process in enumerate(self.processes) if process.poll() is not None]
            if not ended or self._listens():
                seen = time.monotonic()
            elif time.monotonic() - seen > self.patience:
                raise BadInput(
                    f"{self.scheduler}: no scheduler was there for {self.patience / 60:g} minutes; the workers end"
                )
            else:
                continue
            for place in [] if stop() else ended:
                self.processes[place] = self._begin()

    def _listens(self) -> bool:
        """Whether somebody listens where the scheduler is looked for."""
        try:
            with socket.create_connection((self.scheduler.host, self.scheduler.port), timeout=AGAIN):
                return True
        except OSError:
            return False

    def close(self) -> None:
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
