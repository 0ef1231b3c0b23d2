"""Frame and name marginals against enumeration of all joint assignments."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from core.problem import FloatArray
from core.solvers.mixture.assign import frame_marginals, log_sum_others, one_to_one, one_to_one_marginals

PENALTY = 0.02
SHAPES = list(product(range(1, 5), range(1, 5)))


def enumerated(score: FloatArray, new: FloatArray, penalty: float) -> tuple[FloatArray, FloatArray]:
    """The marginals by every assignment of persons to faces; every repetition of a person costs ``penalty``."""
    faces, clusters = score.shape
    table = np.zeros((faces, clusters + 1))
    for chosen in product(range(clusters + 1), repeat=faces):
        weight = np.exp(sum(new[i] if k == clusters else score[i, k] for i, k in enumerate(chosen)))
        seen = np.bincount([k for k in chosen if k < clusters], minlength=clusters)
        weight *= penalty ** np.maximum(seen - 1, 0).sum()
        table[range(faces), chosen] += weight
    table /= table.sum(1, keepdims=True)
    return table[:, :-1], table[:, -1]


def one_frame(score: FloatArray, new: FloatArray, penalty: FloatArray | float = PENALTY) -> tuple[FloatArray, FloatArray]:
    faces, clusters = score.shape
    cluster = np.tile(np.arange(clusters), (faces, 1))
    return frame_marginals(score, new, cluster, np.zeros(faces, dtype=np.int64), penalty)


@pytest.mark.parametrize(("faces", "clusters"), SHAPES)
def test_frame_marginals_are_close_to_all_joint_assignments(faces: int, clusters: int) -> None:
    """Belief propagation is approximate, for frames are full of loops: a probability is off by .02 at most in the mean and
    .15 at worst, and the answer is the same wherever the exact one is above .7. With one face nothing is approximated."""
    rng = np.random.default_rng(10 * faces + clusters)
    apart = []
    for _ in range(40):
        score, new = rng.normal(0, 3, (faces, clusters)), rng.normal(0, 1, faces)
        found, exact = np.c_[one_frame(score, new)], np.c_[enumerated(score, new, PENALTY)]
        apart.append(np.abs(found - exact).max(1))
        sure = exact.max(1) > 0.7
        assert (found.argmax(1) == exact.argmax(1))[sure].all()
    if faces == 1:
        assert np.max(apart) < 1e-9
    assert np.mean(apart) < 0.02
    assert np.max(apart) < 0.15


def test_exclusivity_penalty_may_differ_by_candidate() -> None:
    score, new = np.array([[3.0, 3.0], [3.0, 3.0]]), np.zeros(2)
    each = np.array([[1e-6, 1.0]] * 2)
    found, _ = one_frame(score, new, each)
    dear, _ = one_frame(score[:, :1], new, 1e-6)
    assert found[0, 0] < found[0, 1]  # the first is seen once at most, the second as often as one likes
    assert dear.sum() < 1.01


def test_one_candidate_is_shared_among_the_faces_of_a_frame() -> None:
    found, nobody = one_frame(np.full((4, 1), 2.0), np.zeros(4))
    assert np.ptp(found) < 1e-9
    assert found.sum() < 1.6
    assert nobody == pytest.approx(1 - found[:, 0])


def test_frames_are_independent() -> None:
    rng = np.random.default_rng(0)
    score, new = rng.normal(0, 2, (5, 3)), np.zeros(5)
    cluster = np.tile(np.arange(3), (5, 1))
    both = frame_marginals(score, new, cluster, np.array([0, 0, 1, 1, 1]), PENALTY)
    apart = [one_frame(score[part], new[part]) for part in (slice(0, 2), slice(2, 5))]
    np.testing.assert_allclose(both[0], np.r_[apart[0][0], apart[1][0]])
    np.testing.assert_allclose(both[1], np.r_[apart[0][1], apart[1][1]])


def test_penalty_of_one_makes_faces_independent() -> None:
    score = np.log([[3.0, 1.0], [3.0, 1.0]])
    found, nobody = one_frame(score, np.zeros(2), penalty=1.0)
    np.testing.assert_allclose(np.c_[found, nobody], [[0.6, 0.2, 0.2]] * 2)


def test_exclusivity_leaves_the_third_name_to_the_third_face() -> None:
    """The paper's third failure case, in one frame: faces 0 and 1 are surely A and B; face 2 alone would rather be A."""
    score = np.array([[9.0, 0.0, 0.0], [0.0, 9.0, 0.0], [1.0, 1.0, 0.5]])
    alone, _ = one_frame(score[2:], np.array([-2.0]))
    assert alone[0].argmax() != 2
    together, _ = one_frame(score, np.full(3, -2.0))
    assert together.argmax(1).tolist() == [0, 1, 2]
    assert together[2, 2] > 0.7


def test_faces_without_candidates_are_nobody() -> None:
    found, nobody = frame_marginals(
        np.zeros((2, 0)), np.zeros(2), np.zeros((2, 0), np.int64), np.zeros(2, np.int64), PENALTY
    )
    assert found.shape == (2, 0)
    assert nobody.tolist() == [1.0, 1.0]


def test_one_to_one_uses_each_column_once_and_only_for_a_gain() -> None:
    row, column, gain = np.array([0, 0, 1, 1, 3]), np.array([0, 1, 0, 1, 2]), np.array([5.0, 4.0, 4.5, 1.0, 0.5])
    assert one_to_one(row, column, gain, 5).tolist() == [1, 0, -1, 2, -1]
    assert one_to_one(row[:0], column[:0], gain[:0], 2).tolist() == [-1, -1]


@pytest.mark.parametrize("seed", range(5))
def test_one_to_one_by_components_equals_one_assignment(seed: int) -> None:
    """Few pairs gain, so there are many parts; the whole table, with a way out for each row, gives the same."""
    rng = np.random.default_rng(seed)
    table = np.where(rng.random((30, 20)) < 0.08, rng.random((30, 20)), 0.0)
    row, column = np.nonzero(table)
    whole = linear_sum_assignment(-np.hstack([table, np.zeros((30, 30))]))[1]
    gains = table[np.arange(30), np.minimum(whole, 19)] * (whole < 20)
    assert one_to_one(row, column, table[row, column], 30).tolist() == np.where(gains > 0, whole, -1).tolist()


@pytest.mark.parametrize(("rows", "columns"), SHAPES)
def test_one_to_one_marginals_are_close_to_all_assignments(rows: int, columns: int) -> None:
    rng = np.random.default_rng(rows * 10 + columns)
    apart = []
    for _ in range(20):
        gain = rng.normal(0, 3, (rows, columns))
        exact, _ = enumerated(gain, np.zeros(rows), 0.0)
        apart.append(np.abs(one_to_one_marginals(gain) - exact).max())
    assert np.mean(apart) < 0.05
    assert np.max(apart) < 0.2


def test_log_sum_others_leaves_out_its_own_entry() -> None:
    x = np.array([[0.0, 1.0, 2.0], [700.0, -700.0, 0.0]])
    e = np.exp(x[0])
    np.testing.assert_allclose(log_sum_others(x)[0], np.log(1 + e.sum() - e))
    np.testing.assert_allclose(log_sum_others(x)[1], [np.log(2), 700.0, 700.0])
