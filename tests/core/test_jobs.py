from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core import jobs, worker
from core.errors import BadInput
from core.jobs import LOST, Job
from core.progress import Stopped, silent
from core.project import Project
from tests.made import made_project

SECONDS = 120  # to wait for anything, however busy the machine
LONG = "dbgae"  # a thousand epochs, and a note of progress after each


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with made_project(tmp_path / "film", run=False) as made:
        yield made
        for job in jobs.jobs(made):
            if job.active and job.pid:
                os.kill(job.pid, signal.SIGKILL)


def started(project: Project, *words: str) -> Job:
    return jobs.start(project, "run", ["run", "--project", str(project.folder), *words])


def until(project: Project, number: int, true: Callable[[Job], bool]) -> Job:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        jobs.jobs(project)
        job = jobs.job(project, number)
        if true(job):
            return job
        time.sleep(0.05)
    raise AssertionError(f"waited in vain: {job}")


def ended(project: Project, number: int) -> Job:
    return until(project, number, lambda job: not job.active)


def test_a_run_in_another_process_tells_how_far_it_is_and_leaves_its_answer(project: Project) -> None:
    job = started(project)
    assert job.active
    assert job.state == "running"
    job = ended(project, job.id)
    assert (job.state, job.message, job.stage) == ("done", "", "people")
    assert job.done == job.total > 0
    assert len(job.curve) == job.total
    assert job.pid != os.getpid()
    assert job.command == ("run", "--project", str(project.folder))
    assert [run.method for run in project.runs()] == ["rollcall"]
    assert project.now().confidence.min() > 0


def test_whoever_opens_the_project_sees_the_job_and_can_stop_it(project: Project) -> None:
    job = started(project, "--method", LONG)
    with Project.open(project.folder) as other:
        seen = until(other, job.id, lambda job: job.done > 1)
        assert jobs.active(other) is not None
        assert seen.stage == "autoencoder"
        assert seen.total == 1000
        assert seen.curve
        assert (seen.left or 0) > 0
        assert (seen.rate or 0) > 0
        jobs.stop(other, job.id)
    job = ended(project, job.id)
    assert (job.state, job.message) == ("stopped", "stopped; nothing was changed")
    assert project.runs() == []
    assert jobs.active(project) is None


def test_a_second_job_is_refused_while_one_runs_and_not_after(project: Project) -> None:
    first = started(project, "--method", LONG)
    with Project.open(project.folder) as other, pytest.raises(BadInput, match="already"):
        started(other)
    assert [job.id for job in jobs.jobs(project)] == [first.id]
    jobs.stop(project, first.id)
    ended(project, first.id)
    assert ended(project, started(project).id).state == "done"


def test_a_killed_process_is_noticed_and_a_new_one_can_begin(project: Project) -> None:
    job = until(project, started(project, "--method", LONG).id, lambda job: job.done > 0)
    os.kill(job.pid, signal.SIGKILL)
    job = ended(project, job.id)
    assert (job.state, job.message) == ("failed", LOST)
    assert ended(project, started(project).id).state == "done"
    with pytest.raises(ProcessLookupError):  # not even a zombie is left
        os.kill(job.pid, 0)


def test_a_note_of_running_work_is_not_believed_when_no_process_is_there(project: Project) -> None:
    """As after a restart of the machine, when the number of the process may belong to another one."""
    project.database.run(
        "INSERT INTO job (kind, state, stage, done, total, started, updated, message, pid, stop)"
        " VALUES ('run', 'running', 'people', 3, 24, 0, 0, '', ?, 0)",
        (os.getpid(),),
    )
    assert [(job.state, job.message) for job in jobs.jobs(project)] == [("failed", LOST)]
    assert jobs.active(project) is None


def test_bad_input_is_told_in_its_own_sentence(project: Project, tmp_path: Path) -> None:
    job = ended(project, started(project, "--method", "guessing").id)  # refused before the work begins
    assert job.state == "failed"
    assert job.message.startswith("there is no method 'guessing'; choose from rollcall")
    missing = tmp_path / "none.npz"
    words = ["ingest", "--project", str(project.folder), "--problem", str(missing)]
    job = ended(project, jobs.start(project, "ingest", words).id)
    assert (job.state, job.message) == ("failed", f"{missing}: there is no such file; check the path")


def test_work_that_follows_waits_for_the_first_and_is_dropped_when_that_fails(project: Project) -> None:
    run = ["run", "--project", str(project.folder)]
    first = jobs.start(project, "run", run, then=[("run", [*run, "--seed", "1"])])
    assert [job.state for job in jobs.jobs(project)] == ["waiting", "running"]
    assert ended(project, first.id + 1).state == "done"
    assert [run.seed for run in project.runs()] == [0, 1]
    failing = jobs.start(project, "run", [*run, "--method", "guessing"], then=[("run", run)])
    assert ended(project, failing.id).state == "failed"
    assert [job.id for job in jobs.jobs(project)] == [failing.id, first.id + 1, first.id]
    assert len(project.runs()) == 2


def test_stopping_the_first_stops_what_waits_for_it(project: Project) -> None:
    run = ["run", "--project", str(project.folder)]
    first = jobs.start(project, "run", [*run, "--method", LONG], then=[("run", run)])
    jobs.stop(project, first.id)
    assert ended(project, first.id).state == "stopped"
    until(project, first.id, lambda job: jobs.active(project) is None)
    assert [job.id for job in jobs.jobs(project)] == [first.id]
    assert project.runs() == []


def test_work_that_never_reports_is_ended_when_it_is_asked_to_stop(project: Project) -> None:
    number = project.database.run(
        "INSERT INTO job (kind, state, stage, done, total, started, updated, message, pid, stop)"
        " VALUES ('run', 'running', 'starting', 0, 0, 0, 0, '', 0, 1)"
    )
    sleeping = (
        "import sys, time; from pathlib import Path; from core import jobs; from core.project import Project\n"
        "from core.progress import silent\n"
        f"with Project.open(Path(sys.argv[1])) as project, jobs.reported(project, {number}, silent): time.sleep(600)"
    )
    process = subprocess.run([sys.executable, "-c", sleeping, str(project.folder)], timeout=SECONDS)
    assert process.returncode == 130
    assert (jobs.job(project, number).state, jobs.job(project, number).message) == (
        "stopped",
        "stopped; nothing was changed",
    )


@pytest.mark.parametrize(
    ("raised", "state", "message"),
    [
        (Stopped(), "stopped", "stopped; nothing was changed"),
        (BadInput("film.srt: no text; give another"), "failed", "film.srt: no text; give another"),
        (MemoryError(), "failed", "there is not enough memory for this; close other programs and start it again"),
        (ZeroDivisionError(), "failed", "this is a bug of ours (ZeroDivisionError); please report it"),
    ],
)
def test_however_the_work_ends_it_is_said(project: Project, raised: Exception, state: str, message: str) -> None:
    number = project.database.run(
        "INSERT INTO job (kind, state, stage, done, total, started, updated, message, pid, stop)"
        " VALUES ('run', 'waiting', 'starting', 0, 0, 0, 0, '', 0, 0)"
    )

    def work() -> None:
        with jobs.reported(project, number, silent) as progress:
            progress("people", 1, 2, 0.5)
            raise raised

    with pytest.raises(type(raised)):
        work()
    job = jobs.job(project, number)
    assert (job.state, job.message, job.done, job.curve) == (state, message, 1, (0.5,))


def test_a_long_curve_is_thinned(project: Project) -> None:
    reporter = jobs.Reporter(project, 0)
    reporter.curve = [float(k) for k in range(1001)]
    assert len(reporter.points()) <= jobs.CURVE
    assert reporter.points()[:2] == [0.0, 6.0]


def test_a_process_that_is_kept_ready_takes_the_next_job_and_another_takes_its_place(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "_keep", False)
    worker.keep_ready()
    ready = worker._ready
    assert ready is not None
    assert ended(project, started(project).id).pid == ready.process.pid
    end = time.monotonic() + SECONDS
    while (worker._ready is None or worker._ready is ready) and time.monotonic() < end:
        time.sleep(0.05)
    following = worker._ready
    assert following is not None
    assert following is not ready
    worker._keep = False
    following.line.close()  # as when the app ends
    assert following.process.wait(timeout=SECONDS) == 0


def test_a_ready_process_that_died_is_replaced(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "_keep", False)
    worker.keep_ready()
    ready = worker._ready
    assert ready is not None
    worker._keep = False
    ready.process.kill()
    ready.process.wait()
    assert ended(project, started(project).id).state == "done"
