"""What moves ask of the state, and their smallest steps: a unit leaves a cluster or enters one, a cluster gets a name."""

from __future__ import annotations

import numpy as np

from core.corrections import OPEN
from core.problem import IntArray
from core.solvers.identity.compiled import compiled
from core.solvers.identity.model import caption_step, log_marginal, mention_kinds
from core.solvers.identity.state import ALIVE, FREE, PLACED, SINGLES, Data, Params, State

NEVER = -1e9  # the weight of what people ruled out


@compiled
def is_visible(data: Data, state: State, group: int, name: int, but_unit: int, but_cluster: int) -> bool:
    """Whether a unit of the group bears the name, not counting one unit and one cluster, which do not bear it now."""
    for j in range(data.group_start[group], data.group_start[group + 1]):
        unit = data.group_unit[j]
        cluster = state.cluster[unit]
        if unit != but_unit and cluster >= 0 and cluster != but_cluster and state.name[cluster] == name:
            return True
    return False


@compiled
def meets(data: Data, state: State, unit: int, cluster: int) -> int:
    """The groups of a unit in which another unit is of this cluster."""
    count = 0
    for i in range(data.unit_start[unit], data.unit_start[unit + 1]):
        group = data.unit_group[i]
        for j in range(data.group_start[group], data.group_start[group + 1]):
            other = data.group_unit[j]
            if other != unit and state.cluster[other] == cluster:
                count += 1
                break
    return count


@compiled
def name_unit(data: Data, state: State, params: Params, unit: int, name: int, hits: IntArray) -> float:
    """What captions and frames add if a unit comes to bear a name."""
    value, visible = 0.0, state.visible[name]
    hits[:] = state.hits[name]
    for i in range(data.unit_start[unit], data.unit_start[unit + 1]):
        group = data.unit_group[i]
        if is_visible(data, state, group, name, unit, -1):
            value -= params.exclusivity
            continue
        kinds = mention_kinds(data, group, name)
        if kinds == 0 and not params.absence:
            continue
        value += caption_step(data, state.rate, name, visible, hits, kinds)
        visible += 1
        for kind in range(len(hits)):
            hits[kind] += kinds >> kind & 1
    return value


@compiled
def count_unit(data: Data, state: State, params: Params, unit: int, name: int, sign: int) -> None:
    """Counts the groups in which a name is visible through this unit alone, in or out; the unit is in no cluster."""
    for i in range(data.unit_start[unit], data.unit_start[unit + 1]):
        group = data.unit_group[i]
        if is_visible(data, state, group, name, unit, -1):
            continue
        kinds = mention_kinds(data, group, name)
        if kinds == 0 and not params.absence:
            continue
        state.visible[name] += sign
        for kind in range(state.hits.shape[1]):
            state.hits[name, kind] += sign * (kinds >> kind & 1)


@compiled
def link_evidence(data: Data, unit: int, name: int) -> float:
    """What links and films say for this unit to bear this name; ``NEVER`` if people ruled it out."""
    if data.fixed[unit] != OPEN:
        return 0.0 if data.fixed[unit] == name else NEVER
    if name < 0:
        return 0.0
    for j in range(data.refused_start[unit], data.refused_start[unit + 1]):
        if data.refused_name[j] == name:
            return NEVER
    value = -data.film_cost[data.unit_film[unit], name] if data.unit_film[unit] >= 0 else 0.0
    for j in range(data.evidence_start[unit], data.evidence_start[unit + 1]):
        if data.evidence_name[j] == name:
            value += data.evidence_value[j]
    return value


@compiled
def violated(data: Data, state: State) -> IntArray:
    """The units whose names people ruled out."""
    out, many = np.empty(len(state.cluster), np.int64), 0
    for unit in range(len(out)):
        if link_evidence(data, unit, state.name[state.cluster[unit]]) == NEVER:
            out[many] = unit
            many += 1
    return out[:many]


@compiled
def add_bearer(state: State, name: int, cluster: int, sign: int) -> None:
    """A cluster takes a name or gives it up."""
    state.bearers[name] += sign
    state.units[name] += sign * state.size[cluster]
    if state.size[cluster] == 1:
        state.counts[SINGLES] -= sign
    if sign > 0:
        state.name[cluster] = name
        state.bearer[name] = cluster
    else:
        state.name[cluster] = -1
        if state.bearer[name] == cluster:
            state.bearer[name] = -1
            if state.bearers[name] > 0:
                for i in range(state.counts[ALIVE] - 1, -1, -1):
                    if state.name[state.alive[i]] == name:
                        state.bearer[name] = state.alive[i]
                        break


@compiled
def remove_unit(data: Data, state: State, params: Params, unit: int) -> None:
    cluster = state.cluster[unit]
    name = state.name[cluster]
    state.cluster[unit] = -1
    if name >= 0:
        count_unit(data, state, params, unit, name, -1)
        state.units[name] -= 1
    state.size[cluster] -= 1
    state.counts[PLACED] -= 1
    if name < 0 and state.size[cluster] < 2:
        state.counts[SINGLES] += 1 if state.size[cluster] == 1 else -1
    for d in range(data.y.shape[1]):
        state.total[cluster, d] -= data.y[unit, d]
    state.marginal[cluster] = log_marginal(float(state.size[cluster]), state.total[cluster], data.psi)
    if state.size[cluster] > 0:
        return
    last = state.alive[state.counts[ALIVE] - 1]
    state.alive[state.place[cluster]] = last
    state.place[last] = state.place[cluster]
    state.counts[ALIVE] -= 1
    if name >= 0:
        add_bearer(state, name, cluster, -1)
    state.free[state.counts[FREE]] = cluster
    state.counts[FREE] += 1


@compiled
def insert_unit(data: Data, state: State, params: Params, unit: int, cluster: int, name: int) -> int:
    """Puts a unit into a cluster, or, if that is -1, into a new one with this name. Returns the cluster."""
    if cluster < 0:
        state.counts[FREE] -= 1
        cluster = state.free[state.counts[FREE]]
        state.alive[state.counts[ALIVE]] = cluster
        state.place[cluster] = state.counts[ALIVE]
        state.counts[ALIVE] += 1
        state.total[cluster, :] = 0.0
        state.name[cluster] = -1
        if name >= 0:
            add_bearer(state, name, cluster, 1)
    if name >= 0:
        count_unit(data, state, params, unit, name, 1)
        state.units[name] += 1
    state.size[cluster] += 1
    state.counts[PLACED] += 1
    if name < 0 and state.size[cluster] < 3:
        state.counts[SINGLES] += 1 if state.size[cluster] == 1 else -1
    for d in range(data.y.shape[1]):
        state.total[cluster, d] += data.y[unit, d]
    state.marginal[cluster] = log_marginal(float(state.size[cluster]), state.total[cluster], data.psi)
    state.cluster[unit] = cluster
    return cluster
