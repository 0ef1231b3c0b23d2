"""From problem files to a project."""

import json
from pathlib import Path

import numpy as np
import pytest

from core.errors import BadInput
from core.formats import read_problem
from core.jobs.ingest import ingest, project_at
from core.jobs.requests import IngestProblem, IngestVideo
from tests.core.jobs.ingest.people import Counting


def test_a_problem_comes_in_with_its_numbers(tmp_path: Path) -> None:
    draw = np.random.default_rng(0)
    features = draw.normal(size=(6, 4)).astype(np.float32)
    group, truth = [2, 0, 1, 0, 2, 1], [0, 1, -1, 0, 1, 1]
    names, candidates = ["Ross", "Rachel"], [["Ross", "Rachel"], [], ["Rachel"], ["Ross"]]
    path = tmp_path / "a.npz"
    np.savez(path, features=features, group=group, names=names, truth=truth, candidates_json=json.dumps(candidates))
    with project_at(tmp_path / "p") as project:
        summary = ingest(project, IngestProblem(path))
        assert (summary.frames, summary.faces, summary.names) == (4, 6, ("Ross", "Rachel"))
        assert [(face.id, face.frame) for face in project.faces()] == list(enumerate(group))
        assert [face.truth for face in project.faces()] == ["Ross", "Rachel", "", "Ross", "Rachel", "Rachel"]
        assert np.array_equal(project.embeddings(), features)
        assert [frame.caption for frame in project.frames()] == ["Ross, Rachel", "", "Rachel", "Ross"]
        assert project.mentions(0)[1].spans == ((6, 12),)
        problem, ids = project.problem()
    assert ids == list(range(6))
    true = read_problem(path)
    assert problem.candidates() == true.candidates()
    assert problem.group.tolist() == group


def test_faces_of_two_kinds_are_never_mixed(ada_and_bruno: Path, counted: Counting, tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    np.savez(path, features=np.eye(3, dtype=np.float32), group=[0, 1, 1], names=["A"], candidates_json='[["A"], []]')
    with project_at(tmp_path / "p") as project:
        ingest(project, IngestProblem(path))
        with pytest.raises(BadInput, match="cannot be compared"):
            ingest(project, IngestVideo(ada_and_bruno), finder=counted)
        assert [source.kind for source in project.sources()] == ["problem"]
