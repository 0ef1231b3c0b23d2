"""One E-step: log-odds of each face's candidates from faces and captions, then exclusive marginals in each frame.

Scores are computed in blocks of faces; only each face's best candidates are kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from core.corrections import OPEN, Constraints
from core.problem import NOBODY, BoolArray, FloatArray, IntArray, Problem
from core.solvers.mixture.assign import frame_marginals
from core.solvers.mixture.leader_clustering import MIN_CLUSTER_SIZE
from core.solvers.mixture.likelihoods import Captions, LogLikelihoodRatios, MentionRates, mention_rates
from core.solvers.mixture.neighbours import NeighbourGraph, neighbour_graph, pick, prepare
from core.solvers.mixture.plda import PldaSpace
from core.solvers.mixture.settings import Settings
from core.solvers.mixture.sparse_tables import Sparse, coo, from_coo, lookup, scale_rows, soft_counts, sparse

NEVER = -80.0  # score of what a correction excludes
FLOOR = -60.0  # least score of what is possible
SURE = 30.0  # greatest log-odds, from faces, of being known or new
CANDIDATE_MARGIN = 12.0  # nats below the best score at which a cluster is still a candidate, before exclusivity
CELLS = 1 << 20  # scores in one block


@dataclass(frozen=True, eq=False)
class Inputs:
    """What a run is given and does not change."""

    faces: FloatArray
    group: IntArray
    captions: Captions
    graph: NeighbourGraph
    constraints: Constraints
    ruled_out: Sparse  # faces × names, of faces without an answer
    settings: Settings

    @property
    def names(self) -> int:
        return len(self.captions.mentions)

    @staticmethod
    def build(problem: Problem, constraints: Constraints, seed: int, settings: Settings) -> Inputs:
        faces = prepare(problem, settings.dimensions)
        graph = neighbour_graph(faces, problem.group, settings.neighbours, np.random.default_rng(seed))
        return Inputs.around(problem, constraints, faces, graph, settings)

    @staticmethod
    def around(
        problem: Problem, constraints: Constraints, faces: FloatArray, graph: NeighbourGraph, settings: Settings
    ) -> Inputs:
        face, name = constraints.ruled_out()
        ruled_out = from_coo(np.ones(len(face)), face, name, (len(faces), len(problem.names)))
        return Inputs(faces, problem.group, Captions.of(problem, constraints), graph, constraints, ruled_out, settings)

    def chains(self) -> list[Inputs]:
        """The inputs of each chain: the first principal components of all faces. The neighbour graph is the same in all."""
        many = [max(round(share * self.faces.shape[1]), 1) for share in self.settings.chains]
        return [replace(self, faces=np.ascontiguousarray(self.faces[:, :kept])) for kept in dict.fromkeys(many)]

    def mention_rates(self, posterior: Posterior) -> MentionRates:
        return mention_rates(posterior.resp[:, : self.names], self.captions, self.settings.rate_strength)


@dataclass(frozen=True, eq=False)
class Posterior:
    """Responsibilities ``resp`` (faces × clusters) and the probability of a ``new`` person; rows sum to 1."""

    resp: Sparse
    new: FloatArray

    @staticmethod
    def of(resp: Sparse) -> Posterior:
        """The probability that responsibilities leave is that of a new person."""
        return Posterior(resp, np.maximum(1 - np.asarray(resp.sum(1), np.float64), 0))

    def mean_confidence(self) -> float:
        """The mean probability of the best answer."""
        likely = self.resp.max(axis=1).toarray() if self.resp.shape[1] else np.zeros(len(self.new))
        return float(np.maximum(likely, self.new).mean())


def plda_responsibilities(posterior: Posterior, outlier_margin: float) -> Sparse:
    """Responsibilities for the PLDA fit: normalised over the clusters, unless "new" wins by more than ``outlier_margin``."""
    return scale_rows(1 / np.maximum(1 - posterior.new + posterior.new * np.exp(-outlier_margin), 1e-9), posterior.resp)


# --- Scores ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ClusterScores:
    """The parts of the log-odds of each face as each cluster, and as a new person without a name."""

    inputs: Inputs
    llr: LogLikelihoodRatios
    rate: MentionRates
    inverse_temperature: float
    prior: FloatArray  # by cluster
    has_faces: BoolArray  # by cluster
    no_others: Sparse  # faces × clusters: 1 where the cluster has no other face, so that there is no likelihood
    new_share: float  # share of faces whose person appears once
    unseen: float  # score of a name without other faces
    new: float  # score of a new person

    @staticmethod
    def of(inputs: Inputs, posterior: Posterior, space: PldaSpace, rate: MentionRates, turn: int) -> ClusterScores:
        settings, resp = inputs.settings, posterior.resp
        size = soft_counts(resp)
        face, cluster, share = coo(resp)
        alone = size[cluster] - share < 0.5
        face, cluster, share = face[alone], cluster[alone], share[alone]
        new_share, first = 0.05, 0.3
        if turn:
            new_share, first = _new_shares(posterior, face, share, float(share[cluster < inputs.names].sum()))
        return ClusterScores(
            inputs=inputs,
            llr=LogLikelihoodRatios.of(space, resp),
            rate=rate,
            inverse_temperature=settings.inverse_temperature_first
            + (settings.inverse_temperature - settings.inverse_temperature_first)
            * min(1.0, turn / settings.annealing_rounds),
            prior=_prior(inputs, size),
            has_faces=size >= 0.5,
            no_others=from_coo(np.ones(len(face)), face, cluster, resp.shape),
            new_share=new_share,
            unseen=float(np.log(first / max(int((size[: inputs.names] < MIN_CLUSTER_SIZE).sum()), 1))),
            new=float(np.log(1 - first)),
        )

    def rows(self, face: IntArray) -> FloatArray:
        """The scores of a few faces (faces × clusters)."""
        score, names = self.llr.rows(face), self.inputs.names
        score *= self.inverse_temperature
        score += self.prior
        no_others = self.no_others[face].tocoo().coords
        score[:, ~self.has_faces] = -np.inf
        score[no_others] = -np.inf
        score += _known_offset(score, self.new_share)[:, None]
        score[:, :names][:, ~self.has_faces[:names]] = self.unseen
        score[no_others[0][no_others[1] < names], no_others[1][no_others[1] < names]] = self.unseen
        self._add_captions(score, face)
        return np.maximum(score, FLOOR, out=score)

    def at(self, face: IntArray, cluster: IntArray) -> FloatArray:
        """The scores of single pairs, ordered by face, normalised over the listed clusters of each face."""
        inputs, names = self.inputs, self.inputs.names
        score = self.llr.at(face, cluster) * np.float32(self.inverse_temperature) + self.prior[cluster]
        alone = ~self.has_faces[cluster] | (lookup(self.no_others, face, cluster) > 0)
        score[alone] = -np.inf
        start = np.flatnonzero(np.r_[True, face[1:] != face[:-1]])
        many = np.diff(np.r_[start, len(face)])
        top = np.repeat(np.maximum(np.maximum.reduceat(score, start), -300), many)
        total = np.log(np.repeat(np.add.reduceat(np.exp(score - top), start), many) + 1e-30)
        score += _bounded(np.maximum(top + total, -300), self.new_share)
        named = cluster < names
        score[alone & named] = self.unseen
        unsaid, name = self.rate.llr_unmentioned * inputs.settings.absence, cluster[named]
        mentioned = lookup(inputs.captions.mentioned, face[named], name)
        score[named] += (unsaid[name] + mentioned * (self.rate.llr_mentioned - unsaid)[name]).astype(np.float32)
        np.maximum(score, FLOOR, out=score)
        fixed = inputs.constraints.fixed[face]
        score[(fixed == NOBODY) & named] = NEVER
        score[named] = np.where(lookup(inputs.ruled_out, face[named], name) > 0, NEVER, score[named])
        return np.where(fixed >= 0, np.where(fixed == cluster, SURE, NEVER), score)

    def _add_captions(self, score: FloatArray, face: IntArray) -> None:
        """Adds the captions' log-likelihood ratios, of mentioned and of unmentioned names, in place."""
        unsaid = self.rate.llr_unmentioned * self.inputs.settings.absence
        score[:, : self.inputs.names] += unsaid.astype(np.float32)
        row, name = self.inputs.captions.mentioned[face].tocoo().coords
        score[row, name] += (self.rate.llr_mentioned - unsaid)[name].astype(np.float32)


def _new_shares(posterior: Posterior, face: IntArray, share: FloatArray, named: float) -> tuple[float, float]:
    """The share of faces whose person appears once, and the share of names among these."""
    n = len(posterior.new)
    known = 1 - posterior.new - np.bincount(face, share, minlength=n)
    total = named + posterior.new.sum()
    return float(np.clip(1 - known.mean(), 1 / n, 0.9)), float((named + 0.1 * total + 1) / (1.2 * total + 2))


def _prior(inputs: Inputs, size: FloatArray) -> FloatArray:
    """Log of the cluster's share of faces; a name counts at most ``faces_per_mention`` faces for each mention."""
    given = inputs.constraints.fixed[inputs.constraints.fixed >= 0]
    cap = np.full(len(size), np.inf)
    cap[: inputs.names] = inputs.settings.faces_per_mention * inputs.captions.mentions + np.bincount(
        given, minlength=inputs.names
    )
    cap[: inputs.names][inputs.captions.never_mentioned] = np.inf
    prior = np.log((np.minimum(size, cap) + 0.5) / (len(inputs.faces) + 0.5 * inputs.names))
    return np.asarray(prior, np.float32)


def _known_offset(score: FloatArray, new: float) -> FloatArray:
    """The offset that makes scores sum to the odds of being known, ``log sum_k exp(score_ik) - log new``, bounded."""
    top = np.maximum(score.max(1, initial=-np.inf), -300)
    return _bounded(np.maximum(top + np.log(np.exp(score - top[:, None]).sum(1) + 1e-30), -300), new)


def _bounded(total: FloatArray, new: float) -> FloatArray:
    return np.asarray(np.clip(total - np.log(new), -SURE, SURE) - total, np.float32)


# --- From scores to a posterior --------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Candidates:
    """The best clusters of each face and their scores; a score of minus infinity is no candidate."""

    cluster: IntArray
    score: FloatArray

    def scored(self, scores: ClusterScores) -> Candidates:
        """The same candidates with new scores."""
        row, slot = np.nonzero(self.score > -np.inf)
        score = np.full_like(self.score, -np.inf)
        if len(row):
            score[row, slot] = scores.at(row, self.cluster[row, slot])
        return Candidates(self.cluster, score)

    def without(self, gone: BoolArray) -> Candidates:
        """The same candidates without these clusters; the others are renumbered."""
        left = np.cumsum(~gone) - 1
        return Candidates(left[self.cluster], np.where(gone[self.cluster], -np.inf, self.score).astype(np.float32))


def frame_posterior(
    inputs: Inputs,
    candidates: Candidates,
    many: int,
    new: float,
    rate: MentionRates | None = None,
    faces: IntArray | None = None,
) -> Posterior:
    """The posterior from the candidates' scores, exclusive in each frame and clamped to the constraints.

    ``faces`` are whole frames (default: all); the rows of other faces are empty. A mention supports one face of its frame: a
    repetition of the person costs the exclusivity penalty and loses the caption's log-likelihood ratio (of ``rate``).
    """
    n, cluster = len(inputs.faces), candidates.cluster
    faces = np.arange(n) if faces is None else faces
    nobody = np.full(len(faces), new)
    again = np.full(cluster.shape, inputs.settings.exclusivity_penalty)
    if rate is not None and inputs.settings.exclusivity_penalty < 1:
        again = np.minimum(again * np.exp(-_caption_llr(inputs, faces, cluster, rate)), 1)
    chance, rest = frame_marginals(candidates.score, nobody, cluster, inputs.group[faces], again)
    keep = chance > 1e-4
    unknown = np.zeros(n)
    unknown[faces] = rest
    resp = from_coo(chance[keep], faces[np.nonzero(keep)[0]], cluster[keep], (n, many))
    return clamp(inputs, Posterior(resp, unknown), faces)


def _caption_llr(inputs: Inputs, face: IntArray, cluster: IntArray, rate: MentionRates) -> FloatArray:
    """The captions' log-likelihood ratio of each face's candidates (faces × candidates)."""
    mentioned, (row, slot) = np.zeros(cluster.shape), np.nonzero(cluster < inputs.names)
    name, unsaid = cluster[row, slot], rate.llr_unmentioned * inputs.settings.absence
    mentioned[row, slot] = (
        unsaid[name] + lookup(inputs.captions.mentioned, face[row], name) * (rate.llr_mentioned - unsaid)[name]
    )
    return mentioned


def top_candidates(
    inputs: Inputs, rows: Callable[[IntArray], FloatArray], many: int, new: float, faces: IntArray | None = None
) -> Candidates:
    """The best of ``many`` clusters for each of ``faces`` (default: all); ``rows`` gives the scores of a few faces."""
    faces = np.arange(len(inputs.faces)) if faces is None else faces
    width = min(inputs.settings.candidates, many)
    cluster, score = np.zeros((len(faces), width), np.int64), np.full((len(faces), width), -np.inf, np.float32)
    lag = CANDIDATE_MARGIN - np.log(max(inputs.settings.exclusivity_penalty, 1e-9))
    height = max(CELLS // max(many, 1), 1)
    for start in range(0, len(faces), height):
        part = slice(start, start + height)
        block = rows(faces[part])
        _clamp_scores(inputs, faces[part], block)
        pick(block, np.maximum(block.max(1, initial=-np.inf), new) - lag, cluster[part], score[part])
    return Candidates(cluster, score)


def _clamp_scores(inputs: Inputs, face: IntArray, score: FloatArray) -> None:
    """Clamps the scores of a few faces to the constraints."""
    fixed = inputs.constraints.fixed[face]
    score[inputs.ruled_out[face].tocoo().coords] = NEVER
    score[fixed == NOBODY, : inputs.names] = NEVER
    named = np.flatnonzero(fixed >= 0)
    score[named] = NEVER
    score[named, fixed[named]] = SURE


def clamp(inputs: Inputs, posterior: Posterior, faces: IntArray | None = None) -> Posterior:
    """Clamps these faces (default: all) to the constraints: given names have probability 1, excluded ones 0."""
    resp, asked = posterior.resp, np.ones(len(posterior.new), bool)
    if faces is not None:
        asked = np.isin(np.arange(len(asked)), faces)
    fixed = np.where(asked, inputs.constraints.fixed, OPEN)
    ruled_face, ruled_name, _ = coo(inputs.ruled_out)
    touched = fixed != OPEN
    touched[ruled_face] |= asked[ruled_face]
    if not touched.any():
        return posterior
    many, (face, cluster, share) = resp.shape[1], coo(resp)
    ruled = np.isin(face * many + cluster, ruled_face * many + ruled_name)
    stays = ((fixed[face] == OPEN) & ~ruled) | ((fixed[face] == NOBODY) & (cluster >= inputs.names))
    resp = from_coo(share[stays], face[stays], cluster[stays], resp.shape)
    new = np.where(fixed >= 0, 0.0, posterior.new)
    total = np.asarray(resp.sum(1), np.float64) + new
    lost = touched & (total < 1e-9)
    total = np.where(touched & ~lost, total, 1.0)
    named = np.flatnonzero(fixed >= 0)
    given = from_coo(np.ones(len(named)), named, fixed[named], resp.shape)
    return Posterior(sparse(scale_rows(1 / total, resp) + given), np.where(lost & (fixed < 0), 1.0, new / total))


def singletons(resp: Sparse, names: int) -> BoolArray:
    """Which clusters are unnamed and smaller than MIN_CLUSTER_SIZE."""
    return np.asarray((soft_counts(resp) < MIN_CLUSTER_SIZE) & (np.arange(resp.shape[1]) >= names))
