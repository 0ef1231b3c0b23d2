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
from tests.core.jobs.waiting import LONG, QUICK, ended, until


def test_a_job_is_seen_and_stopped_by_whoever_opens_the_project_and_another_can_follow(project: Project) -> None:
    job = jobs.start(project, RunMethod(LONG), RunMethod(QUICK))
    assert (job.active, job.state) == (True, "running")
    with Project.open(project.folder) as other:
        with pytest.raises(BadInput, match="already"):
            jobs.start(other, RunMethod())
        assert [(one.id, one.state) for one in jobs.jobs(other)] == [(job.id + 1, "waiting"), (job.id, "running")]
        seen = until(other, job.id, lambda job: job.done > 1)
        assert jobs.active(other) is not None
        assert seen.stage == "autoencoder"
        assert seen.total == 1000
        assert seen.curve
        assert (seen.left or 0) > 0
        assert (seen.rate or 0) > 0
        jobs.stop(other, job.id)
    stopped = ended(project, job.id)
    assert (stopped.state, stopped.message) == ("stopped", "stopped; nothing was changed")
    until(project, job.id, lambda job: jobs.active(project) is None)  # what waited for it is stopped with it
    assert [one.id for one in jobs.jobs(project)] == [job.id]
    assert project.runs() == []
    assert ended(project, jobs.start(project, RunMethod(QUICK)).id).state == "done"


def test_work_that_follows_waits_for_the_first_and_leaves_its_answer(project: Project) -> None:
    first = jobs.start(project, RunMethod(QUICK), RunMethod(seed=1))
    assert [job.state for job in jobs.jobs(project)] == ["waiting", "running"]
    job = ended(project, first.id + 1)
    assert job.state == "done"
    assert job.message.startswith("named ")
    assert job.done == job.total > 0
    assert job.stage
    assert job.pid != os.getpid()
    assert decode(json.loads(job.request)["work"]) == RunMethod(seed=1)
    assert [(run.method, run.seed) for run in project.runs()] == [(QUICK, 0), ("rollcall", 1)]
    assert project.current_labels().confidence.min() > 0


def test_a_killed_process_is_noticed(project: Project) -> None:
    job = until(project, jobs.start(project, RunMethod(LONG)).id, lambda job: job.done > 0)
    os.kill(job.pid, signal.SIGKILL)
    job = ended(project, job.id)
    assert (job.state, job.message) == ("failed", LOST)
    assert jobs.active(project) is None
    with pytest.raises(ProcessLookupError):  # not even a zombie is left
        os.kill(job.pid, 0)


def test_what_failed_is_told_in_its_own_sentence_drops_what_waited_and_is_begun_again_as_it_was_asked_for(
    project: Project, tmp_path: Path
) -> None:
    failing = jobs.start(project, RunMethod("guessing"), RunMethod())
    job = ended(project, failing.id)
    assert job.state == "failed"
    assert job.message.startswith("there is no method 'guessing'; choose from rollcall")
    until(project, failing.id, lambda job: jobs.active(project) is None)
    assert [job.id for job in jobs.jobs(project)] == [failing.id]
    missing = tmp_path / "none.npz"
    first = ended(project, jobs.start(project, IngestProblem(missing)).id)
    assert (first.kind, first.state) == ("ingest", "failed")
    assert first.message == f"{missing}: there is no such file; check the path"
    again = jobs.again(project, first)
    assert again.request == first.request
    assert [job.kind for job in jobs.jobs(project)][:2] == ["run", "ingest"]  # an ingest is followed by a run
    assert ended(project, again.id).state == "failed"
    shutil.copytree(project.folder, tmp_path / "copy")
    with Project.open(tmp_path / "copy") as copy, pytest.raises(BadInput, match="not this project's"):
        jobs.again(copy, jobs.job(copy, first.id))
    assert project.runs() == []


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
