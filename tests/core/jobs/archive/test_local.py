"""Processes die, tasks do not."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.jobs.archive import wire
from core.jobs.archive.engine import KILLS, Ended
from core.jobs.archive.local import LocalEngine
from core.jobs.archive.messages import Done, Idle, Scan, Scanned, Wrong

SOON = 60.0  # seconds, however busy the machine


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[LocalEngine]:
    made = LocalEngine(2, tmp_path / "scratch", tmp_path / "log")
    yield made
    made.close()


def gathered(engine: LocalEngine, many: int) -> dict[int, Ended]:
    found: dict[int, Ended] = {}
    end = time.monotonic() + SOON
    while len(found) < many and time.monotonic() < end:
        for one in engine.ended(0.2):
            assert one.number not in found
            found[one.number] = one
    return found


def test_workers_that_are_killed_cost_no_task(engine: LocalEngine) -> None:
    for number in range(12):
        engine.submit(number, wire.encode(Idle(0.05, bytes([number]))))
    found: dict[int, Ended] = {}
    kills = 0
    end = time.monotonic() + SOON
    while len(found) < 12 and time.monotonic() < end:
        for one in engine.ended(0.02):
            assert one.number not in found
            found[one.number] = one
        if kills < 4 and len(found) > 2 * kills and engine.pids():
            os.kill(engine.pids()[kills % len(engine.pids())], signal.SIGKILL)
            kills += 1
    assert kills == 4
    assert {number: wire.decode(one.answer) for number, one in found.items()} == {
        number: Done(bytes([number])) for number in range(12)
    }


def test_a_task_that_ends_every_worker_is_given_up_and_the_others_go_on(engine: LocalEngine) -> None:
    engine.submit(0, wire.encode(Idle(600, b"")))
    killed: set[int] = set()
    end = time.monotonic() + SOON
    while len(killed) < KILLS and time.monotonic() < end:
        for pid in set(engine.pids()) - killed:
            os.kill(pid, signal.SIGKILL)
            killed.add(pid)
        time.sleep(0.05)
    engine.submit(1, wire.encode(Idle(0, b"still here")))
    found = gathered(engine, 2)
    assert found[0].fate == "killed"
    assert wire.decode(found[1].answer) == Done(b"still here")


def test_no_process_outlives_its_engine(tmp_path: Path) -> None:
    engine = LocalEngine(1, tmp_path / "scratch", tmp_path / "log")
    engine.submit(0, wire.encode(Idle(600, b"")))
    end = time.monotonic() + SOON
    while not engine.pids() and time.monotonic() < end:
        time.sleep(0.02)
    (pid,) = engine.pids()
    engine.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_worker_without_room_says_so_and_does_the_task_when_it_has_some(films: Path, tmp_path: Path) -> None:
    """The system refuses the process itself to write more than a few bytes, as a full disk would; nothing is pretended."""
    import resource

    film = films / "alone.mp4"
    scan = wire.encode(Scan(str(film), film.stat().st_size, "0" * 64, captioned=True, screen=False))
    engine = LocalEngine(1, tmp_path / "scratch", tmp_path / "log")
    try:
        engine.submit(0, wire.encode(Idle(0, b"")))
        assert gathered(engine, 1)[0].fate == "answered"
        (pid,) = engine.pids()
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (64, resource.RLIM_INFINITY))
        engine.submit(1, scan)
        wrong = wire.decode(gathered(engine, 1)[1].answer)
        assert isinstance(wrong, Wrong)
        assert (wrong.fault, str(tmp_path / "scratch") in wrong.sentence) == ("worker", True), wrong
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        engine.submit(2, scan)
        assert isinstance(wire.decode(gathered(engine, 1)[2].answer), Scanned)
        assert engine.pids() == [pid]
    finally:
        engine.close()
