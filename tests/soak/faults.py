"""Kills, full disks, too little memory: ``python -m tests.soak.faults --kills 300``. Each ends with a sound project."""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

from core import jobs
from core.errors import BadInput
from core.project import Change, Project
from tests.made import made_project
from tests.soak import seeds

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 300.0  # seconds to wait for anything, however busy the machine


def sound(folder: Path) -> Project:
    """The project, which must be whole."""
    project = Project.open(folder)
    assert project.damage == ""
    assert project.database.one("PRAGMA integrity_check") == "ok"
    return project


def kill_ingest(place: Path, kills: int, chance: random.Random) -> int:
    """Kills a process that takes in a problem file, again and again; what it left is whole or nothing. Gives how often
    it was quicker than the kill."""
    problem = place / "problem.npz"
    problem.write_bytes(seeds.problems()[0])
    folder, finished = place / "ingested", 0
    _ingest(folder, problem)  # so that all is imported
    for _ in range(kills):
        shutil.rmtree(folder, ignore_errors=True)
        finished += _forked(lambda: _ingest(folder, problem), chance.uniform(0.0, 0.3))
        if not (folder / "project.sqlite").exists():
            continue
        said = ""
        try:
            with sound(folder) as project:
                assert (project.count("face"), project.count("frame")) in ((0, 0), (seeds.FACES, seeds.GROUPS))
                assert not project.sources() or len(project.embeddings()) == seeds.FACES
        except BadInput as error:
            said = str(error)
        assert not said or "never finished" in said, said  # it was killed before the folder was a project
    return finished


def _ingest(folder: Path, problem: Path) -> None:
    from core.__main__ import main

    assert main(["ingest", "--project", str(folder), "--problem", str(problem)]) == 0


def _forked(work: Callable[[], None], seconds: float) -> bool:
    """Lets a copy of this process work for so long, then kills it; whether it was done by then."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            quiet = os.open(os.devnull, os.O_WRONLY)
            os.dup2(quiet, 1)
            os.dup2(quiet, 2)
            work()
            code = 0
        finally:
            os._exit(code)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert status in (0, signal.SIGKILL), f"it failed by itself ({status})"
    return status == 0


def kill_worker(place: Path, kills: int, chance: random.Random) -> int:
    """Kills the process that runs the model; the job is known to have failed, decisions stay, the next run works."""
    folder = place / "run"
    made_project(folder, frames=12, run=False).close()
    killed = 0
    with Project.open(folder) as project:
        for number in range(kills):
            project.decide("Ann", Change("is", face=number % 10, name=f"Name {number}"))
            job = jobs.start(project, "run", ["run", "--project", str(folder)])
            job = _until(project, job.id, lambda job: job.pid > 0)
            time.sleep(chance.uniform(0.0, 0.4))
            if jobs.job(project, job.id).active:
                os.kill(job.pid, signal.SIGKILL)
            job = _until(project, job.id, lambda job: not job.active)
            killed += job.state == "failed"
            assert job.state == "done" or job.message == jobs.LOST, job
    with sound(folder) as project:
        assert len(project.log().entries) == kills
        run = project.run()
        assert project.solved() is not None
        assert run.answered == min(kills, 10)
    return killed


def _until(project: Project, number: int, true: Callable[[jobs.Job], bool]) -> jobs.Job:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        jobs.jobs(project)
        job = jobs.job(project, number)
        if true(job) or not job.active:
            return job
        time.sleep(0.02)
    raise AssertionError(f"waited in vain: {job}")


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


def fill_disk(disk: Path) -> int:
    """Decides until the disk is full, tries everything else on it, frees some space and goes on. Gives how many decisions
    were acknowledged."""
    folder = disk / "film"
    with made_project(folder, frames=6) as project:
        room = disk / "filler"
        kept: list[str] = []
        left = shutil.disk_usage(disk).free
        room.write_bytes(bytes(max(0, left - 200_000)))
        said = ""
        for turn in range(100_000):
            try:
                kept.append(project.decide("Ann", Change("is", face=turn % 10, name=f"Name {turn}")))
            except BadInput as error:
                said = str(error)
                break
        assert "disk is full" in said, said
        for format in ("json", "npz"):
            with suppress(BadInput):
                project.export(format, disk / "out")
                raise AssertionError("there was room left")
        assert not (disk / "out").exists()
        room.unlink()
        kept.append(project.decide("Ann", Change("nobody", face=1)))
    with sound(folder) as project:
        assert set(kept) <= {entry.step for entry in project.log().entries}
    return len(kept)


def little_memory(place: Path) -> tuple[int, str]:
    """A run with too little memory: its exit code and what it said."""
    folder, problem = place / "short", place / "large.npz"
    chance = np.random.default_rng(0)
    many = {"features": chance.normal(size=(6000, 256)).astype(np.float32), "group": np.arange(6000) // 2}
    names = [f"Name {k}" for k in range(200)]
    candidates = json.dumps([[names[k % 200], names[(k + 1) % 200]] for k in range(3000)])
    np.savez(problem, **many, names=np.array(names), candidates_json=np.array(candidates))
    _ingest(folder, problem)
    # enough to begin, not enough to compare all faces
    program = (
        "import resource, sys; import numpy as np; np.ones((600, 600)) @ np.ones((600, 600)); "
        "from core.__main__ import main; import core.rollcall, core.store.solving; "
        "now = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize(); "
        "resource.setrlimit(resource.RLIMIT_AS, (now + (60 << 20),) * 2); "
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


def main() -> None:
    parser = argparse.ArgumentParser(description="kills, full disks, too little memory")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parsed = parser.parse_args()
    chance = random.Random(parsed.seed)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory(prefix="rollcall-faults-") as folder:
        place = Path(folder)
        finished = kill_ingest(place, parsed.kills, chance)
        print(f"ingest: {parsed.kills} kills, {finished} came too late, nothing half done", flush=True)
        killed = kill_worker(place, max(1, parsed.kills // 5), chance)
        print(f"worker: {killed} of {max(1, parsed.kills // 5)} runs killed, each noticed, no decision lost", flush=True)
        with small_disk(place, 4000) as disk:
            print("disk: none could be mounted" if disk is None else f"disk: {fill_disk(disk)} decisions kept", flush=True)
        code, said = little_memory(place)
        print(f"memory: exit code {code}, {said.strip()[-200:]}", flush=True)


if __name__ == "__main__":
    main()
