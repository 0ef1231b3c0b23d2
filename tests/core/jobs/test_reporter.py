"""How far a job is and how it ended is written down, whatever happens to it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from core.errors import BadInput
from core.jobs import reporter
from core.jobs.reporter import Reporter, reported
from core.progress import Stopped
from core.store.project import Project
from core.store.tables import job_table
from tests.core.jobs.waiting import SECONDS


@pytest.fixture
def number(project: Project) -> int:
    return job_table.add(project.database, "run", "waiting", "{}")


def test_work_that_never_reports_is_ended_when_it_is_asked_to_stop(project: Project, number: int) -> None:
    job_table.stop(project.database, number)
    sleeping = (
        "import sys, time; from pathlib import Path; from core.store.project import Project\n"
        "from core.jobs.reporter import reported\n"
        f"with Project.open(Path(sys.argv[1])) as project, reported(project.database, {number}): time.sleep(600)"
    )
    process = subprocess.run([sys.executable, "-c", sleeping, str(project.folder)], timeout=SECONDS)
    assert process.returncode == 130
    job = job_table.job(project.database, number)
    assert (job.state, job.message) == ("stopped", "stopped; nothing was changed")


@pytest.mark.parametrize(
    ("raised", "state", "message"),
    [
        (Stopped(), "stopped", "stopped; nothing was changed"),
        (BadInput("film.srt: no text; give another"), "failed", "film.srt: no text; give another"),
        (MemoryError(), "failed", "there is not enough memory for this; close other programs and start it again"),
        (ZeroDivisionError(), "failed", "this is a bug of ours (ZeroDivisionError); please report it"),
    ],
)
def test_however_the_work_ends_it_is_said(
    project: Project, number: int, raised: Exception, state: str, message: str
) -> None:
    def work() -> None:
        with reported(project.database, number) as progress:
            progress("people", 1, 2, 0.5)
            raise raised

    with pytest.raises(type(raised)):
        work()
    job = job_table.job(project.database, number)
    assert (job.state, job.message, job.done, job.curve) == (state, message, 1, (0.5,))


def test_work_that_is_asked_to_stop_ends_at_its_next_note(project: Project, number: int) -> None:
    def work() -> None:
        with reported(project.database, number) as progress:
            progress("people", 1, 3)
            job_table.stop(project.database, number)
            progress("people", 3, 3)

    with pytest.raises(Stopped):
        work()
    assert job_table.job(project.database, number).state == "stopped"


def test_work_that_keeps_what_it_has_ends_by_itself(project: Project, number: int) -> None:
    with reported(project.database, number, keeps=True) as progress:
        job_table.stop(project.database, number)
        progress("faces", 3, 3)
        assert progress.stopped()
        progress.message = "3 frames"
    job = job_table.job(project.database, number)
    assert (job.state, job.message) == ("stopped", "stopped; what was done is kept")


def test_a_long_curve_is_thinned(project: Project) -> None:
    made = Reporter(project.database, 0)
    made.curve = [float(k) for k in range(1001)]
    assert len(made.points()) <= reporter.CURVE
    assert made.points()[:2] == [0.0, 6.0]
