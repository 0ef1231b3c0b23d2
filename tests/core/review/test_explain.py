"""Why a face got its name."""

from __future__ import annotations

import numpy as np

from core import NOBODY, Correction, Problem, solve
from core.evaluation.generate import films
from core.review.explain import SHOWN, explain


def three_friends() -> Problem:
    """A, B and C are each alone with their name ten times; then all three share one frame whose caption names all three."""
    rng = np.random.default_rng(0)
    person = np.eye(3, 16) * 3
    who = np.r_[np.repeat([0, 1, 2], 10), [0, 1, 2]]
    features = person[who] + 0.15 * rng.normal(size=(33, 16))
    names = ["A", "B", "C"]
    return Problem.build(
        features, np.r_[np.arange(30), [30] * 3], [[names[k]] for k in who[:30]] + [names], names, truth=who
    )


def test_names_look_alikes_and_who_ruled_out() -> None:
    problem = three_friends()
    prediction = solve(problem)
    assert prediction.name.tolist() == problem.truth.tolist()  # type: ignore[union-attr]
    why = explain(problem, prediction, 32)
    assert why.face == 32
    best = why.considered[0]
    assert (best.name, best.in_caption, best.look_alike_captions) == ("C", True, len(why.look_alikes))
    assert best.score == max(c.score for c in why.considered)
    assert {alike.name for alike in why.look_alikes} == {"C"}
    assert {alike.face for alike in why.look_alikes} <= set(range(20, 30))
    assert [alike.similarity for alike in why.look_alikes] == sorted((a.similarity for a in why.look_alikes), reverse=True)
    assert {(ruled.name, ruled.by_face) for ruled in why.ruled_out} == {("A", 30), ("B", 31)}


def test_a_correction_rules_its_name_out_for_the_others() -> None:
    problem = three_friends()
    prediction = solve(problem, corrections=[Correction(30, "is", "C")])
    why = explain(problem, prediction, 32)
    assert "C" not in [considered.name for considered in why.considered]
    assert ("C", 30, 1.0) in [(ruled.name, ruled.by_face, ruled.confidence) for ruled in why.ruled_out]


def test_every_face_of_a_film_can_be_explained() -> None:
    problem = films(films=2, groups=40, names=10, dimensions=32)
    prediction = solve(problem)
    for face in range(problem.faces):
        why = explain(problem, prediction, face)
        answer = prediction.label(face) or ""
        assert why.considered[0].name == answer
        assert abs(why.considered[0].score - prediction.confidence[face]) < 0.01
        assert len(why.look_alikes) <= SHOWN
        assert all(problem.group[alike.face] != problem.group[face] for alike in why.look_alikes)
        assert all(problem.group[ruled.by_face] == problem.group[face] for ruled in why.ruled_out)


def test_methods_without_evidence_explain_by_scores_alone() -> None:
    problem = films(films=1, groups=20, names=6, dimensions=32)
    prediction = solve(problem, "dbgae-no-autoencoder")
    named = int(np.flatnonzero(prediction.name != NOBODY)[0])
    why = explain(problem, prediction, named)
    assert why.look_alikes == ()
    assert why.considered[0].name == prediction.label(named)
