"""Who is who now, as arrays: people's answers over the last run's."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from core.store.project import Change, Project
from core.store.views.current_labels import CONFIRMED, CONFLICT, CORRECTED, OPEN, UNKNOWN
from tests.made import made_project


def test_answers_lie_over_the_runs_and_two_that_differ_are_a_conflict(project: Project) -> None:
    before, seen = project.current_labels(), project.log().version
    project.decide("Ann", Change("confirm", face=0, name="Anna"), Change("is", face=1, name="Zoe"), seen=seen)
    project.decide("Ann", Change("is", face=2, name="Dev"), seen=seen)
    project.decide("Bob", Change("nobody", face=2), seen=seen)
    labels = project.current_labels()
    assert labels.state[:4].tolist() == [CONFIRMED, CORRECTED, CONFLICT, OPEN]
    assert labels.confidence[:3].tolist() == [1.0, 1.0, 1.0]
    assert [project.log().text(int(name)) for name in labels.name[:2]] == ["Anna", "Zoe"]
    assert labels.waiting[:4].tolist() == [False, False, True, True]
    assert labels.settled == 2
    assert (labels.name[3:] == before.name[3:]).all()


def test_what_is_no_face_is_not_there_and_what_no_run_knows_is_unknown(tmp_path: Path) -> None:
    with made_project(tmp_path / "film", frames=3, run=False) as project:
        assert (project.current_labels().name == UNKNOWN).all()
        faces = project.current_labels().face.tolist()
        project.decide("Ann", Change("not a face", face=faces[1]))
        labels = project.current_labels()
        assert labels.face.tolist() == [faces[0], *faces[2:]]
        assert labels.rows(np.array(faces)).tolist() == list(range(len(faces) - 1))
        assert labels.in_frame(0).tolist() == [0, 1]
