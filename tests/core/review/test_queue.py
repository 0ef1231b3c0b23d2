"""The review queue asks where an answer settles most."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array

from core import NOBODY, solve
from core.evaluation.generate import films
from core.prediction import Evidence, Prediction, Scores
from core.problem import Problem
from core.review.queue import doubts_of, next_faces, question_order, unlike


def told(confidence: list[float], persons: list[list[float]] | None) -> Prediction:
    """A prediction with these confidences and persons; the rest does not matter to the queue."""
    n = len(confidence)
    none = np.zeros(0, dtype=np.int64)
    evidence = None
    if persons is not None:
        evidence = Evidence(csr_array(np.array(persons, np.float32)), np.zeros((n, 1), np.int64), np.full((n, 1), -2.0))
    scores = Scores(none, none, np.zeros(0), evidence=evidence)
    return Prediction(("A",), np.full(n, NOBODY), np.array(confidence), scores)


def test_without_persons_the_least_sure_come_first() -> None:
    prediction = told([0.9, 0.2, 0.5, 0.1], None)
    assert next_faces(prediction, np.array([False, False, False, True]), 2).tolist() == [1, 2]


def test_a_face_that_settles_others_comes_before_a_lone_one_as_unsure() -> None:
    # by hand: all doubt is about the persons' names, .5 for one face, .5 for two
    prediction = told([0.5, 0.5, 0.5], [[1, 0], [0, 1], [0, 1]])
    assert next_faces(prediction, np.zeros(3, dtype=bool), 1).tolist() == [1]


def test_a_batch_spreads_over_persons() -> None:
    # after face 1 nothing is at stake with its person; face 0 is still worth .5
    prediction = told([0.5, 0.5, 0.5], [[1, 0], [0, 1], [0, 1]])
    assert next_faces(prediction, np.zeros(3, dtype=bool), 3).tolist() == [1, 0, 2]


def test_doubt_is_shared_as_far_as_the_surest_face_shares_it() -> None:
    persons = csr_array(np.array([[1, 0], [1, 0], [0, 1], [0, 1], [0, 0.2]]))
    doubts = doubts_of(persons, np.array([0.1, 0.4, 0.0, 0.3, 0.5]), np.array([False, False, True, False, False]))
    np.testing.assert_allclose(doubts.name, [0.1, 0.3])
    np.testing.assert_allclose(doubts.faces, [2, 1.2], rtol=1e-6)
    np.testing.assert_allclose(doubts.own, [0, 0.3, 0, 0, 0.44], atol=1e-6)


def test_faces_at_the_border_of_a_settled_person_are_each_a_question() -> None:
    """An answer about one of them tells nothing about the next: both come before the sure faces."""
    prediction = told([1.0, 0.999, 0.6, 0.7, 0.999], [[1.0]] * 5)
    assert next_faces(prediction, np.array([True, False, False, False, False]), 2).tolist() == [2, 3]


def test_of_faces_as_unsure_the_one_that_its_look_alikes_speak_against_comes_first() -> None:
    """By hand: face 0 looks like face 2 (Ada .9), face 1 like face 3 (nobody .8); both pass for Ada. Face 4 is alone."""
    face, name, score = np.arange(5), np.zeros(5, np.int64), np.array([0.6, 0.6, 0.9, 0.2, 0.6])
    near, cosine = np.array([[2], [3], [0], [1], [0]]), np.array([[0.9], [0.9], [0.9], [0.9], [-2.0]])
    evidence = Evidence(csr_array(np.zeros((5, 1), np.float32)), near, cosine)
    scores = Scores(face, name, score, nobody=1 - score, evidence=evidence)
    prediction = Prediction(("Ada",), np.array([0, 0, 0, NOBODY, 0]), np.array([0.6, 0.6, 0.9, 0.8, 0.6]), scores)
    np.testing.assert_allclose(unlike(prediction), [0.1, 0.8, 0.4, 0.6, 0.0])
    assert next_faces(prediction, np.zeros(5, dtype=bool), 3).tolist() == [1, 0, 4]


def test_a_person_is_asked_about_at_the_face_that_is_least_in_doubt() -> None:
    """Face 0 may be somebody else; face 1 stands for its person, unless face 2 is the better picture."""
    prediction = told([0.6, 0.8, 0.8], [[1.0], [1.0], [1.0]])
    open_faces = np.zeros(3, dtype=bool)
    assert question_order(prediction, open_faces, np.ones(3)).tolist() == [1, 0, 2]
    assert question_order(prediction, open_faces, np.array([1.0, 0.5, 1.0])).tolist() == [2, 0, 1]


def test_nobody_is_doubted_a_little_until_an_answer_confirms_it() -> None:
    """All are sure to be nobody; the person of faces 0 and 1 is confirmed, so the other one is asked about first."""
    prediction = told([1.0, 1.0, 1.0, 1.0], [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    assert next_faces(prediction, np.array([True, False, False, False]), 3).tolist() == [2, 1, 3]


@pytest.mark.parametrize("persons", [None, [[1.0], [1.0], [1.0]]])
def test_answered_faces_are_never_asked_and_no_face_twice(persons: list[list[float]] | None) -> None:
    prediction = told([1.0, 1.0, 1.0], persons)
    assert sorted(next_faces(prediction, np.array([False, True, False]), 10).tolist()) == [0, 2]


def test_the_queue_asks_about_wrong_faces_first() -> None:
    """On average a wrong face comes in the first third; in random order it would come in the middle."""
    problem: Problem = films(films=2, groups=60, names=16, dimensions=64, noise=1.4)
    prediction = solve(problem)
    order = next_faces(prediction, np.zeros(problem.faces, dtype=bool), problem.faces)
    wrong = (prediction.name != problem.truth)[order]
    assert wrong.any()
    assert np.flatnonzero(wrong).mean() < problem.faces / 3


def test_what_people_said_is_not_asked_again() -> None:
    problem = films(films=1, groups=20, names=6, dimensions=32)
    prediction = solve(replace(problem, truth=None))
    answered = np.zeros(problem.faces, dtype=bool)
    answered[:5] = True
    assert not set(next_faces(prediction, answered, problem.faces).tolist()) & set(range(5))
