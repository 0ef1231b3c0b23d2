"""The process that works: kept ready, replaced when it died, given up when its work was."""

from __future__ import annotations

import io
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from core.jobs import engine as jobs
from core.jobs import worker
from core.jobs.requests import CompareMethods, RunMethod
from core.jobs.worker import Order
from core.store.project import Project
from core.store.tables import job_table
from tests.core.jobs.waiting import QUICK, SECONDS, ended


@pytest.fixture(autouse=True)
def alone() -> Iterator[None]:
    """Processes that other tests keep ready end first; none of this test's is left behind."""
    _end_all()
    yield
    _end_all()


def _end_all() -> None:
    """A process that ended well is followed by another while one is to be kept ready, and a thread sees to that."""
    worker._keep = False
    end = time.monotonic() + SECONDS
    while any(thread.name == worker.WATCHER for thread in threading.enumerate()):
        assert time.monotonic() < end, "a process goes on and on"
        worker._keep = False  # one of the threads may have been about to begin another process
        process = worker._take()
        if process is not None and process.stdin is not None:
            process.stdin.close()  # as when the app ends
        time.sleep(0.05)


def ready() -> subprocess.Popen[bytes]:
    worker.keep_ready()
    assert worker._ready is not None
    return worker._ready


def test_a_process_that_is_kept_ready_takes_the_next_job_and_another_takes_its_place(project: Project) -> None:
    first = ready()
    assert ended(project, jobs.start(project, RunMethod()).id).pid == first.pid
    end = time.monotonic() + SECONDS
    while (worker._ready is None or worker._ready is first) and time.monotonic() < end:
        time.sleep(0.05)
    following = worker._ready
    assert following is not None
    assert following is not first
    worker._keep = False
    assert following.stdin is not None
    following.stdin.close()  # as when the app ends
    assert following.wait(timeout=SECONDS) == 0


def test_a_ready_process_that_died_is_replaced(project: Project) -> None:
    process = ready()
    worker._keep = False
    process.kill()
    process.wait()
    assert ended(project, jobs.start(project, RunMethod(QUICK)).id).state == "done"


def test_a_process_that_dies_as_it_is_given_work_is_replaced(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    process = ready()
    worker._keep = False
    process.kill()
    process.wait()
    monkeypatch.setattr(worker, "_take", lambda: process)  # it was looked at before it died
    assert ended(project, jobs.start(project, RunMethod(QUICK)).id).state == "done"


def test_an_order_arrives_as_it_was_sent(project: Project) -> None:
    order = Order(project.folder, ((3, RunMethod(seed=2)), (4, CompareMethods(("ipal", "sure")))))
    assert Order.read(order.line()) == order
    assert order.line().count(b"\n") == 1


def test_the_gate_is_closed_until_the_process_has_the_project(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """In between nobody may take the job for lost."""
    monkeypatch.setattr(worker, "_take", lambda: None)
    begin = worker._begin
    begun: list[subprocess.Popen[bytes]] = []

    def slowly() -> subprocess.Popen[bytes]:
        begun.append(begin())
        with Project.open(project.folder) as other:  # the order has not been sent
            assert [job.state for job in jobs.jobs(other)] == ["running"]
        return begun[0]

    monkeypatch.setattr(worker, "_begin", slowly)
    assert ended(project, jobs.start(project, RunMethod(QUICK)).id).state == "done"
    assert len(begun) == 1


def test_work_that_was_given_up_meanwhile_is_not_done(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """The app died as it handed the work over, and somebody looked before the process had the project, which does not warm
    up for an order that is there."""
    monkeypatch.setattr(worker, "AT_ONCE", SECONDS)
    monkeypatch.setattr(worker, "_warm_up", lambda: pytest.fail("it warmed up"))
    number = job_table.add(project.database, "run", "running", "{}")
    assert [job.state for job in jobs.jobs(project)] == ["failed"]
    monkeypatch.setattr(worker, "_say_into", lambda log: None)
    monkeypatch.setattr(worker, "_held", [])
    answers = io.BytesIO()
    assert worker.main(io.BytesIO(Order(project.folder, ((number, RunMethod()),)).line()), answers) == 0
    assert answers.getvalue() == worker.TAKEN
    assert jobs.job(project, number).state == "failed"
    assert project.runs() == []


def test_a_process_that_gets_no_order_ends() -> None:
    answers = io.BytesIO()
    assert worker.main(io.BytesIO(), answers) == 0
    assert answers.getvalue() == b""


def test_a_warm_process_has_nothing_left_to_import(project: Project) -> None:
    program = (
        "import sys; from pathlib import Path; from core.jobs import worker; from core.jobs.requests import RunMethod\n"
        "from core.store.project import Project\n"
        "worker._warm_up(); before = set(sys.modules)\n"
        "from core.jobs.perform import perform\n"
        "with Project.open(Path(sys.argv[1])) as project: perform(project, int(sys.argv[2]), RunMethod())\n"
        "heavy = ('core.solvers', 'scipy', 'sklearn', 'torch')\n"
        "print(sorted(name for name in set(sys.modules) - before if name.startswith(heavy)))"
    )
    number = job_table.add(project.database, "run", "running", "{}")
    arguments = [sys.executable, "-c", program, str(project.folder), str(number)]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=SECONDS, check=True)
    assert done.stdout == "[]\n"
