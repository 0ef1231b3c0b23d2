"""IPAL: names spread from look-alike to look-alike until each face has settled on one of its caption's names.

M.-L. Zhang, F. Yu. Solving the Partial Label Learning Problem: An Instance-Based Approach. IJCAI 2015.
With x_i the features of face i, scaled to unit length (our choice, as PL-AGGD's authors do), and N_i its k nearest faces:

1. Graph: w_i = argmin ‖x_i − Σ_{a∈N_i} w_ia x_a‖² with w ≥ 0, each w_i then divided by its sum.
2. Propagation from F⁰, equal shares for a face's candidates: F̃ᵗ = α W Fᵗ⁻¹ + (1−α) F⁰; Fᵗ is F̃ᵗ cut to the candidates
   and scaled so that each row sums to 1.
3. Class mass: column c of Fᵀ is multiplied by Σ_i F⁰_ic / Σ_i Fᵀ_ic; a face's name ŷ_i is its largest entry then.
4. An unseen face x takes the name whose look-alikes alone rebuild it best: argmin_c ‖x − Σ_{a: ŷ_a=c} w_a x_a‖².

Memory grows with faces × names; the search for neighbours takes faces² time, in blocks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from core.arrays import chunks
from core.problem import BoolArray, FloatArray, IntArray


@dataclass(frozen=True)
class Settings:
    neighbours: int = 10  # k
    alpha: float = 0.95  # how much a face takes from its look-alikes in each round
    rounds: int = 100  # T


PUBLISHED = Settings()


@dataclass(frozen=True, eq=False)
class Fitted:
    """``confidence`` of the faces fitted on; ``features`` and ``label`` of those among them that have a candidate."""

    confidence: FloatArray
    features: FloatArray
    label: IntArray
    settings: Settings

    def predict(self, features: FloatArray) -> FloatArray:
        """Minus the error with which each name's look-alikes rebuild each unseen face (step 4)."""
        queries = unit_length(features)
        error = np.repeat((queries**2).sum(axis=1, keepdims=True), self.confidence.shape[1], axis=1)
        near = nearest(self.features, min(self.settings.neighbours, len(self.features)), queries)
        gram, target = local_products(queries, self.features, near)
        weight = nonnegative_least_squares(gram, target)
        label = self.label[near]
        # ‖x − Σ w_a x_a‖² = ‖x‖² + Σ_a w_a (Σ_b w_b x_a·x_b − 2 x·x_a), where a and b run over the faces of one name
        same = label[:, :, None] == label[:, None, :]
        change = weight * (np.einsum("iab,ib->ia", gram * same, weight) - 2 * target)
        np.add.at(error, (np.arange(len(queries))[:, None], label), change)
        return -error


def fit(features: FloatArray, candidates: BoolArray, settings: Settings = PUBLISHED) -> Fitted:
    """Disambiguates the candidates of all faces that have any."""
    known = candidates.any(axis=1)
    x, allowed = unit_length(features[known]), candidates[known]
    near = nearest(x, min(settings.neighbours, len(x) - 1))
    weight = nonnegative_least_squares(*local_products(x, x, near))
    graph = neighbour_graph(near, normalised(weight))
    first = normalised(allowed.astype(np.float64))
    share = first
    for _ in range(settings.rounds):
        share = normalised((settings.alpha * (graph @ share) + (1 - settings.alpha) * first) * allowed)
    mass = share.sum(axis=0)
    share = normalised(share * np.divide(first.sum(axis=0), mass, out=np.zeros_like(mass), where=mass > 0))
    confidence = np.zeros(candidates.shape)
    confidence[known] = share
    label = share.argmax(axis=1) if share.size else np.zeros(0, dtype=np.int64)
    return Fitted(confidence, x, label, settings)


def unit_length(features: FloatArray) -> FloatArray:
    wide = features.astype(np.float64)
    length = np.linalg.norm(wide, axis=1, keepdims=True)
    return wide / np.where(length > 0, length, 1)


def normalised(rows: FloatArray) -> FloatArray:
    """Each row divided by its sum; rows of zeros stay so."""
    total = rows.sum(axis=1, keepdims=True)
    return np.asarray(rows / np.where(total > 0, total, 1))


def nearest(features: FloatArray, k: int, queries: FloatArray | None = None) -> IntArray:
    """The ``k`` rows of ``features`` nearest to each query, nearest first; without queries, to each row but itself."""
    wanted = features if queries is None else queries
    found = np.empty((len(wanted), max(k, 0)), dtype=np.int64)
    if k <= 0:
        return found
    square = (features**2).sum(axis=1)
    for part in chunks(len(wanted), len(features)):
        gap = square - 2 * wanted[part] @ features.T
        if queries is None:
            gap[np.arange(len(gap)), np.arange(part.start, part.stop)] = np.inf
        least = np.sort(np.argpartition(gap, k - 1, axis=1)[:, :k], axis=1)
        order = np.argsort(np.take_along_axis(gap, least, axis=1), axis=1, kind="stable")
        found[part] = np.take_along_axis(least, order, axis=1)
    return found


def neighbour_graph(near: IntArray, weight: FloatArray) -> csr_array:
    """The faces × faces matrix whose row i holds the weights of the neighbours of face i."""
    faces, k = near.shape
    return csr_array((weight.ravel(), near.ravel(), np.arange(faces + 1) * k), shape=(faces, faces))


def local_products(queries: FloatArray, features: FloatArray, near: IntArray) -> tuple[FloatArray, FloatArray]:
    """For each query the inner products of its neighbours with each other (k×k) and with the query (k)."""
    many, k = near.shape
    gram, target = np.empty((many, k, k)), np.empty((many, k))
    for part in chunks(many, k * features.shape[1]):
        picked = features[near[part]]
        gram[part] = picked @ picked.transpose(0, 2, 1)
        target[part] = (picked @ queries[part, :, None])[:, :, 0]
    return gram, target


def nonnegative_least_squares(gram: FloatArray, target: FloatArray) -> FloatArray:
    """argmin_{w ≥ 0} wᵀGw − 2 tᵀw for many small G (k×k) and t at once.

    The active-set method of Lawson and Hanson (1974, chapter 23), each step taken by all unsolved problems together.
    """
    many, k = target.shape
    weight = np.zeros((many, k))
    free = np.zeros((many, k), dtype=bool)
    scale = np.maximum(np.einsum("iaa->ia", gram).max(axis=1, initial=0), np.finfo(float).tiny)
    # a whisper of ridge: identical neighbours would make G singular
    gram = gram + 1e-12 * scale[:, None, None] * np.eye(k)
    todo = np.arange(many)
    for _ in range(3 * k):
        slope = target[todo] - np.einsum("iab,ib->ia", gram[todo], weight[todo])
        slope[free[todo]] = -np.inf
        steepest = slope.argmax(axis=1)
        rising = slope[np.arange(len(todo)), steepest] > 1e-10 * scale[todo]
        todo, steepest = todo[rising], steepest[rising]
        if not len(todo):
            break
        free[todo, steepest] = True
        _settle(gram, target, weight, free, todo)
    return weight


def _settle(gram: FloatArray, target: FloatArray, weight: FloatArray, free: BoolArray, todo: IntArray) -> None:
    """Solves over the free weights, binding those that would turn negative, until none does. Changes its arguments."""
    eye = np.eye(gram.shape[1])
    while len(todo):
        open_ = free[todo]
        system = np.where(open_[:, :, None] & open_[:, None, :], gram[todo], eye)
        goal = np.linalg.solve(system, np.where(open_, target[todo], 0)[:, :, None])[:, :, 0]
        below = open_ & (goal <= 0)
        fine = ~below.any(axis=1)
        weight[todo[fine]] = goal[fine]
        todo, goal, below, now = todo[~fine], goal[~fine], below[~fine], weight[todo[~fine]]
        step = np.where(below, now / np.maximum(now - goal, np.finfo(float).tiny), np.inf)
        length = step.min(axis=1, initial=np.inf, keepdims=True)
        moved = now + length * (goal - now)
        bound = below & (step <= length)
        moved[bound] = 0
        weight[todo] = moved
        free[todo] &= ~bound
