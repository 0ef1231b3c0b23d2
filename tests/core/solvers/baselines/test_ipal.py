"""IPAL against the algorithm written plainly, face by face; and what the tests of all partial-label learners share."""

import numpy as np
import pytest
from scipy.optimize import nnls

from core.problem import BoolArray, FloatArray, IntArray
from core.solvers.baselines import ipal
from core.solvers.baselines.registry import LEARNERS


def three_people(faces: int = 60, seed: int = 0) -> tuple[FloatArray, BoolArray, IntArray]:
    """Faces of three people about 90 degrees apart, each with its own name and sometimes others as candidates."""
    rng = np.random.default_rng(seed)
    truth = np.arange(faces) % 3
    features = (np.eye(3, 6)[truth] + 0.25 * rng.normal(size=(faces, 6))).astype(np.float32)
    candidates = rng.random((faces, 4)) < 0.4
    candidates[np.arange(faces), truth] = True
    candidates[::9] = False
    return features, candidates, truth


def check_rules(method: str) -> None:
    """What every partial-label learner keeps to, on clear and on degenerate cases."""
    features, candidates, truth = three_people()
    fitted = LEARNERS[method](features, candidates)
    known = candidates.any(axis=1)
    assert fitted.confidence.shape == candidates.shape
    assert (fitted.confidence[~candidates] == 0).all()
    assert (fitted.confidence >= 0).all()
    np.testing.assert_allclose(fitted.confidence.sum(axis=1), known.astype(float))
    assert (fitted.confidence.argmax(axis=1) == truth)[known].mean() > 0.95
    unseen, _, theirs = three_people(seed=1)
    assert (fitted.predict(unseen).argmax(axis=1) == theirs).mean() > 0.95
    again = LEARNERS[method](features, candidates)
    assert (again.confidence == fitted.confidence).all()
    # faces without a candidate teach nothing
    without = LEARNERS[method](features[known], candidates[known])
    np.testing.assert_allclose(without.confidence, fitted.confidence[known], atol=1e-12)
    for few in ([False, False], [True, False], [True, True]):
        small = LEARNERS[method](features[:2], np.array(few)[:, None] & np.ones((2, 3), dtype=bool))
        np.testing.assert_allclose(small.confidence.sum(axis=1), few)
        assert small.predict(features[:5]).shape == (5, 3)
    twins = LEARNERS[method](np.ones((15, 4), dtype=np.float32), np.tile([True, True, False], (15, 1)))
    np.testing.assert_allclose(twins.confidence.sum(axis=1), 1)
    np.testing.assert_allclose(twins.confidence, np.tile(twins.confidence[0], (15, 1)), atol=1e-6)


def test_rules() -> None:
    check_rules("ipal")


@pytest.mark.parametrize("seed", range(4))
def test_nonnegative_least_squares_against_scipy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    faces = rng.normal(size=(40, 8, 12)) + seed * 0.3
    wanted = rng.normal(size=(40, 12))
    faces[0, 3] = faces[0, 5]  # identical neighbours
    wanted[1] = -faces[1].sum(axis=0) * 10  # nothing helps
    gram, target = faces @ faces.transpose(0, 2, 1), np.einsum("ikd,id->ik", faces, wanted)
    weight = ipal.nonnegative_least_squares(gram, target)
    assert (weight >= 0).all()
    for rows, goal, found in zip(faces, wanted, weight, strict=True):
        _, best = nnls(rows.T, goal)
        assert np.linalg.norm(goal - found @ rows) == pytest.approx(best, abs=1e-6)
    plain = [nnls(rows.T, goal)[0] for rows, goal in zip(faces[1:], wanted[1:], strict=True)]
    np.testing.assert_allclose(weight[1:], plain, atol=1e-7)


def plain_ipal(features: FloatArray, candidates: BoolArray, unseen: FloatArray, k: int) -> tuple[FloatArray, FloatArray]:
    x = features / np.linalg.norm(features, axis=1, keepdims=True)
    faces, names = candidates.shape
    graph = np.zeros((faces, faces))
    for i in range(faces):
        near = [a for a in np.argsort(np.linalg.norm(x - x[i], axis=1)) if a != i][:k]
        graph[i, near] = nnls(x[near].T, x[i])[0]
        graph[i] /= graph[i].sum()
    first = candidates / candidates.sum(axis=1, keepdims=True)
    share = first
    for _ in range(100):
        share = np.where(candidates, 0.95 * graph @ share + 0.05 * first, 0)
        share = share / share.sum(axis=1, keepdims=True)
    share = share * first.sum(axis=0) / share.sum(axis=0)
    share = share / share.sum(axis=1, keepdims=True)
    error = np.zeros((len(unseen), names))
    for i, face in enumerate(unseen / np.linalg.norm(unseen, axis=1, keepdims=True)):
        near = np.argsort(np.linalg.norm(x - face, axis=1))[:k]
        weight = nnls(x[near].T, face)[0]
        for name in range(names):
            own = share[near].argmax(axis=1) == name
            error[i, name] = np.sum((face - (weight * own) @ x[near]) ** 2)
    return share, -error


def test_against_a_plain_version() -> None:
    features, candidates, _ = three_people(40, seed=5)
    candidates[:, 0] |= ~candidates.any(axis=1)
    unseen = three_people(12, seed=6)[0].astype(np.float64)
    fitted = ipal.fit(features, candidates, ipal.Settings(neighbours=5))
    share, score = plain_ipal(features.astype(np.float64), candidates, unseen, 5)
    np.testing.assert_allclose(fitted.confidence, share, atol=1e-6)
    np.testing.assert_allclose(fitted.predict(unseen), score, atol=1e-6)
