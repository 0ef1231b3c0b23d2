"""The front door: what every method keeps to, and what must not matter."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from core import METHODS, NOBODY, BadInput, Correction, Prediction, Problem, solve
from core.evaluation.generate import films
from core.evaluation.metrics import accuracy
from core.formats.write.csv import prediction_csv
from core.prediction import Scores
from core.solvers.embeddings import FACENET_BARE
from tests.core.solvers.solving import (
    SMALL,
    SMALL_AUTHORS,
    corrected,
    every_method,
    every_whole_method,
    facenet,
    labels,
    named,
)


def check_valid(problem: Problem, prediction: Prediction) -> None:
    """What every answer must look like."""
    assert prediction.name.shape == prediction.confidence.shape == (problem.faces,)
    assert prediction.names[: len(problem.names)] == problem.names
    assert ((prediction.name >= NOBODY) & (prediction.name < len(prediction.names))).all()
    assert ((prediction.confidence > 0) & (prediction.confidence <= 1)).all()
    scores = prediction.scores
    assert len(scores.face) == len(scores.name) == len(scores.score)
    assert np.isfinite(scores.score).all()
    assert (scores.score > 0).all()
    key = scores.face * max(len(prediction.names), 1) + scores.name
    assert (np.diff(key) > 0).all()


# --- Seeds ---------------------------------------------------------------------------------------------------------------


@every_whole_method
def test_the_same_seed_gives_the_same_bytes(method: str) -> None:
    problem = films(films=2, groups=10, names=8, dimensions=8)
    one, two = (prediction_csv(named(problem, method, seed=3)) for _ in range(2))
    assert one == two


def test_another_seed_gives_another_answer_of_the_autoencoder() -> None:
    problem = films(films=2, groups=30, names=8, dimensions=8)
    one, two = (named(problem, "dbgae", seed=seed) for seed in (0, 1))
    assert one.confidence.tolist() != two.confidence.tolist()


# --- Corrections ---------------------------------------------------------------------------------------------------------


def check_held(problem: Problem, corrections: Sequence[Correction], prediction: Prediction) -> None:
    check_valid(problem, prediction)
    given_names = {c.face: c.name for c in corrections if c.kind == "is"}
    for c in corrections:
        label = prediction.label(c.face)
        if c.kind == "is":
            assert label == c.name
        if c.kind == "nobody":
            assert label is None
        if c.kind == "is not":
            assert label != c.name
        else:
            assert prediction.confidence[c.face] == 1
    for face in range(problem.faces):  # a name that a person gave in a frame is taken there
        taken = {name for f, name in given_names.items() if problem.group[f] == problem.group[face]}
        if face not in given_names:
            assert prediction.label(face) not in taken


@every_whole_method
@settings(max_examples=4)
@given(case=corrected())
def test_corrections_are_held(method: str, case: tuple[Problem, list[Correction]]) -> None:
    problem, corrections = case
    check_held(problem, corrections, named(problem, method, corrections))


@every_whole_method
def test_corrections_are_held_on_a_film_and_the_problem_is_left_as_it_was(method: str) -> None:
    problem = films(films=2, groups=12, names=10, dimensions=16)
    before = problem.features.copy(), problem.group.copy(), problem.candidates()
    first = solve(problem, "dbgae-no-autoencoder")
    corrections = []
    for face in range(0, problem.faces, 3):  # the opposite of what was thought
        label = first.label(face)
        if label is None:
            corrections.append(Correction(face, "is", problem.names[face % 10]))
        else:
            corrections.append(Correction(face, "is not", label) if face % 2 else Correction(face, "nobody"))
    check_held(problem, corrections, named(problem, method, corrections))
    assert np.array_equal(problem.features, before[0])
    assert np.array_equal(problem.group, before[1])
    assert problem.candidates() == before[2]


def test_an_answer_of_a_person_stands_whatever_a_method_says(monkeypatch: pytest.MonkeyPatch) -> None:
    stubborn = Scores(np.arange(3), np.zeros(3, dtype=np.int64), np.full(3, 9.0))
    monkeypatch.setitem(METHODS, "stubborn", lambda task: stubborn)
    problem = Problem.build(np.eye(3), [0, 1, 2], [["A", "B"], ["A"], ["A"]])
    prediction = solve(problem, "stubborn", [Correction(0, "is", "B"), Correction(1, "nobody")])
    assert labels(prediction) == ["B", None, "A"]
    assert prediction.confidence.tolist() == pytest.approx([1, 1, 9 / 9.125])


@every_whole_method
def test_every_face_corrected(method: str) -> None:
    problem = films(films=2, groups=6, names=6, dimensions=8)
    corrections = [Correction(face, "is", problem.names[face % 6]) for face in range(problem.faces)]
    check_held(problem, corrections, named(problem, method, corrections))


@every_whole_method
def test_all_names_refused_leaves_nobody(method: str) -> None:
    problem = Problem.build(np.eye(3), [0, 0, 1], [["A", "B"], ["A"]])
    corrections = [Correction(face, "is not", name) for face in range(3) for name in "AB"]
    assert labels(named(problem, method, corrections)) == [None] * 3


@every_whole_method
def test_contradictions_are_refused(method: str) -> None:
    problem = Problem.build(np.eye(2), [0, 0], [["A", "B"]])
    with pytest.raises(BadInput, match="face 1 contradict"):
        named(problem, method, [Correction(1, "is", "A"), Correction(1, "is not", "A")])


@pytest.mark.parametrize("method", [m for m in METHODS if m.startswith("dbgae") and m != "dbgae-no-cross"])
def test_a_correction_spreads_to_look_alikes(method: str) -> None:
    problem = Problem.build(facenet([0, 0, 1, 1]), [0, 1, 2, 3], [[], [], ["B"], ["B"]], embedder=FACENET_BARE)
    assert named(problem, method, [Correction(0, "is", "new")]).label(1) == "new"


# --- Small and odd problems ----------------------------------------------------------------------------------------------

ODD = {
    "one face, one name": Problem.build([[1.0, 2.0]], [0], [["A"]]),
    "one face, no name": Problem.build([[1.0, 2.0]], [0], [[]]),
    "one face, three names": Problem.build([[1.0, 2.0]], [0], [["A", "B", "C"]]),
    "one group": Problem.build(np.eye(4), [0, 0, 0, 0], [["A", "B"]]),
    "no names at all": Problem.build(np.eye(3), [0, 1, 1], [[], []]),
    "all captions empty": Problem.build(np.eye(3), [0, 1, 1], [[], []], names=["A", "B"]),
    "captions only without faces": Problem.build(np.eye(3), [0, 0, 0], [[], ["A", "B"]]),
    "identical features": Problem.build(np.ones((6, 3)), [0, 0, 1, 2, 3, 3], [["A", "B"], ["A"], ["A", "C"], []]),
    "identical faces of one name": Problem.build(np.ones((3, 2)), [0, 1, 2], [["A"], ["A"], ["A"]]),
    "one dimension": Problem.build([[1.0], [2.0], [-1.0]], [0, 0, 1], [["A", "B"], ["B"]]),
    "opposite features": Problem.build([[1.0, 0.0], [-1.0, 0.0]], [0, 1], [["A"], ["B"]]),
    "very small features": Problem.build(1e-9 * np.eye(3), [0, 0, 1], [["A", "B"], ["A"]]),
    "very large features": Problem.build(1e9 * np.eye(3), [0, 0, 1], [["A", "B"], ["A"]]),
    "of very different sizes": Problem.build(np.diag([1e-6, 1.0, 1e6]), [0, 0, 1], [["A", "B"], ["A"]]),
}


@every_whole_method
@pytest.mark.parametrize("kind", ODD)
def test_odd_problems_have_valid_answers(method: str, kind: str) -> None:
    """``make soak`` tries such problems on the ablations, too."""
    problem = ODD[kind]
    with np.errstate(all="raise", under="ignore"):
        prediction = named(problem, method)
    check_valid(problem, prediction)
    if not problem.mentions or kind == "captions only without faces":
        assert labels(prediction) == [None] * problem.faces
    if kind == "one face, one name":
        assert labels(prediction) == ["A"]


@every_method
def test_an_easy_problem_is_solved(method: str) -> None:
    """Three people far apart, every caption right: each method must do much better than chance."""
    rng = np.random.default_rng(0)
    truth = np.arange(36) % 3
    features = np.eye(3, 8)[truth] + 0.05 * rng.normal(size=(36, 8))
    captions = [["ABC"[truth[f]], *("ABC"[k] for k in rng.permutation(3)[:1] if k != truth[f])] for f in range(36)]
    problem = Problem.build(features, np.arange(36), captions, names=list("ABC"), truth=truth)
    big = replace(SMALL_AUTHORS if method == "dbgae-authors" else SMALL, hidden=32, dense=16, epochs=60)
    assert accuracy(solve(problem, method, settings=big).name, truth) > 0.9


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(BadInput, match=r"no method 'magic'; choose one of .*dbgae"):
        solve(ODD["one group"], "magic")


def test_label_of_nobody_is_none() -> None:
    prediction = solve(ODD["no names at all"], "dbgae-no-autoencoder")
    assert prediction.label(0) is None
    assert prediction.name.tolist() == [NOBODY] * 3
