"""Work in the background: begun, watched, stopped, followed by other work; nothing is lost with a process."""

from __future__ import annotations

import json
import os
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest

from core.errors import BadInput
from core.jobs import engine as jobs
from core.jobs.engine import LOST
from core.jobs.requests import IngestProblem, RunMethod, decode
from core.store.project import Project
from tests.core.jobs.waiting import LONG, ended, until


def test_a_run_in_another_process_tells_how_far_it_is_and_leaves_its_answer(project: Project) -> None:
    job = jobs.start(project, RunMethod())
    assert job.active
    assert job.state == "running"
    job = ended(project, job.id)
    assert (job.state, job.message, job.stage) == ("done", "", "people")
    assert job.done == job.total > 0
    assert len(job.curve) == job.total
    assert job.pid != os.getpid()
    assert decode(json.loads(job.request)["work"]) == RunMethod()
    assert [run.method for run in project.runs()] == ["rollcall"]
    assert project.current_labels().confidence.min() > 0


def test_whoever_opens_the_project_sees_the_job_and_can_stop_it(project: Project) -> None:
    job = jobs.start(project, RunMethod(LONG))
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
    first = jobs.start(project, RunMethod(LONG))
    with Project.open(project.folder) as other, pytest.raises(BadInput, match="already"):
        jobs.start(other, RunMethod())
    assert [job.id for job in jobs.jobs(project)] == [first.id]
    jobs.stop(project, first.id)
    ended(project, first.id)
    assert ended(project, jobs.start(project, RunMethod()).id).state == "done"


def test_a_killed_process_is_noticed_and_a_new_one_can_begin(project: Project) -> None:
    job = until(project, jobs.start(project, RunMethod(LONG)).id, lambda job: job.done > 0)
    os.kill(job.pid, signal.SIGKILL)
    job = ended(project, job.id)
    assert (job.state, job.message) == ("failed", LOST)
    assert ended(project, jobs.start(project, RunMethod()).id).state == "done"
    with pytest.raises(ProcessLookupError):  # not even a zombie is left
        os.kill(job.pid, 0)


def test_bad_input_is_told_in_its_own_sentence(project: Project, tmp_path: Path) -> None:
    job = ended(project, jobs.start(project, RunMethod("guessing")).id)
    assert job.state == "failed"
    assert job.message.startswith("there is no method 'guessing'; choose from rollcall")
    missing = tmp_path / "none.npz"
    job = ended(project, jobs.start(project, IngestProblem(missing)).id)
    assert (job.kind, job.state) == ("ingest", "failed")
    assert job.message == f"{missing}: there is no such file; check the path"


def test_work_that_follows_waits_for_the_first_and_is_dropped_when_that_fails(project: Project) -> None:
    first = jobs.start(project, RunMethod(), RunMethod(seed=1))
    assert [job.state for job in jobs.jobs(project)] == ["waiting", "running"]
    assert ended(project, first.id + 1).state == "done"
    assert [run.seed for run in project.runs()] == [0, 1]
    failing = jobs.start(project, RunMethod("guessing"), RunMethod())
    assert ended(project, failing.id).state == "failed"
    until(project, failing.id, lambda job: jobs.active(project) is None)
    assert [job.id for job in jobs.jobs(project)] == [failing.id, first.id + 1, first.id]
    assert len(project.runs()) == 2


def test_stopping_the_first_stops_what_waits_for_it(project: Project) -> None:
    first = jobs.start(project, RunMethod(LONG), RunMethod())
    jobs.stop(project, first.id)
    assert ended(project, first.id).state == "stopped"
    until(project, first.id, lambda job: jobs.active(project) is None)
    assert [job.id for job in jobs.jobs(project)] == [first.id]
    assert project.runs() == []


# --- Once more ---------------------------------------------------------------------------------------------------------


def test_what_failed_is_begun_again_as_it_was_asked_for(project: Project, tmp_path: Path) -> None:
    first = jobs.start(project, IngestProblem(tmp_path / "none.npz"))
    ended(project, first.id)
    again = jobs.again(project, jobs.job(project, first.id))
    assert again.request == first.request
    assert [job.kind for job in jobs.jobs(project)][:2] == ["run", "ingest"]  # an ingest is followed by a run
    assert ended(project, again.id).state == "failed"


def test_a_copy_of_a_project_does_not_repeat_the_originals_work(project: Project, tmp_path: Path) -> None:
    first = jobs.start(project, IngestProblem(tmp_path / "none.npz"))
    ended(project, first.id)
    shutil.copytree(project.folder, tmp_path / "copy")
    with Project.open(tmp_path / "copy") as copy, pytest.raises(BadInput, match="not this project's"):
        jobs.again(copy, jobs.job(copy, first.id))


@pytest.mark.parametrize(
    "kept",
    [
        ["run", "--project", "{here}"],  # as it was kept before requests had types
        [],
        {"project": "/another", "work": {"request": "RunMethod", "method": "rollcall", "seed": 0, "cold": False}},
        {"project": "{here}", "work": {"request": "Remove"}},
        {"project": "{here}", "work": {"request": "RunMethod", "method": "rollcall", "seed": 0}},
        {"project": "{here}", "work": {"request": "IngestProblem", "problem": 7}},
        {"project": "{here}"},
    ],
)
def test_old_and_made_up_work_is_shown_and_not_started(project: Project, kept: Any) -> None:
    text = json.dumps(kept).replace("{here}", str(project.folder))
    project.database.run(
        "INSERT INTO job (kind, state, stage, done, total, started, updated, message, pid, stop, command)"
        " VALUES ('run', 'failed', 'people', 3, 24, 0, 0, 'no memory', 0, 0, ?)",
        (text,),
    )
    (job,) = jobs.jobs(project)
    assert (job.state, job.message) == ("failed", "no memory")
    with pytest.raises(BadInput, match="start it anew"):
        jobs.again(project, job)
    assert len(jobs.jobs(project)) == 1
