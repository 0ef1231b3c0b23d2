"""Two-covariance PLDA (Brümmer and de Villiers, 2010) from labelled vectors, and how well it tells people apart.

A face is ``x = mean + person + noise`` with ``person ~ N(0, B)`` and ``noise ~ N(0, W)``. The mean is left to whoever uses
the parameters: a film is centred by its own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.problem import BoolArray, FloatArray, IntArray

DIRECTIONS = 64  # principal directions that are kept
# How much of each covariance is replaced by the same variance in all directions. With a few dozen people the directions in
# which people differ are theirs and not everybody's: of people held out, light shrinkage (.1 and .1) confuses twice as many.
WITHIN_SHRUNK, BETWEEN_SHRUNK = 0.6, 0.9
TEMPERATURES = np.exp(np.linspace(np.log(0.1), np.log(2), 61))


@dataclass(frozen=True, eq=False)
class Plda:
    """``directions`` (dimensions × D) of unit length, and the covariances within and between persons along them."""

    directions: FloatArray
    within: FloatArray
    between: FloatArray


def learn(
    features: FloatArray,
    person: IntArray,
    directions: int = DIRECTIONS,
    within_shrunk: float = WITHIN_SHRUNK,
    between_shrunk: float = BETWEEN_SHRUNK,
) -> Plda:
    """The parameters; every person counts the same, however many faces there are of each."""
    within, between = scatters(features, person)
    value, axes = np.linalg.eigh(within + between)
    axes = axes[:, np.argsort(-value, kind="stable")][:, :directions]
    axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])])  # one sign on every machine
    return Plda(axes, _shrunk(axes.T @ within @ axes, within_shrunk), _shrunk(axes.T @ between @ axes, between_shrunk))


def scatters(features: FloatArray, person: IntArray) -> tuple[FloatArray, FloatArray]:
    """Unbiased covariances within and between persons: the means of few faces each differ by ``W/n`` on top of B."""
    rows = features.astype(np.float64)
    people, number, many = np.unique(person, return_inverse=True, return_counts=True)
    means = np.zeros((len(people), rows.shape[1]))
    np.add.at(means, number, rows)
    means /= many[:, None]
    apart = (rows - means[number]) / np.sqrt(np.maximum(many - 1, 1) * (many > 1).sum())[number, None]
    within = apart.T @ apart
    spread = means - means.mean(axis=0)
    return within, np.asarray(spread.T @ spread / (len(people) - 1) - within * (1 / many).mean())


def _shrunk(covariance: FloatArray, share: float) -> FloatArray:
    """A covariance on its way to the same variance in all directions."""
    same = np.trace(covariance) / len(covariance) * np.eye(len(covariance))
    return np.asarray((1 - share) * (covariance + covariance.T) / 2 + share * same)


# --- Same or different -------------------------------------------------------------------------------------------------


def log_ratios(plda: Plda, features: FloatArray) -> FloatArray:
    """For each pair of faces the log-likelihood ratio of being one person; features are centred already.

    Along each direction that whitens W, with p the variance between persons there, n faces of one person whose sum is s have
    the log marginal ``½ (s² p/(1+np) − log(1+np))``, up to what does not depend on who they are.
    """
    whiten = np.linalg.inv(np.linalg.cholesky(plda.within))
    p, turn = np.linalg.eigh(whiten @ plda.between @ whiten.T)
    p = np.maximum(p, 0.0)
    rows = features @ plda.directions @ whiten.T @ turn
    one, both = p / (1 + p), p / (1 + 2 * p)
    alone, shared = 0.5 * (rows**2 * one).sum(axis=1), 0.5 * (rows**2 * both).sum(axis=1)
    volume = np.log1p(p).sum() - 0.5 * np.log1p(2 * p).sum()
    own = shared - alone
    return np.asarray(own[:, None] + own[None] + (rows * both) @ rows.T + volume)


def equal_error(ratio: FloatArray, same: BoolArray) -> float:
    """The share of pairs that is wrong where as many of the same as of different people are."""
    order = np.argsort(ratio, kind="stable")
    missed = np.cumsum(same[order]) / same.sum()
    taken = 1 - np.cumsum(~same[order]) / (~same).sum()
    return float(np.maximum(missed, taken).min())


def cost(ratio: FloatArray, same: BoolArray) -> float:
    """Cllr (Brümmer and du Preez, 2006): bits a pair by which the ratios mislead; 1 is what knowing nothing costs."""
    missed, taken = np.logaddexp(0, -ratio[same]).mean(), np.logaddexp(0, ratio[~same]).mean()
    return float((missed + taken) / 2 / np.log(2))


def calibration_error(ratio: FloatArray, same: BoolArray) -> float:
    """ECE in ten bins of the probability of being one person, both kinds of pairs weighing the same."""
    weight = np.where(same, 0.5 / same.sum(), 0.5 / (~same).sum())
    probability = 1 / (1 + np.exp(-np.clip(ratio, -500, 500)))
    gap = np.bincount(np.minimum((10 * probability).astype(int), 9), weight * (probability - same), 10)
    return float(np.abs(gap).sum())


def best_temperature(ratio: FloatArray, same: BoolArray) -> float:
    """What to multiply the ratios by, so that they mislead least."""
    return float(min(TEMPERATURES, key=lambda temperature: cost(temperature * ratio, same)))
