"""Jobs as the database has them, and whether a process is at work on them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import BadInput
from core.store.project import Project
from core.store.tables import job_table
from core.store.tables.job_table import LOST

HOLDING = """
import sys
from pathlib import Path
from core.store.tables.job_table import work_lock
with work_lock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "p") as made:
        yield made


@pytest.fixture
def at_work(project: Project) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the project."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(project.folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.communicate()


def states(project: Project) -> list[tuple[str, str]]:
    return [(job.state, job.message) for job in job_table.jobs(project.database, project.folder)]


def test_a_note_of_running_work_is_not_believed_when_no_process_is_there(project: Project) -> None:
    """As after a restart of the machine, when the number of the process may belong to another one."""
    number = job_table.add(project.database, "run", "running", "{}")
    job_table.begin(project.database, number)
    job_table.add(project.database, "run", "waiting", "{}")
    assert job_table.job(project.database, number).pid == os.getpid()
    assert states(project) == [("failed", LOST)]
    assert job_table.active(project.database, project.folder) is None


def test_what_the_process_said_last_is_why_it_failed(project: Project) -> None:
    job_table.add(project.database, "run", "running", "{}")
    project.cache.mkdir()
    (project.cache / "job.log").write_text("noise\nrollcall: the project is damaged; restore it\n")
    assert states(project) == [("failed", "the project is damaged; restore it")]


def test_while_a_process_holds_the_project_its_work_goes_on(project: Project, at_work: subprocess.Popen[str]) -> None:
    job_table.add(project.database, "run", "running", "{}")
    assert states(project) == [("running", "")]
    with pytest.raises(BadInput, match="already"):
        job_table.pass_gate(project.database, project.folder)
    at_work.kill()
    at_work.wait()
    assert states(project) == [("failed", LOST)]
    job_table.pass_gate(project.database, project.folder).release()


def test_a_process_on_its_way_out_is_waited_for(project: Project, at_work: subprocess.Popen[str]) -> None:
    assert at_work.stdin is not None
    at_work.stdin.write("\n")
    at_work.stdin.flush()
    gate = job_table.pass_gate(project.database, project.folder)
    gate.release()
    assert at_work.wait() == 0


def test_while_somebody_begins_work_nothing_is_taken_for_lost(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = job_table.pass_gate(project.database, project.folder)
    job_table.add(project.database, "run", "running", "{}")
    assert states(project) == [("running", "")]
    monkeypatch.setattr(job_table, "PATIENCE", 0.1)
    with pytest.raises(BadInput, match="already"):
        job_table.pass_gate(project.database, project.folder)
    gate.release()
    assert states(project) == [("failed", LOST)]


def test_a_folder_that_cannot_be_written_is_said_to_be(project: Project, permissions: None) -> None:
    project.folder.chmod(0o500)
    try:
        with pytest.raises(BadInput, match="make the folder writable"):
            job_table.pass_gate(project.database, project.folder)
    finally:
        project.folder.chmod(0o700)


def test_progress_is_there_for_everybody(project: Project) -> None:
    number = job_table.add(project.database, "run", "running", "{}")
    job_table.note(project.database, number, "people", 5, 20, 100.0, [0.5, 0.75])
    job = job_table.job(project.database, number)
    assert (job.stage, job.done, job.total, job.began, job.curve) == ("people", 5, 20, 100.0, (0.5, 0.75))
    assert job.rate == pytest.approx(5 / (job.updated - 100.0))
    assert job.left == pytest.approx(15 / (job.rate or 0))
    job_table.end(project.database, number, "done", "all right", [1.0])
    job = job_table.job(project.database, number)
    assert (job.state, job.message, job.curve, job.active) == ("done", "all right", (1.0,), False)


def test_a_wish_to_stop_reaches_what_follows_and_not_what_ended(project: Project) -> None:
    first, second, third = (job_table.add(project.database, "run", state, "{}") for state in ("done", "running", "waiting"))
    job_table.stop(project.database, first)
    asked = [job_table.asked_to_stop(project.database, number) for number in (first, second, third)]
    assert asked == [False, True, True]
