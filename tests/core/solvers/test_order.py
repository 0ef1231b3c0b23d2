"""The order in which faces, groups and names are given does not matter, whatever the method."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import Correction, Problem
from core.corrections import bind
from core.evaluation.generate import films
from core.solvers.order import canonical_order
from tests.core.solvers.solving import corrected, every_whole_method, labels, named


def check_permuted(problem: Problem, corrections: Sequence[Correction], method: str, seed: int) -> None:
    """Faces, groups and names in another order: the same answers, to the last bit."""
    rng = np.random.default_rng(seed)
    faces, groups, names = (rng.permutation(n) for n in (problem.faces, problem.groups, len(problem.names)))
    listed = problem.candidates()
    other = Problem.build(
        features=problem.features[faces],
        group=np.argsort(groups)[problem.group[faces]],
        candidates=[list(rng.permutation(listed[g])) for g in groups],
        names=[problem.names[k] for k in names],
        track=None if problem.track is None else rng.permutation(100)[problem.track[faces]],
    )
    place = np.argsort(faces)
    moved = [replace(c, face=int(place[c.face])) for c in corrections]
    one, two = named(problem, method, corrections), named(other, method, moved)
    assert [labels(two)[k] for k in place] == labels(one)
    assert two.confidence[place].tolist() == one.confidence.tolist()
    rows = [
        sorted(zip(face.tolist(), [answer.names[k] for k in scores.name], scores.score.tolist(), strict=True))
        for answer, scores, face in ((one, one.scores, one.scores.face), (two, two.scores, faces[two.scores.face]))
    ]
    assert rows[0] == rows[1]


@every_whole_method
@settings(max_examples=3)
@given(case=corrected(), seed=st.integers(0, 2**32 - 1))
def test_the_order_of_faces_groups_and_names_does_not_matter(
    method: str, case: tuple[Problem, list[Correction]], seed: int
) -> None:
    check_permuted(*case, method, seed)


@every_whole_method
def test_the_order_does_not_matter_on_a_film(method: str) -> None:
    problem = films(films=2, groups=9, names=6, dimensions=8)
    check_permuted(problem, [Correction(3, "is", "Ben"), Correction(5, "nobody")], method, seed=1)


@every_whole_method
def test_the_order_of_groups_without_faces_does_not_matter(method: str) -> None:
    rng = np.random.default_rng(0)
    captions = [["A", "B"], ["A", "C"], ["B"], ["C", "A"], ["A"], ["B"], ["C"], ["A", "B"]]
    problem = Problem.build(rng.normal(size=(8, 4)), [0, 0, 1, 1, 2, 2, 3, 3], captions, names=["A", "B", "C"])
    check_permuted(problem, [], method, seed=1)


@every_whole_method
def test_the_order_of_twins_does_not_matter(method: str) -> None:
    """Two faces with the very same features in one frame, of which a person has named one."""
    places = np.array([[1.0, 0.0], [1.0, 0.0], [0.99, 0.1], [0.0, 1.0]])
    answers = []
    for order in ([0, 1, 2, 3], [1, 0, 2, 3]):
        problem = Problem.build(places[order], [0, 0, 1, 1], [["A", "B"], ["C"]], names=["A", "B", "C"])
        prediction = named(problem, method, [Correction(order.index(0), "is", "A")])
        found = zip(labels(prediction), prediction.confidence.tolist(), strict=True)
        answers.append([face for _, face in sorted(zip(order, found, strict=True))])
    assert answers[0] == answers[1]


@every_whole_method
def test_the_order_of_twins_in_different_company_does_not_matter(method: str) -> None:
    """Two faces with the very same features in two frames with the same caption, each beside somebody else."""
    rng = np.random.default_rng(0)
    features = rng.normal(size=(7, 4))
    features[3] = features[0]
    captions = [["A", "B"], ["A", "B"], ["A", "C"], ["B"]]
    problem = Problem.build(features, [0, 0, 0, 1, 1, 2, 3], captions, names=["A", "B", "C"])
    check_permuted(problem, [], method, seed=1)


@pytest.mark.parametrize("method", ["dbgae", "dbgae-no-autoencoder", "pair-clustering", "sure"])
def test_the_order_and_the_numbers_of_tracks_do_not_matter(method: str) -> None:
    problem = films(films=2, groups=15, names=6, dimensions=8)
    problem = replace(problem, track=np.arange(problem.faces) // 2)
    check_permuted(problem, [Correction(3, "is", "Ben"), Correction(2, "nobody")], method, seed=1)


def test_all_arrays_follow_the_canonical_order() -> None:
    """What belongs to a face, a mention or a group still does, and numbers of tracks and films begin at their first."""
    rng = np.random.default_rng(0)
    features = rng.normal(size=(6, 3))
    problem = Problem.build(
        features,
        [2, 2, 1, 0, 0, 2],
        [["C", "A"], ["B"], ["A"]],
        ["C", "B", "A"],
        track=[7, 7, -1, 3, 7, 3],
        quality=np.arange(6) / 10,
        evidence_face=[4, 0],
        evidence_name=[1, 2],
        evidence_logodds=[-1.0, 2.0],
        mention_kind=[["speaker", "spoken"], ["screen"], [""]],
        film=[5, 9, 5],
    )
    ordered, _, face_order, _ = canonical_order(*bind(problem, []))
    assert ordered.quality is not None
    assert ordered.track is not None
    assert ordered.film is not None
    assert (ordered.quality * 10).tolist() == face_order.tolist()
    same = problem.track[face_order][:, None] == problem.track[face_order][None]
    np.testing.assert_array_equal(ordered.track[:, None] == ordered.track[None], same)
    assert (ordered.track == -1).tolist() == (problem.track[face_order] == -1).tolist()
    faces, names = face_order[ordered.evidence_face].tolist(), [ordered.names[k] for k in ordered.evidence_name]
    links = set(zip(faces, names, strict=True))
    assert links == {(4, "B"), (0, "A")}
    kinds = ordered.mention_kinds()
    assert kinds is not None
    told = {frozenset(zip(*both, strict=True)) for both in zip(ordered.candidates(), kinds, strict=True)}
    assert told == {frozenset({("C", "speaker"), ("A", "spoken")}), frozenset({("B", "screen")}), frozenset({("A", "")})}
    assert ordered.film[0] == 0
    before = problem.film[problem.group[face_order]]
    np.testing.assert_array_equal(ordered.film[ordered.group] == 0, before == before[0])
