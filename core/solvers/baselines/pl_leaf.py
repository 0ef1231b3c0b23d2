"""PL-LEAF: what rebuilds a face from its look-alikes also rebuilds its label; a regression then learns the labels.

M.-L. Zhang, B.-B. Zhou, X.-Y. Liu. Partial Label Learning via Feature-Aware Disambiguation. KDD 2016.
With x_i the unit-length features of face i and N_i its k nearest faces:

1. Manifold: w_i = argmin ‖x_i − Σ_{a∈N_i} w_ia x_a‖² with w ≥ 0 and Σ_a w_ia = 1.
2. Confidences: min_Λ Σ_i ‖λ_i − Σ_a w_ia λ_a‖², each λ_i non-negative, zero outside the candidates and summing to 1.
3. Model: multi-output support vector regression f with bias in the space of a Gaussian kernel,
   min ½ ‖f‖² + C1 Σ_i max(0, ‖λ_i − f(x_i)‖ − ε)² − C2 Σ_i (mean f over the candidates − mean f over all other names),
   by iteratively reweighted least squares (Sánchez-Fernández et al. 2004): each round replaces the loss of face i by
   a_i/2 ‖λ_i − f(x_i)‖² with a_i = 2 C1 (u_i − ε)/u_i at the present error u_i, solves, and steps back while the loss rises.

Step 2 is one quadratic programme over all (face, candidate) pairs. It is solved by accelerated projected gradients on its
sparse matrix and grows with faces · k². Step 3 factors a faces × faces matrix each round: it is not for 22,000 faces, and
``fit`` leaves it for the first ``predict``, so that names of the faces at hand never pay for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array, eye_array

from core.arrays import ragged
from core.problem import BoolArray, FloatArray, IntArray
from core.solvers.baselines.ipal import (
    local_products,
    nearest,
    neighbour_graph,
    nonnegative_least_squares,
    normalised,
    unit_length,
)
from core.solvers.baselines.sure import Candidates, KernelModel, gaussian, mean_distance


@dataclass(frozen=True)
class Settings:
    neighbours: int = 10  # k
    closeness: float = 10.0  # C1: how much it costs to miss a confidence
    margin: float = 1.0  # C2: how much it pays to put candidates above other names
    slack: float = 0.1  # ε: errors below cost nothing; our choice, no source at hand names a value
    rounds: int = 50  # of reweighting at most
    tolerance: float = 1e-4  # stop when a round lowers the loss by a smaller share


PUBLISHED = Settings()


@dataclass(frozen=True, eq=False)
class Fitted:
    """``confidence`` of the faces fitted on; ``features`` and ``candidates`` of those among them that have a candidate."""

    confidence: FloatArray
    features: FloatArray
    candidates: BoolArray
    settings: Settings

    @cached_property
    def model(self) -> KernelModel:
        known = self.confidence.any(axis=1)
        return support_vector_regression(self.features, self.confidence[known], self.candidates, self.settings)

    def predict(self, features: FloatArray) -> FloatArray:
        return self.model.predict(features)


def fit(features: FloatArray, candidates: BoolArray, settings: Settings = PUBLISHED) -> Fitted:
    """Disambiguates the candidates of all faces that have any (steps 1 and 2)."""
    known = candidates.any(axis=1)
    pairs = Candidates.of(candidates[known])
    x = unit_length(features[known])
    near = nearest(x, min(settings.neighbours, len(x) - 1))
    graph = neighbour_graph(near, rebuilding_weights(differences(x, near)))
    share = label_manifold(graph, pairs, pairs.equal_shares())
    confidence = np.zeros(candidates.shape)
    confidence[known] = normalised(pairs.dense(share))
    return Fitted(confidence, features[known].astype(np.float64), candidates[known], settings)


def differences(values: FloatArray, near: IntArray) -> FloatArray:
    """For each face the inner products (k×k) of its neighbours' differences from it."""
    gram, target = local_products(values, values, near)
    return np.asarray(gram - target[:, :, None] - target[:, None, :] + (values**2).sum(axis=1)[:, None, None])


def rebuilding_weights(gram: FloatArray) -> FloatArray:
    """argmin wᵀGw with w ≥ 0 and Σ w = 1, for many small G at once.

    For v = t w the non-negative least squares vᵀGv + (Σv − 1)² are least at t = 1 / (1 + wᵀGw), with the value
    wᵀGw / (1 + wᵀGw), which grows with wᵀGw: its solution, scaled to sum to 1, is the one sought.
    """
    size = np.einsum("iaa->i", gram)
    scaled = gram / np.where(size > 0, size, 1)[:, None, None]
    return normalised(nonnegative_least_squares(scaled + 1, np.ones(gram.shape[:2])))


def label_manifold(
    graph: csr_array,
    pairs: Candidates,
    start: FloatArray,
    pull: float = 0.0,
    toward: FloatArray | None = None,
    rounds: int = 2000,
    tolerance: float = 1e-5,
) -> FloatArray:
    """argmin_Λ ‖Λ − WΛ‖² + pull ‖Λ − toward‖² over the confidences, as values on the pairs.

    FISTA with restarts. Within a face's simplex the step is one and the same, so each face may have its own: the largest
    absolute row sum of its pairs bounds the curvature, and faces that many others lean on do not slow down the rest.
    """
    curve = pair_matrix(graph, pairs)
    bound = abs(curve).sum(axis=1) + pull
    largest = np.zeros(pairs.shape[0])
    np.maximum.at(largest, pairs.face, bound)
    step = 1 / np.maximum(largest, 1e-12)[pairs.face]
    target = np.zeros_like(start) if toward is None else toward
    share, ahead, speed = start, start, 1.0
    for _ in range(rounds):
        slope = curve @ ahead + pull * (ahead - target)
        after = pairs.project(ahead - step * slope)
        if ((ahead - after) / step) @ (after - share) > 0:  # the momentum has overshot
            speed = 1.0
        faster = (1 + np.sqrt(1 + 4 * speed * speed)) / 2
        ahead = after + (speed - 1) / faster * (after - share)
        moved = np.abs(after - share).max(initial=0)
        share, speed = after, faster
        if moved < tolerance:
            break
    return share


def pair_matrix(graph: csr_array, pairs: Candidates) -> csr_array:
    """(I − W)ᵀ(I − W) between the pairs: faces meet only in one and the same name."""
    gap = eye_array(graph.shape[0], format="csr") - graph
    square = csr_array(gap.T @ gap)
    many = np.diff(square.indptr)[pairs.face]
    row = np.repeat(np.arange(len(pairs.face)), many)
    entry = ragged(square.indptr[pairs.face], many)
    place = np.full(pairs.shape, -1)
    place[pairs.face, pairs.name] = np.arange(len(pairs.face))
    column = place[square.indices[entry], pairs.name[row]]
    both = column >= 0
    size = (len(pairs.face), len(pairs.face))
    return csr_array((square.data[entry[both]], (row[both], column[both])), shape=size)


def support_vector_regression(
    features: FloatArray, confidence: FloatArray, candidates: BoolArray, settings: Settings
) -> KernelModel:
    """Step 3. With f = K β + b the round's optimum has β_i = a_i (λ_i − f_i) + C2 z_i and columns of β that sum to 0."""
    width = mean_distance(features)
    kernel = gaussian(features, features, width)
    margin = settings.margin * (normalised(candidates.astype(np.float64)) - normalised((~candidates).astype(np.float64)))
    weights, bias = np.zeros_like(confidence), np.zeros(confidence.shape[1])
    output = np.zeros_like(confidence)
    loss = np.inf
    for _ in range(settings.rounds):
        error = np.linalg.norm(confidence - output, axis=1)
        if not (error > settings.slack).any():
            break
        goal, goal_bias = _reweighted_solution(kernel, confidence, margin, error, settings)
        way, way_bias, way_output = goal - weights, goal_bias - bias, kernel @ goal + goal_bias - output
        size, before = 1.0, loss
        while True:
            tried = weights + size * way, bias + size * way_bias, output + size * way_output
            loss = regression_loss(*tried, confidence, margin, settings)
            if loss <= before or size < 1e-6:
                break
            size /= 4
        if loss > before:
            break
        weights, bias, output = tried
        if before - loss < settings.tolerance * abs(loss):
            break
    return KernelModel(features, width, weights, bias)


def regression_loss(
    weights: FloatArray,
    bias: FloatArray,
    output: FloatArray,
    confidence: FloatArray,
    margin: FloatArray,
    settings: Settings,
) -> float:
    """½ tr(βᵀKβ) + C1 Σ max(0, u − ε)² − C2 Σ z f, where ``margin`` is C2 z and K β = f − b."""
    over = np.maximum(np.linalg.norm(confidence - output, axis=1) - settings.slack, 0)
    return float((weights * (output - bias)).sum() / 2 + settings.closeness * over @ over - (margin * output).sum())


def _reweighted_solution(
    kernel: FloatArray, confidence: FloatArray, margin: FloatArray, error: FloatArray, settings: Settings
) -> tuple[FloatArray, FloatArray]:
    """β and b for the present weights a. Faces inside the slack have a = 0, so their β is C2 z."""
    from scipy.linalg import cho_factor, cho_solve

    busy = np.flatnonzero(error > settings.slack)
    idle = np.flatnonzero(error <= settings.slack)
    strength = 2 * settings.closeness * (1 - settings.slack / error[busy])
    weights = margin.copy()
    system = kernel[np.ix_(busy, busy)]
    system[np.diag_indices_from(system)] += 1 / strength
    right = confidence[busy] + margin[busy] / strength[:, None] - kernel[np.ix_(busy, idle)] @ margin[idle]
    factor = cho_factor(system, lower=True, overwrite_a=True)
    solved = cho_solve(factor, np.column_stack([right, np.ones(len(busy))]))
    bias = (solved[:, :-1].sum(axis=0) + margin[idle].sum(axis=0)) / solved[:, -1].sum()
    weights[busy] = solved[:, :-1] - solved[:, -1:] * bias
    return weights, bias
