"""The posterior over names of each face, once the clusters are final.

Names go to clusters one to one, with uncertainty (``name_marginals``, ``discount_confusable_names``). The faces of one
person may still form two clusters, so a cluster may be a *further cluster* of a name (``further_clusters``). A face taken
for new may be an *outlier* of a known person (``outliers_as_names``). PLDA likelihoods are not calibrated for either case.
Only their order is used: the r-th nearest cluster has the prior ``1/(r (r + 1))``, and the captions decide.
"""

from __future__ import annotations

import numpy as np

from core.corrections import OPEN
from core.problem import FloatArray, IntArray
from core.solvers.mixture.assign import one_to_one_marginals
from core.solvers.mixture.cluster_statistics import ANSWER_NATS, CELLS, Answers, ClusterStatistics
from core.solvers.mixture.leader_clustering import MIN_CLUSTER_SIZE
from core.solvers.mixture.likelihoods import LogLikelihoodRatios, MentionRates
from core.solvers.mixture.naming import IMPOSSIBLE, NameLogOdds
from core.solvers.mixture.sparse_tables import Sparse, coo, from_coo, lookup, scale_rows, soft_counts, sparse

MIN_NAME_PROBABILITY = 1e-4  # less probable names of a cluster are not listed
MIN_NEW = 0.01  # probability of "new" from which a face may be an outlier
NEAREST = 24  # clusters considered for an outlier
CONFUSABLE_DISCOUNT = 0.1  # probability of the wrong one of two names that always occur together
ROUNDS = 20  # EM rounds for the share of outliers


def name_posterior(resp: Sparse, stats: ClusterStatistics, rate: MentionRates) -> tuple[Sparse, FloatArray]:
    """``P(name c | face i) = sum_k q_ik P(c | cluster k)`` (faces × names), and the sum over all names.

    Clusters of a single face keep their name.
    """
    clusters, names = np.flatnonzero(soft_counts(resp) > MIN_CLUSTER_SIZE), resp[:, : stats.names]
    if not len(clusters) or not stats.names:
        return names, np.asarray(names.sum(1), np.float64)
    chosen = resp[:, clusters]
    answers = stats.answers(chosen)
    name_probability = discount_confusable_names(name_marginals(resp, clusters, stats, answers), chosen, stats, answers[0])
    keeps = np.setdiff1d(np.arange(stats.names), clusters)
    kept = from_coo(np.ones(len(keeps)), keeps, keeps, (stats.names, stats.names))
    single = sparse(names @ kept)
    total = np.asarray(chosen @ name_probability.sum(1) + single.sum(1), np.float64)
    listed = sparse(np.where(name_probability > MIN_NAME_PROBABILITY, name_probability, 0))
    posterior = sparse(chosen @ listed + single)
    if stats.settings.outliers:
        more = outliers_as_names(resp, clusters, listed, stats, rate)
        posterior, total = sparse(posterior + more), total + np.asarray(more.sum(1), np.float64)
    return posterior, total


def name_marginals(resp: Sparse, clusters: IntArray, stats: ClusterStatistics, answers: Answers) -> FloatArray:
    """P(name | cluster) for ``clusters``: names are assigned one to one, and further clusters take the name of the first."""
    gain, names = NameLogOdds.of(resp, clusters, stats, answers).dense(), stats.names
    if not stats.settings.outliers:
        return one_to_one_marginals(_tempered(gain, stats))
    both = one_to_one_marginals(_tempered(np.hstack([gain, further_clusters(resp, clusters, stats, answers)]), stats))
    name_probability, second = both[:, :names], both[:, names:][:, clusters[clusters < names]]
    holder = np.flatnonzero(clusters < names)
    first = name_probability / np.maximum(
        1 - both[:, names:].sum(1, keepdims=True), 1e-9
    )  # given that it is no further cluster
    return np.asarray(name_probability + second @ first[holder])


def discount_confusable_names(
    name_probability: FloatArray, chosen: Sparse, stats: ClusterStatistics, given: Sparse
) -> FloatArray:
    """Discounts names that captions hardly ever hold without a certain other name.

    Captions of one scene repeat each other, so their evidence is overstated. Name c is told from d by the captions of the
    cluster's faces with c and without d; ``apart`` counts these. At least ``CONFUSABLE_DISCOUNT / (1 + apart)^2`` goes to
    the most frequent other name; answers that give c reduce that by ANSWER_NATS each.
    """
    cluster, name = np.arange(len(name_probability)), name_probability.argmax(1)
    face, k, share = coo(chosen)
    with_c = from_coo(share * lookup(stats.captions.mentioned, face, name[k]), k, face, chosen.shape[::-1])
    k, d, together = coo(sparse(with_c @ stats.captions.mentioned))
    rival, most = np.full(len(name_probability), -1), np.zeros(len(name_probability))
    other = d != name[k]
    np.maximum.at(most, k[other], together[other])
    first = other & (together == most[k])
    rival[k[first]] = d[first]
    apart = np.maximum(np.asarray(with_c.sum(1), np.float64) - most, 0)
    least = CONFUSABLE_DISCOUNT / (1 + apart) ** 2 * np.exp(-ANSWER_NATS * lookup(given, cluster, name))
    likely = name_probability[cluster, name]
    moved = np.where(likely > 0.5, np.maximum(least - (1 - likely), 0), 0)
    name_probability[cluster, name] -= moved
    known = np.flatnonzero(rival >= 0)
    name_probability[known, rival[known]] += moved[known]
    return name_probability


def _tempered(gain: FloatArray, stats: ClusterStatistics) -> FloatArray:
    return np.asarray(np.clip(stats.settings.name_inverse_temperature * gain, IMPOSSIBLE, -IMPOSSIBLE))


# --- Further clusters of a name --------------------------------------------------------------------------------------


def further_clusters(resp: Sparse, clusters: IntArray, stats: ClusterStatistics, answers: Answers) -> FloatArray:
    """Log-odds that each cluster is a further cluster of each name, against no name (clusters × names).

    A mention is explained by the name's first cluster where it is in the same frame. Each frame with both of them costs the
    exclusivity penalty.
    """
    chosen, mentioned, mentions = resp[:, clusters], stats.captions.mentioned, stats.captions.mentions
    size, many = soft_counts(resp), soft_counts(chosen)
    there = _in_frame(resp, stats)[:, : stats.names]
    explained = sparse(chosen.T @ sparse(mentioned.multiply(there.minimum(mentioned))))
    k, c, hit = coo(stats.hits(chosen))
    able = (size[c] > MIN_CLUSTER_SIZE) & (clusters[k] != c)
    k, c, hit = k[able], c[able], hit[able]
    shared = lookup(sparse(chosen.T @ there), k, c)
    held = lookup(stats.hits(resp), c, c)
    fresh, alone = np.maximum(hit - lookup(explained, k, c), 0), np.maximum(many[k] - shared, 0)
    fit = stats.caption_log_bf(held + fresh, size[c] + alone, mentions[c]) - stats.caption_log_bf(held, size[c], mentions[c])
    rank = _rank_of(chosen, k, np.searchsorted(clusters, c), stats)
    named = int((clusters < stats.names).sum())
    prior = np.log(stats.settings.further_cluster * (named + 1) / (len(clusters) - named + 1)) - np.log(rank * (rank + 1))
    confirmed = ANSWER_NATS * (2 * lookup(answers[0], k, c) - answers[1][k])
    gain = np.full((len(clusters), stats.names), IMPOSSIBLE)
    gain[k, c] = fit + prior + confirmed + np.log(max(stats.settings.exclusivity_penalty, 1e-9)) * shared
    return gain


def _in_frame(resp: Sparse, stats: ClusterStatistics) -> Sparse:
    """Soft counts of each cluster in each face's frame (faces × clusters)."""
    group = stats.constraints.group
    frames = from_coo(np.ones(len(group)), group, np.arange(len(group)), (int(group.max()) + 1, len(group)))
    return sparse(sparse(frames @ resp)[group])


def _rank_of(resp: Sparse, k: IntArray, j: IntArray, stats: ClusterStatistics) -> FloatArray:
    """The rank of cluster j, from 1, among the clusters that k's faces look like; pairs are ordered by k."""
    many, rank = resp.shape[1], np.ones(len(k))
    rows = LogLikelihoodRatios.of(stats.space, resp).by_cluster(resp)
    height = max(CELLS // many, 1)
    for start in range(0, many, height):
        alike = rows(slice(start, start + height))
        own = np.arange(len(alike))
        alike[own, start + own] = -np.inf
        first, last = np.searchsorted(k, [start, start + height])
        for begin in range(first, last, height):
            pair = slice(begin, min(begin + height, last))
            row = alike[k[pair] - start]
            rank[pair] += (row > row[np.arange(len(row)), j[pair]][:, None]).sum(1)
    return rank


# --- Outliers --------------------------------------------------------------------------------------------------------


def outliers_as_names(
    resp: Sparse, clusters: IntArray, name_probability: Sparse, stats: ClusterStatistics, rate: MentionRates
) -> Sparse:
    """Probabilities of names (faces × names) to add because faces taken for new may be outliers of known persons.

    The odds are ``w sum_k 1/(r_k (r_k + 1)) P(caption | k) / P(caption | new)`` against ``1 - w``, without the other persons
    of the frame. w, the share of outliers among the new faces, maximises the likelihood of their captions.
    """
    new = np.where(stats.constraints.fixed == OPEN, np.maximum(1 - np.asarray(resp.sum(1), np.float64), 0), 0)
    face = np.flatnonzero(new > MIN_NEW)
    cluster = _nearest_clusters(resp[:, clusters], face, stats)
    row = np.repeat(np.arange(len(face)), cluster.shape[1])
    place = np.tile(np.arange(1, cluster.shape[1] + 1), len(face))
    chosen = resp[:, clusters]
    there = lookup(_in_frame(chosen, stats), face[row], cluster.ravel()) - lookup(chosen, face[row], cluster.ravel())
    seen = np.clip(there, 0, 1) * (1 - stats.settings.exclusivity_penalty)
    near = from_coo((1 - seen) / (place * (place + 1)), row, cluster.ravel(), (len(face), len(clusters)))
    mentioned, off = stats.captions.mentioned[face], np.exp(rate.llr_unmentioned * stats.settings.absence)
    named = sparse(near @ name_probability)
    unsaid = sparse(named.multiply(off))
    named = sparse(unsaid + named.multiply(mentioned).multiply(np.exp(rate.llr_mentioned) - off))
    unnamed = np.asarray(near.sum(1) - (near @ name_probability).sum(1), np.float64)
    odds = np.asarray(named.sum(1), np.float64) + np.maximum(unnamed, 0)
    share = _outlier_share(odds, new[face])
    weight = np.zeros(len(new))
    weight[face] = new[face] * share / (share * odds + 1 - share)
    spread = from_coo(np.ones(len(face)), face, np.arange(len(face)), (len(new), len(face)))
    return scale_rows(weight, sparse(spread @ named))


def _nearest_clusters(resp: Sparse, face: IntArray, stats: ClusterStatistics) -> IntArray:
    """The clusters with the greatest log-likelihood ratio for each of these faces, best first."""
    many = resp.shape[1]
    llr, width = LogLikelihoodRatios.of(stats.space, resp), min(NEAREST, many)
    cluster = np.zeros((len(face), width), np.int64)
    for start in range(0, len(face), height := max(CELLS // many, 1)):
        part = slice(start, start + height)
        alike = -llr.rows(face[part])
        best = np.argpartition(alike, width - 1, axis=1)[:, :width]
        order = np.argsort(np.take_along_axis(alike, best, 1), axis=1, kind="stable")
        cluster[part] = np.take_along_axis(best, order, 1)
    return cluster


def _outlier_share(odds: FloatArray, weight: FloatArray) -> float:
    """The w that maximises ``prod (w odds + 1 - w)^weight``, by EM with a Beta(3/2, 3/2) prior."""
    share = 0.5
    for _ in range(ROUNDS):
        outliers = share * odds / (share * odds + 1 - share)
        share = float((weight @ outliers + 0.5) / (weight.sum() + 1))
    return share
