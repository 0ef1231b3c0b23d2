"""What was read is kept as long as it holds, and no longer."""

from __future__ import annotations

import threading

import pytest

from core.errors import BadInput
from core.records import Box
from core.store.project import Change, Project
from tests.known import known_run


def test_labels_are_kept_until_somebody_decides_or_a_run_ends(project: Project) -> None:
    first = project.current_labels()
    assert project.current_labels() is first
    with Project.open(project.folder) as other:
        other.decide("Bob", Change("nobody", face=0))
    second = project.current_labels()
    assert second is not first
    assert (second.settled, first.settled) == (1, 0)
    known_run(project)
    assert project.current_labels() is not second


def test_labels_are_made_anew_when_a_face_comes_or_a_step_is_rolled_back(project: Project) -> None:
    faces = len(project.current_labels().face)
    project.add_face("Ann", 0, Box(5, 5, 50, 50), project.embeddings()[0], None)
    assert len(project.current_labels().face) == faces + 1
    seen: list[int] = []

    def fail() -> None:
        with project.database.transaction():
            project.decide("Ann", Change("nobody", face=0))
            seen.append(project.current_labels().settled)
            raise BadInput("too late")

    with pytest.raises(BadInput, match="too late"):
        fail()
    assert (seen, project.current_labels().settled) == ([1], 0)
    project.decide("Ann", Change("is", face=1, name="Anna"))  # it has the number of the one that was rolled back
    assert project.current_labels().settled == 1
    assert not project.log().standing(0).answers


def test_what_explains_is_kept_until_names_or_mentions_change(project: Project) -> None:
    first = project.reader.explainer()
    project.decide("Ann", Change("nobody", face=3))
    assert project.reader.explainer() is first
    project.decide("Ann", Change("mention", frame=0, name="Dev"))
    second = project.reader.explainer()
    assert second is not first
    project.undo("Ann")
    assert project.reader.explainer() is not second


def test_threads_that_read_and_write_do_not_wait_for_each_other_for_ever(project: Project) -> None:
    """A writer holds the database and wants the log; a reader wants the log, which needs the database."""
    vector, done = project.embeddings()[0], []

    def write() -> None:
        for _ in range(20):
            project.add_face("Ann", 0, Box(5, 5, 50, 50), vector, None)
        done.append("written")

    def read() -> None:
        for _ in range(200):
            project.log()
            project.current_labels()
        done.append("read")

    threads = [threading.Thread(target=work, daemon=True) for work in (write, read, read)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert sorted(done) == ["read", "read", "written"]
