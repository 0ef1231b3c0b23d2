"""What a worker does with a task: bytes in, bytes out, whichever engine brought them.

A full disk, or too little memory, is the worker's fault and not the film's: the coordinator then asks another one.
"""

from __future__ import annotations

import errno
import time
import traceback

from core.errors import NO_MEMORY, BadInput, short_of_memory
from core.jobs.archive import messages, wire
from core.jobs.archive.messages import (
    Answer,
    Ask,
    Done,
    Hint,
    Idle,
    Keep,
    Listen,
    Look,
    Message,
    Put,
    Scan,
    Solve,
    Write,
    Wrong,
)  # fmt: skip


def carry_out(message: bytes) -> bytes:
    """Does a task, and gives its answer; whatever goes wrong is an answer, too."""
    try:
        task = wire.decode(message)
        answer = _idle(task) if isinstance(task, Idle) else _do(task)
    except BadInput as error:
        answer = Wrong("worker" if _is_full(error) else "film", str(error))
    except Exception as error:
        if short_of_memory(error):
            answer = Wrong("worker", NO_MEMORY)
        elif _is_full(error):
            answer = Wrong("worker", "the worker's disk is full; free some space there")
        else:
            traceback.print_exc()
            answer = Wrong("film", f"this is a bug of ours ({type(error).__name__}: {error}); please report it")
    return wire.encode(answer)


def _do(task: Message) -> Answer:
    """What a task needs is loaded when the first of its kind comes: an idle worker is begun at once."""
    from core.jobs.archive import films, naming, write

    match task:
        case Scan():
            return films.scan(task)
        case Look():
            return films.look(task)
        case Listen():
            return films.listen_to(task)
        case Put():
            return films.put(task)
        case Solve():
            return naming.solve(task)
        case Write():
            return write.write(task)
        case Hint():
            return write.hint(task)
        case Ask():
            return write.ask(task)
        case Keep():
            return write.keep(task)
    raise BadInput(messages.WRONG)


def _idle(task: Idle) -> Answer:
    time.sleep(task.seconds)
    return Done(task.fill)


def _is_full(error: BaseException | None) -> bool:
    """Whether something failed because a disk is full, or what this user may have of it."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            return True
        error = error.__cause__ or error.__context__
    return False
