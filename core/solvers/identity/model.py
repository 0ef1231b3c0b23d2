"""The log-joint of the default method, and its parts.

Units (tracks, or faces that are in no track) are partitioned into clusters; a cluster bears one name or none; a person is
a name, or a cluster without one. ::

    log p =  tau sum_k log m(units of k)                        appearance
           + sum of w_ij over look-alikes i, j of one cluster   likeness
           + log p(partition and its names)                     an urn with an atom for each name
           + sum_c log BetaBernoulli(mentions of c)             captions
           + sum of the log-odds of links that speak for themselves, less what names of other films cost
           - gamma (units beyond the first of a person in a group)   exclusivity

Every move of ``moves.py`` changes the state by what it adds to this quantity.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import gammaln

from core.arrays import sums
from core.problem import FloatArray, IntArray
from core.solvers.identity.compiled import compiled, compiled_sum
from core.solvers.identity.state import PLACED, SINGLES, Data, Params, State

# --- Appearance: two-covariance PLDA (Ioffe 2006), the person's mean integrated out ------------------------------------


@compiled_sum
def log_marginal(size: float, total: FloatArray, psi: FloatArray) -> float:
    """``1/2 sum_d psi_d S_d^2 / (1 + s psi_d)``: log m of s units with the sum S, but for ``half_logdet[s]``."""
    value = 0.0
    for d in range(len(psi)):
        value += total[d] * total[d] * psi[d] / (1.0 + size * psi[d])
    return 0.5 * value


@compiled_sum
def log_marginal_more(gain: FloatArray, total: FloatArray, y: FloatArray) -> float:
    """``log_marginal`` of a cluster with one more unit y: ``1/2 sum_d gain_d (S_d + y_d)^2``."""
    value = 0.0
    for d in range(len(y)):
        more = total[d] + y[d]
        value += more * more * gain[d]
    return 0.5 * value


def looks(data: Data, cluster: IntArray, size: IntArray) -> tuple[FloatArray, FloatArray]:
    """``State.total`` and ``State.marginal``."""
    total = sums(data.y, cluster, len(size))
    return total, 0.5 * (total**2 * data.psi / (1 + size[:, None] * data.psi)).sum(1)


@compiled_sum
def log_marginal_sum(size: float, one: FloatArray, other: FloatArray, psi: FloatArray) -> float:
    """``log_marginal`` of ``one + other``, without making the sum."""
    value = 0.0
    for d in range(len(psi)):
        total = one[d] + other[d]
        value += total * total * psi[d] / (1.0 + size * psi[d])
    return 0.5 * value


# --- Captions: a person who is visible is mentioned at one rate, one who is not at another -----------------------------


@compiled
def caption_term(data: Data, rate: FloatArray, name: int, visible: int, hits: IntArray) -> float:
    """``sum_kind log B(a + V1, b + V - V1)/B(a, b) + log B(a0 + M - V1, b0 + N - V - M + V1)/B(a0, b0)`` of one name.

    V groups show its person, V1 of them mention it, M groups do of all N of its films. B is the beta function. A name that
    no caption mentions has no such term: captions cannot tell anything of it.
    """
    value, spoken = 0.0, False
    for kind in range(len(rate)):
        mentions = data.mentions[name, kind]
        if mentions == 0:
            continue
        spoken = True
        yes, no, absent_yes, absent_no = rate[kind]
        seen, rest = hits[kind], mentions - hits[kind]
        silent = max(data.occasions[name] - visible - rest, 0)  # a person may, at a cost, be visible elsewhere
        value += math.lgamma(yes + seen) + math.lgamma(no + visible - seen) - math.lgamma(yes + no + visible)
        value -= math.lgamma(yes) + math.lgamma(no) - math.lgamma(yes + no)
        value += math.lgamma(absent_yes + rest) + math.lgamma(absent_no + silent)
        value -= math.lgamma(absent_yes + absent_no + rest + silent)
        value -= math.lgamma(absent_yes) + math.lgamma(absent_no)
        value += math.lgamma(absent_yes + absent_no)
    return value if spoken else 0.0


@compiled
def caption_terms(data: Data, state: State) -> FloatArray:
    """``caption_term`` of every name."""
    terms = np.empty(len(state.visible))
    for name in range(len(terms)):
        terms[name] = caption_term(data, state.rate, name, state.visible[name], state.hits[name])
    return terms


@compiled
def caption_step(data: Data, rate: FloatArray, name: int, visible: int, hits: IntArray, kinds: int) -> float:
    """What one more visible group, mentioned by ``kinds`` (bits), adds to ``caption_term``: the ratio of its gammas."""
    value = 1.0
    for kind in range(len(rate)):
        mentions = data.mentions[name, kind]
        if mentions == 0:
            continue
        yes, no, absent_yes, absent_no = rate[kind]
        seen, rest = hits[kind], mentions - hits[kind]
        silent = max(data.occasions[name] - visible - rest, 0)
        all_absent = absent_yes + absent_no + rest + silent - 1.0
        if kinds >> kind & 1:
            ratio = (yes + seen) / (absent_yes + rest - 1.0) * all_absent
        elif silent > 0:
            ratio = (no + visible - seen) / (absent_no + silent - 1.0) * all_absent
        else:
            ratio = no + visible - seen
        value *= ratio / (yes + no + visible)
    return math.log(value)


@compiled
def mention_kinds(data: Data, group: int, name: int) -> int:
    """The kinds of mention of a name in a group, as bits; 0 if there is none."""
    low, high = data.mention_start[group], data.mention_start[group + 1]
    while low < high:  # the names of a group stand in order
        middle = (low + high) // 2
        if data.mention_name[middle] < name:
            low = middle + 1
        else:
            high = middle
    if low < data.mention_start[group + 1] and data.mention_name[low] == name:
        return int(data.mention_kinds[low])
    return 0


# --- Who is seen: passers-by, and an urn ---------------------------------------------------------------------------------
#
# A unit is of a passer-by, seen once and never named, with a probability that has a Beta(a, b) prior. The others are drawn
# from an urn, a Dirichlet process whose base measure has an atom for each name (Blackwell, MacQueen 1973): one more unit is
# of name c in proportion to ``1 + units of c``, of a stranger seen before in proportion to the stranger's units, and of a
# new stranger in proportion to theta. The clusters of one name are a Chinese restaurant process with a small concentration.


@compiled
def crowd(params: Params, singles: float, others: float) -> float:
    """``log B(a + E, b + m)``, E passers-by and m other units, with what the urn divides m draws by."""
    value = math.lgamma(params.passer_yes + singles) + math.lgamma(params.passer_no + others)
    value -= math.lgamma(params.passer_yes + params.passer_no + singles + others)
    return value - math.lgamma(params.mass + others) + math.lgamma(params.mass)


@compiled
def stranger(params: Params, size: int) -> float:
    """What a cluster without a name is worth in the urn; a passer-by is not in it."""
    return math.log(params.concentration) + math.lgamma(float(size)) if size > 1 else 0.0


@compiled
def crowd_step(state: State, params: Params, more_singles: int, placed: int) -> float:
    """What it adds that there are more passers-by, and more units in clusters at all."""
    singles, all_units = float(state.counts[SINGLES]), float(state.counts[PLACED])
    others, more_others = all_units - singles, placed - more_singles
    ratio = _rises(params.passer_yes + singles, more_singles) * _rises(params.passer_no + others, more_others)
    ratio /= _rises(params.passer_yes + params.passer_no + all_units, placed) * _rises(params.mass + others, more_others)
    return math.log(ratio)


@compiled
def _rises(start: float, steps: int) -> float:
    """``Gamma(start + steps) / Gamma(start)`` for few steps, up or down."""
    value = 1.0
    for i in range(steps):
        value *= start + i
    for i in range(-steps):
        value /= start - 1 - i
    return value


@compiled
def crowd_steps(state: State, params: Params, crowd: FloatArray) -> None:
    """``crowd_step`` of one more unit, by how many more passers-by that makes: 0, 1 or (last) -1."""
    for more_singles in range(-1, 2):
        crowd[more_singles] = crowd_step(state, params, more_singles, 1)


@compiled
def seat(state: State, params: Params, crowd: FloatArray, cluster: int, name: int) -> float:
    """The log-probability that one more unit joins this cluster (-1: founds one) with this name."""
    size = float(state.size[cluster]) if cluster >= 0 else 0.0
    if name < 0:
        if size < 2.0:
            return float(crowd[1] if size == 0.0 else math.log(params.concentration) + crowd[-1])
        return float(math.log(size) + crowd[0])
    units, further = state.units[name], state.further[0]
    value = math.log((1.0 + units) / (further + units) * (size if cluster >= 0 else further))
    return float(value + crowd[0])


@compiled
def rename_step(state: State, params: Params, size: int, name: int) -> float:
    """What it adds that a cluster of strangers of this size takes a name."""
    units = state.units[name]
    value = _rise(1.0 + units, size) - _rise(state.further[0] + units, size)
    value += math.log(state.further[0]) + math.lgamma(float(size)) - stranger(params, size)
    return value + crowd_step(state, params, -(size == 1), 0)


@compiled
def merge_step(state: State, params: Params, one: int, other: int, name: int) -> float:
    """What it adds that two clusters of these sizes, with one name or both without, become one."""
    if name >= 0:
        return math.lgamma(one + other) - math.lgamma(one) - math.lgamma(other) - math.log(state.further[0])
    value = stranger(params, one + other) - stranger(params, one) - stranger(params, other)
    return value + crowd_step(state, params, -(one == 1) - (other == 1), 0)


@compiled
def _rise(start: float, steps: int) -> float:
    """``log start (start + 1) ... (start + steps - 1)``."""
    return math.lgamma(start + steps) - math.lgamma(start)


# --- The whole, from scratch -------------------------------------------------------------------------------------------


def log_joint(data: Data, state: State, params: Params) -> float:
    """The sum of all parts. Moves never call it: it is what they are tested against, and what starts compete by."""
    return sum(log_joint_parts(data, state, params).values())


def log_joint_parts(data: Data, state: State, params: Params) -> dict[str, float]:
    alive = np.flatnonzero(state.size > 0)
    size, name = state.size[alive].astype(np.float64), state.name[alive]
    spread = 1 + size[:, None] * data.psi
    appearance = 0.5 * (state.total[alive] ** 2 * data.psi / spread - np.log(spread)).sum()
    evidence_unit = np.repeat(np.arange(len(data.y)), np.diff(data.evidence_start))
    together = np.repeat(state.cluster, np.diff(data.edge_start)) == state.cluster[data.edge_unit]
    spoken = state.name[state.cluster[evidence_unit]] == data.evidence_name
    return {
        "appearance": float(params.temperature * appearance),
        "likeness": 0.5 * float(data.edge_weight[together].sum()),
        "persons": _persons(state, params, size, name),
        "captions": float(sum(caption_terms(data, state).tolist())),
        "evidence": float(data.evidence_value[spoken].sum()),
        "films": -_other_films(data, state.name[state.cluster]),
        "exclusivity": -params.exclusivity * _seen_twice(data, state),
    }


def _other_films(data: Data, name: IntArray) -> float:
    """What names of other films cost, by the name that each unit bears."""
    known = (name >= 0) & (data.unit_film >= 0)
    return float(data.film_cost[data.unit_film[known], name[known]].sum())


def _persons(state: State, params: Params, size: FloatArray, name: IntArray) -> float:
    """The prior of the partition and its names."""
    known, unnamed = size[name >= 0], size[name < 0]
    units, singles = np.bincount(name[name >= 0], known, minlength=len(state.units)), int((unnamed == 1).sum())
    value = crowd(params, singles, size.sum() - singles) + gammaln(1 + units).sum()
    value += (gammaln(state.further[0]) - gammaln(state.further[0] + units)).sum()
    value += np.log(state.further[0]) * len(known) + gammaln(known).sum()
    again = unnamed[unnamed > 1]
    return float(value + np.log(params.concentration) * len(again) + gammaln(again).sum())


def _seen_twice(data: Data, state: State) -> float:
    """Units beyond the first of a person in a group."""
    unit = np.repeat(np.arange(len(data.y)), np.diff(data.unit_start))
    borne = state.name[state.cluster[unit]]
    person = np.where(borne >= 0, borne, len(state.visible) + state.cluster[unit])
    pairs = data.unit_group * (len(state.visible) + len(state.size)) + person
    return float(len(pairs) - len(np.unique(pairs)))
