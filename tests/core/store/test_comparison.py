from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from core.errors import BadInput
from core.progress import silent
from core.project import Change, Project
from core.store.comparing import aligned, compare, compared, judged, renamed
from tests.made import made_project


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with made_project(tmp_path / "film", frames=12) as made:
        yield made


def truth_of(project: Project) -> tuple[np.ndarray, list[int]]:
    problem, ids = project.problem()
    assert problem.truth is not None
    numbers = np.array([*(project.log().find_name(name) for name in problem.names), -1])
    return numbers[problem.truth], ids


def test_methods_are_compared_around_what_people_said_and_runs_stay(project: Project) -> None:
    project.decide("Eva", Change("nobody", face=0))
    stages: list[str] = []
    found = compare(project, ["rollcall", "cluster-voting"], 0, lambda stage, done, total, value=None: stages.append(stage))
    assert [one.method for one in found] == ["cluster-voting", "rollcall"]
    assert len(project.runs()) == 1
    assert dict.fromkeys(stages).keys() == {"rollcall (1 of 2)", "cluster-voting (2 of 2)"}
    for one in found:
        assert one.name[one.face.tolist().index(0)] == -1  # nobody, as Eva said
        assert one.version == project.log().version
        assert one.seconds > 0


def test_they_are_judged_by_the_last_run_and_by_the_truth(project: Project) -> None:
    compare(project, ["rollcall", "dbgae-no-autoencoder"], 0, silent)
    other, ours = judged(project, *truth_of(project))
    assert (ours.method, ours.agreement, ours.fresh) == ("rollcall", 1.0, True)
    assert ours.accuracy == project.runs()[-1].accuracy
    assert ours.f1 == pytest.approx(1.0, abs=0.1)
    assert other.agreement < 1
    assert other.accuracy is not None
    assert 0 < other.named <= 1
    project.decide("Eva", Change("nobody", face=0))
    assert not judged(project, None, [])[0].fresh
    assert judged(project, None, [])[0].accuracy is None


def test_a_comparison_goes_with_a_person_who_is_removed(project: Project) -> None:
    compare(project, ["cluster-voting"], 0, silent)
    project.remove_person("Anna")
    assert compared(project) == []


def test_an_unknown_method_is_refused_and_a_damaged_answer_left_out(project: Project) -> None:
    with pytest.raises(BadInput, match="no method 'guessing'"):
        compare(project, ["rollcall", "guessing"], 0, silent)
    assert compared(project) == []
    compare(project, ["cluster-voting"], 0, silent)
    (project.folder / "runs" / "compared" / "cluster-voting.npz").write_bytes(b"nothing")
    assert compared(project) == []


def test_merged_names_count_as_one_and_missing_faces_as_nobody() -> None:
    assert renamed(np.array([0, 3, -1, 2]), {3: 0, 2: 5}).tolist() == [0, 0, -1, 5]
    assert aligned(np.array([2, 4, 9]), np.array([7, 8, 9]), [4, 5, 9]).tolist() == [8, -1, 9]
    assert aligned(np.zeros(0, np.int64), np.zeros(0, np.int64), [1]).tolist() == [-1]
