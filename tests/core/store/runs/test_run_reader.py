"""Answers of runs are read once, follow the names, and go with the faces they knew."""

from __future__ import annotations

from core.store.project import Change, Project
from core.store.runs.run_reader import RunReader
from tests.known import known_run


def test_an_answer_follows_merges_and_splits_without_being_read_again(project: Project) -> None:
    first = project.solved()
    assert first is not None
    assert project.solved() is first
    project.decide("Ann", Change("merge", name="Boris", other="Anna"))
    merged = project.solved()
    assert merged is not None
    assert merged.prediction.names == ("Anna", "Chloe", "Dev")
    (project.folder / "runs" / "000001.npz").unlink()
    project.undo("Ann")
    again = project.solved()
    assert again is not None
    assert again.prediction.names == first.prediction.names
    assert (again.prediction.name == first.prediction.name).all()


def test_runs_that_knew_a_face_are_removed_with_it_and_so_is_one_that_cannot_be_read(project: Project) -> None:
    known_run(project)
    known_run(project)
    (project.folder / "runs" / "000002.npz").write_bytes(b"nothing")
    runs = RunReader(project.folder, project.database, project.log)
    runs.remove_with([99_999])
    assert [run.id for run in runs.runs()] == [1, 3]
    runs.remove_with([0])
    assert runs.runs() == []
    assert list((project.folder / "runs").glob("*.npz")) == []
