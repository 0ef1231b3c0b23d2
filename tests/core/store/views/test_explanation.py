"""Why a face got its name, in the project's own numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.review.explain import explain
from core.store.project import Change
from tests.made import made_project


def test_it_says_what_explain_says_of_the_whole_problem(tmp_path: Path) -> None:
    with made_project(tmp_path / "film", frames=18, noise=0.9) as project:
        solved = project.solved()
        assert solved is not None
        problem, ids = project.problem()
        for face in (0, 7, 20):
            found, plain = project.review.explain(face), explain(problem, solved.prediction, ids.index(face))
            assert found is not None
            assert found.considered == plain.considered
            assert [alike.face for alike in found.look_alikes] == [ids[alike.face] for alike in plain.look_alikes]
            frames = {other.id: other.frame for other in project.faces()}
            assert [alike.group for alike in found.look_alikes] == [frames[alike.face] for alike in found.look_alikes]
            assert [ruled.name for ruled in found.ruled_out] == [ruled.name for ruled in plain.ruled_out]


def test_names_are_called_as_they_are_now_and_new_faces_are_unknown(tmp_path: Path) -> None:
    with made_project(tmp_path / "film", frames=6) as project:
        project.decide("ann", Change("rename", name="Anna", other="Annabel"))
        found = project.review.explain(0)
        assert found is not None
        assert found.considered[0].name == "Annabel"
        assert found.considered[0].in_caption
        assert project.review.explain(999) is None


@pytest.mark.parametrize("frames", [0, 2])
def test_before_the_first_run_there_is_nothing_to_explain(tmp_path: Path, frames: int) -> None:
    with made_project(tmp_path / "film", frames=frames, run=False) as project:
        assert project.review.explain(0) is None
