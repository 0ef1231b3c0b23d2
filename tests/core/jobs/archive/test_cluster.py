"""A cluster of this machine's own processes: tasks come back whatever dies, and nobody else gets in."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import psutil
import pytest

from core.errors import BadInput
from core.jobs.archive import messages
from core.jobs.archive.cluster import ClusterEngine
from core.jobs.archive.engine import Ended
from core.jobs.archive.messages import Done, Idle
from core.jobs.archive.network import make_certificates
from tests.core.jobs.archive.cluster_parts import HOST, free_port, listening, part, ports

SOON = 90.0  # seconds, however busy the machine


def gathered(engine: ClusterEngine, numbers: set[int]) -> dict[int, Ended]:
    found: dict[int, Ended] = {}
    end = time.monotonic() + SOON
    while set(found) != numbers and time.monotonic() < end:
        for one in engine.ended(0.2):
            assert one.number not in found
            found[one.number] = one
    return found


def idle(engine: ClusterEngine, number: int, seconds: float = 0.0) -> None:
    engine.submit(number, messages.encode(Idle(seconds, str(number).encode())))


def done(found: dict[int, Ended]) -> dict[int, str]:
    answers = {number: messages.decode(one.answer) if one.answer else None for number, one in found.items()}
    return {number: one.fill.decode() if isinstance(one, Done) else repr(one) for number, one in answers.items()}


def wait_for_workers(engine: ClusterEngine, many: int) -> None:
    end = time.monotonic() + SOON
    while len(engine._known()) < many and time.monotonic() < end:
        time.sleep(0.2)
        engine._counted = 0.0
    assert len(engine._known()) == many


def test_a_cluster_listens_where_it_is_told_and_speaks_with_its_own_alone(tmp_path: Path) -> None:
    """Scheduler and workers have one port each, on the given address, and no HTTP; without the certificates nobody is
    answered. A worker that dies, and a scheduler that is restarted, cost no task."""
    keys, strangers = tmp_path / "keys", tmp_path / "strangers"
    make_certificates(keys)
    make_certificates(strangers)
    address = f"{HOST}:{free_port()}"
    scheduler = ["scheduler", "--address", address, "--certificates", str(keys)]
    worker = ["worker", "--scheduler", address, "--address", HOST, "--certificates", str(keys), "--workers", "2", "--gpu"]
    with part(*worker, scratch=tmp_path / "w") as working, part(*scheduler, scratch=tmp_path / "s") as scheduling:
        engine = ClusterEngine(address, keys, patience=SOON)
        try:
            wait_for_workers(engine, 2)
            assert listening(scheduling) == listening(working) == {HOST}
            assert (ports(scheduling), ports(working)) == (1, 2)
            engine.submit(0, messages.encode(Idle(0, b"0")), gpu=True)
            for number in range(1, 8):
                idle(engine, number, 0.05)
            assert done(gathered(engine, set(range(8)))) == {number: str(number) for number in range(8)}
            with pytest.raises(BadInput, match="not with these certificates"):
                _refused(address, strangers)
            idle(engine, 8, 2.0)
            time.sleep(0.5)
            for child in psutil.Process(working.pid).children():
                os.kill(child.pid, signal.SIGKILL)
                break
            assert done(gathered(engine, {8})) == {8: "8"}
            idle(engine, 9, 3.0)
            time.sleep(0.3)
            scheduling.kill()
            scheduling.wait()
            with part(*scheduler, scratch=tmp_path / "s"):
                found = gathered(engine, {9})
                assert found[9].fate == "lost" or done(found) == {9: "9"}
                idle(engine, 10)
                assert done(gathered(engine, {10})) == {10: "10"}
        finally:
            engine.close()


def _refused(address: str, certificates: Path) -> None:
    engine = ClusterEngine.__new__(ClusterEngine)
    from core.jobs.archive.network import Address, security

    engine.address, engine._security = Address.read(address, certificates), security(certificates)
    engine._connect(0.0)
