"""The process that does a job. ``hand_over`` gives it the work; ``main`` is what it does.

Once ``keep_ready`` was called, one such process is kept ready, with everything imported, since a rerun after a correction
should not wait for that. It ends when the app does, unless it has work by then.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LONGEST = 1 << 20  # bytes of an order
_ready: _Worker | None = None
_keep = False
_ready_lock = threading.Lock()


@dataclass(frozen=True, eq=False)
class _Worker:
    process: subprocess.Popen[bytes]
    line: socket.socket


def hand_over(lock: int, folder: Path, log: Path, commands: Sequence[Sequence[str]]) -> None:
    """Lets a process of its own do the commands of ``python -m core``, one after the other until one fails.

    ``lock`` is an open file that the process keeps open; what it prints goes to ``log``.
    """
    order = json.dumps({"folder": str(folder), "log": str(log), "commands": [list(words) for words in commands]}).encode()
    worker = _take() or _begin()
    try:
        socket.send_fds(worker.line, [order], [lock])
    except OSError:  # the one that was ready has died since
        worker = _begin()
        socket.send_fds(worker.line, [order], [lock])
    finally:
        worker.line.close()


def keep_ready() -> None:
    """Begins a process that waits for work, if there is none."""
    global _ready, _keep
    with _ready_lock:
        _keep = True
        if _ready is None or _ready.process.poll() is not None:
            _ready = _begin()


def _take() -> _Worker | None:
    global _ready
    with _ready_lock:
        worker, _ready = _ready, None
    return worker if worker is not None and worker.process.poll() is None else None


def _begin() -> _Worker:
    ours, theirs = socket.socketpair()
    # small matrices: threads that wait for each other would only take the cores from the app
    environment = os.environ | {"OMP_WAIT_POLICY": "PASSIVE", "OPENBLAS_NUM_THREADS": "1"}
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(
        [sys.executable, "-m", "core.worker", str(theirs.fileno())],
        cwd=ROOT,
        env=environment,
        stdin=quiet,
        stdout=quiet,
        stderr=quiet,
        start_new_session=True,
        pass_fds=[theirs.fileno()],
    )
    theirs.close()
    threading.Thread(target=_outlive, args=(process,), daemon=True).start()
    return _Worker(process, ours)


def _outlive(process: subprocess.Popen[bytes]) -> None:
    """Waits for its end, so that it leaves no zombie; the next is begun only then, when the cores are free."""
    if process.wait() == 0 and _keep:
        keep_ready()


# --- In the process ----------------------------------------------------------------------------------------------------


def main(line: socket.socket) -> int:
    """Waits for an order and carries it out; gives the exit code."""
    from core.__main__ import main as command

    _warm_up()
    order, files, _, _ = socket.recv_fds(line, LONGEST, 1)
    if not order or not files:  # the app has ended
        return 0
    what = json.loads(order)
    _say_into(Path(what["log"]))
    for words in what["commands"]:
        code = command(words)
        if code or _stopped(Path(what["folder"]), int(words[-1])):
            return code
    return 0


def _warm_up() -> None:
    """What every run needs; slow to import."""
    import core.jobs
    import core.rollcall
    import core.store.solving  # noqa: F401


def _say_into(log: Path) -> None:
    log.parent.mkdir(parents=True, exist_ok=True)
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(file, 1)
    os.dup2(file, 2)
    os.close(file)


def _stopped(folder: Path, number: int) -> bool:
    from core.jobs import job
    from core.project import Project

    with Project.open(folder) as project:
        return job(project, number).state != "done"


if __name__ == "__main__":
    ended = main(socket.socket(fileno=int(sys.argv[1])))
    sys.stdout.flush()
    os._exit(ended)  # taking PyTorch down in good order takes longer than some jobs
