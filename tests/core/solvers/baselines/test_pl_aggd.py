"""PL-AGGD against its three steps written plainly with generic solvers."""

import numpy as np
from scipy.optimize import minimize

from core.problem import FloatArray, IntArray
from core.solvers.baselines import pl_aggd
from tests.core.solvers.baselines.test_ipal import check_rules, three_people
from tests.core.solvers.baselines.test_pl_leaf import generic_manifold


def test_rules() -> None:
    check_rules("pl-aggd")


def plain_graph(near: IntArray, x: FloatArray, y: FloatArray) -> FloatArray:
    """argmin ‖x_i − Σ w x_a‖² + ‖y_i − Σ w y_a‖² on the simplex, face by face."""
    both = np.hstack([x, y])
    graph = np.zeros((len(x), len(x)))
    for i, own in enumerate(near):
        gap = both[i] - both[own]
        result = minimize(
            lambda w, gap=gap: np.sum((w @ gap) ** 2),
            np.full(len(own), 1 / len(own)),
            jac=lambda w, gap=gap: 2 * gap @ (w @ gap),
            bounds=[(0, 1)] * len(own),
            constraints=[{"type": "eq", "fun": lambda w: w.sum() - 1}],
            method="SLSQP",
            options={"ftol": 1e-14, "maxiter": 500},
        )
        graph[i, own] = result.x
    return graph


def plain_ridge(x: FloatArray, y: FloatArray) -> FloatArray:
    """Outputs of kernel ridge regression with bias: the bordered linear system, γ = 0.05."""
    many = len(x)
    gap = np.linalg.norm(x[:, None] - x[None], axis=2)
    kernel = np.exp(-(gap**2) / (2 * (gap.sum() / (many * (many - 1))) ** 2))
    one = np.ones((many, 1))
    bordered = np.block([[kernel + 0.05 * np.eye(many), one], [one.T, np.zeros((1, 1))]])
    solved = np.linalg.solve(bordered, np.vstack([y, np.zeros((1, y.shape[1]))]))
    return np.asarray(kernel @ solved[:-1] + solved[-1])


def test_against_a_plain_version() -> None:
    features, candidates, _ = three_people(16, seed=2)
    candidates[:, 0] |= ~candidates.any(axis=1)
    raw = features.astype(np.float64)
    x = raw / np.linalg.norm(raw, axis=1, keepdims=True)
    gap = np.linalg.norm(x[:, None] - x[None], axis=2) + 9 * np.eye(16)
    near = np.argsort(gap, axis=1)[:, :4]
    _, y = generic_manifold(plain_graph(near, x, np.zeros((16, 0))), candidates, 0.0, np.zeros(candidates.shape))
    for _ in range(2):
        _, y = generic_manifold(plain_graph(near, x, y), candidates, 1.0, plain_ridge(raw, y))
    fitted = pl_aggd.fit(features, candidates, pl_aggd.Settings(neighbours=4, rounds=2))
    np.testing.assert_allclose(fitted.confidence, y, atol=2e-3)
    np.testing.assert_allclose(fitted.predict(features), plain_ridge(raw, y), atol=2e-3)
