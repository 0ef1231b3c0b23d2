"""A scheduler and workers for measuring, on this machine or each in a network of its own, and what each of them used."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path

from core.jobs.archive.network import make_certificates

ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 300.0  # seconds


@dataclass
class Cluster:
    """What finds it, and, when it has ended, the processor seconds of its scheduler and of each worker."""

    address: str
    keys: Path | None
    used: list[float] = field(default_factory=list)

    def words(self) -> list[str]:
        return ["--scheduler", self.address, *(["--certificates", str(self.keys)] if self.keys else [])]


@contextmanager
def cluster_of(place: Path, workers: int, hosts: bool = False) -> Iterator[Cluster]:
    """A scheduler and so many workers. Without ``hosts`` all listen on loopback; with it each worker has a network of its
    own and reaches the scheduler through a bridge, with certificates."""
    around = os.environ | {"PYTHONPATH": str(ROOT)}
    start = [sys.executable, "-m", "core", "cluster"]
    with _hosts(workers) if hosts else nullcontext(["127.0.0.1"] * (workers + 1)) as addresses:
        with socket.socket() as one:
            one.bind((addresses[0], 0))
            port = one.getsockname()[1]
        cluster = Cluster(f"{addresses[0]}:{port}", place / "keys" if hosts else None)
        if cluster.keys and not cluster.keys.exists():
            make_certificates(cluster.keys)
        parts = [_begin([*start, "scheduler", "--address", cluster.address, *cluster.words()[2:]], around)]
        for number, address in enumerate(addresses[1:]):
            inside = ["ip", "netns", "exec", f"rollcall{number}"] if hosts else []
            words = ["worker", *cluster.words(), "--address", address, "--workers", "1"]
            parts.append(_begin([*inside, *start, *words, "--scratch", str(place / f"scratch-{number}")], around))
        try:
            _wait_for(cluster.address)
            yield cluster
        finally:
            for process in reversed(parts):
                process.send_signal(signal.SIGTERM)
            for process in parts:
                cluster.used.append(_ended(process))


def _ended(process: subprocess.Popen[bytes]) -> float:
    """Processor seconds of a process that was told to end, and of all that it began."""
    end = time.monotonic() + 60
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return usage.ru_utime + usage.ru_stime
        if time.monotonic() > end:
            process.kill()
        time.sleep(0.05)


def _begin(words: list[str], around: Mapping[str, str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(words, cwd=ROOT, env=around, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _wait_for(address: str) -> None:
    """Until somebody listens there; on a busy machine that takes a while."""
    host, _, port = address.rpartition(":")
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with suppress(OSError), socket.create_connection((host, int(port)), timeout=1):
            return
        time.sleep(0.5)
    raise SystemExit(f"{address}: no scheduler has begun to listen within {PATIENCE:.0f} s")


@contextmanager
def _hosts(many: int) -> Iterator[list[str]]:
    """Networks of their own for so many hosts, joined by a bridge; gives the bridge's address and theirs."""

    def ip(*words: str, check: bool = True) -> None:
        subprocess.run(["ip", *words], check=check, capture_output=True)

    bridge = "rollcall-br"
    ip("link", "add", bridge, "type", "bridge")
    try:
        ip("addr", "add", "10.77.0.1/24", "dev", bridge)
        ip("link", "set", bridge, "up")
        for number in range(many):
            name, inner, outer = f"rollcall{number}", f"rc-in{number}", f"rc-out{number}"
            ip("netns", "add", name)
            ip("link", "add", outer, "type", "veth", "peer", "name", inner, "netns", name)
            ip("link", "set", outer, "master", bridge, "up")
            ip("-n", name, "addr", "add", f"10.77.0.{number + 2}/24", "dev", inner)
            for device in (inner, "lo"):
                ip("-n", name, "link", "set", device, "up")
        yield ["10.77.0.1", *(f"10.77.0.{number + 2}" for number in range(many))]
    finally:
        for number in range(many):
            ip("netns", "del", f"rollcall{number}", check=False)
        ip("link", "del", bridge, check=False)
