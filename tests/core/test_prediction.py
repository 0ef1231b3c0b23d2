"""Scores become answers, and answers ranked names: small cases by hand."""

import numpy as np
import pytest

from core.corrections import Correction, bind
from core.prediction import HALF_LEVEL, Prediction, Scores
from core.problem import NOBODY, Problem

ANN, BOB = 0, 1
PROBLEM = Problem.build(np.eye(3), [0, 0, 1], [["Ann", "Bob"], []])
FACE, NAME, SCORE = np.array([0, 0, 1]), np.array([ANN, BOB, BOB]), np.array([0.5, 0.25, 0.1])


def test_the_best_score_is_the_answer_and_its_share_the_confidence() -> None:
    scores = Scores(FACE, NAME, SCORE, nobody=np.array([0.25, 0.4, 1.0]))
    name, confidence = scores.answer(bind(PROBLEM, [])[1])
    assert name.tolist() == [ANN, NOBODY, NOBODY]
    assert confidence.tolist() == pytest.approx([0.5, 0.8, 1.0])


def test_without_a_score_for_nobody_a_face_has_the_best_name_there_is() -> None:
    name, confidence = Scores(FACE, NAME, SCORE).answer(bind(PROBLEM, [])[1])
    assert name.tolist() == [ANN, BOB, NOBODY]
    assert confidence[1] == pytest.approx(0.1 / (0.1 + HALF_LEVEL))


def test_what_people_said_stands_whatever_the_scores_say() -> None:
    problem, constraints = bind(PROBLEM, [Correction(0, "is not", "Ann"), Correction(2, "is", "Ann")])
    assert problem.names == PROBLEM.names
    scores = Scores(FACE, NAME, SCORE, nobody=np.full(3, 0.05)).allowed(constraints)
    assert scores.face.tolist() == [0, 1]  # Ann is gone from face 0
    name, confidence = scores.answer(constraints)
    assert name.tolist() == [BOB, BOB, ANN]
    assert confidence[2] == 1.0


def test_ranked_begins_with_the_answer_and_shares_the_rest_by_the_scores() -> None:
    scores = Scores(FACE, NAME, SCORE, nobody=np.array([0.25, 0.4, 1.0]))
    prediction = Prediction(("Ann", "Bob"), np.array([BOB, NOBODY, NOBODY]), np.array([0.4, 0.8, 1.0]), scores)
    # face 0: Bob has his confidence; Ann and nobody share 0.6 as 0.5 to 0.25
    assert prediction.ranked(0) == [(BOB, 0.4), (ANN, pytest.approx(0.4)), (NOBODY, pytest.approx(0.2))]
    assert prediction.ranked(1) == [(NOBODY, 0.8), (BOB, pytest.approx(0.2))]
    assert prediction.ranked(2) == [(NOBODY, 1.0)]
    assert [prediction.label(face) for face in range(3)] == ["Bob", None, None]
