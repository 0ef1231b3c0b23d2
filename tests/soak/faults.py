"""Kills, full disks, too little memory: ``python -m tests.soak.faults --kills 300``. Each ends with a sound project."""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

import numpy as np

from core.errors import BadInput
from core.store.project import Change
from tests.browser.install import installed
from tests.made import made_project
from tests.soak.kills import ingest_problem, kill_app, kill_ingest, kill_media, kill_worker, sound, started

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def small_disk(place: Path, kilobytes: int) -> Iterator[Path | None]:
    """A disk of so many kilobytes; None where nobody may mount one."""
    folder = place / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(folder)]
    if os.getuid() or subprocess.run(command, capture_output=True, check=False).returncode:
        yield None
        return
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@contextmanager
def filled(disk: Path, kilobytes: int) -> Iterator[None]:
    """Leaves so many kilobytes of a disk free."""
    filler = disk / "filler"
    filler.write_bytes(bytes(max(0, shutil.disk_usage(disk).free - 1024 * kilobytes)))
    try:
        yield
    finally:
        filler.unlink()


@contextmanager
def small_files(kilobytes: int) -> Iterator[None]:
    """No file of this process may grow larger: what stands in for a full disk where none can be mounted."""
    import resource  # not on every system

    before, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024 * kilobytes, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (before, most))


def fill_disk(place: Path, full: Callable[[], AbstractContextManager[None]]) -> tuple[int, str]:
    """Decides until the disk is ``full``, tries everything else on it, frees some space and goes on. Gives how many
    decisions were acknowledged, and what was said."""
    folder, out = place / "film", place / "out"
    with made_project(folder, frames=6) as project:
        kept: list[str] = []
        with full():
            said = ""
            for turn in range(100_000):
                try:
                    kept.append(project.decide("Ann", Change("is", face=turn % 10, name=f"Name {turn}")))
                except BadInput as error:
                    said = str(error)
                    break
            for format in ("json", "npz"):
                with suppress(BadInput):
                    project.export(format, out)
                    out.unlink()  # it was small enough
            assert not out.exists()
        kept.append(project.decide("Ann", Change("nobody", face=1)))
    with sound(folder) as project:
        assert set(kept) <= {entry.step for entry in project.log().entries}
    return len(kept), said


def full_disk(place: Path) -> tuple[int, str]:
    """``fill_disk`` on a small disk, or with small files where none can be mounted."""
    with small_disk(place, 4000) as disk:
        if disk is not None:
            return fill_disk(disk, lambda: filled(disk, 200))
    return fill_disk(place, lambda: small_files(400))


def little_memory(place: Path, megabytes: int = 60) -> tuple[int, str]:
    """A run with so much more memory than it has at its start: its exit code and what it said."""
    folder, problem = place / "short", place / "large.npz"
    chance = np.random.default_rng(0)
    many = {"features": chance.normal(size=(6000, 2048)).astype(np.float32), "group": np.arange(6000) // 2}
    names = [f"Name {k}" for k in range(200)]
    candidates = json.dumps([[names[k % 200], names[(k + 1) % 200]] for k in range(3000)])
    np.savez(problem, **many, names=np.array(names), candidates_json=np.array(candidates))
    ingest_problem(folder, problem)
    # enough to begin, not enough to copy all vectors, before linear algebra asks for memory of its own and ends the process
    program = (
        "import resource, sys; import numpy as np; np.ones((600, 600)) @ np.ones((600, 600)); "
        "from core.cli.main import main; from core.jobs.worker import _warm_up; _warm_up(); "
        "now = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize(); "
        f"resource.setrlimit(resource.RLIMIT_AS, (now + ({megabytes} << 20),) * 2); "
        "sys.exit(main(['run', '--project', sys.argv[1]]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
    )
    with sound(folder) as project:
        assert not project.runs() or done.returncode == 0
    return done.returncode, done.stderr


def main() -> int:
    import resource  # not on every system

    parser = argparse.ArgumentParser(description="kills, full disks, too little memory")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parsed = parser.parse_args()
    chance = random.Random(parsed.seed)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    many = max(1, parsed.kills // 2)
    with tempfile.TemporaryDirectory(prefix="rollcall-faults-") as folder:
        place = Path(folder)
        tries = kill_ingest(place, parsed.kills, chance)
        print(f"ingest of tables: {parsed.kills} killed of {tries}, nothing half done", flush=True)
        made_project(place / "written", frames=6, run=False).close()
        written = [sys.executable, "-m", "tests.soak.writers", str(place / "written"), str(parsed.kills)]
        said = subprocess.run(written, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        print(f"writers: {said.split()[0]} killed, {said.split()[1]} decisions acknowledged, none lost", flush=True)
        tries = kill_media(place, many, chance)
        print(f"ingest of pictures and films: {2 * many} killed of {tries}, nothing half done", flush=True)
        tries = kill_worker(place, many, chance)
        print(f"worker: {many} killed of {tries} runs, each noticed, no decision lost", flush=True)
        if installed() is None:
            print("app: not killed, there is no browser here; see tests/browser/install.py", flush=True)
            return 1
        with started() as browser:
            answered = kill_app(place, many, chance, browser)
        print(f"app: {many} kills, {answered} clicks answered, none lost", flush=True)
        kept, said = full_disk(place)
        print(f"disk: {kept} decisions kept; {said}", flush=True)
        code, said = little_memory(place)
        print(f"memory: exit code {code}, {said.strip()[-200:]}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
