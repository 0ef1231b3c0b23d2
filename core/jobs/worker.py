"""The process that does a job. ``hand_over`` gives it the work; ``main`` is what it does.

Once ``keep_ready`` was called, one such process is kept ready, with everything imported, since a rerun after a correction
should not wait for that. It ends when the app does, unless it has work by then.

The order comes as one line of JSON on the process's standard input. When the process has locked the project, it says so on
its standard output. Both are pipes, which every system has.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from core.errors import NO_MEMORY, BadInput, printable, short_of_memory
from core.jobs.requests import Request, decode, encode
from core.progress import Stopped
from core.store import files
from core.store.tables import job_table

ROOT = Path(__file__).resolve().parents[2]
TAKEN = b"taken\n"
AT_ONCE = 0.1  # seconds; for an order that is there by then nothing is warmed up, it imports what it needs itself
WATCHER = "watches a worker"  # the threads that wait for the end of a process
_ready: subprocess.Popen[bytes] | None = None
_keep = False
_ready_lock = threading.Lock()


@dataclass(frozen=True)
class Order:
    """Requests on one project with their numbers as jobs, to be done one after the other."""

    folder: Path
    tasks: tuple[tuple[int, Request], ...]

    def line(self) -> bytes:
        tasks = [{"job": number, "work": encode(request)} for number, request in self.tasks]
        return json.dumps({"folder": str(self.folder), "tasks": tasks}).encode() + b"\n"

    @staticmethod
    def read(line: bytes) -> Order:
        values = json.loads(line)
        return Order(Path(values["folder"]), tuple((task["job"], decode(task["work"])) for task in values["tasks"]))


def hand_over(order: Order, taken: Callable[[], None]) -> None:
    """Lets a process of its own do the order. ``taken`` is called, from another thread, once that process has locked the
    project for itself, or is gone."""
    line = order.line()
    process = _take()
    if process is not None:
        try:
            _send(process, line)
        except OSError:  # it has died since
            process = None
    if process is None:
        process = _begin()
        _send(process, line)
    threading.Thread(target=_tell, args=(process, taken), daemon=True).start()


def keep_ready() -> None:
    """Begins a process that waits for work, if there is none."""
    global _ready, _keep
    with _ready_lock:
        _keep = True
        if _ready is None or _ready.poll() is not None:
            _ready = _begin()


def _take() -> subprocess.Popen[bytes] | None:
    global _ready
    with _ready_lock:
        process, _ready = _ready, None
    return process if process is not None and process.poll() is None else None


def _begin() -> subprocess.Popen[bytes]:
    # small matrices: threads that wait for each other would only take the cores from the app
    environment = os.environ | {"OMP_WAIT_POLICY": "PASSIVE", "OPENBLAS_NUM_THREADS": "1"}
    process = subprocess.Popen(
        [sys.executable, "-m", "core.jobs.worker"],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C in the app's terminal is not meant for it ...
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # ... which Windows calls so
    )
    threading.Thread(target=_outlive, args=(process,), name=WATCHER, daemon=True).start()
    return process


def _send(process: subprocess.Popen[bytes], line: bytes) -> None:
    assert process.stdin is not None
    try:
        process.stdin.write(line)
    finally:
        process.stdin.close()


def _tell(process: subprocess.Popen[bytes], taken: Callable[[], None]) -> None:
    assert process.stdout is not None
    with process.stdout as answers:
        answers.readline()
    taken()


def _outlive(process: subprocess.Popen[bytes]) -> None:
    """Waits for its end, so that it leaves no zombie; the next is begun only then, when the cores are free."""
    if process.wait() == 0 and _keep:
        keep_ready()


# --- In the process ----------------------------------------------------------------------------------------------------


def main(orders: BinaryIO, answers: BinaryIO) -> int:
    """Waits for an order, warming up meanwhile, and carries it out; gives the exit code."""
    received: list[Order] = []
    reading = threading.Thread(target=_receive, args=(orders, answers, received), daemon=True)
    reading.start()
    reading.join(AT_ONCE)
    if reading.is_alive():
        _warm_up()
    reading.join()
    if not received:  # the app has ended
        return 0
    _say_into(received[0].folder / files.CACHE / files.JOB_LOG)
    return _carry_out(received[0])


def _receive(orders: BinaryIO, answers: BinaryIO, received: list[Order]) -> None:
    """Takes an order at once, also while the process still warms up."""
    line = orders.readline()
    if not line:
        return
    order = Order.read(line)
    _held.append(job_table.work_lock(order.folder).acquire())
    answers.write(TAKEN)
    answers.flush()
    received.append(order)


_held: list[object] = []  # the lock on the project, until the process ends


def _warm_up() -> None:
    """Imports what every run needs, by a run that takes a moment: two faces, two names."""
    import core.jobs.perform
    import core.store.runs.solving  # noqa: F401
    from core.problem import Problem
    from core.solve import solve

    few = Problem.build([[1.0, 0.0], [0.0, 1.0]], [0, 1], [["one"], ["other"]])
    solve(few)


def _say_into(log: Path) -> None:
    log.parent.mkdir(parents=True, exist_ok=True)
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(file, 1)
    os.dup2(file, 2)
    os.close(file)


def _carry_out(order: Order) -> int:
    """Does one request after the other until one fails or is stopped."""
    from core.jobs.perform import perform
    from core.store.project import Project

    try:
        with Project.open(order.folder) as project:
            for number, request in order.tasks:
                if not job_table.job(project.database, number).active:  # it was given up before it began
                    return 0
                perform(project, number, request)
                if job_table.job(project.database, number).state != "done":
                    return 0
    except Stopped:
        return 130
    except BadInput as error:
        print(f"rollcall: {printable(str(error))}", file=sys.stderr)
        return 2
    except Exception as error:
        if not short_of_memory(error):
            traceback.print_exc()
            return 1
        print(f"rollcall: {NO_MEMORY}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    ended = main(sys.stdin.buffer, sys.stdout.buffer)
    sys.stderr.flush()
    os._exit(ended)  # taking PyTorch down in good order takes longer than some jobs
