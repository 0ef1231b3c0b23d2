"""Long work in a process of its own, which tells the project's database how far it is and can be stopped there.

Whoever opens the project, in whichever process, sees the same jobs; a reload or a restart of the app loses none.
"""

from __future__ import annotations

import json

from core.errors import BadInput
from core.jobs import worker
from core.jobs.requests import Ingest, Request, RunMethod, decode, encode
from core.jobs.worker import keep_ready
from core.store.project import Project
from core.store.tables import job_table
from core.store.tables.job_table import LOST, Job

__all__ = ["LOST", "Job", "active", "again", "job", "jobs", "keep_ready", "start", "stop"]


def start(project: Project, *wanted: Request) -> Job:
    """Begins work in the background, each request a job of its own; gives the first. One start at a time.

    The same process does the others after it, unless one fails or is stopped.
    """
    gate = job_table.pass_gate(project.database, project.folder)
    try:
        numbers = [
            job_table.add(project.database, request.kind, "waiting" if later else "running", _kept(project, request))
            for later, request in enumerate(wanted)
        ]
        worker.hand_over(worker.Order(project.folder, tuple(zip(numbers, wanted, strict=True))), gate.release)
    except BaseException as error:
        job_table.bury(project.database, project.folder)
        gate.release()
        if isinstance(error, OSError):
            raise BadInput(f"the work could not be started ({error.strerror}); try again") from error
        raise
    return job(project, numbers[0])


def again(project: Project, job: Job) -> Job:
    """Begins a job's work once more; after an ingest comes a run, as when it was begun in the app."""
    request = _asked(project, job)
    return start(project, request, RunMethod()) if isinstance(request, Ingest) else start(project, request)


def jobs(project: Project) -> list[Job]:
    """The last jobs, the latest first; one whose process is gone without a word has failed."""
    return job_table.jobs(project.database, project.folder)


def job(project: Project, number: int) -> Job:
    return job_table.job(project.database, number)


def active(project: Project) -> Job | None:
    """The job that is going on."""
    return job_table.active(project.database, project.folder)


def stop(project: Project, number: int) -> None:
    """Asks a job to stop, and with it those that wait for it; it does so at its next note of progress."""
    job_table.stop(project.database, number)


def _kept(project: Project, request: Request) -> str:
    """A request as the table of jobs has it: with the project's place, so that a copy does not do it again."""
    return json.dumps({"project": str(project.folder), "work": encode(request)})


def _asked(project: Project, job: Job) -> Request:
    """What a job was asked to do. Refuses what another project was asked, or an earlier Rollcall."""
    kept = json.loads(job.request)
    if not isinstance(kept, dict) or kept.get("project") != str(project.folder):
        raise BadInput("this piece of work is not this project's; start it anew")
    return decode(kept.get("work"))
