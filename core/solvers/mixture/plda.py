"""PLDA: the two-covariance model of faces (Ioffe 2006; Brümmer and de Villiers 2010), fitted to soft clusters.

Faces of person k are ``y ~ N(mu_k, I)`` and persons ``mu_k ~ N(0, diag psi)``, in a basis that whitens the within-person
covariance. psi is the between-person variance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.problem import FloatArray
from core.solvers.mixture.sparse_tables import Sparse, soft_counts

HALF_WEIGHT_SIZE = 2.0  # size at which a person has half weight in the between-person covariance
DIRECTIONS_PER_PERSON = 1.5  # directions of the between-person covariance that one person determines
FACES_PER_DIMENSION = 4.0  # with fewer faces for each dimension, the covariances come from the total one
SMALL_SAMPLE = 30.0  # with fewer faces, the covariances become isotropic: see ``small_sample_weight``


@dataclass(frozen=True, eq=False)
class PldaSpace:
    """Faces ``y`` in the basis with within-person covariance I and between-person variance psi."""

    y: FloatArray
    between_variance: FloatArray

    @property
    def background_nll(self) -> FloatArray:
        """Negative background log-likelihood ``- log N(y; 0, 1 + psi)``, without constant terms."""
        return np.asarray(
            0.5 * (self.y**2 / (1 + self.between_variance)).sum(1) + 0.5 * np.log1p(self.between_variance).sum()
        )


def fit_plda(faces: FloatArray, resp: Sparse, shrink: float, same_person_cosine: float) -> PldaSpace:
    """The PLDA space of the faces for the responsibilities ``resp``."""
    basis, between_variance = plda_basis(faces, resp, shrink, same_person_cosine)
    return PldaSpace(np.asarray(faces @ basis), between_variance)


def cluster_log_marginal(size: FloatArray, total: FloatArray, between_variance: FloatArray) -> FloatArray:
    """log P(``size`` faces with the sum ``total`` | one person), without constant terms.

    ``1/2 sum_d [psi total^2 / (1 + size psi) - log(1 + size psi)]``
    """
    spread = 1 + size[:, None] * between_variance
    return np.asarray(0.5 * (total**2 * between_variance / spread - np.log(spread)).sum(1))


def plda_basis(faces: FloatArray, resp: Sparse, shrink: float, same_person_cosine: float) -> tuple[FloatArray, FloatArray]:
    """A and psi with ``A'WA = I`` and ``A'BA = diag psi``: W is the within-person covariance, B the between-person one.

    ``shrink`` is the shrinkage of W towards ``a I + b T``, T the total covariance; 1 learns no directions. With too few
    faces to estimate W, both come from T and ``same_person_cosine``; with very few faces, both are isotropic.
    """
    n, d = faces.shape
    total_scatter = (faces.T @ faces / n).astype(np.float64)
    total_scatter += np.eye(d) * 1e-3 * np.trace(total_scatter) / d
    size = soft_counts(resp)
    resp, size = resp[:, size > 1.0], size[size > 1.0]
    total = np.asarray(resp.T @ faces, np.float64)
    member = np.asarray(resp.sum(1), np.float64)
    freedom = max(float(member.sum() - (soft_counts(resp.multiply(resp)) / size).sum()), 0.0)
    within = 0.6 * total_scatter
    if freedom > 1:
        within = ((faces * member[:, None]).T @ faces - (total / size[:, None]).T @ total) / freedom
    within = _shrunk_within(total_scatter, within, shrink)
    between = _between_scatter(size, total, within) if len(size) else total_scatter - within
    small_sample = 1 / (1 + (freedom / (FACES_PER_DIMENSION * d)) ** 4)
    flat, rest = _from_total_scatter(_oas_shrunk(total_scatter, n), _mean_weight(size).sum(), same_person_cosine)
    isotropic = small_sample_weight(n) * np.eye(d) * np.trace(total_scatter) / d
    flat = (1 - small_sample_weight(n)) * flat + (1 - same_person_cosine) * isotropic
    rest = (1 - small_sample_weight(n)) * rest + same_person_cosine * isotropic
    within = (1 - small_sample) * within + small_sample * flat
    between = (1 - small_sample) * between + small_sample * rest
    e, v = np.linalg.eigh(within)
    floor = 1e-3 * max(e.max(), 1e-3 * np.trace(total_scatter) / d)  # for persons whose faces are identical
    whiten = v / np.sqrt(np.maximum(e, floor))
    between_variance, turn = np.linalg.eigh(whiten.T @ between @ whiten)
    return (whiten @ turn).astype(np.float32), np.maximum(between_variance, 1e-3).astype(np.float32)


def small_sample_weight(faces: int) -> float:
    """Weight of the isotropic model for so many faces: 1 for none, towards 0 for many."""
    return SMALL_SAMPLE / (SMALL_SAMPLE + faces)


def _from_total_scatter(
    total_scatter: FloatArray, clusters: float, same_person_cosine: float
) -> tuple[FloatArray, FloatArray]:
    """W and B from T alone: W isotropic with the share 1 - c of T, B the rest.

    c is the ``same_person_cosine``: unit vectors with that cosine have the share 1 - c of their variance within persons. B
    keeps the directions of T, because persons differ in fewer directions than there are. With few ``clusters``, B is shrunk
    towards ``b W``.
    """
    e, v = np.linalg.eigh(total_scatter)
    within = np.minimum((1 - same_person_cosine) * e.mean(), 0.95 * e)
    between = e - within
    shrinkage = _shrinkage(len(e), clusters)
    between = (1 - shrinkage) * between + shrinkage * within * between.sum() / within.sum()
    return (v * within) @ v.T, (v * between) @ v.T


def _oas_shrunk(total_scatter: FloatArray, faces: int) -> FloatArray:
    """T with oracle-approximating shrinkage towards an isotropic covariance (OAS; Chen et al. 2010)."""
    d, trace, square = len(total_scatter), np.trace(total_scatter), (total_scatter**2).sum()
    uneven = (faces + 1 - 2 / d) * (square - trace**2 / d)
    shrinkage = min(((1 - 2 / d) * square + trace**2) / max(uneven, 1e-12 * square), 1.0)
    return np.asarray((1 - shrinkage) * total_scatter + shrinkage * np.eye(d) * trace / d)


def _shrunk_within(total_scatter: FloatArray, within: FloatArray, shrink: float) -> FloatArray:
    """W shrunk towards the ``a I + b T`` that fits it best along the axes of T."""
    e, v = np.linalg.eigh(total_scatter)
    w = np.einsum("ij,ij->j", v, within @ v)
    line = np.stack([np.ones(len(e)), e], 1)
    plain = np.maximum(line @ np.linalg.lstsq(line, w, rcond=None)[0], 0.05 * max(w.mean(), 1e-6))
    return np.asarray((1 - shrink) * within + shrink * (v * plain) @ v.T)


def _between_scatter(size: FloatArray, total: FloatArray, within: FloatArray) -> FloatArray:
    """The between-person covariance, with one weight for each person; for few persons shrunk towards ``b W``."""
    d = len(within)
    weight = _mean_weight(size)
    clusters = weight.sum()
    weight = weight / clusters
    mean = total / size[:, None]
    between = (mean * weight[:, None]).T @ mean - (weight / size).sum() * within
    isotropic = within * max(np.trace(np.linalg.solve(within, between)) / d, 1e-3)
    shrinkage = _shrinkage(d, clusters)
    return np.asarray((1 - shrinkage) * between + shrinkage * isotropic)


def _mean_weight(size: FloatArray) -> FloatArray:
    """The weight of the mean of so many faces."""
    return np.asarray(size / (size + HALF_WEIGHT_SIZE))


def _shrinkage(dimensions: int, clusters: float) -> float:
    """Shrinkage of the between-person covariance for so many persons: 1 none of its directions is kept, 0 all."""
    return dimensions / (dimensions + DIRECTIONS_PER_PERSON * clusters)
