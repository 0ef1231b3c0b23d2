"""SURE: a kernel classifier learns from its own ever sharper guesses among the candidates.

L. Feng, B. An. Partial Label Learning with Self-Guided Retraining. AAAI 2019.
It minimises Σ_i ‖f(x_i) − p_i‖² + β ‖f‖² − λ Σ_i ‖p_i‖_∞ over the classifier f and the confidences p_i, which are
non-negative, zero outside the candidates and sum to 1. The infinity norm is maximised: it makes each p_i pick a side.
Two steps alternate from equal shares:

1. f given p: ridge regression with bias in the space of a Gaussian kernel whose width is the mean distance of two faces.
2. p given q = f(x): the paper solves min ‖p − q‖² − λ p_j with p_j the largest, a quadratic programme for each candidate j
   and the best of them, or, faster, for j = argmax q alone. That one is never worse (exchange p_j and p_k where q_j ≥ q_k),
   and it has a closed form: the projection of q + λ/2 e_j onto the simplex of the candidates. Projection keeps the order
   of entries, so p_j is the largest and the paper's constraint holds by itself.

The kernel and its inverse are faces × faces: 22,000 faces need some 8 GB and, by extrapolation from
6,000, five minutes for the inverse.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from core.arrays import chunks, starts
from core.problem import BoolArray, FloatArray, IntArray
from core.solvers.baselines.ipal import normalised


@dataclass(frozen=True)
class Settings:
    sharpness: float = 0.3  # λ: how much a confident guess is worth
    ridge: float = 0.05  # β
    rounds: int = 100  # alternations at most; this and the tolerance are our choice
    tolerance: float = 1e-3  # stop when no confidence moves further


PUBLISHED = Settings()


@dataclass(frozen=True, eq=False)
class KernelModel:
    """f(x) = Σ_i k(x, x_i) weights_i + bias with a Gaussian kernel."""

    features: FloatArray
    width: float
    weights: FloatArray
    bias: FloatArray

    def predict(self, features: FloatArray) -> FloatArray:
        return np.asarray(gaussian(features, self.features, self.width) @ self.weights + self.bias)


@dataclass(frozen=True, eq=False)
class Fitted:
    confidence: FloatArray
    model: KernelModel

    def predict(self, features: FloatArray) -> FloatArray:
        return self.model.predict(features)


@dataclass(frozen=True, eq=False)
class Candidates:
    """All (face, name) pairs that may be, ordered by face; values on them are vectors. Every face has a candidate."""

    face: IntArray
    name: IntArray
    shape: tuple[int, int]

    @staticmethod
    def of(allowed: BoolArray) -> Candidates:
        face, name = np.nonzero(allowed)
        return Candidates(face, name, (allowed.shape[0], allowed.shape[1]))

    @cached_property
    def start(self) -> IntArray:
        return starts(self.face, self.shape[0])

    def table(self, values: FloatArray) -> FloatArray:
        """One row a face with its candidates' values, filled up with -inf."""
        many = np.diff(self.start)
        table = np.full((self.shape[0], int(many.max(initial=0))), -np.inf)
        table[self.face, np.arange(len(self.face)) - self.start[self.face]] = values
        return table

    def equal_shares(self) -> FloatArray:
        return np.asarray(1 / np.diff(self.start)[self.face])

    def project(self, values: FloatArray) -> FloatArray:
        """The nearest confidences: for each face non-negative and summing to 1."""
        down = -np.sort(-self.table(values), axis=1)
        excess = np.cumsum(np.where(np.isfinite(down), down, 0), axis=1) - 1
        kept = (down * np.arange(1, down.shape[1] + 1) > excess).sum(axis=1)
        cut = excess[np.arange(len(kept)), kept - 1] / kept
        return np.asarray(np.maximum(values - cut[self.face], 0))

    def sparse(self, values: FloatArray) -> csr_array:
        return csr_array((values, self.name, self.start), shape=self.shape)

    def dense(self, values: FloatArray) -> FloatArray:
        full = np.zeros(self.shape)
        full[self.face, self.name] = values
        return full


class KernelRidge:
    """Ridge regression with bias on one set of faces, for many targets in turn: (K + β I) A + 1 bᵀ = P and 1ᵀA = 0."""

    def __init__(self, features: FloatArray, ridge: float) -> None:
        from scipy.linalg import inv

        self.features, self.ridge = features.astype(np.float64), ridge
        self.width = mean_distance(self.features)
        kernel = gaussian(self.features, self.features, self.width)
        kernel[np.diag_indices_from(kernel)] += ridge
        self.solver: FloatArray = inv(kernel, overwrite_a=True, assume_a="pos")
        self.once: FloatArray = self.solver.sum(axis=1)

    def bias(self, pairs: Candidates, values: FloatArray) -> FloatArray:
        return np.asarray(pairs.sparse(values).T @ self.once / max(self.once.sum(), np.finfo(float).tiny))

    def weights(self, pairs: Candidates, values: FloatArray) -> FloatArray:
        # the targets are nearly all zero: multiplying as sparse saves a factor of names / candidates
        product = pairs.sparse(values).T @ self.solver
        return np.asarray((product - np.outer(self.bias(pairs, values), self.once)).T)

    def outputs(self, pairs: Candidates, values: FloatArray) -> FloatArray:
        """f(x) on the candidates, of the f fitted to ``values``: K A + 1 bᵀ = P − β A."""
        return np.asarray(values - self.ridge * self.weights(pairs, values)[pairs.face, pairs.name])

    def model(self, pairs: Candidates, values: FloatArray) -> KernelModel:
        return KernelModel(self.features, self.width, self.weights(pairs, values), self.bias(pairs, values))


def fit(features: FloatArray, candidates: BoolArray, settings: Settings = PUBLISHED) -> Fitted:
    """Disambiguates the candidates of all faces that have any."""
    known = candidates.any(axis=1)
    pairs = Candidates.of(candidates[known])
    regression = KernelRidge(features[known], settings.ridge)
    share = pairs.equal_shares()
    for _ in range(settings.rounds):
        before, share = share, sharpen(pairs, regression.outputs(pairs, share), settings.sharpness)
        if np.abs(share - before).max(initial=0) < settings.tolerance:
            break
    confidence = np.zeros(candidates.shape)
    confidence[known] = normalised(pairs.dense(share))
    return Fitted(confidence, regression.model(pairs, share))


def sharpen(pairs: Candidates, output: FloatArray, sharpness: float) -> FloatArray:
    """Step 2: argmin_p ‖p − q‖² − λ ‖p‖_∞ for each face. Of equal largest outputs the first counts."""
    raised = output.copy()
    if len(raised):
        raised[pairs.start[:-1] + pairs.table(output).argmax(axis=1)] += sharpness / 2
    return pairs.project(raised)


def gaussian(left: FloatArray, right: FloatArray, width: float) -> FloatArray:
    """exp(−‖x − y‖² / 2 width²) for each pair of rows."""
    left, right = left.astype(np.float64), right.astype(np.float64)
    gap: FloatArray = (-2 * left) @ right.T
    gap += (left**2).sum(axis=1)[:, None]
    gap += (right**2).sum(axis=1)
    np.maximum(gap, 0, out=gap)
    gap *= -0.5 / width**2
    return np.exp(gap, out=gap)


def mean_distance(features: FloatArray) -> float:
    """The mean distance of two different faces; 1 where there are not two."""
    many = len(features)
    square = (features**2).sum(axis=1)
    total = 0.0
    for part in chunks(many, many):
        gap = square[part, None] + square - 2 * features[part] @ features.T
        gap[np.arange(len(gap)), np.arange(part.start, part.stop)] = 0
        total += float(np.sqrt(np.maximum(gap, 0)).sum())
    return total / (many * (many - 1)) if total > 0 else 1.0
