"""A scheduler and workers for measuring, on this machine or each in a network of its own."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

from core.jobs.archive.network import make_certificates

ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 300.0  # seconds


@contextmanager
def cluster_of(place: Path, workers: int, hosts: bool = False) -> Iterator[list[str]]:
    """A scheduler and so many workers; gives what a command needs to find them. Without ``hosts`` all listen on loopback;
    with it each worker has a network of its own and reaches the scheduler through a bridge, with certificates."""
    around = os.environ | {"PYTHONPATH": str(ROOT), "ROLLCALL_SCRATCH": str(place / "scratch")}
    start = [sys.executable, "-m", "core", "cluster"]
    with _hosts(workers) if hosts else nullcontext(["127.0.0.1"] * (workers + 1)) as addresses:
        with socket.socket() as one:
            one.bind((addresses[0], 0))
            scheduler = f"{addresses[0]}:{one.getsockname()[1]}"
        known = ["--certificates", str(place / "keys")] if hosts else []
        if hosts and not (place / "keys").exists():
            make_certificates(place / "keys")
        parts = [_begin([*start, "scheduler", "--address", scheduler, *known], around)]
        for number, address in enumerate(addresses[1:]):
            inside = ["ip", "netns", "exec", f"rollcall{number}"] if hosts else []
            words = ["worker", "--scheduler", scheduler, "--address", address, "--workers", "1", *known]
            parts.append(_begin([*inside, *start, *words], around))
        try:
            _wait_for(scheduler)
            yield ["--scheduler", scheduler, *known]
        finally:
            for process in reversed(parts):
                process.send_signal(signal.SIGTERM)
                with suppress(subprocess.TimeoutExpired):
                    process.wait(timeout=60)


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
