"""Tracks as instances: how they are condensed and expanded, by hand, and that every such method keeps to them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import METHODS, Correction, Problem
from core.corrections import OPEN, Constraints, bind
from core.evaluation.generate import films
from core.prediction import Scores
from core.problem import NO_TRACK, NOBODY
from core.solvers.method import Task
from core.solvers.tracks import Condensed, condense, expand, per_track
from tests.core.solvers.solving import corrected, labels, named

# track 0: faces 0, 2, 4 in the groups 0, 1, 2; track 1: faces 1, 3 in the groups 0, 1; face 5 alone in group 2
FEATURES = [[1, 0, 0], [0, 2, 0], [0.6, 0.8, 0], [0, 2, 0], [1, 0, 0], [0, 0, 3]]
CAPTIONS = [["A"], ["A", "B"], ["C"], []]
METHODS_OF_INSTANCES = [method for method in METHODS if not method.startswith("rollcall")]


def tracked(corrections: Sequence[Correction] = (), **changes: Any) -> tuple[Problem, Constraints]:
    given: dict[str, Any] = {
        "features": FEATURES,
        "group": [0, 0, 1, 1, 2, 2],
        "candidates": CAPTIONS,
        "names": ["A", "B", "C"],
        "track": [0, 1, 0, 1, 0, NO_TRACK],
    }
    return bind(Problem.build(**(given | changes)), corrections)


def condensed(corrections: Sequence[Correction] = (), **changes: Any) -> Condensed:
    return condense(*tracked(corrections, **changes))


def possible(found: Condensed) -> list[list[str]]:
    """The names that each instance may have."""
    names = found.problem.names
    return [
        [name for k, name in enumerate(names) if found.constraints.allows(np.array([i]), np.array([k]))[0]]
        for i in range(found.problem.faces)
    ]


def test_a_track_is_one_instance() -> None:
    found = condensed()
    assert found.instance.tolist() == [0, 1, 0, 1, 0, 2]
    assert found.problem.faces == 3
    assert found.problem.track is None
    assert (found.constraints.fixed == OPEN).all()


def test_features_are_the_mean_at_the_faces_length() -> None:
    found = condensed().problem.features
    mean = np.array([2.6, 0.8, 0]) / 3
    np.testing.assert_allclose(found[0], mean / np.linalg.norm(mean), rtol=1e-6)
    assert found[1].tolist() == [0, 2, 0]
    assert found[2].tolist() == [0, 0, 3]


def test_features_are_weighted_by_quality() -> None:
    found = condensed(quality=[0, 1, 0.5, 1, 0.5, 0])
    mean = np.array([0.8, 0.4, 0])
    np.testing.assert_allclose(found.problem.features[0], mean / np.linalg.norm(mean), rtol=1e-6)
    assert found.problem.quality is not None
    assert found.problem.quality.tolist() == [0.5, 1, 0]
    useless = condensed(quality=[0] * 6)
    np.testing.assert_array_equal(useless.problem.features, condensed().problem.features)


def test_faces_that_cancel_out_give_way_to_the_first() -> None:
    opposite = Problem.build([[1, 0], [-1, 0]], [0, 1], [["A"], []], track=[0, 0])
    assert condense(*bind(opposite, [])).problem.features.tolist() == [[1, 0]]


def test_an_instance_lies_in_its_busiest_group_with_the_mentions_of_all() -> None:
    """Two tracks pass through the groups 0 and 1: both lie in the first of these, and face 5 stays where it is."""
    found = condensed().problem
    assert found.group.tolist() == [0, 0, 2]
    assert [sorted(caption) for caption in found.candidates()] == [["A", "B", "C"], ["A", "B"], ["C"], []]
    assert found.groups == 4


def test_mentions_keep_their_kinds() -> None:
    found = condensed(mention_kind=[["speaker"], ["spoken", "screen"], ["described"], []]).problem
    kinds = found.mention_kinds()
    assert kinds is not None
    assert dict(zip(found.candidates()[0], kinds[0], strict=True)) == {"A": "speaker", "B": "screen", "C": "described"}


def test_evidence_goes_to_the_instance() -> None:
    found = condensed(evidence_face=[2, 5], evidence_name=[0, 1], evidence_logodds=[1.0, 2.0]).problem
    assert found.evidence_face.tolist() == [0, 2]
    assert found.evidence_name.tolist() == [0, 1]


def test_a_correction_holds_for_the_track_and_takes_its_name_in_all_its_groups() -> None:
    found = condensed([Correction(0, "is", "B")])
    assert found.instance.tolist() == [0, 1, 0, 1, 0, 2]
    assert found.constraints.fixed.tolist() == [1, OPEN, OPEN]
    assert possible(found) == [["B"], ["A", "C"], ["A", "C"]]  # face 5 is beside face 4 of that track


def test_a_refusal_holds_for_the_track() -> None:
    assert possible(condensed([Correction(3, "is not", "A")])) == [["A", "B", "C"], ["B", "C"], ["A", "B", "C"]]


def test_a_track_of_nobody_is_nobody() -> None:
    found = condensed([Correction(4, "nobody")])
    assert found.constraints.fixed.tolist() == [NOBODY, OPEN, OPEN]


def test_different_answers_split_a_track_and_open_faces_follow_the_most_alike() -> None:
    """Faces 0 and 4 are the same; face 2 is another, whose answer face 4 does not follow."""
    found = condensed([Correction(0, "is", "A"), Correction(2, "is", "B")])
    assert found.instance.tolist() == [0, 1, 2, 1, 0, 3]
    assert found.constraints.fixed.tolist() == [0, OPEN, 1, OPEN]


def test_a_face_that_refuses_its_tracks_answer_leaves_it() -> None:
    found = condensed([Correction(0, "is", "A"), Correction(4, "is not", "A")])
    assert found.instance.tolist() == [0, 1, 0, 1, 2, 3]
    assert found.constraints.fixed.tolist() == [0, OPEN, OPEN, OPEN]
    assert "A" not in possible(found)[2]


def test_a_face_beside_somebody_given_its_tracks_answer_leaves_it() -> None:
    """Face 5 is A in group 2, so face 4 is not, though face 0 of its track is A."""
    found = condensed([Correction(0, "is", "A"), Correction(5, "is", "A")])
    assert found.instance.tolist() == [0, 1, 0, 1, 2, 3]
    assert found.constraints.fixed.tolist() == [0, OPEN, OPEN, 0]


def test_injected_mentions_stay_injected() -> None:
    found = condensed([Correction(4, "is", "new")])
    names = len(found.problem.names)
    at_home = found.problem.group[0] * names + found.problem.names.index("new")
    assert at_home in found.constraints.injected
    captioned = {(0, "A"), (0, "B"), (0, "C"), (1, "A"), (1, "B"), (2, "C")}
    keys = {(key // names, found.problem.names[key % names]) for key in found.constraints.injected.tolist()}
    assert not keys & captioned


def test_scores_of_an_instance_are_those_of_its_faces() -> None:
    scores = Scores(np.array([0, 0, 2]), np.array([0, 2, 1]), np.array([0.5, 0.25, 1.0]), nobody=np.array([0.1, 0.9, 0.2]))
    found = expand(scores, np.array([0, 1, 0, 2]))
    assert list(zip(found.face.tolist(), found.name.tolist(), found.score.tolist(), strict=True)) == [
        (0, 0, 0.5),
        (0, 2, 0.25),
        (2, 0, 0.5),
        (2, 2, 0.25),
        (3, 1, 1.0),
    ]
    assert found.nobody is not None
    assert found.nobody.tolist() == [0.1, 0.9, 0.1, 0.2]


@pytest.mark.parametrize("track", [None, [NO_TRACK] * 6, [0, 1, 2, NO_TRACK, 3, 4]])
def test_a_problem_without_shared_tracks_reaches_the_method_as_it_is(track: list[int] | None) -> None:
    seen = []

    @per_track
    def method(task: Task) -> Scores:
        seen.append(task.problem)
        return Scores(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))

    problem, constraints = tracked(track=track)
    method(Task(problem, constraints))
    assert seen == [problem]


@pytest.mark.parametrize("method", METHODS_OF_INSTANCES)
def test_the_faces_of_a_track_have_one_answer(method: str) -> None:
    problem = films(films=2, groups=30, names=8, dimensions=8)
    track = np.arange(problem.faces) // 3
    found = named(Problem.build(problem.features, problem.group, problem.candidates(), problem.names, track=track), method)
    for number in range(track.max() + 1):
        assert len(set(found.name[track == number].tolist())) == 1


@settings(max_examples=60, deadline=None)
@given(case=corrected(), seed=st.integers(0, 2**32 - 1))
def test_corrections_hold_whatever_the_tracks(case: tuple[Problem, list[Correction]], seed: int) -> None:
    problem, corrections = case
    rng = np.random.default_rng(seed)
    track = rng.integers(-1, 3, size=problem.faces)
    problem = Problem.build(problem.features, problem.group, problem.candidates(), problem.names, track=track)
    found = condense(*bind(problem, corrections))
    for c in corrections:
        instance = found.instance[c.face]
        if c.kind == "is":
            assert found.problem.names[found.constraints.fixed[instance]] == c.name
        if c.kind == "nobody":
            assert found.constraints.fixed[instance] == NOBODY
        if c.kind == "is not" and c.name in found.problem.names:
            assert c.name not in possible(found)[instance]
    assert (np.diff(found.problem.mention_keys()) > 0).all()
    told = labels(named(problem, "pair-clustering", corrections))
    for c in corrections:
        assert c.kind == "is not" or told[c.face] == (c.name or None)
