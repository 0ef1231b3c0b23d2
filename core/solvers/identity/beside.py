"""What a cluster's frames and units say about the names that it may bear. See ``names.py``."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.corrections import OPEN
from core.problem import FloatArray, IntArray
from core.solvers.identity.compiled import compiled
from core.solvers.identity.model import mention_kinds
from core.solvers.identity.moves import ALL
from core.solvers.identity.state import Data, State
from core.solvers.identity.steps import NEVER


class Beside(NamedTuple):
    """Counts by name; those of another turn are void."""

    turn: IntArray
    heard: IntArray  # groups of the cluster that mention it: by kind, and by any
    barred: IntArray  # the same of those in which somebody else bears it already,
    clash: IntArray  # and all of these
    told: FloatArray  # what links of the cluster's units, and films, say for it
    last: IntArray  # the group in which somebody else who bears it was met last


@compiled
def empty_beside(names: int, kinds: int) -> Beside:
    return Beside(
        np.full(names, -1, np.int64),
        np.zeros((names, kinds + 1), np.int64),
        np.zeros((names, kinds + 1), np.int64),
        np.zeros(names, np.int64),
        np.zeros(names),
        np.zeros(names, np.int64),
    )


@compiled
def listed(beside: Beside, name: int, turn: int, out: IntArray, many: int) -> int:
    """Adds a name to the list, and clears its counts, unless it is there. Returns how many there are."""
    if beside.turn[name] == turn:
        return many
    beside.turn[name], beside.clash[name], beside.told[name], beside.last[name] = turn, 0, 0.0, -1
    beside.heard[name], beside.barred[name] = 0, 0
    out[many] = name
    return many + 1


@compiled
def names_beside(
    data: Data, state: State, cluster: int, old: int, units: IntArray, groups: IntArray, beside: Beside, turn: int,
    out: IntArray,
) -> int:  # fmt: skip
    """The names that a cluster may bear: its own, those mentioned in its groups, those that links or people speak of.

    Where there are few names, also those that captions mention elsewhere and nobody bears. Returns how many.
    """
    many, kinds = 0, state.hits.shape[1]
    if old >= 0:
        many = listed(beside, old, turn, out, many)
    for group in groups:
        for j in range(data.mention_start[group], data.mention_start[group + 1]):
            name = data.mention_name[j]
            many = listed(beside, name, turn, out, many)
            count_mention(beside.heard[name], data.mention_kinds[j], kinds)
    fixed = 0
    for unit in units:
        if data.fixed[unit] != OPEN:
            fixed += 1
            if data.fixed[unit] >= 0:
                many = listed(beside, data.fixed[unit], turn, out, many)
                beside.told[data.fixed[unit]] -= NEVER
            continue
        for j in range(data.evidence_start[unit], data.evidence_start[unit + 1]):
            many = listed(beside, data.evidence_name[j], turn, out, many)
            beside.told[data.evidence_name[j]] += data.evidence_value[j]
    if len(state.bearers) <= ALL:
        for name in range(len(state.bearers)):
            if state.bearers[name] == 0 and data.mentions[name].sum() > 0:
                many = listed(beside, name, turn, out, many)
    for unit in units:
        for j in range(data.refused_start[unit], data.refused_start[unit + 1]):
            if beside.turn[data.refused_name[j]] == turn:
                beside.told[data.refused_name[j]] += NEVER
    for i in range(many):
        beside.told[out[i]] += NEVER * fixed
        for unit in units:
            if data.unit_film[unit] >= 0:
                beside.told[out[i]] -= data.film_cost[data.unit_film[unit], out[i]]
    for group in groups:
        for j in range(data.group_start[group], data.group_start[group + 1]):
            other = state.cluster[data.group_unit[j]]
            name = state.name[other]
            if other == cluster or name < 0 or beside.turn[name] != turn or beside.last[name] == group:
                continue
            beside.last[name] = group
            beside.clash[name] += 1
            count_mention(beside.barred[name], mention_kinds(data, group, name), kinds)
    return many


@compiled
def count_mention(counts: IntArray, bits: int, kinds: int) -> None:
    for kind in range(kinds):
        counts[kind] += bits >> kind & 1
    counts[kinds] += bits != 0
