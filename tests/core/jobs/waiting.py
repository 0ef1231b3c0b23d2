"""Waits for jobs, however busy the machine is."""

from __future__ import annotations

import time
from collections.abc import Callable

from core.jobs import engine as jobs
from core.jobs.engine import Job
from core.store.project import Project

SECONDS = 120  # to wait for anything
LONG = "dbgae"  # a thousand epochs, and a note of progress after each
QUICK = "cluster-voting"


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
