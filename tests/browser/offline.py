"""Runs a test where there is no network but this machine's own: Linux gives a process such a place of its own."""

from __future__ import annotations

import os
import shutil
import socket
import struct
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CUT = "ROLLCALL_NETWORK_CUT"
UP, GET_FLAGS, SET_FLAGS = 1, 0x8913, 0x8914  # of <net/if.h> and <linux/sockios.h>
LONGEST = 1200  # seconds


def is_cut() -> bool:
    return CUT in os.environ


@cache
def how_to_cut() -> tuple[str, ...]:
    """The words before a command that give it a network of its own; none where that cannot be done."""
    for words in (("unshare", "--net"), ("unshare", "--user", "--map-root-user", "--net")):
        if shutil.which(words[0]) and subprocess.run([*words, "true"], capture_output=True).returncode == 0:
            return words
    return ()


def again(test: str) -> None:
    """Runs one test once more, with the network cut; fails as it fails."""
    done = subprocess.run(
        [*how_to_cut(), sys.executable, "-m", "tests.browser.offline", test],
        cwd=ROOT,
        env=os.environ | {CUT: "yes"},
        capture_output=True,
        text=True,
        timeout=LONGEST,
    )
    assert done.returncode == 0, f"with the network cut:\n{done.stdout}\n{done.stderr}"
    assert "1 passed" in done.stdout or "[100%]" in done.stdout


def reachable(host: str, port: int) -> bool:
    try:
        socket.create_connection((host, port), timeout=1).close()
    except OSError:
        return False
    return True


def _loopback_up() -> None:
    import fcntl  # not on every system

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        asked = struct.pack("16sh14x", b"lo", 0)
        flags = struct.unpack("16sh14x", fcntl.ioctl(any_socket, GET_FLAGS, asked))[1]
        fcntl.ioctl(any_socket, SET_FLAGS, struct.pack("16sh14x", b"lo", flags | UP))


def main(test: str) -> int:
    _loopback_up()
    assert [name for _, name in socket.if_nameindex()] == ["lo"]
    return int(pytest.main(["-q", "-p", "no:cacheprovider", test]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
