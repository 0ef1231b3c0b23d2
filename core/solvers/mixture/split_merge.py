"""Split-merge steps over whole clusters.

``resp`` is a sparse table (faces × clusters) of responsibilities: first a cluster for each name, in order, then unnamed
clusters. Splits and merges are accepted by PLDA log-marginals, Bayes factors of captions, and answers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import vstack
from scipy.special import gammaln

from core.corrections import OPEN
from core.problem import BoolArray, FloatArray, IntArray
from core.solvers.mixture.cluster_statistics import ANSWER_NATS, ClusterStatistics
from core.solvers.mixture.leader_clustering import MIN_CLUSTER_SIZE, leader_clusters
from core.solvers.mixture.likelihoods import LogLikelihoodRatios
from core.solvers.mixture.naming import MIN_LIVE_SIZE, assign_names
from core.solvers.mixture.plda import cluster_log_marginal
from core.solvers.mixture.sparse_tables import Sparse, coo, from_coo, hstack, lookup, scale_rows, soft_counts, sparse

FURTHER_CLUSTER_COST = 1.0  # nats that a further cluster of another name costs
CELLS = 1 << 20  # pairs of clusters in one block


def split_merge_step(resp: Sparse, new: FloatArray, stats: ClusterStatistics, faces: BoolArray | None = None) -> Sparse:
    """Adds leader clusters, splits, merges, and assigns names anew.

    With ``faces``, leader clusters come from these faces only, and only their clusters are split.
    """
    faces = np.ones(len(new), bool) if faces is None else faces
    unnamed = leader_clusters(stats.space, (new > 0.5) & faces, stats.neighbour_weight, stats.settings.min_log_odds)
    resp = hstack(scale_rows(1 - np.asarray(unnamed.sum(1), np.float64), resp), scale_rows(new, unnamed))
    asked = soft_counts(resp[faces]) > MIN_LIVE_SIZE
    resp = split_unmentioned(resp, stats, asked)
    resp = split_clusters(resp, stats, asked) if stats.settings.split else resp
    return assign_names(merge_clusters(resp, stats), stats)


# --- Split -----------------------------------------------------------------------------------------------------------


def split_unmentioned(resp: Sparse, stats: ClusterStatistics, asked: BoolArray) -> Sparse:
    """Splits off a name's unmentioned faces whose LLR is ``split_threshold`` deviations below that of the mentioned."""
    names = resp[:, : stats.names]
    face, name, share = coo(names)
    on = share * (lookup(stats.captions.mentioned, face, name) > 0)
    off = share - on
    llr = LogLikelihoodRatios.of(stats.space, from_coo(on[on > 0], face[on > 0], name[on > 0], names.shape)).at(face, name)

    def by_name(value: FloatArray) -> FloatArray:
        return np.bincount(name, value, minlength=stats.names).astype(np.float64)

    many_on, many_off = by_name(on) + 1e-9, by_name(off) + 1e-9
    mean = by_name(on * llr) / many_on
    deviation = np.sqrt(np.maximum(by_name(on * llr.astype(np.float64) ** 2) / many_on - mean**2, 0))
    lag = (mean - by_name(off * llr) / many_off) / (deviation + 0.1 * np.abs(mean) + 0.5)
    mixed = (lag > stats.settings.split_threshold) & (many_on > 2.5) & (many_off > 1.5) & asked[: stats.names]
    if not mixed.any():
        return resp
    unlike = (off > 0) & mixed[name] & (llr < (mean - stats.settings.split_threshold * deviation)[name])
    leaving = from_coo(off[unlike], face[unlike], name[unlike], names.shape)
    return hstack(sparse(names - leaving), resp[:, stats.names :], leaving[:, mixed])


@dataclass(frozen=True, eq=False)
class SplitProposal:
    """A cluster that looks like two: the faces that would leave, those that would stay, and the log-odds of the split."""

    cluster: int
    leave: IntArray
    stay: IntArray
    gain: float


def split_clusters(resp: Sparse, stats: ClusterStatistics, asked: BoolArray) -> Sparse:
    """Splits clusters where faces, captions and answers together gain more than ``min_log_odds``."""
    found = propose_splits(resp, stats, asked)
    proposals = [
        _keep_name_by_captions(half, told, stats)
        for half, told in zip(found, _answers_against(resp, found, stats), strict=True)
    ]
    gain = np.array([half.gain for half in proposals]) + _gain_under_other_name(resp, proposals, stats)
    accepted = [proposals[place] for place in np.flatnonzero(gain > stats.settings.min_log_odds)]
    return _split_off(resp, [(half.cluster, half.leave) for half in accepted])


def _split_off(resp: Sparse, parts: list[tuple[int, IntArray]]) -> Sparse:
    """Moves each part, some faces of a cluster, to a new cluster behind all others."""
    if not parts:
        return resp
    many = [len(faces) for _, faces in parts]
    face, cluster = np.concatenate([faces for _, faces in parts]), np.repeat([k for k, _ in parts], many)
    share = resp[face, cluster]
    leaving = from_coo(share, face, np.repeat(np.arange(len(parts)), many), (resp.shape[0], len(parts)))
    return hstack(sparse(resp - from_coo(share, face, cluster, resp.shape)), leaving)


def _answers_against(resp: Sparse, proposals: list[SplitProposal], stats: ClusterStatistics) -> FloatArray:
    """Weight of the answers against the cluster's name, for either part (proposals × 2); 0 for unnamed clusters."""
    against, (named,) = np.zeros((len(proposals), 2)), np.nonzero([half.cluster < stats.names for half in proposals])
    if not len(named) or (stats.constraints.fixed == OPEN).all():
        return against
    name = np.array([proposals[k].cluster for k in named])
    given, asked = stats.answers(_split_off(resp, [(proposals[k].cluster, proposals[k].leave) for k in named]))
    for side, cluster in enumerate((resp.shape[1] + np.arange(len(named)), name)):
        against[named, side] = asked[cluster] - 2 * lookup(given, cluster, name)
    return against


def _keep_name_by_captions(proposal: SplitProposal, against: FloatArray, stats: ClusterStatistics) -> SplitProposal:
    """The part with fewer mentions leaves the name; adds the gain of captions and answers to the proposal."""
    a, b, k = proposal.leave, proposal.stay, proposal.cluster
    if k >= stats.names:
        return proposal
    hit_a, hit_b = (float(stats.captions.mentioned[half][:, [k]].sum()) for half in (a, b))
    against_a, against_b = against.tolist()
    if hit_a / len(a) + 0.1 * (len(a) > len(b)) - against_a > hit_b / len(b) + 0.1 * (len(b) > len(a)) - against_b:
        a, b, hit_a, hit_b, against_a = b, a, hit_b, hit_a, against_b
    hit, size = np.array([hit_b, hit_a + hit_b]), np.array([len(b), len(a) + len(b)], np.float64)
    without, with_both = stats.caption_log_bf(hit, size, stats.captions.mentions[[k, k]])
    return SplitProposal(k, a, b, proposal.gain + float(without - with_both) + ANSWER_NATS * against_a)


def _gain_under_other_name(resp: Sparse, proposals: list[SplitProposal], stats: ClusterStatistics) -> FloatArray:
    """The greatest gain of captions if the part that leaves is a further cluster of another name.

    Two names that are often mentioned together fit the captions of both.
    """
    gain, (named,) = np.zeros(len(proposals)), np.nonzero([half.cluster < stats.names for half in proposals])
    if not len(named):
        return gain
    apart = _split_off(resp, [(proposals[k].cluster, proposals[k].leave) for k in named])
    size, hits, mentions = soft_counts(apart), stats.hits(apart), stats.captions.mentions
    half, name, hit = coo(hits[resp.shape[1] :])
    able = (size[name] > MIN_CLUSTER_SIZE) & (name != np.array([proposals[k].cluster for k in named])[half])
    half, name, hit = half[able], name[able], hit[able]
    held, own = lookup(hits, name, name), size[resp.shape[1] + half]
    fit = stats.caption_log_bf(held + hit, size[name] + own, mentions[name]) - stats.caption_log_bf(
        held, size[name], mentions[name]
    )
    np.maximum.at(gain, named[half], fit - FURTHER_CLUSTER_COST)
    return gain


def propose_splits(resp: Sparse, stats: ClusterStatistics, asked: BoolArray) -> list[SplitProposal]:
    """Clusters with ``log P(two) + log P(partition, Chinese restaurant process) - log P(one) > min_log_odds``.

    Each frame with both parts counts by the exclusivity penalty, as in ``assign.frame_marginals``.
    """
    space, group, columns, found = stats.space, stats.constraints.group, resp.tocsc(), []
    split_off = np.ones(columns.shape[1] - len(asked), bool)  # by ``split_unmentioned``
    for cluster in np.flatnonzero(np.r_[asked, split_off]).tolist():
        span = slice(columns.indptr[cluster], columns.indptr[cluster + 1])
        face = columns.indices[span][columns.data[span] > 0.5].astype(np.int64)
        if len(face) < 3:
            continue
        y = space.y[face].astype(np.float64)
        side = _bisect(y, space.between_variance)
        left, n = int(side.sum()), len(face)
        if left in (0, n):
            continue
        total = np.stack([y[side].sum(0), y[~side].sum(0), y.sum(0)])
        value = cluster_log_marginal(np.array([left, n - left, n], np.float64), total, space.between_variance)
        repeats = len(np.unique(group[face[side]])) + len(np.unique(group[face[~side]])) - len(np.unique(group[face]))
        penalty = np.log(max(stats.settings.exclusivity_penalty, 1e-9))
        prior = gammaln(left) + gammaln(n - left) - gammaln(n) - repeats * penalty
        llr = value[0] + value[1] - value[2]
        if llr + prior > stats.settings.min_log_odds:
            found.append(SplitProposal(cluster, face[side], face[~side], float(0.5 * llr + prior)))
    return found


def _bisect(y: FloatArray, between_variance: FloatArray) -> BoolArray:
    """A cut along the first principal component, followed by four rounds of 2-means."""
    centred = (y - y.mean(0)) * np.sqrt(between_variance / (1 + between_variance))
    if len(y) <= y.shape[1]:
        side = np.linalg.eigh(centred @ centred.T)[1][:, -1] > 0
    else:
        side = centred @ np.linalg.eigh(centred.T @ centred)[1][:, -1] > 0
    for _ in range(4):
        if side.all() or not side.any():
            break
        a, b = y[side].mean(0), y[~side].mean(0)
        side = y @ (a - b) > 0.5 * (a @ a - b @ b)
    return np.asarray(side)


# --- Merge -----------------------------------------------------------------------------------------------------------


def merge_clusters(resp: Sparse, stats: ClusterStatistics) -> Sparse:
    """Merges unnamed clusters with the cluster they look like, where faces, captions and answers together gain."""
    for _ in range(3):
        target = _merge_targets(resp, stats)
        if (target == np.arange(len(target))).all():
            break
        resp = sparse(resp @ from_coo(np.ones(len(target)), np.arange(len(target)), target, (len(target), len(target))))
    return resp


def _merge_targets(resp: Sparse, stats: ClusterStatistics) -> IntArray:
    """For each cluster itself, or the cluster it merges into; a cluster takes part in one merge at most."""
    many, size = resp.shape[1], soft_counts(resp)
    mean, own = _mean_llr(resp, size, stats)
    k, j, both = coo(sparse(mean.minimum(mean.T)))  # similarity must hold both ways
    floor = np.where(j < stats.names, stats.settings.merge_ratio, 0.0) * np.clip(np.minimum(own[k], own[j]), 0, None)
    alike = (k >= stats.names) & (both > floor)
    gain = np.full(len(k), -np.inf)
    gain[alike] = size[k[alike]] * lookup(mean, k[alike], j[alike]) + _name_gain_of_merge(resp, k[alike], j[alike], stats)
    most = np.full(many, -np.inf)
    np.maximum.at(most, k, both)
    order = np.lexsort((j, k, -most[k]))
    start = np.flatnonzero(np.r_[True, k[order][1:] != k[order][:-1]]) if len(k) else order
    target, done = np.arange(many), size <= MIN_LIVE_SIZE
    for place in np.split(order, start[1:]):
        place = place[alike[place] & ~done[j[place]]]
        if not len(place) or done[k[place[0]]]:
            continue
        best = place[gain[place].argmax()]
        if gain[best] > 0:
            target[k[best]] = j[best]
            done[[k[best], j[best]]] = True
    return target


def _mean_llr(resp: Sparse, size: FloatArray, stats: ClusterStatistics) -> tuple[Sparse, FloatArray]:
    """The mean LLR of k's faces as j where it is positive (clusters × clusters; 0 between names), and as k itself."""
    many, alive, found = len(size), size > MIN_LIVE_SIZE, [sparse((0, len(size)))]
    own, rows = np.zeros(many, np.float32), LogLikelihoodRatios.of(stats.space, resp).by_cluster(resp)
    for start in range(0, many, height := max(CELLS // max(many, 1), 1)):
        part = np.arange(start, min(start + height, many))
        mean = rows(slice(start, start + height)) / np.maximum(size[part], 1e-9)[:, None].astype(np.float32)
        own[part] = mean[part - start, part]
        mean[part - start, part] = 0
        mean[part < stats.names, : stats.names] = 0
        found.append(sparse(np.where((mean > 0) & alive[part, None] & alive, mean, 0)))
    return sparse(vstack(found)), own


def _name_gain_of_merge(resp: Sparse, k: IntArray, j: IntArray, stats: ClusterStatistics) -> FloatArray:
    """The gain of captions and answers when cluster k merges into j; 0 if j has no name."""
    gain, (named,) = np.zeros(len(k)), np.nonzero(j < stats.names)
    k, c = k[named], j[named]
    size, hit, (given, asked) = soft_counts(resp), stats.hits(resp), stats.answers(resp)
    hit_k, hit_c, mentions = lookup(hit, k, c), lookup(hit, c, c), stats.captions.mentions[c]
    together = stats.caption_log_bf(hit_c + hit_k, size[c] + size[k], mentions) - stats.caption_log_bf(
        hit_c, size[c], mentions
    )
    gain[named] = together + ANSWER_NATS * (2 * lookup(given, k, c) - asked[k])
    return gain
