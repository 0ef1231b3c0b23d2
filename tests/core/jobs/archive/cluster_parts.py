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


def listening(process: subprocess.Popen[bytes]) -> set[str]:
    """The addresses on which a process and those that it began listen."""
    one = psutil.Process(process.pid)
    found = [connection for each in (one, *one.children(recursive=True)) for connection in each.net_connections("inet")]
    return {connection.laddr.ip for connection in found if connection.status == psutil.CONN_LISTEN}


def ports(process: subprocess.Popen[bytes]) -> int:
    one = psutil.Process(process.pid)
    found = [connection for each in (one, *one.children(recursive=True)) for connection in each.net_connections("inet")]
    return sum(connection.status == psutil.CONN_LISTEN for connection in found)
