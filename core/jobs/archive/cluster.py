"""Tasks on a cluster's workers, through Dask's scheduler; see ``serve.py`` for the two.

What travels is the name of one function of Rollcall's and bytes. When the scheduler is restarted, everything that was under
way is asked for again, as soon as it is back.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
import uuid
from collections.abc import Callable, Collection
from concurrent.futures import CancelledError
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import BadInput
from core.jobs.archive import wire
from core.jobs.archive.engine import Ended, waiting
from core.jobs.archive.messages import Wrong
from core.jobs.archive.network import Address, quiet, security
from core.jobs.archive.serve import GPU, NO_SCHEDULER, SETTINGS, answered
from core.jobs.archive.wire import HEAD

if TYPE_CHECKING:
    from distributed import Client, Future

PATIENCE = 600.0  # seconds to wait for a scheduler that is gone
COUNTED = 2.0  # seconds after which workers are counted anew


class ClusterEngine:
    """A client of the scheduler at an address."""

    def __init__(
        self,
        address: str,
        certificates: Path | None = None,
        patience: float = PATIENCE,
        told: Callable[[str], None] = lambda text: None,
    ) -> None:
        """``told`` hears that the scheduler is gone, and that it is back."""
        quiet(logging.CRITICAL)
        import dask

        dask.config.set(SETTINGS)
        self.address, self._patience, self._told = Address.read(address, certificates), patience, told
        self._security = security(certificates)
        self._run = uuid.uuid4().hex[:12]
        self._futures: dict[int, Future[Any]] = {}
        self._lock = threading.Lock()
        self._ended: queue.Queue[Ended] = queue.Queue()
        self._counted = 0.0
        self._workers: dict[str, int] = {}
        self._client = self._connect(30.0)

    def submit(self, number: int, message: bytes, gpu: bool = False, where: str = "", avoid: Collection[str] = ()) -> None:
        client = self._connected()
        others = [worker for worker in self._known() if worker not in avoid] if avoid else []
        only = [where] if where and where in self._known() and where not in avoid else others
        future = client.submit(
            answered,
            message,
            key=f"rollcall-{self._run}-{number}-{uuid.uuid4().hex[:8]}",
            pure=False,
            resources={GPU: 1} if gpu else None,
            workers=only or None,
            allow_other_workers=bool(only) and not avoid,
            priority=-number,
        )
        with self._lock:
            self._futures[number] = future
        future.add_done_callback(lambda done: self._note(number, done))

    def ended(self, timeout: float) -> list[Ended]:
        if self._client.status != "running":
            self._connected()
        return waiting(self._ended, timeout)

    def slots(self) -> int:
        return max(1, sum(self._known().values()))

    def close(self) -> None:
        with self._lock:
            futures, self._futures = list(self._futures.values()), {}
        if self._client.status == "running":
            self._client.cancel(futures, force=True)
        self._client.close(timeout=5)

    # --- Answers --------------------------------------------------------------------------------------------------------

    def _note(self, number: int, future: Future[Any]) -> None:
        """Runs in a thread of the client's."""
        from distributed.scheduler import KilledWorker

        with self._lock:
            if self._futures.get(number) is not future:
                return  # it was asked for again
        try:
            data = memoryview(future.result(timeout=self._patience))
            (length,) = HEAD.unpack_from(data)
            who, answer = bytes(data[HEAD.size : HEAD.size + length]).decode(), bytes(data[HEAD.size + length :])
            ended = Ended(number, "answered", answer, who)
        except KilledWorker:
            ended = Ended(number, "killed")
        except (CancelledError, TimeoutError, OSError):
            ended = Ended(number, "lost")
        except Exception as error:  # the worker cannot even begin: another version, or another program
            what = f"a worker cannot do this ({type(error).__name__}: {error}); run the same version of Rollcall everywhere"
            ended = Ended(number, "answered", wire.encode(Wrong("worker", what)))
        with self._lock:
            if self._futures.get(number) is not future:
                return
            del self._futures[number]
        self._ended.put(ended)

    # --- The scheduler --------------------------------------------------------------------------------------------------

    def _known(self) -> dict[str, int]:
        """The workers that there are, and how many tasks each does at once."""
        if time.monotonic() - self._counted > COUNTED:
            try:
                self._workers = dict(self._connected().nthreads())
            except (OSError, TimeoutError):
                self._workers = {}
            self._counted = time.monotonic()
        return self._workers

    def _connect(self, patience: float) -> Client:
        from distributed import Client

        end = time.monotonic() + patience
        while True:
            try:
                return Client(
                    str(self.address), security=self._security, direct_to_workers=True, timeout=5, set_as_default=False
                )
            except (OSError, TimeoutError, ValueError) as error:
                if time.monotonic() > end:
                    raise BadInput(f"{self.address}: {NO_SCHEDULER}; start it, then give the same command again") from error
                time.sleep(1)

    def _connected(self) -> Client:
        """The client, once the scheduler is there again; what was under way when it went is lost."""
        if self._client.status == "running":
            return self._client
        self._told(
            f"{self.address}: the scheduler does not answer; waiting for it, {self._patience / 60:.0f} minutes at most"
        )
        self._client.close(timeout=2)
        with self._lock:
            lost, self._futures = sorted(self._futures), {}
        for number in lost:
            self._ended.put(Ended(number, "lost"))
        self._client, self._counted = self._connect(self._patience), 0.0
        self._told(f"{self.address}: the scheduler is back")
        return self._client
