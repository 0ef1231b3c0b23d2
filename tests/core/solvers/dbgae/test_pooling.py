"""Instance label pooling, by hand; and the scores fed back as weights of the links."""

from collections.abc import Sequence

import numpy as np
import pytest

from core import Correction, Problem, solve
from core.corrections import bind
from core.prediction import Scores
from core.solvers.dbgae.links import Distances, build_links
from core.solvers.dbgae.pooling import clamp, fed_back, pool
from tests.core.solvers.dbgae.tiny_graph import POOLED, POOLED_LINKS
from tests.core.solvers.solving import labels

ALIKE = Distances(pair=1.0, neighbour=1.0)


def pooled(within: list[float], cross: list[float], corrections: Sequence[Correction] = ()) -> dict[tuple[int, str], float]:
    problem, constraints = bind(POOLED, corrections)
    scores = pool(problem, constraints, POOLED_LINKS, np.array(within), np.array(cross))
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


def test_clamping_puts_back_what_people_said() -> None:
    corrections = [Correction(0, "is", "A"), Correction(2, "is not", "A")]
    problem, constraints = bind(POOLED, corrections)
    within, cross = clamp(problem, constraints, POOLED_LINKS, np.full(5, 0.4), np.full(4, 0.6))
    assert within.tolist() == [1, 0, 0.4, 0, 0.4]
    assert cross.tolist() == [1, 1, 0, 0.6]


def test_fed_back_scores_become_the_weights_of_the_links() -> None:
    problem, constraints = bind(POOLED, [])
    scores = pool(problem, constraints, POOLED_LINKS, np.array([0.4, 0.6, 0.5, 0.3, 0.2]), np.array([0.0, 0.0, 0.0, 0.0]))
    links = fed_back(problem, constraints, POOLED_LINKS, scores)
    assert links.within_weight.tolist() == pytest.approx([0.4, 0.6, 1.0, 0.6, 0.4])
    assert links.cross_weight.tolist() == pytest.approx([1.0, 0.6, 0.4, 0.4])  # of the look-alikes
    assert links.within_face is POOLED_LINKS.within_face


def test_fed_back_links_keep_what_people_said() -> None:
    problem, constraints = bind(POOLED, [Correction(0, "is", "B"), Correction(2, "is not", "A")])
    everything = Scores(np.array([0, 0, 1, 2, 2]), np.array([0, 1, 0, 0, 2]), np.ones(5))
    links = fed_back(problem, constraints, POOLED_LINKS, everything)
    assert links.within_weight.tolist() == pytest.approx([0, 1, 1, 0, 0.5])
    assert links.cross_weight.tolist() == pytest.approx([0, 0, 0, 0.5])  # face 0 has its name
