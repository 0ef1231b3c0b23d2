from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.errors import BadInput
from core.problem import NOBODY
from core.records import Box
from core.store.project import LAST, Change, Project
from core.store.runs.comparison import compared


def test_methods_are_compared_around_what_people_said_and_runs_stay(project: Project) -> None:
    project.decide("Eva", Change("nobody", face=0))
    stages: list[str] = []
    found = project.comparison.compare(
        ["rollcall", "cluster-voting"], 0, lambda stage, done, total, value=None: stages.append(stage)
    )
    assert [one.method for one in found] == ["cluster-voting", "rollcall"]
    assert len(project.runs()) == 1
    assert dict.fromkeys(stages).keys() == {"rollcall (1 of 2)", "cluster-voting (2 of 2)"}
    for one in found:
        assert one.name[one.face.tolist().index(0)] == -1  # nobody, as Eva said
        assert one.version == project.log().version
        assert one.seconds > 0


def test_they_are_judged_by_the_last_run_and_by_the_truth(project: Project) -> None:
    project.comparison.compare(["rollcall", "dbgae-no-autoencoder"])
    other, ours = project.comparison.judged(*project.problem())
    assert (ours.method, ours.agreement, ours.fresh) == ("rollcall", 1.0, True)
    assert ours.accuracy == project.runs()[-1].accuracy
    assert ours.f1 == pytest.approx(1.0, abs=0.1)
    assert other.agreement < 1
    assert other.accuracy is not None
    assert 0 < other.named <= 1
    project.decide("Eva", Change("nobody", face=0))
    assert not project.comparison.judged(*project.problem())[0].fresh
    problem, ids = project.problem()
    assert project.comparison.judged(replace(problem, truth=None), ids)[0].accuracy is None


def test_a_comparison_goes_with_a_person_who_is_removed(project: Project) -> None:
    project.comparison.compare(["cluster-voting"])
    project.remove_person("Anna")
    assert compared(project.folder) == []


def test_an_unknown_method_is_refused_and_a_damaged_answer_left_out(project: Project) -> None:
    with pytest.raises(BadInput, match="no method 'guessing'"):
        project.comparison.compare(["rollcall", "guessing"])
    assert compared(project.folder) == []
    project.comparison.compare(["cluster-voting"])
    (project.folder / "runs" / "compared" / "cluster-voting.npz").write_bytes(b"nothing")
    assert compared(project.folder) == []


def test_answers_are_in_the_problems_names_and_merged_names_count_as_one(project: Project) -> None:
    project.comparison.compare(["cluster-voting"])
    problem, ids = project.problem()
    before = project.comparison.answers(problem, ids)
    assert list(before) == [LAST, "cluster-voting"]
    assert np.mean(before[LAST] == problem.truth) == project.runs()[-1].accuracy
    either = {
        method: np.isin(answer, [problem.names.index("Anna"), problem.names.index("Boris")])
        for method, answer in before.items()
    }
    project.decide("Eva", Change("merge", name="Boris", other="Anna"))
    problem, ids = project.problem()
    assert "Boris" not in problem.names
    for method, answer in project.comparison.answers(problem, ids).items():
        assert ((answer == problem.names.index("Anna")) == either[method]).all()


def test_a_face_that_a_method_did_not_know_is_nobody(project: Project) -> None:
    project.comparison.compare(["cluster-voting"])
    vector = project.embeddings()[0]
    face = project.add_face("Eva", 0, Box(1, 1, 9, 9), vector, None)
    problem, ids = project.problem()
    assert [answer[ids.index(face)] for answer in project.comparison.answers(problem, ids).values()] == [NOBODY, NOBODY]
