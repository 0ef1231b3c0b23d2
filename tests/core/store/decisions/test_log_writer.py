"""What may be decided, and how it is written: whole or not at all, and once."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import BadInput
from core.store.project import Change, Project
from tests.made import made_project


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (Change("is", face=0, name="  "), "name is needed"),
        (Change("is", face=99999, name="A"), "no face 99999"),
        (Change("is", face=0, name="A" * 201), "201 characters"),
        (Change("is", face=0, name="\ud800"), "half a character"),
        (Change("mention", name="A"), "frame is needed"),
        (Change("is", name="A"), "face is needed"),
        (Change("merge", name="Anna", other="Anna"), "one person already"),
        (Change("rename", name="Anna", other="Boris"), "merge the two"),
        (Change("split", name="Anna"), "nothing to split"),
        (Change("undo"), "nothing that can be decided"),  # type: ignore[arg-type]
    ],
)
def test_a_decision_that_makes_no_sense_is_refused_and_not_written(project, change, words):
    before = len(project.log().entries)
    with pytest.raises(BadInput, match=words):
        project.decide("Ann", Change("nobody", face=1), change)
    assert len(project.log().entries) == before
    assert not project.log().standing(1).answers
    with Project.open(project.folder) as again:
        assert len(again.log().entries) == before
        assert again.names() == project.names()


def test_a_step_that_is_asked_for_twice_is_done_once(tmp_path: Path) -> None:
    with made_project(tmp_path / "film", frames=2, run=False) as project:
        for _ in range(2):
            assert project.decide("Ann", Change("nobody", face=0), step="a-1") == "a-1"
        project.decide("Ann", Change("nobody", face=1), step="a-2")
        assert [entry.face for entry in project.undo("Ann", "a-3")] == [1]
        assert project.undo("Ann", "a-3") == ()
        assert [(entry.kind, entry.step) for entry in project.log().entries] == [
            ("nobody", "a-1"),
            ("nobody", "a-2"),
            ("undo", "a-3"),
        ]
    with Project.open(tmp_path / "film") as again:
        assert again.undo("Ann", "a-3") == ()
        assert [entry.face for entry in again.undo("Ann", "a-4")] == [0]
