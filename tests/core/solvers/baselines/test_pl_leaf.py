"""PL-LEAF: each of its three optimisations against a generic solver."""

import numpy as np
import pytest
from scipy.optimize import minimize

from core.problem import BoolArray, FloatArray
from core.solvers.baselines import pl_leaf
from core.solvers.baselines.ipal import neighbour_graph
from core.solvers.baselines.sure import Candidates, gaussian
from tests.core.solvers.baselines.test_ipal import check_rules, three_people


def test_rules() -> None:
    check_rules("pl-leaf")


def test_rebuilding_weights_by_hand() -> None:
    # neighbours at distance 1 and 2 on opposite sides rebuild a face exactly; on one side the nearer one has all
    opposite, one_side = np.array([1.0, -2.0]), np.array([1.0, 2.0])
    gram = np.stack([np.outer(opposite, opposite), np.outer(one_side, one_side)])
    np.testing.assert_allclose(pl_leaf.rebuilding_weights(gram), [[2 / 3, 1 / 3], [1, 0]], atol=1e-6)


def test_rebuilding_weights_against_a_generic_solver() -> None:
    rng = np.random.default_rng(1)
    gaps = rng.normal(0.4, 1, size=(15, 6, 9))
    gram = gaps @ gaps.transpose(0, 2, 1)
    for matrix, found in zip(gram, pl_leaf.rebuilding_weights(gram), strict=True):
        result = minimize(
            lambda w, g=matrix: w @ g @ w,
            np.full(6, 1 / 6),
            jac=lambda w, g=matrix: 2 * g @ w,
            bounds=[(0, 1)] * 6,
            constraints=[{"type": "eq", "fun": lambda w: w.sum() - 1}],
            method="SLSQP",
            options={"ftol": 1e-13, "maxiter": 500},
        )
        np.testing.assert_allclose(found, result.x, atol=1e-4)


def generic_manifold(graph: FloatArray, candidates: BoolArray, pull: float, toward: FloatArray) -> tuple[float, FloatArray]:
    """The programme over all entries of Λ at once, by SLSQP."""
    face, _ = np.nonzero(candidates)
    gap = np.eye(len(graph)) - graph

    def full(values: FloatArray) -> FloatArray:
        table = np.zeros(candidates.shape)
        table[candidates] = values
        return table

    def loss(values: FloatArray) -> float:
        return float(np.sum((gap @ full(values)) ** 2) + pull * np.sum((full(values) - toward)[candidates] ** 2))

    def slope(values: FloatArray) -> FloatArray:
        return np.asarray((2 * gap.T @ gap @ full(values) + 2 * pull * (full(values) - toward))[candidates])

    start = (candidates / candidates.sum(axis=1, keepdims=True))[candidates]
    result = minimize(
        loss,
        start,
        jac=slope,
        bounds=[(0, 1)] * len(start),
        constraints=[{"type": "eq", "fun": lambda values: np.bincount(face, values) - 1}],
        method="SLSQP",
        options={"ftol": 1e-13, "maxiter": 1000},
    )
    return float(result.fun), full(result.x)


@pytest.mark.parametrize("pull", [0.0, 1.0])
def test_label_manifold_against_a_generic_solver(pull: float) -> None:
    rng = np.random.default_rng(8)
    near = np.array([[(i + s) % 12 for s in (1, 2, 5)] for i in range(12)])
    weight = rng.dirichlet(np.ones(3), size=12)
    candidates = rng.random((12, 4)) < 0.5
    candidates[:, 1] |= ~candidates.any(axis=1)
    toward = rng.random((12, 4))
    pairs = Candidates.of(candidates)
    graph = neighbour_graph(near, weight)
    found = pl_leaf.label_manifold(graph, pairs, pairs.equal_shares(), pull, toward[candidates], tolerance=1e-9)
    best, answer = generic_manifold(graph.toarray(), candidates, pull, toward)
    gap = pairs.dense(found) - graph.toarray() @ pairs.dense(found)
    assert np.sum(gap**2) + pull * np.sum((found - toward[candidates]) ** 2) == pytest.approx(best, abs=1e-6)
    if pull:  # only then is the optimum the only one
        np.testing.assert_allclose(pairs.dense(found), answer, atol=1e-4)


def test_regression_against_a_generic_solver() -> None:
    features, candidates, _ = three_people(14, seed=7)
    candidates[:, 0] |= ~candidates.any(axis=1)
    x = features.astype(np.float64)
    confidence = np.random.default_rng(0).random(candidates.shape) * candidates
    confidence /= confidence.sum(axis=1, keepdims=True)
    settings = pl_leaf.Settings(slack=0.3, tolerance=1e-12, rounds=500)
    model = pl_leaf.support_vector_regression(x, confidence, candidates, settings)
    kernel = gaussian(x, x, model.width)
    other = ~candidates
    sign = candidates / candidates.sum(axis=1, keepdims=True) - other / np.maximum(other.sum(axis=1, keepdims=True), 1)

    def loss(flat: FloatArray) -> float:
        weights, bias = flat[:-4].reshape(14, 4), flat[-4:]
        output = kernel @ weights + bias
        over = np.maximum(np.linalg.norm(confidence - output, axis=1) - 0.3, 0)
        return float(np.sum(weights * (kernel @ weights)) / 2 + 10 * over @ over - np.sum(sign * output))

    ours = np.append(model.weights.ravel(), model.bias)
    generic = minimize(loss, np.zeros(60), method="BFGS", options={"gtol": 1e-7, "maxiter": 3000})
    assert loss(ours) <= generic.fun + 1e-6
    np.testing.assert_allclose(model.weights.sum(axis=0), 0, atol=1e-8)
    # at the optimum no direction leads down
    rng = np.random.default_rng(3)
    assert all(loss(ours + 1e-3 * rng.normal(size=60)) > loss(ours) for _ in range(50))
