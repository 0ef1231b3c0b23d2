"""The commands that let other machines help, as far as they need none; the rest is in tests/core/jobs/archive."""

from __future__ import annotations

import itertools
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from core.cli.main import main, parser
from core.errors import BadInput
from core.jobs.archive.network import Address
from core.jobs.archive.serve import Keeper

ROUTE = "10.0.0.1 dev eth0 src 10.0.0.7 uid 1000"  # as ip says it


@pytest.mark.parametrize("words", [["scheduler", "--address", "0.0.0.0:1"], ["worker", "--scheduler", "10.0.0.1:1"]])
def test_no_part_of_a_cluster_listens_for_everybody(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cluster", *words]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A batch script, with a program in Python's place that tells how it was begun, and waits where it is to."""
    keys, script, tools = tmp_path / "my keys", tmp_path / "workers.sh", tmp_path / "tools"
    assert main(["cluster", "certificates", "--out", str(keys)]) == 0
    tools.mkdir()
    told = 'for word; do scratch=$word; done; ls -d "$scratch"; printf "%s\\n" "$@"; [ -z "$WAITS" ] || exec sleep 60'
    for name, what in (("python", told), ("ip", f"echo {ROUTE}")):
        (tools / name).write_text(f"#!/bin/sh\n{what}\n")
        (tools / name).chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(tools / "python"))
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    words = ["--scheduler", "10.0.0.1:8786", "--certificates", str(keys), "--out", str(script)]
    assert main(["cluster", "slurm", *words, "--jobs", "3", "--cores", "16", "--hours", "5", "--gpu"]) == 0
    return script


def test_a_slurm_job_begins_workers_on_its_nodes_address(script: Path, tmp_path: Path) -> None:
    """The script is run as Slurm runs it; what it asks of Slurm stands before its first command, as sbatch wants it."""
    lines = script.read_text().splitlines()
    head = list(itertools.takewhile(lambda line: line.startswith("#"), lines))
    asked = {line.removeprefix("#SBATCH ") for line in head if line.startswith("#SBATCH")}
    resources = "--nodes=1 --ntasks=1 --cpus-per-task=16 --mem-per-cpu=2G"
    assert asked == {"--job-name=rollcall", "--array=1-3", resources, "--time=5:00:00", "--gres=gpu:1"}
    assert head[0] == "#!/bin/bash"
    ran = subprocess.run(["bash", str(script)], capture_output=True, text=True, check=True)
    scratch, _, module, *command = ran.stdout.splitlines()
    assert module == "core"
    begun = parser().parse_args(command)
    assert (begun.scheduler, begun.address, begun.workers) == ("tls://10.0.0.1:8786", "10.0.0.7", 16)
    assert (begun.certificates, begun.scratch, begun.gpu) == (tmp_path / "my keys", Path(scratch), True)
    assert begun.patience == 10  # the nodes are given back when the archive is done and the scheduler was ended
    assert Path(scratch).parent == tmp_path
    assert not Path(scratch).exists()


def test_a_slurm_job_that_is_told_to_end_leaves_nothing_behind(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the end of its time, or after scancel, Slurm sends the signal that ends the workers in good order."""
    monkeypatch.setenv("WAITS", "yes")
    with subprocess.Popen(["bash", str(script)], stdout=subprocess.PIPE, text=True) as job:
        assert job.stdout is not None
        scratch = Path(job.stdout.readline().rstrip())
        assert scratch.is_dir()
        worker = psutil.Process(job.pid).children()
        job.terminate()
        assert job.wait(timeout=30) == 128 + signal.SIGTERM
    assert [one.is_running() for one in worker] == [False]
    assert not scratch.exists()


def test_workers_end_when_the_scheduler_was_gone_for_long(tmp_path: Path) -> None:
    """A node of a cluster is not held for ever; until then a worker that ended is begun anew as soon as somebody listens."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        scheduler = Address("127.0.0.1", listening.getsockname()[1], tls=False)
        listening.listen()
        keeper = Keeper(1, ["--help"], tmp_path, scheduler, patience=3.0)  # a worker that ends at once
        first, end = keeper.processes[0], time.monotonic() + 60

        def begun_anew() -> bool:
            return keeper.processes[0] is not first or time.monotonic() > end

        keeper.keep(begun_anew)
        assert keeper.processes[0] is not first
    with pytest.raises(BadInput, match="no scheduler was there"):
        keeper.keep(lambda: False)
    keeper.close()
