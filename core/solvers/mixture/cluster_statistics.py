"""What clusters are judged by: faces, neighbours, captions and the answers of people."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.corrections import OPEN, Constraints
from core.problem import NOBODY, FloatArray
from core.solvers.mixture.likelihoods import (
    MIN_RESPONSIBILITY,
    Captions,
    LogLikelihoodRatios,
    MentionRates,
    caption_log_bayes_factor,
)
from core.solvers.mixture.plda import PldaSpace
from core.solvers.mixture.posterior import Inputs
from core.solvers.mixture.settings import Settings
from core.solvers.mixture.sparse_tables import Sparse, from_coo, soft_counts, sparse

ANSWER_NATS = 12.0  # nats by which one answer counts, at most, for or against the name of the face's cluster
NOBODY_WEIGHT = 0.5  # weight of an answer "nobody" beside a name: extras look like others by chance
MIN_OTHER_FACES = 0.5  # soft count of other faces below which a cluster has no likelihood
CELLS = 1 << 20  # (face, cluster) pairs in one block

Answers = tuple[Sparse, FloatArray]  # by cluster: answers that give each name (clusters × names), and all answers


@dataclass(frozen=True, eq=False)
class ClusterStatistics:
    """What split, merge and naming steps need: the PLDA space, the neighbour graph, captions and constraints."""

    space: PldaSpace
    neighbour_weight: Sparse  # faces × faces
    captions: Captions
    common: float  # mention rate of visible persons, over all names
    constraints: Constraints
    settings: Settings

    @staticmethod
    def of(inputs: Inputs, space: PldaSpace, rate: MentionRates) -> ClusterStatistics:
        return ClusterStatistics(
            space, inputs.graph.weight, inputs.captions, rate.common, inputs.constraints, inputs.settings
        )

    @property
    def names(self) -> int:
        return len(self.captions.mentions)

    def caption_log_bf(self, hit: FloatArray, size: FloatArray, mentions: FloatArray) -> FloatArray:
        return caption_log_bayes_factor(
            hit, size, mentions, self.captions.groups, self.common, self.settings.bayes_factor_strength
        )

    def hits(self, resp: Sparse) -> Sparse:
        """Soft counts of each cluster's faces whose caption mentions each name (clusters × names)."""
        return sparse(resp.T @ self.captions.mentioned)

    def answers(self, resp: Sparse) -> Answers:
        """Answers about each cluster's faces: how many give each name (clusters × names), and how many there are."""
        weights, named = self._answer_weights(resp), np.flatnonzero(self.constraints.fixed >= 0)
        given = from_coo(np.ones(len(named)), named, self.constraints.fixed[named], (resp.shape[0], self.names))
        return sparse(weights.T @ given), soft_counts(weights)

    def _answer_weights(self, resp: Sparse) -> Sparse:
        """The weight of the answer about each answered face for each cluster (faces × clusters).

        ``w_ik = P(k | face i, without its answer) clip(LLR_ik / ANSWER_NATS, 0, 1)``. The answer concerns the clusters that
        the face looks like, wherever the answer itself has put the face. It counts by no more nats than the LLR: a cluster
        may hold two persons, and the answer may concern the other one.
        """
        face, size, found = np.flatnonzero(self.constraints.fixed != OPEN), soft_counts(resp), sparse(resp.shape)
        if not len(face):
            return found
        llr = LogLikelihoodRatios.of(self.space, resp, face)
        for start in range(0, len(face), height := max(CELLS // max(len(size), 1), 1)):
            part = face[start : start + height]
            own, odds = resp[part].toarray(), self.settings.inverse_temperature * llr.rows(slice(start, start + height))
            others = size - own
            score = np.where(others < MIN_OTHER_FACES, -np.inf, odds + np.log(np.maximum(others, MIN_OTHER_FACES)))
            top = score.max(1, initial=0.0)[:, None]  # 0: a new person
            share = np.exp(score - top)
            share /= np.exp(-top) + share.sum(1, keepdims=True)
            weight = np.where(others < MIN_OTHER_FACES, own, share * np.clip(odds / ANSWER_NATS, 0.0, 1.0))
            weight[self.constraints.fixed[part] == NOBODY] *= NOBODY_WEIGHT
            row, cluster = np.nonzero(weight > MIN_RESPONSIBILITY)
            found = sparse(found + from_coo(weight[row, cluster], part[row], cluster, resp.shape))
        return found
