"""A scheduler and workers as the command line begins them, each a process of its own."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parents[4]
LISTENS = "0A"  # in the kernel's tables of sockets
HOST = "127.0.0.3"  # this machine, by an address that nothing else of it listens on


def free_port(host: str = HOST) -> int:
    with socket.socket() as one:
        one.bind((host, 0))
        return int(one.getsockname()[1])


@contextmanager
def part(*words: str, scratch: Path) -> Iterator[subprocess.Popen[bytes]]:
    """One part of a cluster, until the block ends; with it go the processes that it began."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "ROLLCALL_SCRATCH": str(scratch)}
    scratch.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "core", "cluster", *words]
    with (scratch / "said").open("ab") as said:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=said, stderr=said)
    try:
        yield process
    finally:
        children = psutil.Process(process.pid).children(recursive=True) if process.poll() is None else []
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for child in children:
            if child.is_running():
                child.kill()


def family(process: subprocess.Popen[bytes]) -> list[int]:
    """A process and those that it began."""
    one = psutil.Process(process.pid)
    return [each.pid for each in (one, *one.children(recursive=True))]


def listening(pids: list[int]) -> list[tuple[str, int]]:
    """The addresses and ports on which processes listen, as the kernel's own tables have them."""
    mine = {link for pid in pids for link in _sockets(pid)}
    found = []
    for table, family in (("tcp", socket.AF_INET), ("tcp6", socket.AF_INET6)):
        for line in Path(f"/proc/{pids[0]}/net/{table}").read_text().splitlines()[1:]:
            cells = line.split()
            if cells[3] == LISTENS and f"socket:[{cells[9]}]" in mine:
                host, _, port = cells[1].partition(":")
                words = [int(host[k : k + 8], 16).to_bytes(4, sys.byteorder) for k in range(0, len(host), 8)]
                found.append((socket.inet_ntop(family, b"".join(words)), int(port, 16)))
    return found


def _sockets(pid: int) -> list[str]:
    return [os.readlink(link) for link in Path(f"/proc/{pid}/fd").iterdir() if link.is_symlink()]
