"""What a chain works on: what never changes, the constants, and a partition with names."""

from __future__ import annotations

from typing import NamedTuple

from core.problem import FloatArray, IntArray
from core.solvers.identity.config import Config


class Data(NamedTuple):
    """What never changes while units move. In a ragged table, row r is ``entries[start[r]:start[r + 1]]``."""

    y: FloatArray  # units × dimensions: within-person variance 1, between-person variance psi
    psi: FloatArray
    half_logdet: FloatArray  # by size s: 1/2 sum_d log(1 + s psi_d)
    gain: FloatArray  # by size × dimensions: psi / (1 + (s + 1) psi), the weights of log_marginal with one more unit
    alone: FloatArray  # by unit: log_marginal of a cluster of it alone
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
    edge_start: IntArray  # each unit's look-alikes, and the units whose look-alike it is,
    edge_unit: IntArray
    edge_weight: FloatArray  # and what it is worth that both are in one cluster
    fixed: IntArray  # by unit: the name that people gave, NOBODY or OPEN
    refused_start: IntArray  # the names that are ruled out for each unit
    refused_name: IntArray
    evidence_start: IntArray  # the links of each unit that speak for themselves
    evidence_name: IntArray
    evidence_value: FloatArray
    usable_names: int  # names that captions mention or people gave
    unit_film: IntArray  # by unit; -1 where it is not known
    occasions: IntArray  # by name (N): groups of the films that it belongs to
    film_cost: FloatArray  # films × names: what it costs a unit to bear a name that belongs to other films only


class Params(NamedTuple):
    """The constants that moves need; see ``Config``."""

    temperature: float
    passer_yes: float
    passer_no: float
    concentration: float
    mass: float
    exclusivity: float
    absence: bool

    @staticmethod
    def of(config: Config, temperature: float, usable_names: int, films: float) -> Params:
        strangers = max(usable_names * config.stranger_share / (1 - config.stranger_share), config.least_strangers)
        concentration = strangers / films
        return Params(
            temperature=temperature,
            passer_yes=config.passers_by * config.passer_units,
            passer_no=(1 - config.passers_by) * config.passer_units,
            concentration=concentration,
            mass=concentration + usable_names,
            exclusivity=config.exclusivity,
            absence=config.absence,
        )


FREE, ALIVE, SINGLES, PLACED = range(4)  # places in State.counts


class State(NamedTuple):
    """A partition with names, and the counts that follow from it."""

    cluster: IntArray  # by unit; -1 while it is being moved
    size: IntArray  # by cluster: units
    total: FloatArray  # clusters × dimensions: the sum of their y
    marginal: FloatArray  # by cluster: its log_marginal
    name: IntArray  # by cluster; -1 is none
    alive: IntArray  # the clusters that have units, in the first counts[1] places
    place: IntArray  # by cluster: where it stands in alive
    free: IntArray  # the others, in the first counts[0] places
    counts: IntArray  # clusters that are free, and alive; passers-by (strangers seen once); units in clusters
    visible: IntArray  # by name: groups in which its person is visible (V); without absence, only those that mention it
    hits: IntArray  # names × kinds: those that mention it (V1)
    bearers: IntArray  # by name: clusters that bear it
    bearer: IntArray  # by name: one of them, -1 if there is none
    units: IntArray  # by name: units that bear it
    rate: FloatArray  # by kind: Beta priors of the mention rates of visible (yes, no) and of absent persons (yes, no)
    further: FloatArray  # one value: the concentration of the clusters of a name
    margin: FloatArray  # by unit: nats by which the best alternative was ahead of the second when it was weighed last
    name_margin: FloatArray  # by cluster: the same of its names
