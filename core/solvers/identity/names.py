"""A name to another cluster: given, taken, shared or exchanged. See ``moves.py``."""

from __future__ import annotations

import numpy as np

from core.problem import IntArray
from core.solvers.identity.beside import Beside, empty_beside, names_beside
from core.solvers.identity.compiled import compiled
from core.solvers.identity.model import caption_term, mention_kinds, rename_step
from core.solvers.identity.moves import draw
from core.solvers.identity.state import ALIVE, SINGLES, Data, Params, State
from core.solvers.identity.steps import add_bearer, is_visible, link_evidence

GIVE, TAKE, EXCHANGE = 1, 2, 3  # a cluster takes a name as a further bearer, from its bearer, or for its own


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
def worth(data: Data, units: IntArray, name: int) -> float:
    """What links and films add if these units bear a name."""
    value = 0.0
    for unit in units:
        value += link_evidence(data, unit, name)
    return value


# --- A name changes hands ----------------------------------------------------------------------------------------------


@compiled
def meeting(
    data: Data, state: State, params: Params, cluster: int, name: int, groups: IntArray, hits: IntArray
) -> tuple[int, int]:
    """The groups in which a name is visible through this cluster alone, and those where others bear it, too.

    Those of the former that mention it are counted in ``hits``.
    """
    hits[:] = 0
    visible, clash = 0, 0
    for group in groups:
        if is_visible(data, state, group, name, -1, cluster):
            clash += 1
            continue
        kinds = mention_kinds(data, group, name)
        visible += params.absence or kinds != 0
        for kind in range(len(hits)):
            hits[kind] += kinds >> kind & 1
    return visible, clash


@compiled
def count_groups(data: Data, state: State, params: Params, cluster: int, name: int, groups: IntArray, sign: int) -> float:
    """Counts a cluster's groups in, or out, of those where a name is visible. Returns what captions and frames add."""
    hits = np.empty(state.hits.shape[1], np.int64)
    visible, clash = meeting(data, state, params, cluster, name, groups, hits)
    value = -caption_term(data, state.rate, name, state.visible[name], state.hits[name])
    state.visible[name] += sign * visible
    state.hits[name] += sign * hits
    value += caption_term(data, state.rate, name, state.visible[name], state.hits[name])
    return value - sign * params.exclusivity * clash


@compiled
def give_name(data: Data, state: State, params: Params, cluster: int, name: int, units: IntArray, groups: IntArray) -> float:
    """A cluster without a name takes one. Returns what that adds to the log-joint."""
    value = count_groups(data, state, params, cluster, name, groups, 1)
    value += rename_step(state, params, state.size[cluster], name)
    value += worth(data, units, name) - worth(data, units, -1)
    add_bearer(state, name, cluster, 1)
    return value


@compiled
def take_name(data: Data, state: State, params: Params, cluster: int, units: IntArray, groups: IntArray) -> float:
    """A cluster gives its name up: the reverse of ``give_name``."""
    name = state.name[cluster]
    add_bearer(state, name, cluster, -1)
    value = count_groups(data, state, params, cluster, name, groups, -1)
    value -= rename_step(state, params, state.size[cluster], name)
    return value + worth(data, units, -1) - worth(data, units, name)


# --- The sweep over clusters -------------------------------------------------------------------------------------------


@compiled
def give_value(data: Data, state: State, params: Params, cluster: int, name: int, groups: int, beside: Beside) -> float:
    """What ``give_name`` would add, from the counts of ``names_beside``."""
    kinds = state.hits.shape[1]
    hits = state.hits[name] + beside.heard[name, :kinds] - beside.barred[name, :kinds]
    visible = groups - beside.clash[name] if params.absence else beside.heard[name, kinds] - beside.barred[name, kinds]
    value = caption_term(data, state.rate, name, state.visible[name] + visible, hits)
    value -= caption_term(data, state.rate, name, state.visible[name], state.hits[name])
    value -= params.exclusivity * beside.clash[name]
    return float(value) + rename_step(state, params, state.size[cluster], name)


@compiled
def rival_values(
    data: Data, state: State, params: Params, cluster: int, old: int, name: int, groups: int, beside: Beside,
    rival_groups: IntArray, rival_units: IntArray,
) -> tuple[float, float]:  # fmt: skip
    """What it adds that a cluster takes the name of its only bearer, and that this one takes its ``old`` name for it."""
    rival, kinds = state.bearer[name], state.hits.shape[1]
    size, hits = state.size[rival], np.empty(state.hits.shape[1], np.int64)
    visible = groups if params.absence else beside.heard[name, kinds]
    value = caption_term(data, state.rate, name, visible, beside.heard[name, :kinds])
    value -= caption_term(data, state.rate, name, state.visible[name], state.hits[name])
    state.units[name] -= size
    state.counts[SINGLES] += size == 1
    value += rename_step(state, params, state.size[cluster], name) - rename_step(state, params, size, name)
    exchanged = -np.inf
    if old >= 0:
        state.counts[SINGLES] -= state.size[cluster] == 1
        seen, clash = meeting(data, state, params, rival, old, rival_groups, hits)
        hits += state.hits[old]
        exchanged = caption_term(data, state.rate, old, state.visible[old] + seen, hits)
        exchanged -= caption_term(data, state.rate, old, state.visible[old], state.hits[old])
        exchanged += value + rename_step(state, params, size, old) - params.exclusivity * clash
        exchanged += worth(data, rival_units, old) - worth(data, rival_units, -1)
        state.counts[SINGLES] += state.size[cluster] == 1
    state.units[name] += size
    state.counts[SINGLES] -= size == 1
    return value, exchanged


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
    mark, beside = np.full(data.groups, -1, np.int64), empty_beside(names, state.hits.shape[1])
    mine, theirs, near = np.empty(data.groups, np.int64), np.empty(data.groups, np.int64), np.empty(names, np.int64)
    lent = np.zeros(len(state.size))  # by cluster: what links and films add by its name
    for k in state.alive[: state.counts[ALIVE]]:
        units = members[start[k] : start[k + 1]]
        lent[k] = worth(data, units, state.name[k]) - worth(data, units, -1)
    what, way = np.empty(3 * names + 1, np.int64), np.empty(3 * names + 1, np.int64)
    value = np.empty(3 * names + 1)
    stamp, changed = 0, 0
    for cluster in order:
        units, old = members[start[cluster] : start[cluster + 1]], state.name[cluster]
        groups = mine[: groups_of(data, units, mark, stamp, mine)]
        if old >= 0:
            take_name(data, state, params, cluster, units, groups)
        beside_many = names_beside(data, state, cluster, old, units, groups, beside, stamp, near)
        stamp += 1
        none = worth(data, units, -1)
        what[0], way[0], value[0], many = -1, 0, 0.0, 1
        for name in near[:beside_many]:
            told, rival = beside.told[name] - none, state.bearer[name]
            what[many], way[many] = name, GIVE
            value[many] = told + give_value(data, state, params, cluster, name, len(groups), beside)
            many += 1
            if state.bearers[name] != 1 or name == old:
                continue
            others, beyond = members[start[rival] : start[rival + 1]], theirs[:0]
            if old >= 0:
                beyond = theirs[: groups_of(data, others, mark, stamp, theirs)]
                stamp += 1
            taken, exchanged = rival_values(data, state, params, cluster, old, name, len(groups), beside, beyond, others)
            what[many], way[many], value[many] = name, TAKE, told + taken - lent[rival]
            many += 1
            if old >= 0:
                what[many], way[many], value[many] = name, EXCHANGE, told + exchanged - lent[rival]
                many += 1
        best, state.name_margin[cluster] = draw(value[:many], 3 * what + way, temperature, seed, turn, cluster)
        name = what[best]
        if way[best] >= TAKE:
            rival = state.bearer[name]
            others = members[start[rival] : start[rival + 1]]
            beyond = theirs[: groups_of(data, others, mark, stamp, theirs)]
            stamp += 1
            take_name(data, state, params, rival, others, beyond)
            if way[best] == EXCHANGE:
                give_name(data, state, params, rival, old, others, beyond)
            lent[rival] = worth(data, others, state.name[rival]) - worth(data, others, -1)
        if name >= 0:
            give_name(data, state, params, cluster, name, units, groups)
        lent[cluster] = worth(data, units, name) - none
        changed += name != old
    return changed
