"""The moves: a unit to another cluster, a name to another cluster, two clusters into one.

Each weighs its alternatives by what they add to the log-joint (``model.py``), and draws one of them. A draw is the maximum
of log-weight plus Gumbel noise that is a hash of (seed, turn, who, alternative): runs on nearly the same data draw the
same, and come together again where they parted. At temperature 0 the best alternative is taken.
"""

from __future__ import annotations

import math

import numpy as np

from core.problem import FloatArray, IntArray
from core.solvers.identity.compiled import compiled
from core.solvers.identity.model import crowd_steps, log_marginal_more, seat
from core.solvers.identity.state import ALIVE, Data, Params, State
from core.solvers.identity.steps import insert_unit, link_evidence, meets, name_unit, remove_unit

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
    value = log_marginal_more(data.gain[size], total, data.y[unit]) - state.marginal[cluster]
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
    value = params.temperature * (data.alone[unit] - data.half_logdet[1])
    value += seat(state, params, crowd, -1, name)
    if name >= 0:
        value += name_unit(data, state, params, unit, name, hits)
    return float(value + link_evidence(data, unit, name))


@compiled
def offer(state: State, unit: int, k: int, seen: IntArray, cluster: IntArray, name: IntArray, many: int) -> int:
    """Lists a cluster (-1: none) for a unit, unless it is there. Returns how many there are."""
    if k < 0 or seen[k] == unit:
        return many
    seen[k] = unit
    cluster[many], name[many] = k, state.name[k]
    return many + 1


@compiled
def unit_alternatives(
    data: Data, state: State, unit: int, home: int, seen: IntArray, cluster: IntArray, name: IntArray
) -> int:
    """The clusters that a unit may join, then -1 with each name that it may found a cluster with. Returns how many."""
    many = 0
    if state.size[home] > 0:
        many = offer(state, unit, home, seen, cluster, name, many)
    seen[home] = unit
    if state.counts[ALIVE] <= ALL:
        for i in range(state.counts[ALIVE]):
            many = offer(state, unit, state.alive[i], seen, cluster, name, many)
    else:
        for i in range(data.neighbours.shape[1]):
            if data.neighbours[unit, i] >= 0:
                many = offer(state, unit, state.cluster[data.neighbours[unit, i]], seen, cluster, name, many)
    limit = len(cluster) - 2
    for i in range(data.unit_start[unit], data.unit_start[unit + 1]):
        group = data.unit_group[i]
        for j in range(data.mention_start[group], data.mention_start[group + 1]):
            if many < limit:
                many = offer(state, unit, state.bearer[data.mention_name[j]], seen, cluster, name, many)
    if data.fixed[unit] >= 0:
        many = offer(state, unit, state.bearer[data.fixed[unit]], seen, cluster, name, many)
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
        many = unit_alternatives(data, state, unit, home, seen, cluster, name)
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
