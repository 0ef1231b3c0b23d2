"""PL-AGGD: the graph of look-alikes, the confidences and the classifier improve each other in turn.

D.-B. Wang, L. Li, M.-L. Zhang. Adaptive Graph Guided Disambiguation for Partial Label Learning. KDD 2019.
With x_i the unit-length features of face i, N_i its k nearest faces, y_i its confidences (non-negative, zero outside
the candidates, summing to 1) and f a kernel ridge regression with bias (ridge γ), from PL-LEAF's confidences on:

1. Graph: w_i = argmin λ ‖x_i − Σ_{a∈N_i} w_ia x_a‖² + μ ‖y_i − Σ_{a∈N_i} w_ia y_a‖² with w ≥ 0 and Σ_a w_ia = 1.
2. Confidences: min_Y μ Σ_i ‖y_i − Σ_a w_ia y_a‖² + ‖Y − f(X)‖².
3. Classifier: f fitted to Y. The kernel is Gaussian, its width the mean distance of two faces. The publication leaves out
   the bias; the authors' code has it, and their notes to it say that the omission was an oversight.

The kernel and its inverse are faces × faces: 22,000 faces need some 8 GB and, by extrapolation from
6,000, five minutes for the inverse.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.problem import BoolArray, FloatArray
from core.solvers.baselines.ipal import nearest, neighbour_graph, normalised, unit_length
from core.solvers.baselines.pl_leaf import differences, label_manifold, rebuilding_weights
from core.solvers.baselines.sure import Candidates, Fitted, KernelRidge


@dataclass(frozen=True)
class Settings:
    neighbours: int = 10  # k
    feature_weight: float = 1.0  # λ: how much the graph has to rebuild the features
    label_weight: float = 1.0  # μ: how much it has to rebuild the confidences
    ridge: float = 0.05  # γ
    rounds: int = 10


PUBLISHED = Settings()


def fit(features: FloatArray, candidates: BoolArray, settings: Settings = PUBLISHED) -> Fitted:
    """Disambiguates the candidates of all faces that have any."""
    known = candidates.any(axis=1)
    pairs = Candidates.of(candidates[known])
    regression = KernelRidge(features[known], settings.ridge)
    x = unit_length(features[known])
    near = nearest(x, min(settings.neighbours, len(x) - 1))
    far = differences(x, near)
    graph = neighbour_graph(near, rebuilding_weights(far))
    share = label_manifold(graph, pairs, pairs.equal_shares())
    for _ in range(settings.rounds):
        apart = differences(pairs.dense(share), near)
        both = settings.feature_weight * far + settings.label_weight * apart
        graph = neighbour_graph(near, rebuilding_weights(both))
        output = regression.outputs(pairs, share)
        share = label_manifold(graph, pairs, share, pull=1 / settings.label_weight, toward=output)
    confidence = np.zeros(candidates.shape)
    confidence[known] = normalised(pairs.dense(share))
    return Fitted(confidence, regression.model(pairs, share))
