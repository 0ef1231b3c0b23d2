"""The space in which faces are compared: two-covariance PLDA, learned offline or estimated from the data at hand.

A face is ``x = person + noise`` with ``person ~ N(0, B)`` and ``noise ~ N(0, W)``. A basis A with ``A'WA = I`` and
``A'BA = diag(psi)`` gives ``y = A'x``, in which both are diagonal.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import chunks, sums
from core.problem import FloatArray, IntArray, Problem
from core.solvers.identity.config import COSINES, SHARES, Config

MANY_PAIRED, BINS = 1000, 4000  # faces whose pairs are looked at, and bins of their cosines
TINY = 1e-3  # the least psi, and the least within-person variance relative to the greatest


@dataclass(frozen=True, eq=False)
class PldaSpace:
    """Vectors in a basis that whitens the within-person scatter; ``psi`` is the between-person variance there."""

    y: FloatArray
    psi: FloatArray
    log_volume: float  # log |det A|: densities in this space against those of the vectors x
    log_prior: float = 0.0  # log p(W), up to a constant, where W is estimated


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
    total = sums(rows, problem.group, problem.groups)
    pairs, alike = 0.5 * float((size * (size - 1)).sum()), 0.5 * float((total**2).sum() - size.sum())
    said = np.bincount(problem.mention_name)
    guess = square * (1 - float((said**2).sum()) / max(float(said.sum()), 1.0) ** 2)
    shared = (alike + 20 * guess) / (pairs + 20)
    return np.asarray(rows - mean * np.clip(shared / max(square, 1e-12), 0, 1))


def principal(rows: FloatArray, dimensions: int) -> FloatArray:
    """The rows at unit length on their leading principal directions; with fewer rows than directions, padded with zeros."""
    rows = unit_length(rows)
    dimensions = min(dimensions, rows.shape[1])
    if len(rows) < rows.shape[1]:
        value, side = np.linalg.eigh(rows @ rows.T)
        found = (side * np.sqrt(np.maximum(value, 0)))[:, ::-1][:, :dimensions]
        return np.ascontiguousarray(np.pad(found, ((0, 0), (0, dimensions - found.shape[1]))))
    _, axes = np.linalg.eigh(rows.T @ rows / len(rows))
    return np.ascontiguousarray(rows @ axes[:, ::-1][:, :dimensions])


# --- Scatters learned offline ------------------------------------------------------------------------------------------


def offline_space(rows: FloatArray, prior: tuple[FloatArray, FloatArray, FloatArray], dimensions: int) -> PldaSpace:
    """Centred features in the space of an offline prior."""
    directions, within, between = (np.asarray(part, np.float64)[..., :dimensions] for part in prior)
    basis, psi = diagonalise(within[:dimensions], between[:dimensions])
    return PldaSpace(np.ascontiguousarray(rows @ directions @ basis), psi, 0.0)


def diagonalise(within: FloatArray, between: FloatArray) -> tuple[FloatArray, FloatArray]:
    """A and psi with ``A'WA = I`` and ``A'BA = diag(psi)``."""
    whiten = whitening(within)
    psi, turn = np.linalg.eigh(whiten.T @ between @ whiten)
    return whiten @ turn, np.maximum(psi, TINY)


def whitening(within: FloatArray) -> FloatArray:
    """V with ``V'WV = I``."""
    value, axes = np.linalg.eigh(within)
    return np.asarray(axes / np.sqrt(np.maximum(value, TINY * value.max())))


# --- Scatters estimated from the data ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Spectrum:
    """How alike faces of one person usually are, and the prior of both scatters: the same in all directions.

    The cosine of faces of different persons is about N(0, 1/directions), that of one person's about N(cosine, ...).
    """

    cosine: float
    share: float  # pairs of faces of one person among all pairs
    directions: float  # in how many directions, as good as independent of each other, faces vary

    @property
    def dimensions(self) -> int:
        """As many directions are worth keeping."""
        return int(np.ceil(self.directions))

    @property
    def within(self) -> float:
        return (1 - self.cosine) / self.dimensions

    @property
    def between(self) -> float:
        return self.cosine / self.dimensions

    def same_person(self, cosine: FloatArray) -> FloatArray:
        """The probability that faces this alike are one person: both normal densities with one variance."""
        odds = self.directions * self.cosine * (cosine - self.cosine / 2) + np.log(self.share / (1 - self.share))
        return np.asarray(1 / (1 + np.exp(-odds)))


def prior_spectrum(problem: Problem, rows: FloatArray, most: int, rng: np.random.Generator) -> Spectrum:
    """From the cosines c of pairs of faces: those of different persons are N(0, v), those of one person N(s, v(1-s²)²).

    v is the mean square of the negative ones. 1/v is the number of dimensions in which isotropic vectors would have such
    cosines. s and the share of pairs of one person are the likeliest of a grid; faces of one group are no such pairs.
    """
    some = np.sort(rng.permutation(len(rows))[:MANY_PAIRED])
    cosine, group = (rows[some] @ rows[some].T), problem.group[some]
    pairs = cosine[np.triu(group[:, None] != group, 1)]
    low = pairs[pairs < 0]
    v = float((low**2).mean()) if len(low) > 9 else 1 / rows.shape[1]
    said = np.bincount(problem.mention_name, minlength=1).astype(float)
    many = max(float(said.sum()), problem.groups)  # a group without a mention shows somebody else
    expected = float((said**2).sum()) / many**2 if said.any() else 0.05
    count, edge = np.histogram(pairs, bins=BINS, range=(-1, 1))
    pairs, count = ((edge[1:] + edge[:-1]) / 2)[count > 0], count[count > 0]
    best, found, part = -np.inf, 0.3, expected
    for s in COSINES.tolist():
        spread = v * (1 - s * s) ** 2
        other, same = -0.5 * (pairs**2 / v + np.log(v)), -0.5 * ((pairs - s) ** 2 / spread + np.log(spread))
        for share in np.minimum(SHARES * expected, 0.9).tolist():
            value = float(count @ np.logaddexp(np.log1p(-share) + other, np.log(share) + same))
            if value > best:
                best, found, part = value, s, share
    return Spectrum(found, min(part, 0.9), min(1 / v, most, rows.shape[1]))


def fit_plda(x: FloatArray, person: IntArray | None, spectrum: Spectrum, config: Config) -> PldaSpace:
    """W and B as posterior means, given who is one person (None: the prior alone).

    ``W = (v d W0 + S)/(v d + faces - persons)`` with S the scatter within persons; in the space that whitens W,
    ``B = (p B1 + u d b I)/(p + u d)``: B1 the scatter of the p persons seen again, less what noise makes of it, b its mean.
    """
    if person is None:
        scale = np.sqrt(spectrum.within)
        psi = np.full(x.shape[1], spectrum.between / spectrum.within)
        volume = -float(np.log(scale)) * x.shape[1]
        return PldaSpace(
            np.ascontiguousarray(x / scale), psi, volume, _log_prior(np.eye(x.shape[1]) / scale, volume, spectrum, config)
        )
    d = x.shape[1]
    _, label, size = np.unique(person, return_inverse=True, return_counts=True)
    mean = sums(x, label, len(size)) / size[:, None]
    scatter = np.zeros((d, d))
    for part in chunks(len(x), d):
        rest = x[part] - mean[label[part]]
        scatter += rest.T @ rest
    prior = config.within_faces * d
    within = (prior * spectrum.within * np.eye(d) + scatter) / (prior + len(x) - len(size))
    whiten = whitening(within)
    again = size > 1
    weight = (size / (size + 2.0))[again]
    persons = weight.sum()
    between: FloatArray = np.eye(d) * spectrum.between / spectrum.within
    if persons > 0:
        centre, share = mean[again] @ whiten, weight / persons
        between = (centre * share[:, None]).T @ centre - (share / size[again]).sum() * np.eye(d)
        between = shrunk(between, float(persons), spectrum, config)
    psi, turn = np.linalg.eigh(between)
    basis = whiten @ turn
    volume = float(np.linalg.slogdet(basis)[1])
    return PldaSpace(
        np.ascontiguousarray(x @ basis), np.maximum(psi, TINY), volume, _log_prior(basis, volume, spectrum, config)
    )


def shrunk(between: FloatArray, persons: float, spectrum: Spectrum, config: Config) -> FloatArray:
    """B towards its mean variance, and that towards the one which the cosines of pairs let expect."""
    d = len(between)
    mean = (persons * np.trace(between) / d + spectrum.between / spectrum.within) / (persons + 1)
    pull = config.between_persons * d / (config.between_persons * d + persons)
    return np.asarray((1 - pull) * between + pull * max(mean, TINY) * np.eye(d))


def _log_prior(basis: FloatArray, volume: float, spectrum: Spectrum, config: Config) -> float:
    """``-1/2 (v + d + 1) log |W| - v/2 tr(W0 W^-1)``: an inverse Wishart density, with ``W^-1 = AA'``."""
    d = len(basis)
    prior = config.within_faces * d
    return float((prior + d + 1) * volume - 0.5 * prior * spectrum.within * (basis**2).sum())
