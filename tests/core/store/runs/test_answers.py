"""Runs as files: what two runs name differently, merged names, damaged files."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from core.prediction import Evidence, Prediction, Scores
from core.problem import NOBODY
from core.store.decisions.log import Decision, Log
from core.store.project import Change, Project
from core.store.runs.answers import Solved, in_current_names
from tests.known import known_run


def test_what_changed_lists_faces_with_old_and_new_name(project):
    assert project.what_changed() == []
    old = project.solved().prediction.label(3)
    project.decide("Ann", Change("is", face=3, name="Somebody New"))
    known_run(project)
    changed = {change.face: change for change in project.what_changed()}
    assert 3 in changed
    text = project.log().text
    assert (text(changed[3].before) if changed[3].before != NOBODY else None) == old
    assert text(changed[3].after) == "Somebody New"
    assert [run.id for run in project.runs()] == [1, 2]


def test_the_scores_of_merged_names_add_up(project: Project) -> None:
    """By hand: Ann .4, Anna .3, Bob .2, nobody .1; Ann and Anna are one, so the answer is hers with .7."""
    log = Log({0: "Ann", 1: "Bob", 2: "Anna"})
    persons = csr_array(np.array([[0.5, 0.2, 0.3, 0.0], [0.0, 0.0, 0.0, 1.0]], np.float32))
    evidence = Evidence(persons, np.zeros((2, 1), np.int64), np.zeros((2, 1)))
    scores = Scores(np.array([0, 0, 0]), np.array([0, 1, 2]), np.array([0.4, 0.2, 0.3]), np.array([0.1, 1.0]), evidence)
    prediction = Prediction(("", "", ""), np.array([0, NOBODY]), np.array([0.4, 1.0]), scores)
    raw = Solved(project.runs()[0], np.array([5, 8]), np.array([0, 1, 2]), prediction, np.array([5, 8]))
    apart = in_current_names(raw, log)
    assert apart.prediction.names == ("Ann", "Bob", "Anna")
    assert apart.ranked(0) == [(0, 0.4), (2, pytest.approx(0.3)), (1, pytest.approx(0.2)), (NOBODY, pytest.approx(0.1))]
    log.take([Decision(1, "u", "s", "", "me", "merge", None, None, 2, 0, "", ())])
    merged = in_current_names(raw, log)
    assert merged.prediction.names == ("Ann", "Bob")
    assert merged.name_id.tolist() == [0, 1]
    assert merged.name.tolist() == [0, NOBODY]
    assert merged.ranked(0) == [(0, pytest.approx(0.7)), (1, pytest.approx(0.2)), (NOBODY, pytest.approx(0.1))]
    assert merged.prediction.confidence.tolist() == pytest.approx([0.7, 1.0])
    assert merged.prediction.scores.evidence is not None
    np.testing.assert_allclose(merged.prediction.scores.evidence.persons.toarray(), [[0.8, 0.2, 0.0], [0.0, 0.0, 1.0]])
    assert merged.person.tolist() == [0, 2]
