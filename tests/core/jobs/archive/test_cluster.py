"""A cluster of this machine's own processes: tasks come back whatever dies, and nobody else gets in."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import socket
import ssl
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from core.errors import BadInput
from core.jobs.archive import wire
from core.jobs.archive.cluster import ClusterEngine
from core.jobs.archive.engine import Ended
from core.jobs.archive.messages import Done, Idle
from core.jobs.archive.network import make_certificates, security
from tests.core.jobs.archive.cluster_parts import HOST, family, free_port, listening, part

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
    engine.submit(number, wire.encode(Idle(seconds, str(number).encode())))


def done(found: dict[int, Ended]) -> dict[int, str]:
    answers = {number: wire.decode(one.answer) if one.answer else None for number, one in found.items()}
    return {number: one.fill.decode() if isinstance(one, Done) else repr(one) for number, one in answers.items()}


def wait_for_workers(engine: ClusterEngine, many: int) -> None:
    end = time.monotonic() + SOON
    while len(engine._known()) < many and time.monotonic() < end:
        time.sleep(0.2)
        engine._counted = 0.0
    assert len(engine._known()) == many


def ended_by_its_task(engine: ClusterEngine, working: subprocess.Popen[bytes]) -> dict[int, Ended]:
    """What becomes of a task when every worker that there is dies of it."""
    found: dict[int, Ended] = {}
    end = time.monotonic() + SOON
    while not found and time.monotonic() < end:
        for child in psutil.Process(working.pid).children():
            if child.status() != psutil.STATUS_ZOMBIE and listening([child.pid]):  # it may have the task
                time.sleep(0.5)
                child.kill()
        found |= {one.number: one for one in engine.ended(0.2)}
    return found


def test_a_cluster_listens_where_it_is_told_and_speaks_with_its_own_alone(tmp_path: Path) -> None:
    """Scheduler and workers have one port each, on the given address, and no HTTP; without the certificates nobody is
    answered. A worker that dies, and a scheduler that is restarted, cost no task."""
    keys, strangers = tmp_path / "keys", tmp_path / "strangers"
    make_certificates(keys)
    make_certificates(strangers)
    address = f"{HOST}:{free_port()}"
    scheduler = ["scheduler", "--address", address, "--certificates", str(keys)]
    worker = ["worker", "--scheduler", address, "--address", HOST, "--certificates", str(keys), "--workers", "2", "--gpu"]
    before = listening([os.getpid()])
    with part(*worker, scratch=tmp_path / "w") as working, part(*scheduler, scratch=tmp_path / "s") as scheduling:
        heard: list[str] = []
        engine = ClusterEngine(address, keys, patience=SOON, told=heard.append)
        try:
            wait_for_workers(engine, 2)
            places = listening([*family(scheduling), *family(working)])
            assert [host for host, _ in places] == [HOST] * 3
            assert listening([os.getpid()]) == before  # who coordinates listens nowhere
            ways = {place: "run_function" if address == f"{place[0]}:{place[1]}" else "run" for place in places}
            for place, how in ways.items():
                knock(place, tmp_path / "opened")
                for known in (strangers, None):
                    with pytest.raises((OSError, TimeoutError)):
                        send_program(place, how, known, tmp_path / "opened")
            assert not (tmp_path / "opened").exists()
            for number, (place, how) in enumerate(ways.items()):  # with the certificates the same programs run
                send_program(place, how, keys, tmp_path / f"opened-{number}")
            assert len(list(tmp_path.glob("opened-*"))) == len(places)
            engine.submit(0, wire.encode(Idle(0, b"0")), gpu=True)
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
            idle(engine, 11, 600.0)
            found = ended_by_its_task(engine, working)
            assert (found[11].fate, found[11].worker) == ("killed", "")
            idle(engine, 12)
            assert done(gathered(engine, {12})) == {12: "12"}
            idle(engine, 9, 3.0)
            time.sleep(0.3)
            scheduling.kill()
            scheduling.wait()
            with part(*scheduler, scratch=tmp_path / "s"):
                found = gathered(engine, {9})
                assert found[9].fate == "lost" or done(found) == {9: "9"}
                idle(engine, 10)
                assert done(gathered(engine, {10})) == {10: "10"}
            assert ["waiting for it" in heard[0], *heard[1:]] == [True, f"tls://{address}: the scheduler is back"]
            said = (tmp_path / "w" / "said").read_text() + (tmp_path / "s" / "said").read_text()
            assert f"worker at tls://{HOST}:" in said
            assert "Traceback" not in said
        finally:
            engine.close()


class Bomb:
    """Makes a folder where it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (str(self.mark),)


def knock(place: tuple[str, int], mark: Path) -> None:
    """Whoever has no certificate is sent away before a byte of theirs is read as a message, whether or not they encrypt."""
    bomb = pickle.dumps(Bomb(mark))
    frames = [(1).to_bytes(8, "little"), len(bomb).to_bytes(8, "little"), bomb]  # as Dask sends messages
    hello = len(b"".join(frames)).to_bytes(8, "little") + b"".join(frames)
    encrypted = ssl.create_default_context()
    encrypted.check_hostname, encrypted.verify_mode = False, ssl.CERT_NONE
    for wrapped in (False, True):
        with socket.create_connection(place, timeout=SOON) as plain:
            try:
                with encrypted.wrap_socket(plain) if wrapped else plain as line:
                    line.sendall(hello)
                    answer = line.recv(1)
            except (ssl.SSLError, ConnectionError):
                answer = b""
        assert answer in (b"", b"\x15")  # nothing, or TLS's own alarm


def send_program(place: tuple[str, int], how: str, keys: Path | None, mark: Path) -> None:
    """Asks a part of a cluster to run a program that makes a folder, as Dask's own clients do.

    In a thread of its own: this one may have an event loop already, of a browser that other tests left open.
    """
    with ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: asyncio.run(_send(place, how, keys, mark))).result()


async def _send(place: tuple[str, int], how: str, keys: Path | None, mark: Path) -> None:
    from distributed import rpc

    arguments = security(keys).get_connection_args("client")
    async with rpc(f"{'tls' if keys else 'tcp'}://{place[0]}:{place[1]}", connection_args=arguments, timeout=5) as line:
        program = {"function": pickle.dumps(os.mkdir), "args": pickle.dumps((str(mark),))}
        await asyncio.wait_for(getattr(line, how)(**program), SOON)


def _refused(address: str, certificates: Path) -> None:
    engine = ClusterEngine.__new__(ClusterEngine)
    from core.jobs.archive.network import Address

    engine.address, engine._security = Address.read(address, certificates), security(certificates)
    engine._connect(0.0)
