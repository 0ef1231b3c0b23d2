"""The moves: a unit to another cluster, a name to another cluster, two clusters into one.

Each weighs its alternatives by what they add to the log-joint (``model.py``), and draws one of them. A draw is the maximum
of log-weight plus Gumbel noise that is a hash of (seed, turn, who, alternative): runs on nearly the same data draw the
same, and come together again where they parted. At temperature 0 the best alternative is taken.
"""

from __future__ import annotations

import math

import numpy as np

from core.corrections import OPEN
from core.problem import FloatArray, IntArray
from core.solvers.identity.compiled import compiled
from core.solvers.identity.model import (
    ALIVE,
    FREE,
    PLACED,
    SINGLES,
    Data,
    Params,
    State,
    caption_step,
    crowd_steps,
    log_marginal,
    log_marginal_more,
    mention_kinds,
    seat,
    stranger_to_film,
)

NEVER = -1e9  # the weight of what people ruled out
MOST = 37.5  # no noise of ``gumbel`` is above this
ALL = 64  # with at most so many clusters, every one is weighed for every unit


@compiled
def gumbel(seed: int, turn: int, who: int, alternative: int) -> float:
    """Standard Gumbel noise from a hash (splitmix64) of its arguments."""
    x = np.uint64(seed) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(turn) * np.uint64(0xD6E8FEB86659FD93)
    x ^= (np.uint64(who) + np.uint64(1)) * np.uint64(0xBF58476D1CE4E5B9)
    x ^= (np.uint64(alternative) + np.uint64(7)) * np.uint64(0x94D049BB133111EB)
    for _ in range(2):
        x ^= x >> np.uint64(30)
        x *= np.uint64(0xBF58476D1CE4E5B9)
        x ^= x >> np.uint64(27)
        x *= np.uint64(0x94D049BB133111EB)
        x ^= x >> np.uint64(31)
    return -math.log(-math.log((float(x >> np.uint64(11)) + 0.5) / 9007199254740992.0))


# --- What the moves ask of the state -----------------------------------------------------------------------------------


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
    """What captions, frames and films add if a unit comes to bear a name."""
    value, visible = -stranger_to_film(data, state, unit, name), state.visible[name]
    hits[:] = state.hits[name]
    for i in range(data.unit_start[unit], data.unit_start[unit + 1]):
        group = data.unit_group[i]
        if is_visible(data, state, group, name, unit, -1):
            value -= params.exclusivity
            continue
        kinds = mention_kinds(data, group, name)
        if kinds == 0 and not params.absence:
            continue
        value += caption_step(data, params, state.rate, name, visible, hits, kinds)
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
    """What links say by themselves for this unit to bear this name; ``NEVER`` if people ruled it out."""
    if data.fixed[unit] != OPEN:
        return 0.0 if data.fixed[unit] == name else NEVER
    if name < 0:
        return 0.0
    for j in range(data.refused_start[unit], data.refused_start[unit + 1]):
        if data.refused_name[j] == name:
            return NEVER
    value = 0.0
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
                for i in range(state.counts[ALIVE]):
                    if state.name[state.alive[i]] == name:
                        state.bearer[name] = state.alive[i]


@compiled
def weigh(data: Data, state: State, cluster: int) -> None:
    """What follows from a cluster's new size and total."""
    size = float(state.size[cluster])
    state.marginal[cluster] = log_marginal(size, state.total[cluster], data.psi)
    for d in range(len(data.psi)):
        state.gain[cluster, d] = data.psi[d] / (1.0 + (size + 1.0) * data.psi[d])


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
    weigh(data, state, cluster)
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
    weigh(data, state, cluster)
    state.cluster[unit] = cluster
    return cluster


# --- A unit to another cluster -----------------------------------------------------------------------------------------


@compiled
def gather(data: Data, state: State, unit: int, close: FloatArray, keep: float) -> None:
    """By cluster, what the unit's look-alikes there are worth; with ``keep`` 0 they are cleared again."""
    for j in range(data.edge_start[unit], data.edge_start[unit + 1]):
        k = state.cluster[data.edge_unit[j]]
        close[k] = keep * (close[k] + data.edge_weight[j])


@compiled
def join(
    data: Data, state: State, params: Params, unit: int, cluster: int, hits: IntArray, crowd: FloatArray, close: FloatArray
) -> float:
    """What a unit that is in no cluster adds by joining this one, with what ``crowd_steps`` and ``gather`` found."""
    size, name = state.size[cluster], state.name[cluster]
    total = state.total[cluster]
    value = log_marginal_more(state.gain[cluster], total, data.y[unit]) - state.marginal[cluster]
    value = params.temperature * (value - data.half_logdet[size + 1] + data.half_logdet[size])
    value += seat(state, params, crowd, cluster, name) + close[cluster]
    if name >= 0:
        value += name_unit(data, state, params, unit, name, hits)
    else:
        value -= params.exclusivity * meets(data, state, unit, cluster)
    return float(value + link_evidence(data, unit, name))


@compiled
def start_cluster(
    data: Data, state: State, params: Params, unit: int, name: int, hits: IntArray, crowd: FloatArray
) -> float:
    """What a unit that is in no cluster adds by a cluster of its own with this name (-1: none)."""
    value = 0.0
    for d in range(len(data.psi)):
        value += data.y[unit, d] * data.y[unit, d] * data.psi[d] / (1.0 + data.psi[d])
    value = params.temperature * (0.5 * value - data.half_logdet[1])
    value += seat(state, params, crowd, -1, name)
    if name >= 0:
        value += name_unit(data, state, params, unit, name, hits)
    return float(value + link_evidence(data, unit, name))


@compiled
def unit_alternatives(
    data: Data, state: State, params: Params, unit: int, home: int, seen: IntArray, cluster: IntArray, name: IntArray
) -> int:
    """The clusters that a unit may join, then -1 with each name that it may found a cluster with. Returns how many."""
    many = 0
    seen[home] = unit
    if state.size[home] > 0:
        cluster[many], name[many] = home, state.name[home]
        many += 1
    if state.counts[ALIVE] <= ALL:
        for i in range(state.counts[ALIVE]):
            k = state.alive[i]
            if seen[k] != unit:
                seen[k] = unit
                cluster[many], name[many] = k, state.name[k]
                many += 1
    else:
        for i in range(data.neighbours.shape[1]):
            other = data.neighbours[unit, i]
            if other >= 0 and state.cluster[other] >= 0 and seen[state.cluster[other]] != unit:
                k = state.cluster[other]
                seen[k] = unit
                cluster[many], name[many] = k, state.name[k]
                many += 1
    limit = len(cluster) - 2
    first = -1
    for i in range(data.unit_start[unit], data.unit_start[unit + 1]):
        group = data.unit_group[i]
        for j in range(data.mention_start[group], data.mention_start[group + 1]):
            k = state.bearer[data.mention_name[j]]
            if k >= 0 and seen[k] != unit and many < limit:
                seen[k] = unit
                cluster[many], name[many] = k, state.name[k]
                many += 1
    if data.fixed[unit] >= 0 and state.bearer[data.fixed[unit]] >= 0 and seen[state.bearer[data.fixed[unit]]] != unit:
        cluster[many], name[many] = state.bearer[data.fixed[unit]], data.fixed[unit]
        many += 1
    first = many
    cluster[many], name[many] = -1, -1
    many += 1
    if data.fixed[unit] >= 0:
        cluster[many], name[many] = -1, data.fixed[unit]
        return many + 1
    for i in range(data.unit_start[unit], data.unit_start[unit + 1]):
        group = data.unit_group[i]
        for j in range(data.mention_start[group], data.mention_start[group + 1]):
            c, known = data.mention_name[j], False
            for r in range(first, many):
                known |= name[r] == c
            if not known and many < limit:
                cluster[many], name[many] = -1, c
                many += 1
    return many


@compiled
def sweep_units(
    data: Data,
    state: State,
    params: Params,
    order: IntArray,
    temperature: float,
    seed: int,
    turn: int,
    tally_name: IntArray,
    tally: FloatArray,
) -> int:
    """Every unit in ``order`` draws its cluster anew, given all others (collapsed Gibbs). Returns how many moved.

    Where ``tally`` has columns, the chances of each unit's names, given all others, are added to it.
    """
    many_clusters, width = len(state.size), 4096
    seen = np.full(many_clusters, -1, np.int64)
    cluster, name, key = np.empty(width, np.int64), np.empty(width, np.int64), np.empty(width, np.int64)
    weight, hits = np.empty(width), np.empty(state.hits.shape[1], np.int64)
    close, crowd = np.zeros(many_clusters), np.empty(3)
    moved = 0
    for unit in order:
        home = state.cluster[unit]
        remove_unit(data, state, params, unit)
        many = unit_alternatives(data, state, params, unit, home, seen, cluster, name)
        gather(data, state, unit, close, 1.0)
        crowd_steps(state, params, crowd)
        for i in range(many):
            if cluster[i] >= 0:
                weight[i] = join(data, state, params, unit, cluster[i], hits, crowd, close)
            else:
                weight[i] = start_cluster(data, state, params, unit, name[i], hits, crowd)
            key[i] = cluster[i] if cluster[i] >= 0 else many_clusters + 1 + name[i]
        gather(data, state, unit, close, 0.0)
        best, state.margin[unit] = draw(weight[:many], key, temperature, seed, turn, unit)
        if tally.shape[1] > 0:
            tally_names(unit, name, weight[:many], tally_name, tally)
        k = insert_unit(data, state, params, unit, cluster[best], name[best])
        seen[home] = -1  # a cluster that was founded anew may have the number of one that ended
        seen[k] = -1
        moved += k != home
    return moved


@compiled
def draw(weight: FloatArray, key: IntArray, temperature: float, seed: int, turn: int, who: int) -> tuple[int, float]:
    """One of the alternatives, by their log-weights, and by how much the best of these exceeds the second."""
    best, top, highest, second = 0, -np.inf, -np.inf, -np.inf
    for i in range(len(weight)):
        value = weight[i]
        second = max(second, min(value, highest))
        highest = max(highest, value)
        if temperature > 0.0:
            value /= temperature
            if value + MOST <= top:
                continue
            value += gumbel(seed, turn, who, key[i])
        if value > top:
            best, top = i, value
    return best, highest - second


@compiled
def tally_names(unit: int, name: IntArray, weight: FloatArray, tally_name: IntArray, tally: FloatArray) -> None:
    """Adds softmax(weight), summed by name, to the unit's row of the tally; the likeliest stay if it is full."""
    chance = np.exp(weight - weight.max())
    chance /= chance.sum()
    for i in range(len(weight)):
        if chance[i] < 1e-5:
            continue
        for r in range(tally.shape[1]):
            if tally[unit, r] == 0.0 or tally_name[unit, r] == name[i]:
                tally_name[unit, r] = name[i]
                tally[unit, r] += chance[i]
                break
