"""The front door: pooling by hand, what every method keeps to, and what must not matter."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from core import METHODS, NOBODY, BadInput, Correction, Prediction, Problem, solve
from core.corrections import bind
from core.formats import prediction_csv
from core.generate import films
from core.links import Distances, Links, build_links
from core.metrics import accuracy
from core.prediction import Scores
from core.solve import averaged, fed_back, fixed, pool, without_cross
from tests.core.solving import SMALL, SMALL_AUTHORS, corrected, every_method, labels, named

ALIKE = Distances(pair=1.0, neighbour=1.0)


def facenet(people: Sequence[int]) -> np.ndarray:
    """A unit vector of FaceNet's size for each face: those of one person are 0.4 apart, those of two 1.4."""
    features = np.eye(100, 512)[people] + 0.3 * np.eye(len(people), 512, k=200)
    return features / np.linalg.norm(features, axis=1, keepdims=True)


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


# --- Pooling -------------------------------------------------------------------------------------------------------------

# group 0: face 0 with A, B (mentions 0, 1); group 1: face 1 with A (2); group 2: face 2 with A, C (3, 4)
POOLED = Problem.build(np.eye(3), [0, 1, 2], [["A", "B"], ["A"], ["A", "C"]], names=["A", "B", "C"])
LINKS = Links(
    within_face=np.array([0, 0, 1, 2, 2]),
    within_mention=np.array([0, 1, 2, 3, 4]),
    within_weight=np.zeros(5),
    cross_face=np.array([0, 0, 0, 1]),
    cross_mention=np.array([2, 3, 4, 4]),
    cross_weight=np.zeros(4),
    cross_similarity=np.array([0.9, 0.5, 0.5, -1.0]),
    cross_neighbour=np.array([1, 2, 2, 2]),
)


def pooled(within: list[float], cross: list[float], corrections: Sequence[Correction] = ()) -> dict[tuple[int, str], float]:
    problem, bound = bind(POOLED, corrections)
    scores = pool(problem, bound, LINKS, np.array(within), np.array(cross))
    key = zip(scores.face.tolist(), [problem.names[k] for k in scores.name], strict=True)
    return dict(zip(key, scores.score.tolist(), strict=True))


def test_pooling_sums_a_faces_links_by_name() -> None:
    assert pooled([0.4, 0.6, 0.5, 0.3, 0.2], [0.8, 0.5, 0.9, 0.0]) == pytest.approx(
        {
            (0, "A"): 0.4 + 0.8 * 0.9 + 0.5 * 0.5,
            (0, "B"): 0.6,
            (0, "C"): 0.9 * 0.5,
            (1, "A"): 0.5,
            (2, "A"): 0.3,
            (2, "C"): 0.2,
        }
    )


def test_what_is_below_half_a_level_counts_nothing() -> None:
    # 0.13 × 0.9 = 0.117 and 0.24 × 0.5 = 0.12 fall under 0.125, though their plain weights do not; 0.25 × 0.5 is just enough
    found = pooled([0.125, 0.124, 0.1249999, 0.5, 0.0], [0.13, 0.24, 0.25, 0.0])
    assert found == pytest.approx({(0, "A"): 0.125, (0, "C"): 0.125, (2, "A"): 0.5})


def test_a_negative_cosine_counts_nothing() -> None:
    assert (1, "C") not in pooled([0.5] * 5, [0.0, 0.0, 0.0, 1.0])


def test_small_weights_do_not_add_up() -> None:
    assert pooled([0.1, 0, 0, 0, 0], [0.1, 0.2, 0, 0]) == {}


def test_pooling_leaves_out_what_people_ruled_out() -> None:
    corrections = [Correction(0, "is not", "A"), Correction(1, "nobody"), Correction(2, "is", "C")]
    found = pooled([0.5] * 5, [0.8] * 4, corrections)
    assert found == pytest.approx({(0, "B"): 0.5, (0, "C"): 0.4, (2, "C"): 0.5})


def test_a_face_without_a_score_is_nobody() -> None:
    problem = Problem.build([[0.0, 1.0], [9.0, 1.0]], [0, 1], [["A"], []])
    prediction = solve(problem, "dbgae-no-autoencoder")
    assert labels(prediction) == ["A", None]
    assert prediction.scores.face.tolist() == [0]


def test_the_best_score_wins_and_confidence_is_its_share() -> None:
    """One face alone with two names, worked out: weights 1/2 each, so the first of equals; nobody has half a level."""
    prediction = solve(Problem.build([[1.0]], [0], [["B", "A"]]), "dbgae-no-autoencoder")
    assert labels(prediction) == ["A"]
    assert prediction.confidence[0] == pytest.approx(0.5 / (0.5 + 0.5 + 0.125))
    assert prediction.names == ("B", "A")
    assert prediction.scores.name.tolist() == [0, 1]
    assert prediction.scores.score.tolist() == [0.5, 0.5]


def test_the_whole_method_without_autoencoder_by_hand() -> None:
    # the faces of a line: 0 and 2 are alike, and both captions have A
    problem = Problem.build([[0.0, 1.0], [9.0, 1.0], [0.0, 1.1]], [0, 0, 1], [["A", "B"], ["A", "C"]], names=["A", "B", "C"])
    links = build_links(*bind(problem, []), ALIKE)
    scores = pool(*bind(problem, []), links, links.within_weight, links.cross_weight)
    found = dict(zip(zip(scores.face.tolist(), scores.name.tolist(), strict=True), scores.score.tolist(), strict=True))
    a0, b0, a1, b1, a2, c2 = 2 / 4, 1 / 4, 1 / 4, 1 / 3, 2 / 3, 1 / 3
    expected = {
        (0, 0): a0 + a2,  # the cosine of the look-alikes is 1
        (0, 1): b0,
        (0, 2): c2,
        (1, 0): a1,
        (1, 1): b1,
        (2, 0): a2 + a0,
        (2, 1): b0,
        (2, 2): c2,
    }
    assert found == pytest.approx(expected)


def test_fixed_puts_back_what_people_said() -> None:
    corrections = [Correction(0, "is", "A"), Correction(2, "is not", "A")]
    problem, bound = bind(POOLED, corrections)
    within, cross = fixed(problem, bound, LINKS, np.full(5, 0.4), np.full(4, 0.6))
    assert within.tolist() == [1, 0, 0.4, 0, 0.4]
    assert cross.tolist() == [1, 1, 0, 0.6]


def test_fed_back_scores_become_the_weights_of_the_links() -> None:
    problem, bound = bind(POOLED, [])
    scores = pool(problem, bound, LINKS, np.array([0.4, 0.6, 0.5, 0.3, 0.2]), np.array([0.0, 0.0, 0.0, 0.0]))
    links = fed_back(problem, bound, LINKS, scores)
    assert links.within_weight.tolist() == pytest.approx([0.4, 0.6, 1.0, 0.6, 0.4])
    assert links.cross_weight.tolist() == pytest.approx([1.0, 0.6, 0.4, 0.4])  # of the look-alikes
    assert links.within_face is LINKS.within_face


def test_fed_back_links_keep_what_people_said() -> None:
    problem, bound = bind(POOLED, [Correction(0, "is", "B"), Correction(2, "is not", "A")])
    everything = Scores(np.array([0, 0, 1, 2, 2]), np.array([0, 1, 0, 0, 2]), np.ones(5))
    links = fed_back(problem, bound, LINKS, everything)
    assert links.within_weight.tolist() == pytest.approx([0, 1, 1, 0, 0.5])
    assert links.cross_weight.tolist() == pytest.approx([0, 0, 0, 0.5])  # face 0 has its name


# --- Ablations -----------------------------------------------------------------------------------------------------------


def test_without_cross_links_a_face_without_caption_is_nobody() -> None:
    problem = Problem.build(facenet([0, 0, 0, 1]), [0, 1, 2, 3], [["A"], ["A"], [], ["B"]])
    assert named(problem, "dbgae").label(2) == "A"
    assert named(problem, "dbgae-no-cross").label(2) is None


def test_without_cross_removes_all_cross_links_and_nothing_else() -> None:
    links = without_cross(LINKS)
    for field in links.__dataclass_fields__:
        expected = 0 if field.startswith("cross") else 5
        assert len(getattr(links, field)) == expected


def test_without_the_dual_graph_every_name_of_a_caption_weighs_the_same() -> None:
    links = averaged(*bind(POOLED, []), LINKS)
    assert links.within_weight.tolist() == [0.5, 0.5, 1, 0.5, 0.5]
    assert links.cross_weight.tolist() == [1, 0.5, 0.5, 0.5]


def test_the_ablations_differ() -> None:
    problem = films(films=2, groups=30, names=8, dimensions=8)
    methods = ("dbgae", "dbgae-authors", "dbgae-no-autoencoder", "dbgae-no-dual", "dbgae-no-cross", "dbgae-no-attention")
    told = {named(problem, method).confidence.tobytes() for method in methods}
    assert len(told) == len(methods)


def test_settings_reach_the_network() -> None:
    problem = films(films=2, groups=30, names=8, dimensions=8)
    told = [solve(problem, "dbgae", settings=replace(SMALL, epochs=epochs)).confidence for epochs in (2, 40)]
    assert not np.array_equal(*told)


def test_progress_tells_of_all_epochs() -> None:
    told: list[tuple[object, ...]] = []
    problem = Problem.build(np.eye(3), [0, 0, 1], [["A", "B"], ["A"]])
    solve(problem, "dbgae", progress=lambda *step: told.append(step), settings=SMALL)
    assert told[0][:3] == ("autoencoder", 1, 8)
    assert told[-1][:3] == ("autoencoder", 8, 8)


@pytest.mark.parametrize("method", [m for m in METHODS if m.startswith("dbgae") and m != "dbgae-no-autoencoder"])
def test_a_correction_enters_the_first_graph_as_observed(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The links that the autoencoder first learns from hold 1 for a given name and 0 for all that contradict it."""
    from core.dbgae import Autoencoder

    seen: list[tuple[Problem, Links]] = []

    class Watched(Autoencoder):
        def refine(self, links: Links) -> Any:
            seen.append((self.problem, links))
            return super().refine(links)

    monkeypatch.setattr("core.dbgae.Autoencoder", Watched)
    problem = Problem.build(np.eye(3), [0, 0, 1], [["A", "B"], ["A"]])
    named(problem, method, [Correction(0, "is", "A")])
    assert len(seen) == SMALL.rounds
    for solved, links in seen:
        face = int(np.flatnonzero((solved.features == [1, 0, 0]).all(axis=1))[0])
        other = int(np.flatnonzero((solved.features == [0, 1, 0]).all(axis=1))[0])
        name = [solved.names[k] for k in solved.mention_name[links.within_mention]]
        weight = dict(zip(zip(links.within_face.tolist(), name, strict=True), links.within_weight, strict=True))
        assert (weight[face, "A"], weight[face, "B"], weight[other, "A"]) == (1, 0, 0)


# --- Seeds ---------------------------------------------------------------------------------------------------------------


@every_method
def test_the_same_seed_gives_the_same_bytes(method: str) -> None:
    problem = films(films=2, groups=30, names=8, dimensions=8)
    one, two = (prediction_csv(named(problem, method, seed=3)) for _ in range(2))
    assert one == two


def test_another_seed_gives_another_answer_of_the_autoencoder() -> None:
    problem = films(films=2, groups=30, names=8, dimensions=8)
    one, two = (named(problem, "dbgae", seed=seed) for seed in (0, 1))
    assert one.confidence.tolist() != two.confidence.tolist()


def test_solving_leaves_the_problem_as_it_was() -> None:
    problem = films(films=2, groups=20, names=8, dimensions=8)
    before = problem.features.copy(), problem.group.copy(), problem.candidates()
    for method in METHODS:
        named(problem, method, [Correction(0, "is", "somebody new")])
    assert np.array_equal(problem.features, before[0])
    assert np.array_equal(problem.group, before[1])
    assert problem.candidates() == before[2]


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


@every_method
@settings(max_examples=20)
@given(case=corrected())
def test_corrections_are_held(method: str, case: tuple[Problem, list[Correction]]) -> None:
    problem, corrections = case
    check_held(problem, corrections, named(problem, method, corrections))


@every_method
def test_corrections_are_held_on_a_film(method: str) -> None:
    problem = films(films=2, groups=40, names=10, dimensions=16)
    first = solve(problem, "dbgae-no-autoencoder")
    corrections = []
    for face in range(0, problem.faces, 3):  # the opposite of what was thought
        label = first.label(face)
        if label is None:
            corrections.append(Correction(face, "is", problem.names[face % 10]))
        else:
            corrections.append(Correction(face, "is not", label) if face % 2 else Correction(face, "nobody"))
    check_held(problem, corrections, named(problem, method, corrections))


def test_an_answer_of_a_person_stands_whatever_a_method_says(monkeypatch: pytest.MonkeyPatch) -> None:
    stubborn = Scores(np.arange(3), np.zeros(3, dtype=np.int64), np.full(3, 9.0))
    monkeypatch.setitem(METHODS, "stubborn", lambda task: stubborn)
    problem = Problem.build(np.eye(3), [0, 1, 2], [["A", "B"], ["A"], ["A"]])
    prediction = solve(problem, "stubborn", [Correction(0, "is", "B"), Correction(1, "nobody")])
    assert labels(prediction) == ["B", None, "A"]
    assert prediction.confidence.tolist() == pytest.approx([1, 1, 9 / 9.125])


@every_method
def test_every_face_corrected(method: str) -> None:
    problem = films(films=2, groups=10, names=6, dimensions=8)
    corrections = [Correction(face, "is", problem.names[face % 6]) for face in range(problem.faces)]
    check_held(problem, corrections, named(problem, method, corrections))


@every_method
def test_all_names_refused_leaves_nobody(method: str) -> None:
    problem = Problem.build(np.eye(3), [0, 0, 1], [["A", "B"], ["A"]])
    corrections = [Correction(face, "is not", name) for face in range(3) for name in "AB"]
    assert labels(named(problem, method, corrections)) == [None] * 3


@every_method
def test_contradictions_are_refused(method: str) -> None:
    problem = Problem.build(np.eye(2), [0, 0], [["A", "B"]])
    with pytest.raises(BadInput, match="face 1 contradict"):
        named(problem, method, [Correction(1, "is", "A"), Correction(1, "is not", "A")])


@pytest.mark.parametrize("method", [m for m in METHODS if m.startswith("dbgae") and m != "dbgae-no-cross"])
def test_a_correction_spreads_to_look_alikes(method: str) -> None:
    problem = Problem.build(facenet([0, 0, 1, 1]), [0, 1, 2, 3], [[], [], ["B"], ["B"]])
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


@every_method
@pytest.mark.parametrize("kind", ODD)
def test_odd_problems_have_valid_answers(method: str, kind: str) -> None:
    problem = ODD[kind]
    with np.errstate(all="raise", under="ignore"):
        prediction = named(problem, method)
    check_valid(problem, prediction)
    # without exclusivity nothing keeps one name from going to every face of a frame
    if (not problem.mentions or kind == "captions only without faces") and method != "rollcall-no-exclusivity":
        assert labels(prediction) == [None] * problem.faces


@every_method
def test_a_lone_name_is_taken(method: str) -> None:
    assert labels(named(ODD["one face, one name"], method)) == ["A"]


@every_method
def test_an_easy_problem_is_solved(method: str) -> None:
    """Three people far apart, every caption right: each method must do much better than chance."""
    rng = np.random.default_rng(0)
    truth = np.arange(60) % 3
    features = np.eye(3, 8)[truth] + 0.05 * rng.normal(size=(60, 8))
    captions = [["ABC"[truth[f]], *("ABC"[k] for k in rng.permutation(3)[:1] if k != truth[f])] for f in range(60)]
    problem = Problem.build(features, np.arange(60), captions, names=list("ABC"), truth=truth)
    big = replace(SMALL_AUTHORS if method == "dbgae-authors" else SMALL, hidden=32, dense=16, epochs=60)
    assert accuracy(solve(problem, method, settings=big).name, truth) > 0.9


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(BadInput, match=r"no method 'magic'; choose one of .*dbgae"):
        solve(ODD["one group"], "magic")


def test_label_of_nobody_is_none() -> None:
    prediction = solve(ODD["no names at all"], "dbgae-no-autoencoder")
    assert prediction.label(0) is None
    assert prediction.name.tolist() == [NOBODY] * 3
