"""The space in which faces are compared: two-covariance PLDA, learned offline or estimated from the data at hand.

A face is ``x = person + noise`` with ``person ~ N(0, B)`` and ``noise ~ N(0, W)``. A basis A with ``A'WA = I`` and
``A'BA = diag(psi)`` gives ``y = A'x``, in which both are diagonal.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from core.arrays import chunks
from core.problem import FloatArray, IntArray, Problem
from core.solvers.identity.config import Config

PRIORS = Path(__file__).with_name("priors")
TINY = 1e-3  # the least psi, and the least within-person variance relative to the greatest


@dataclass(frozen=True, eq=False)
class PldaSpace:
    """Vectors in a basis that whitens the within-person scatter; ``psi`` is the between-person variance there."""

    y: FloatArray
    psi: FloatArray
    log_volume: float  # log |det A|: densities in this space against those of the vectors x


def unit_length(rows: FloatArray) -> FloatArray:
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12))


def centred(problem: Problem, weight: FloatArray) -> FloatArray:
    """The features at unit length, less what different persons have in common.

    The cosine of different people is the squared length of what they share. Faces of one group are different people, so
    their cosine tells how much of the mean is shared; before any such pair is seen, the guess is that k equally frequent
    persons with nothing in common make ``1/k`` of the mean's squared length, k from how often names are mentioned.
    """
    rows = unit_length(problem.features.astype(np.float64))
    mean = (rows * weight[:, None]).sum(0) / weight.sum()
    square = float(mean @ mean)
    size = np.bincount(problem.group, minlength=problem.groups)
    total = np.zeros((problem.groups, rows.shape[1]))
    np.add.at(total, problem.group, rows)
    pairs, alike = 0.5 * float((size * (size - 1)).sum()), 0.5 * float((total**2).sum() - size.sum())
    said = np.bincount(problem.mention_name)
    guess = square * (1 - float((said**2).sum()) / max(float(said.sum()), 1.0) ** 2)
    shared = (alike + 20 * guess) / (pairs + 20)
    return np.asarray(rows - mean * np.clip(shared / max(square, 1e-12), 0, 1))


def principal(rows: FloatArray, dimensions: int) -> FloatArray:
    """The rows at unit length on their leading principal directions."""
    rows = unit_length(rows)
    if len(rows) < rows.shape[1]:
        value, side = np.linalg.eigh(rows @ rows.T)
        return np.ascontiguousarray((side * np.sqrt(np.maximum(value, 0)))[:, ::-1][:, :dimensions])
    _, axes = np.linalg.eigh(rows.T @ rows / len(rows))
    return np.ascontiguousarray(rows @ axes[:, ::-1][:, :dimensions])


# --- Scatters learned offline ------------------------------------------------------------------------------------------


@cache
def offline_prior(embedder: str) -> tuple[FloatArray, FloatArray, FloatArray] | None:
    """Directions (features × dimensions), W and B that were learned for an embedder; None if there are none."""
    path = PRIORS / f"{embedder}.npz"
    if not embedder or "/" in embedder or not path.is_file():
        return None
    with np.load(path, allow_pickle=False) as stored:
        return stored["directions"], stored["within"], stored["between"]


def offline_space(rows: FloatArray, prior: tuple[FloatArray, FloatArray, FloatArray], dimensions: int) -> PldaSpace:
    """Centred features in the space of an offline prior."""
    directions, within, between = (np.asarray(part, np.float64)[..., :dimensions] for part in prior)
    basis, psi = diagonalise(within[:dimensions], between[:dimensions])
    return PldaSpace(np.ascontiguousarray(rows @ directions @ basis), psi, 0.0)


def diagonalise(within: FloatArray, between: FloatArray) -> tuple[FloatArray, FloatArray]:
    """A and psi with ``A'WA = I`` and ``A'BA = diag(psi)``."""
    value, axes = np.linalg.eigh(within)
    whiten = axes / np.sqrt(np.maximum(value, TINY * value.max()))
    psi, turn = np.linalg.eigh(whiten.T @ between @ whiten)
    return whiten @ turn, np.maximum(psi, TINY)


# --- Scatters estimated from the data ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Spectrum:
    """The prior of both scatters along the principal directions of the data."""

    within: FloatArray
    between: FloatArray


def prior_spectrum(x: FloatArray, same_person_cosine: float) -> Spectrum:
    """W is the same in all directions, as far as the total scatter T allows; B is what exceeds noise.

    Of the trace of T the share ``1 - same_person_cosine`` is noise w. Eigenvalues of T above it are debiased as those of a
    spiked covariance (Donoho, Gavish, Johnstone 2018): with ``g = d/n`` and l = t/w, ``b = l + 1 - g``,
    ``e = (b + sqrt(b^2 - 4l))/2`` and the squared cosine ``(1 - g/(e-1)^2)/(1 + g/(e-1))``; none below ``(1 + sqrt g)^2``.
    """
    total = (x**2).mean(0)
    noise = min(1 - same_person_cosine, 0.94) * total.sum()
    low, high = 0.0, float(total.max())
    for _ in range(50):  # the level w with sum min(w, .95 t) = noise
        level = (low + high) / 2
        low, high = (low, level) if np.minimum(level, 0.95 * total).sum() > noise else (level, high)
    ratio, scaled = x.shape[1] / len(x), total / max(high, 1e-12)
    b = scaled + 1 - ratio
    spike = np.maximum((b + np.sqrt(np.maximum(b * b - 4 * scaled, 0))) / 2 - 1, 1e-9)
    cosine = np.maximum(1 - ratio / spike**2, 0) / (1 + ratio / spike)
    between = np.where(scaled > (1 + np.sqrt(ratio)) ** 2, high * spike * cosine, 0)
    between = np.clip(between, 0.02 * total, 0.98 * total)
    return Spectrum(np.maximum(total - between, 1e-12), np.maximum(between, 1e-12))


def fit_plda(x: FloatArray, person: IntArray | None, spectrum: Spectrum, config: Config) -> PldaSpace:
    """W and B as posterior means, given who is one person (None: the prior alone).

    ``W = (v d W0 + S)/(v d + faces - persons)`` with S the scatter within persons; in the space that whitens W,
    ``B = (p B1 + u d b I)/(p + u d)``: B1 the scatter of the p persons seen again, less what noise makes of it, b its mean.
    """
    if person is None:
        scale = np.sqrt(spectrum.within)
        psi = np.maximum(spectrum.between / spectrum.within, TINY)
        return PldaSpace(np.ascontiguousarray(x / scale), psi, -float(np.log(scale).sum()))
    d = x.shape[1]
    _, label, size = np.unique(person, return_inverse=True, return_counts=True)
    mean = np.zeros((len(size), d))
    np.add.at(mean, label, x)
    mean /= size[:, None]
    scatter = np.zeros((d, d))
    for part in chunks(len(x), d):
        rest = x[part] - mean[label[part]]
        scatter += rest.T @ rest
    prior = config.within_faces * d
    within = (prior * np.diag(spectrum.within) + scatter) / (prior + len(x) - len(size))
    value, axes = np.linalg.eigh(within)
    whiten = axes / np.sqrt(np.maximum(value, TINY * value.max()))
    again = size > 1
    weight = (size / (size + 2.0))[again]
    persons = weight.sum()
    between = np.eye(d) * TINY
    if persons > 1:
        centre, share = mean[again] @ whiten, weight / persons
        between = (centre * share[:, None]).T @ centre - (share / size[again]).sum() * np.eye(d)
        pull = config.between_persons * d / (config.between_persons * d + persons)
        between = (1 - pull) * between + pull * max(np.trace(between) / d, TINY) * np.eye(d)
    psi, turn = np.linalg.eigh(between)
    basis = whiten @ turn
    return PldaSpace(np.ascontiguousarray(x @ basis), np.maximum(psi, TINY), float(np.linalg.slogdet(basis)[1]))
