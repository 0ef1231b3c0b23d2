"""Two clusters into one. See ``moves.py``."""

from __future__ import annotations

import numpy as np

from core.problem import IntArray
from core.solvers.identity.compiled import compiled
from core.solvers.identity.model import log_marginal_sum, merge_step
from core.solvers.identity.names import give_name, groups_of, take_name
from core.solvers.identity.state import Data, Params, State
from core.solvers.identity.steps import insert_unit, remove_unit


@compiled
def join_clusters(data: Data, state: State, params: Params, one: int, other: int, shared: int) -> float:
    """What it adds that two clusters with the same name, or both without one, become one."""
    size, more = state.size[one], state.size[other]
    value = log_marginal_sum(float(size + more), state.total[one], state.total[other], data.psi)
    value -= state.marginal[one] + state.marginal[other]
    value -= data.half_logdet[size + more] - data.half_logdet[size] - data.half_logdet[more]
    value *= params.temperature
    value += merge_step(state, params, size, more, state.name[one])
    if state.name[one] < 0:
        value -= params.exclusivity * shared
    return float(value)


@compiled
def near_sum(data: Data, state: State, units: IntArray, other: int) -> float:
    """What the look-alikes of one cluster in the other add if both become one."""
    value = 0.0
    for unit in units:
        for j in range(data.edge_start[unit], data.edge_start[unit + 1]):
            if state.cluster[data.edge_unit[j]] == other:
                value += data.edge_weight[j]
    return value


@compiled
def partners(data: Data, state: State, units: IntArray, cluster: int, votes: IntArray, out: IntArray) -> int:
    """The clusters of a cluster's look-alikes, and the other bearer of its name. Returns how many."""
    many = 0
    for unit in units:
        for i in range(data.neighbours.shape[1]):
            other = data.neighbours[unit, i]
            k = state.cluster[other] if other >= 0 else -1
            if k >= 0 and k != cluster and votes[k] != cluster and many < len(out) - 1:
                votes[k] = cluster
                out[many] = k
                many += 1
    name = state.name[cluster]
    if name >= 0 and state.bearer[name] != cluster and votes[state.bearer[name]] != cluster:
        out[many] = state.bearer[name]
        many += 1
    return many


@compiled
def merge_clusters(data: Data, state: State, params: Params, order: IntArray, start: IntArray, members: IntArray) -> int:
    """Every cluster in ``order`` is merged into the cluster with which that adds most, if it adds anything.

    The union bears the name of either. Clusters that took one in, or ended, are passed over. Returns how many merged.
    """
    clusters = len(state.size)
    mark, votes, touched = np.full(data.groups, -1, np.int64), np.full(clusters, -1, np.int64), np.zeros(clusters, np.bool_)
    mine, theirs, near = np.empty(data.groups, np.int64), np.empty(data.groups, np.int64), np.empty(256, np.int64)
    stamp, merged = 0, 0
    for cluster in order:
        if touched[cluster] or state.size[cluster] == 0:
            continue
        units, old = members[start[cluster] : start[cluster + 1]], state.name[cluster]
        groups = mine[: groups_of(data, units, mark, stamp, mine)]
        stamp += 1
        best, target, kept = 0.0, -1, -1
        for i in range(partners(data, state, units, cluster, votes, near)):
            other = near[i]
            if touched[other]:
                continue
            others, theirs_name = members[start[other] : start[other + 1]], state.name[other]
            shared = 0
            for group in groups:
                for j in range(data.group_start[group], data.group_start[group + 1]):
                    if state.cluster[data.group_unit[j]] == other:
                        shared += 1
                        break
            beyond = theirs[: groups_of(data, others, mark, stamp, theirs)]
            stamp += 1
            for way in range(2):
                name = theirs_name if way == 0 else old
                if way == 1 and (old == theirs_name or old < 0):
                    continue
                value = rename(data, state, params, cluster, name, units, groups)
                value += rename(data, state, params, other, name, others, beyond)
                value += join_clusters(data, state, params, cluster, other, shared) + near_sum(data, state, units, other)
                rename(data, state, params, other, theirs_name, others, beyond)
                rename(data, state, params, cluster, old, units, groups)
                if value > best:
                    best, target, kept = value, other, name
        if target >= 0:
            others = members[start[target] : start[target + 1]]
            beyond = theirs[: groups_of(data, others, mark, stamp, theirs)]
            stamp += 1
            rename(data, state, params, cluster, kept, units, groups)
            rename(data, state, params, target, kept, others, beyond)
            for unit in units:
                remove_unit(data, state, params, unit)
                insert_unit(data, state, params, unit, target, kept)
            touched[target] = touched[cluster] = True
            merged += 1
    return merged


@compiled
def rename(data: Data, state: State, params: Params, cluster: int, name: int, units: IntArray, groups: IntArray) -> float:
    """A cluster changes its name, or loses it (-1). Returns what that adds."""
    value = 0.0
    if state.name[cluster] != name:
        if state.name[cluster] >= 0:
            value += take_name(data, state, params, cluster, units, groups)
        if name >= 0:
            value += give_name(data, state, params, cluster, name, units, groups)
    return value
