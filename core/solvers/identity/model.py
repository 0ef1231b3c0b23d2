"""The log-joint of the default method, and its parts.

Units (tracks, or faces that are in no track) are partitioned into clusters; a cluster bears one name or none; a person is
a name, or a cluster without one. ::

    log p =  tau sum_k log m(units of k)                        appearance
           + log PitmanYor(partition)                           partition
           + sum_c log BetaBernoulli(mentions of c)             captions
           + sum of the log-odds of links that speak for themselves
           + log p(which clusters are named, and how)           naming
           - gamma (units beyond the first of a person in a group)   exclusivity

Every move of ``moves.py`` changes the state by what it adds to this quantity.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.special import betaln, gammaln

from core.problem import FloatArray, IntArray
from core.solvers.identity.compiled import compiled
from core.solvers.identity.config import Config


class Data(NamedTuple):
    """What never changes while units move. In a ragged table, row r is ``entries[start[r]:start[r + 1]]``."""

    y: FloatArray  # units × dimensions: within-person variance 1, between-person variance psi
    psi: FloatArray
    half_logdet: FloatArray  # by size s: 1/2 sum_d log(1 + s psi_d)
    unit_start: IntArray  # the groups of each unit
    unit_group: IntArray
    group_start: IntArray  # the units of each group
    group_unit: IntArray
    mention_start: IntArray  # the names mentioned in each group,
    mention_name: IntArray
    mention_kinds: IntArray  # and by which kinds of mention, as bits
    mentions: IntArray  # names × kinds: groups with a mention
    groups: int
    neighbours: IntArray  # units × look-alikes, -1 where there is none
    fixed: IntArray  # by unit: the name that people gave, NOBODY or OPEN
    refused_start: IntArray  # the names that are ruled out for each unit
    refused_name: IntArray
    evidence_start: IntArray  # the links of each unit that speak for themselves
    evidence_name: IntArray
    evidence_value: FloatArray
    usable_names: int  # names that captions mention or people gave


class Params(NamedTuple):
    """The constants that moves need; see ``Config``."""

    temperature: float
    concentration: float
    discount: float
    rate_strength: float
    absent_yes: float
    absent_no: float
    named: FloatArray  # (seen once, recurring) × (unnamed, named): pseudo-counts
    further_cluster: float
    exclusivity: float
    absence: bool
    strangers: bool

    @staticmethod
    def of(config: Config, temperature: float) -> Params:
        single, recurring = config.named_single, config.named_recurring
        return Params(
            temperature=temperature,
            concentration=config.concentration,
            discount=config.discount,
            rate_strength=config.rate_strength,
            absent_yes=config.absent_yes,
            absent_no=config.absent_no,
            named=np.array([[single[1], single[0]], [recurring[1], recurring[0]]]),
            further_cluster=config.further_cluster,
            exclusivity=config.exclusivity,
            absence=config.absence,
            strangers=config.strangers,
        )


class State(NamedTuple):
    """A partition with names, and the counts that follow from it."""

    cluster: IntArray  # by unit; -1 while it is being moved
    size: IntArray  # by cluster: units
    total: FloatArray  # clusters × dimensions: the sum of their y
    name: IntArray  # by cluster; -1 is none
    alive: IntArray  # the clusters that have units, in the first counts[1] places
    place: IntArray  # by cluster: where it stands in alive
    free: IntArray  # the others, in the first counts[0] places
    counts: IntArray  # clusters that are free, alive; names that are borne
    visible: IntArray  # by name: groups in which its person is visible (V); without absence, only those that mention it
    hits: IntArray  # names × kinds: those that mention it (V1)
    bearers: IntArray  # by name: clusters that bear it
    bearer: IntArray  # by name: one of them, -1 if there is none
    flags: IntArray  # (seen once, recurring) × (unnamed, named): clusters
    rate: FloatArray  # by kind: the common mention rate of visible persons


# --- Appearance: two-covariance PLDA (Ioffe 2006), the person's mean integrated out ------------------------------------


@compiled
def log_marginal(size: float, total: FloatArray, psi: FloatArray) -> float:
    """``1/2 sum_d psi_d S_d^2 / (1 + s psi_d)``: log m of s units with the sum S, but for ``half_logdet[s]``."""
    value = 0.0
    for d in range(len(psi)):
        value += total[d] * total[d] * psi[d] / (1.0 + size * psi[d])
    return 0.5 * value


@compiled
def log_marginal_sum(size: float, one: FloatArray, other: FloatArray, psi: FloatArray) -> float:
    """``log_marginal`` of ``one + other``, without making the sum."""
    value = 0.0
    for d in range(len(psi)):
        total = one[d] + other[d]
        value += total * total * psi[d] / (1.0 + size * psi[d])
    return 0.5 * value


# --- Captions: a person who is visible is mentioned at one rate, one who is not at another -----------------------------


@compiled
def caption_term(data: Data, params: Params, rate: FloatArray, name: int, visible: int, hits: IntArray) -> float:
    """``sum_kind log B(a + V1, b + V - V1)/B(a, b) + log B(a0 + M - V1, b0 + N - V - M + V1)/B(a0, b0)`` of one name.

    V groups show its person, V1 of them mention it, M groups of all N do. B is the beta function. A name that no caption
    mentions has no such term: captions cannot tell anything of it.
    """
    value, spoken = 0.0, False
    for kind in range(len(rate)):
        mentions = data.mentions[name, kind]
        if mentions == 0:
            continue
        spoken = True
        yes, no = params.rate_strength * rate[kind], params.rate_strength * (1.0 - rate[kind])
        seen, absent, rest = hits[kind], data.groups - visible, mentions - hits[kind]
        value += math.lgamma(yes + seen) + math.lgamma(no + visible - seen) - math.lgamma(yes + no + visible)
        value -= math.lgamma(yes) + math.lgamma(no) - math.lgamma(yes + no)
        value += math.lgamma(params.absent_yes + rest) + math.lgamma(params.absent_no + absent - rest)
        value -= math.lgamma(params.absent_yes + params.absent_no + absent)
        value -= math.lgamma(params.absent_yes) + math.lgamma(params.absent_no)
        value += math.lgamma(params.absent_yes + params.absent_no)
    return value if spoken else 0.0


@compiled
def caption_step(data: Data, params: Params, rate: FloatArray, name: int, visible: int, hits: IntArray, kinds: int) -> float:
    """What one more visible group, mentioned by ``kinds`` (bits), adds to ``caption_term``: the ratio of its gammas."""
    value = 0.0
    for kind in range(len(rate)):
        mentions = data.mentions[name, kind]
        if mentions == 0:
            continue
        yes, no = params.rate_strength * rate[kind], params.rate_strength * (1.0 - rate[kind])
        seen, absent, rest = hits[kind], data.groups - visible, mentions - hits[kind]
        ratio = (params.absent_yes + params.absent_no + absent - 1.0) / (yes + no + visible)
        if kinds >> kind & 1:
            ratio *= (yes + seen) / (params.absent_yes + rest - 1.0)
        else:
            ratio *= (no + visible - seen) / (params.absent_no + absent - rest - 1.0)
        value += math.log(ratio)
    return value


@compiled
def mention_kinds(data: Data, group: int, name: int) -> int:
    """The kinds of mention of a name in a group, as bits; 0 if there is none."""
    for j in range(data.mention_start[group], data.mention_start[group + 1]):
        if data.mention_name[j] == name:
            return int(data.mention_kinds[j])
    return 0


# --- Naming: which clusters bear a name, and which ---------------------------------------------------------------------


@compiled
def named_log_odds(params: Params, flags: IntArray, recurring: int, named: int) -> float:
    """The predictive log-probability that one more cluster is named (or not): beta-Bernoulli."""
    yes = params.named[recurring, named] + flags[recurring, named]
    no = params.named[recurring, 1 - named] + flags[recurring, 1 - named]
    return math.log(yes / (yes + no))


@compiled
def first_bearer(data: Data, names_borne: int) -> float:
    """The log-probability of one of the names that nobody bears yet: names go to persons one to one."""
    return -math.log(max(data.usable_names - names_borne, 1))


@compiled
def further_bearer(data: Data, params: Params) -> float:
    """The log-probability that a cluster is a further one of a person whose name another cluster bears already."""
    return -params.further_cluster - math.log(max(data.usable_names, 1))


# --- The whole, from scratch -------------------------------------------------------------------------------------------


def log_joint(data: Data, state: State, params: Params) -> float:
    """The sum of all parts. Moves never call it: it is what they are tested against, and what starts compete by."""
    return sum(log_joint_parts(data, state, params).values())


def log_joint_parts(data: Data, state: State, params: Params) -> dict[str, float]:
    alive = np.flatnonzero(state.size > 0)
    size, name = state.size[alive].astype(np.float64), state.name[alive]
    spread = 1 + size[:, None] * data.psi
    appearance = 0.5 * (state.total[alive] ** 2 * data.psi / spread - np.log(spread)).sum()
    partition = (gammaln(size - params.discount) - gammaln(1 - params.discount)).sum()
    partition += np.log(params.concentration + params.discount * np.arange(1, len(alive))).sum()
    captions = sum(
        caption_term(data, params, state.rate, c, state.visible[c], state.hits[c]) for c in range(len(state.visible))
    )
    naming = float(
        (betaln(params.named[:, 0] + state.flags[:, 0], params.named[:, 1] + state.flags[:, 1])).sum()
        - betaln(params.named[:, 0], params.named[:, 1]).sum()
    )
    borne = int(state.counts[2])
    naming += sum(first_bearer(data, before) for before in range(borne))
    naming += further_bearer(data, params) * float(np.maximum(state.bearers - 1, 0).sum())
    evidence_unit = np.repeat(np.arange(len(data.y)), np.diff(data.evidence_start))
    spoken = state.name[state.cluster[evidence_unit]] == data.evidence_name
    return {
        "appearance": float(params.temperature * appearance),
        "partition": float(partition),
        "captions": float(captions),
        "evidence": float(data.evidence_value[spoken].sum()),
        "naming": naming,
        "exclusivity": -params.exclusivity * _seen_twice(data, state, name, alive),
    }


def _seen_twice(data: Data, state: State, name: IntArray, alive: IntArray) -> float:
    """Units beyond the first of a person in a group."""
    unit = np.repeat(np.arange(len(data.y)), np.diff(data.unit_start))
    borne = state.name[state.cluster[unit]]
    person = np.where(borne >= 0, borne, len(state.visible) + state.cluster[unit])
    pairs = data.unit_group * (len(state.visible) + len(state.size)) + person
    return float(len(pairs) - len(np.unique(pairs)))
