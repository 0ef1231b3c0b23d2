"""SURE against the quadratic programmes of its paper, solved one by one, and its alternation written plainly."""

import numpy as np
import pytest
from scipy.optimize import minimize

from core.problem import FloatArray
from core.solvers.baselines import sure
from tests.core.solvers.baselines.test_ipal import check_rules, three_people


def test_rules() -> None:
    check_rules("sure")


def best_of_all_programmes(output: FloatArray, sharpness: float) -> FloatArray:
    """min ‖p − q‖² − λ p_j with 0 ≤ p ≤ p_j and Σ p = 1, for each j: the paper's set of programmes, and the best."""
    many = len(output)
    found: list[tuple[float, FloatArray]] = []
    for j in range(many):
        start = np.full(many, 1 / many)
        result = minimize(
            lambda p, j=j: np.sum((p - output) ** 2) - sharpness * p[j],
            start,
            jac=lambda p, j=j: 2 * (p - output) - sharpness * np.eye(many)[j],
            bounds=[(0, 1)] * many,
            constraints=[
                {"type": "eq", "fun": lambda p: p.sum() - 1},
                {"type": "ineq", "fun": lambda p, j=j: p[j] - p},
            ],
            method="SLSQP",
            options={"ftol": 1e-12, "maxiter": 500},
        )
        found.append((float(result.fun), np.asarray(result.x)))
    return min(found, key=lambda pair: pair[0])[1]


@pytest.mark.parametrize("sharpness", [0.0, 0.3, 1.0])
def test_sharpen_solves_the_papers_programmes(sharpness: float) -> None:
    rng = np.random.default_rng(2)
    allowed = rng.random((12, 5)) < 0.6
    allowed[:, 0] = True
    pairs = sure.Candidates.of(allowed)
    output = rng.normal(0.3, 0.4, size=len(pairs.face))
    found = sure.sharpen(pairs, output, sharpness)
    for face in range(12):
        own = pairs.face == face
        np.testing.assert_allclose(found[own], best_of_all_programmes(output[own], sharpness), atol=1e-5)


def test_sharpen_by_hand() -> None:
    pairs = sure.Candidates.of(np.array([[True, True, False], [True, False, True]]))
    # (.5 + .15, .4) exceeds 1 by .05, shared; (.5, .5): the first of the equal ones is raised
    found = sure.sharpen(pairs, np.array([0.5, 0.4, 0.5, 0.5]), 0.3)
    np.testing.assert_allclose(found, [0.625, 0.375, 0.575, 0.425])


def test_alternation_against_plain_algebra() -> None:
    """The weights as the paper prints them: A = (K + βI − 11ᵀK/m)⁻¹ (P − 11ᵀP/m), b = (Pᵀ1 − AᵀK1)/m."""
    features, candidates, _ = three_people(30, seed=4)
    candidates[:, 0] |= ~candidates.any(axis=1)
    x, many = features.astype(np.float64), len(features)
    gap = np.linalg.norm(x[:, None] - x[None], axis=2)
    width = gap.sum() / (many * (many - 1))
    kernel = np.exp(-(gap**2) / (2 * width**2))
    centre = np.ones((many, many)) / many
    share = candidates / candidates.sum(axis=1, keepdims=True)
    for step in range(4):
        weights = np.linalg.solve(kernel + 0.05 * np.eye(many) - centre @ kernel, share - centre @ share)
        bias = (share.sum(axis=0) - weights.T @ kernel.sum(axis=1)) / many
        if step == 3:
            break
        output = kernel @ weights + bias
        for face in range(many):
            own = candidates[face]
            share[face, own] = best_of_all_programmes(output[face, own], 0.3)
    fitted = sure.fit(features, candidates, sure.Settings(rounds=3, tolerance=0))
    np.testing.assert_allclose(fitted.confidence, share, atol=1e-4)
    np.testing.assert_allclose(fitted.predict(features), kernel @ weights + bias, atol=1e-4)
