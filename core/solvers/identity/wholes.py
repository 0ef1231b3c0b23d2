"""Moves of whole clusters: names handed on, clusters merged, clusters split. See ``moves.py``."""

from __future__ import annotations

import numpy as np

from core.problem import IntArray
from core.solvers.identity.compiled import compiled
from core.solvers.identity.model import (
    Data,
    Params,
    State,
    caption_term,
    log_marginal_sum,
    mention_kinds,
    merge_step,
    rename_step,
    stranger_to_film,
)
from core.solvers.identity.moves import ALL, add_bearer, gumbel, insert_unit, is_visible, link_evidence, remove_unit, show


@compiled
def groups_of(data: Data, units: IntArray, mark: IntArray, stamp: int, out: IntArray) -> int:
    """The groups of these units, each once. Returns how many. ``stamp`` must be new to ``mark``."""
    many = 0
    for unit in units:
        for i in range(data.unit_start[unit], data.unit_start[unit + 1]):
            group = data.unit_group[i]
            if mark[group] != stamp:
                mark[group] = stamp
                out[many] = group
                many += 1
    return many


@compiled
def give_name(data: Data, state: State, params: Params, cluster: int, name: int, units: IntArray, groups: IntArray) -> float:
    """A cluster without a name takes one. Returns what that adds to the log-joint."""
    before = caption_term(data, params, state.rate, name, state.visible[name], state.hits[name])
    value = 0.0
    for group in groups:
        if is_visible(data, state, group, name, -1, cluster):
            value -= params.exclusivity
            continue
        kinds = mention_kinds(data, group, name)
        if kinds == 0 and not params.absence:
            continue
        state.visible[name] += 1
        for kind in range(state.hits.shape[1]):
            state.hits[name, kind] += kinds >> kind & 1
    value += caption_term(data, params, state.rate, name, state.visible[name], state.hits[name]) - before
    value += rename_step(state, params, state.size[cluster], name)
    for unit in units:
        value += link_evidence(data, unit, name) - link_evidence(data, unit, -1) - stranger_to_film(data, state, unit, name)
        show(data, state, unit, name, 1)
    add_bearer(state, name, cluster, 1)
    return value


@compiled
def take_name(data: Data, state: State, params: Params, cluster: int, units: IntArray, groups: IntArray) -> float:
    """A cluster gives its name up: the reverse of ``give_name``."""
    name = state.name[cluster]
    for unit in units:
        show(data, state, unit, name, -1)
    add_bearer(state, name, cluster, -1)
    before = caption_term(data, params, state.rate, name, state.visible[name], state.hits[name])
    value = 0.0
    for group in groups:
        if is_visible(data, state, group, name, -1, cluster):
            value += params.exclusivity
            continue
        kinds = mention_kinds(data, group, name)
        if kinds == 0 and not params.absence:
            continue
        state.visible[name] -= 1
        for kind in range(state.hits.shape[1]):
            state.hits[name, kind] -= kinds >> kind & 1
    value += caption_term(data, params, state.rate, name, state.visible[name], state.hits[name]) - before
    value -= rename_step(state, params, state.size[cluster], name)
    for unit in units:
        value += link_evidence(data, unit, -1) - link_evidence(data, unit, name) + stranger_to_film(data, state, unit, name)
    return value


# --- Names -------------------------------------------------------------------------------------------------------------


@compiled
def names_beside(
    data: Data, state: State, units: IntArray, groups: IntArray, mark: IntArray, stamp: int, out: IntArray
) -> int:
    """The names that a cluster may bear: those mentioned in its groups, and those that links or people speak of.

    Where there are few names, also those that captions mention elsewhere and nobody bears.
    """
    many = 0
    for group in groups:
        for j in range(data.mention_start[group], data.mention_start[group + 1]):
            name = data.mention_name[j]
            if mark[name] != stamp:
                mark[name] = stamp
                out[many] = name
                many += 1
    for unit in units:
        if data.fixed[unit] >= 0 and mark[data.fixed[unit]] != stamp:
            mark[data.fixed[unit]] = stamp
            out[many] = data.fixed[unit]
            many += 1
        for j in range(data.evidence_start[unit], data.evidence_start[unit + 1]):
            if mark[data.evidence_name[j]] != stamp:
                mark[data.evidence_name[j]] = stamp
                out[many] = data.evidence_name[j]
                many += 1
    if len(state.bearers) <= ALL:
        for name in range(len(state.bearers)):
            if state.bearers[name] == 0 and mark[name] != stamp and data.mentions[name].sum() > 0:
                mark[name] = stamp
                out[many] = name
                many += 1
    return many


@compiled
def sweep_names(
    data: Data, state: State, params: Params, order: IntArray, start: IntArray, members: IntArray,
    temperature: float, seed: int, turn: int,
) -> int:  # fmt: skip
    """Every cluster in ``order`` draws its name anew. Returns how many changed it.

    The units of cluster k are ``members[start[k]:start[k + 1]]``. A name that another cluster alone bears may be shared,
    taken from it, or exchanged for the cluster's own.
    """
    names = len(state.visible)
    mark, name_mark = np.full(data.groups, -1, np.int64), np.full(names, -1, np.int64)
    mine, theirs, beside = np.empty(data.groups, np.int64), np.empty(data.groups, np.int64), np.empty(names, np.int64)
    stamp, asked, changed = 0, 0, 0
    for cluster in order:
        units, old = members[start[cluster] : start[cluster + 1]], state.name[cluster]
        groups = mine[: groups_of(data, units, mark, stamp, mine)]
        many = names_beside(data, state, units, groups, name_mark, asked, beside)
        stamp, asked = stamp + 1, asked + 1
        if old >= 0:
            take_name(data, state, params, cluster, units, groups)
        top, best, way = gumbel(seed, turn, cluster, 0) if temperature > 0 else 0.0, -1, 0
        stride = (many + ALL - 1) // ALL  # of very many names, a part of them each turn
        for i in range(many + 1):
            if i == many and (old < 0 or (stride <= 1 and name_mark[old] == asked - 1)):
                break
            if i < many and stride > 1 and ((i + turn + cluster) % stride or beside[i] == old):
                continue
            name = beside[i] if i < many else old
            value = give_name(data, state, params, cluster, name, units, groups)
            take_name(data, state, params, cluster, units, groups)
            top, best, way = drawn(value, temperature, seed, turn, cluster, 3 * name + 1, top, best, way, name, 1)
            rival = state.bearer[name]
            if state.bearers[name] != 1 or rival < 0 or name == old:
                continue
            others = members[start[rival] : start[rival + 1]]
            beyond = theirs[: groups_of(data, others, mark, stamp, theirs)]
            stamp += 1
            value = take_name(data, state, params, rival, others, beyond)
            value += give_name(data, state, params, cluster, name, units, groups)
            top, best, way = drawn(value, temperature, seed, turn, cluster, 3 * name + 2, top, best, way, name, 2)
            if old >= 0:
                value += give_name(data, state, params, rival, old, others, beyond)
                top, best, way = drawn(value, temperature, seed, turn, cluster, 3 * name + 3, top, best, way, name, 3)
                take_name(data, state, params, rival, others, beyond)
            take_name(data, state, params, cluster, units, groups)
            give_name(data, state, params, rival, name, others, beyond)
        if way >= 2:
            rival = state.bearer[best]
            others = members[start[rival] : start[rival + 1]]
            beyond = theirs[: groups_of(data, others, mark, stamp, theirs)]
            stamp += 1
            take_name(data, state, params, rival, others, beyond)
            if way == 3:
                give_name(data, state, params, rival, old, others, beyond)
        if best >= 0:
            give_name(data, state, params, cluster, best, units, groups)
        changed += best != old
    return changed


@compiled
def drawn(
    value: float, temperature: float, seed: int, turn: int, who: int, alternative: int,
    top: float, best: int, way: int, name: int, how: int,
) -> tuple[float, int, int]:  # fmt: skip
    """The better of the best alternative so far and this one."""
    if temperature > 0.0:
        value = value / temperature + gumbel(seed, turn, who, alternative)
    if value > top:
        return value, name, how
    return top, best, way


# --- Merges ------------------------------------------------------------------------------------------------------------


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
        best, target, kept = 0.0, -1, -1
        for i in range(partners(data, state, units, cluster, votes, near)):
            other = near[i]
            if touched[other]:
                continue
            others, theirs_name = members[start[other] : start[other + 1]], state.name[other]
            groups = mine[: groups_of(data, units, mark, stamp, mine)]
            stamp += 1
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
            groups = mine[: groups_of(data, units, mark, stamp, mine)]
            others = members[start[target] : start[target + 1]]
            beyond = theirs[: groups_of(data, others, mark, stamp + 1, theirs)]
            stamp += 2
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
