"""The commands that let other machines help, as far as they need none; the rest is in tests/core/jobs/archive."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.cli.main import main, parser

ROUTE = "10.0.0.1 dev eth0 src 10.0.0.7 uid 1000"  # as ip says it


@pytest.mark.parametrize("words", [["scheduler", "--address", "0.0.0.0:1"], ["worker", "--scheduler", "10.0.0.1:1"]])
def test_no_part_of_a_cluster_listens_for_everybody(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cluster", *words]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_slurm_job_begins_workers_on_its_nodes_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The script is run as Slurm runs it, with a program in Python's place that tells how it was begun."""
    keys, script, tools = tmp_path / "my keys", tmp_path / "workers.sh", tmp_path / "tools"
    assert main(["cluster", "certificates", "--out", str(keys)]) == 0
    tools.mkdir()
    for name, what in (("python", 'printf "%s\\n" "$@"'), ("ip", f"echo {ROUTE}")):
        (tools / name).write_text(f"#!/bin/sh\n{what}\n")
        (tools / name).chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(tools / "python"))
    words = ["--scheduler", "10.0.0.1:8786", "--certificates", str(keys), "--out", str(script)]
    assert main(["cluster", "slurm", *words, "--jobs", "3", "--cores", "16", "--hours", "5", "--gpu"]) == 0
    asked = {line.removeprefix("#SBATCH ") for line in script.read_text().splitlines() if line.startswith("#SBATCH")}
    assert {"--array=1-3", "--nodes=1 --ntasks=1 --cpus-per-task=16", "--time=5:00:00", "--gres=gpu:1"} <= asked
    around = os.environ | {"PATH": f"{tools}:{os.environ['PATH']}", "SLURM_JOB_ID": "42", "TMPDIR": "/scratch"}
    ran = subprocess.run(["bash", str(script)], env=around, capture_output=True, text=True, check=True)
    module, *command = ran.stdout.splitlines()[1:]
    assert module == "core"
    begun = parser().parse_args(command)
    assert (begun.scheduler, begun.address, begun.workers) == ("tls://10.0.0.1:8786", "10.0.0.7", 16)
    assert (begun.certificates, begun.scratch, begun.gpu) == (keys, Path("/scratch/rollcall-42"), True)
