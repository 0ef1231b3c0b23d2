"""Log-likelihood ratios of faces (PLDA) and of captions (mention rates).

Faces: see ``plda``. Captions: a visible person c is mentioned with probability rho_c, an absent one with beta_c. All
parameters are estimated from the responsibilities ``resp``, a sparse table (faces × clusters).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import betaln

from core.corrections import Constraints
from core.problem import BoolArray, FloatArray, IntArray, Problem
from core.solvers.mixture.plda import PldaSpace
from core.solvers.mixture.sparse_tables import Sparse, coo, from_coo, positions, soft_counts, sparse

PAIRS = 16384  # (face, cluster) pairs in one block
RANK_TOLERANCE = 1e-14  # eigenvalues below this share of the greatest are dropped
MIN_RESPONSIBILITY = 1e-3  # smaller responsibilities are not left out


# --- Faces -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class LogLikelihoodRatios:
    """Log-likelihood ratio of face i as cluster k against a new person, with i left out of k.

    ``L_ik = log N(y_i; m_k, v_k) - log N(y_i; 0, 1 + psi)`` with ``v = 1 + psi/(1 + n psi)`` and ``m = s psi/(1 + n psi)``;
    n and s are the soft count and the sum of k's other faces, psi the between-person variance. The full table is never
    stored: it is ``left @ right``, except for the responsibilities' own entries, which are in ``own``.
    """

    left: FloatArray  # faces × factors
    right: FloatArray  # factors × clusters
    own: Sparse  # faces × clusters: the leave-one-out values

    @staticmethod
    def of(space: PldaSpace, resp: Sparse, face: IntArray | None = None) -> LogLikelihoodRatios:
        """For all faces, or for a few, which are then computed without low-rank factors."""
        size, total = soft_counts(resp).astype(np.float32), np.asarray(resp.T @ space.y, np.float32)
        precision = 1 / space.between_variance + size[:, None]
        v, m = 1 + 1 / precision, total / precision
        if face is None:
            some, (narrow, axes), own = space, _factors(1 / v), resp
        else:
            some, narrow, own = PldaSpace(space.y[face], space.between_variance), 1 / v, resp[face]
            axes = np.eye(len(space.between_variance), dtype=np.float32)
        y = some.y
        left = np.c_[y, -0.5 * (y**2) @ axes, some.background_nll, np.ones(len(y), np.float32)]
        right = np.r_[(m / v).T, narrow.T, np.ones((1, len(size))), -0.5 * (m**2 / v + np.log(v)).sum(1)[None]]
        return LogLikelihoodRatios(
            np.asarray(left, np.float32), np.asarray(right, np.float32), _leave_one_out_llr(some, own, size, total)
        )

    def rows(self, face: IntArray | slice) -> FloatArray:
        """The ratios of a few faces, for all clusters."""
        block: FloatArray = self.left[face] @ self.right
        own = self.own[face].tocoo()
        block[own.coords] = own.data
        return block

    def at(self, face: IntArray, cluster: IntArray) -> FloatArray:
        """The ratios of single pairs."""
        value = self._product(face, cluster)
        place, mine = positions(self.own, face, cluster)
        value[mine] = self.own.data[place[mine]]
        return value

    def by_cluster(self, resp: Sparse) -> Callable[[slice], FloatArray]:
        """A function from a slice of clusters to the sums over their faces (clusters × clusters)."""
        face, cluster, value = coo(self.own)
        apart = from_coo(value - self._product(face, cluster), face, cluster, self.own.shape)
        sums, mend = np.asarray(resp.T @ self.left, np.float32), sparse(resp.T @ apart)
        return lambda part: np.asarray(sums[part] @ self.right + mend[part].toarray())

    def _product(self, face: IntArray, cluster: IntArray) -> FloatArray:
        right, value = np.ascontiguousarray(self.right.T), np.empty(len(face), np.float32)
        for start in range(0, len(face), PAIRS):
            part = slice(start, start + PAIRS)
            value[part] = np.einsum("ij,ij->i", self.left[face[part]], right[cluster[part]])
        return value


def _factors(rows: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Two low-rank factors of these rows, which differ little from each other."""
    value, axes = np.linalg.eigh(rows.T.astype(np.float64) @ rows)
    axes = axes[:, value > RANK_TOLERANCE * value.max(initial=1e-30)].astype(np.float32)
    return rows @ axes, axes


def leave_one_out_llr(space: PldaSpace, resp: Sparse) -> Sparse:
    """The log-likelihood ratio of each face as a member of its cluster's other faces against a new person."""
    return _leave_one_out_llr(space, resp, soft_counts(resp).astype(np.float32), np.asarray(resp.T @ space.y, np.float32))


def _leave_one_out_llr(space: PldaSpace, resp: Sparse, size: FloatArray, total: FloatArray) -> Sparse:
    """The same for some faces; ``size`` and ``total`` are the soft count and the sum of all faces of each cluster."""
    y, between_variance, new = space.y, space.between_variance, space.background_nll
    face, cluster, share = coo(resp)
    belongs = share > MIN_RESPONSIBILITY
    face, cluster, share = face[belongs], cluster[belongs], share[belongs][:, None]
    value = np.empty(len(face), np.float32)
    for start in range(0, len(face), PAIRS):
        part = slice(start, start + PAIRS)
        i, k, w = face[part], cluster[part], share[part]
        precision = 1 / between_variance + np.maximum(size[k][:, None] - w, 0)
        v = 1 + 1 / precision
        apart = y[i] - (total[k] - w * y[i]) / precision
        value[part] = new[i] - 0.5 * (apart**2 / v + np.log(v)).sum(1)
    return from_coo(value, face, cluster, resp.shape)


# --- Captions ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Captions:
    """``mentioned`` (faces × names) is 1 where a face's caption holds the name; ``mentions`` counts the captions of a name.

    ``never_mentioned`` are names from corrections that no caption holds: captions give no evidence about them.
    """

    mentioned: Sparse
    mentions: FloatArray
    groups: int
    never_mentioned: BoolArray

    @staticmethod
    def of(problem: Problem, constraints: Constraints) -> Captions:
        """The captions as they are: mentions that corrections inject say nothing about the mention rates."""
        key = problem.mention_group * max(len(problem.names), 1) + problem.mention_name
        held = ~np.isin(key, constraints.injected)
        group, name = problem.mention_group[held], problem.mention_name[held]
        mentioned = from_coo(np.ones(len(name), np.float32), group, name, (problem.groups, len(problem.names)))
        mentions, given = (
            soft_counts(mentioned),
            np.bincount(constraints.fixed[constraints.fixed >= 0], minlength=len(problem.names)),
        )
        return Captions(mentioned[problem.group], mentions, problem.groups, (mentions == 0) & (given > 0))


@dataclass(frozen=True, eq=False)
class MentionRates:
    """Mention rate of each name when the person is visible (rho) and absent (beta); ``common`` is rho over all names."""

    visible: FloatArray
    absent: FloatArray
    common: float

    @property
    def llr_mentioned(self) -> FloatArray:
        """Log-likelihood ratio of a mention: ``log rho/beta``."""
        return np.asarray(np.log(self.visible / self.absent))

    @property
    def llr_unmentioned(self) -> FloatArray:
        """Log-likelihood ratio of a caption without the name: ``log (1 - rho)/(1 - beta)``."""
        return np.asarray(np.log((1 - self.visible) / (1 - self.absent)))


def mention_rates(resp: Sparse, captions: Captions, strength: float) -> MentionRates:
    """The rates counted over ``resp`` (faces × names); rho is shrunk to the common rate by ``strength`` pseudo-counts."""
    groups = captions.groups
    size, hit = soft_counts(resp) * ~captions.never_mentioned, soft_counts(resp.multiply(captions.mentioned))
    common = float(np.clip((hit.sum() + 1) / (size.sum() + 2), 0.05, 0.995))
    visible = np.clip((hit + strength * common) / (size + strength), 0.02, 0.998)
    without = np.maximum(groups - size, 0.1 * groups + 1) + 2  # at least a tenth of the groups counts as absent
    absent = np.clip((captions.mentions - hit + 0.5) / without, 0.2 / groups, 0.9)
    return MentionRates(np.where(captions.never_mentioned, absent, np.maximum(visible, absent)), absent, common)


def caption_log_bayes_factor(
    hit: FloatArray, size: FloatArray, mentions: FloatArray, groups: int, common: float, strength: float
) -> FloatArray:
    """log P(all captions | the cluster is c) - log P(all captions | it is not), with rho and beta integrated out.

    The cluster has ``size`` faces, ``hit`` of them beside one of c's ``mentions``. The priors are rho ~ Beta(strength
    common, strength (1 - common)) and beta ~ Beta(1/2, 2) (beta-binomial). It is 0 for a name that is never mentioned.
    """
    hit = np.minimum(hit, size)
    rest = np.maximum(mentions - hit, 0)
    yes, no = strength * common, strength * (1 - common)
    seen = betaln(yes + hit, no + size - hit) - betaln(yes, no)
    absent = betaln(0.5 + rest, 2 + np.maximum(groups - size, rest) - rest)
    fit = seen + absent - betaln(0.5 + mentions, 2 + np.maximum(groups - mentions, 0))
    return np.where(mentions > 0, fit, 0.0)
