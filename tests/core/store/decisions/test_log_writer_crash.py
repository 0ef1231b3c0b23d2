"""Nothing acknowledged is lost: writers are killed at random moments, and several write at once."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from core.store.project import Project
from tests.made import made_project

ROOT = Path(__file__).resolve().parents[4]
KILLS = 12  # more are in ``make soak``

WRITER = """
import sys
from pathlib import Path
from core.store.project import Change, Project
project, who = Project.open(Path(sys.argv[1])), sys.argv[2]
print("ready", flush=True)
for number in range(int(sys.argv[3])):
    face = number % 10
    if number % 7 == 3:
        project.undo(who)
    step = project.decide(who, Change("is", face=face, name=f"{who} {number}"), Change("is not", face=face, name="X"))
    print(step, flush=True)
"""


def writer(folder: Path, who: str, many: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(folder), who, str(many)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def steps(process: subprocess.Popen[str]) -> list[str]:
    assert process.stdout is not None
    with process.stdout as out:  # a line that was cut short by the kill was not acknowledged
        return [line.strip() for line in out.read().splitlines(keepends=True) if line.endswith("\n") and line != "ready\n"]


def test_every_acknowledged_decision_survives_kill_9(tmp_path):
    folder = tmp_path / "film"
    made_project(folder, frames=6, run=False).close()
    done = subprocess.run(
        [sys.executable, "-m", "tests.soak.writers", str(folder), str(KILLS)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    kills, acknowledged = (int(number) for number in done.stdout.split())
    assert kills == KILLS
    assert acknowledged > 0


def test_two_writers_killed_at_once_lose_nothing(tmp_path):
    folder = tmp_path / "film"
    made_project(folder, frames=6, run=False).close()
    chance = random.Random(7)
    acknowledged: list[str] = []
    for _ in range(2):
        many = [writer(folder, f"writer {k}", 100_000) for k in range(2)]
        for process in many:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        for process in many:
            time.sleep(chance.uniform(0.0, 0.1))
            process.send_signal(signal.SIGKILL)
        for process in many:
            acknowledged += steps(process)
            process.wait()
        _check(folder, acknowledged)


def _check(folder: Path, acknowledged: list[str]) -> None:
    with Project.open(folder) as project:
        written = [entry.step for entry in project.log().entries]
        assert set(acknowledged) <= set(written)
        whole = [step for step in acknowledged if written.count(step) == 2]
        assert whole == acknowledged  # both changes of a step, or neither
        assert project.database.one("PRAGMA integrity_check") == "ok"


def test_two_processes_write_at_once_and_none_is_lost(tmp_path):
    folder = tmp_path / "film"
    made_project(folder, frames=6, run=False).close()
    many = [writer(folder, who, 150) for who in ("Ann", "Bob")]
    said = [steps(process) for process in many]
    assert [process.wait() for process in many] == [0, 0]
    with Project.open(folder) as project:
        log = project.log()
        for who, written in zip(("Ann", "Bob"), said, strict=True):
            assert len(written) == 150
            assert {entry.step for entry in log.entries if entry.who == who and entry.kind != "undo"} == set(written)
        assert project.review.annotators() == ["Ann", "Bob"]
