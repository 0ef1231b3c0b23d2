"""Names of clusters: a one-to-one assignment by the captions' Bayes factors and the answers of people."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.problem import FloatArray, IntArray
from core.solvers.mixture.assign import one_to_one
from core.solvers.mixture.cluster_statistics import ANSWER_NATS, Answers, ClusterStatistics
from core.solvers.mixture.leader_clustering import MIN_CLUSTER_SIZE
from core.solvers.mixture.sparse_tables import Sparse, coo, from_coo, hstack, lookup, soft_counts, sparse

IMPOSSIBLE = -500.0  # log-odds of what is excluded
MIN_LIVE_SIZE = 0.8  # soft count from which a cluster takes part


def assign_names(resp: Sparse, stats: ClusterStatistics) -> Sparse:
    """Assigns names to clusters one to one and moves each cluster to its name's column; unnamed clusters follow."""
    size, names = soft_counts(resp), stats.names
    live = np.flatnonzero(size > MIN_LIVE_SIZE)
    name_of = np.full(len(size), -1)
    if len(live) and names:
        name_of[live] = one_to_one(*NameLogOdds.of(resp, live, stats).positive(), len(live))
    named = np.flatnonzero(name_of >= 0)
    place = from_coo(np.ones(len(named)), named, name_of[named], (len(size), names))
    return hstack(sparse(resp @ place), resp[:, (name_of < 0) & (size > MIN_CLUSTER_SIZE)])


@dataclass(frozen=True, eq=False)
class NameLogOdds:
    """Log-odds of each name for each cluster, against having no name.

    Most names have no hit in most clusters. The log-odds then depend on the name's number of mentions only, so just the
    other pairs are listed.
    """

    row: IntArray  # the listed pairs, by row, then name
    name: IntArray
    log_odds: FloatArray
    unmentioned: FloatArray  # log-odds of names without a hit: clusters × distinct mention counts
    count_index: IntArray  # by name, its column in ``unmentioned``

    @staticmethod
    def of(resp: Sparse, clusters: IntArray, stats: ClusterStatistics, answers: Answers | None = None) -> NameLogOdds:
        """For these ``clusters``; ``answers`` about them, if they are known already."""
        chosen = resp[:, clusters]
        count, count_index = np.unique(stats.captions.mentions, return_inverse=True)
        named = int((clusters < stats.names).sum())
        free = max(int((stats.captions.mentions > 0).sum()) - named, 0) + 1
        unnamed = np.log((len(clusters) - named + 1) / (named + 1) * free)
        size, hit, (given, asked) = soft_counts(chosen), stats.hits(chosen), answers or stats.answers(chosen)
        row, name, _ = coo(sparse(hit + given))
        fit = stats.caption_log_bf(lookup(hit, row, name), size[row], stats.captions.mentions[name])
        log_odds = fit - unnamed + ANSWER_NATS * (2 * lookup(given, row, name) - asked[row])
        rest = stats.caption_log_bf(np.zeros(1), size[:, None], count) - unnamed - ANSWER_NATS * asked[:, None]
        rest[:, count == 0] = IMPOSSIBLE  # a name without mentions or answers
        return NameLogOdds(row, name, log_odds, rest, count_index)

    def dense(self) -> FloatArray:
        """All log-odds (clusters × names)."""
        log_odds = self.unmentioned[:, self.count_index]
        log_odds[self.row, self.name] = self.log_odds
        return np.asarray(log_odds)

    def positive(self) -> tuple[IntArray, IntArray, FloatArray]:
        """The pairs with positive log-odds: clusters, names, log-odds."""
        row, count_index = np.nonzero(self.unmentioned > 0)
        order = np.argsort(self.count_index, kind="stable")
        many = np.bincount(self.count_index, minlength=self.unmentioned.shape[1])
        offset = np.arange(many[count_index].sum()) - np.repeat(
            np.cumsum(many[count_index]) - many[count_index], many[count_index]
        )
        name = order[np.repeat((np.cumsum(many) - many)[count_index], many[count_index]) + offset]
        row, log_odds = np.repeat(row, many[count_index]), np.repeat(self.unmentioned[row, count_index], many[count_index])
        other = ~np.isin(row * len(self.count_index) + name, self.row * len(self.count_index) + self.name)
        mine = self.log_odds > 0
        found = np.r_[self.row[mine], row[other]], np.r_[self.name[mine], name[other]]
        return *found, np.r_[self.log_odds[mine], log_odds[other]]
