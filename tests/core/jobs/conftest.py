"""A small project to work on; no process is left at work on it."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.jobs import engine as jobs
from core.store.project import Project
from tests.made import made_project


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with made_project(tmp_path / "film", run=False) as made:
        yield made
        for job in jobs.jobs(made):
            if job.active and job.pid:
                os.kill(job.pid, signal.SIGTERM)
