"""Inference: several starts, annealed sweeps, names and merges; the starts compete by the log-joint."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import betaln

from core.corrections import OPEN, Constraints
from core.problem import FloatArray, IntArray, Problem
from core.progress import Progress
from core.solvers.identity import start as starts
from core.solvers.identity.appearance import (
    PldaSpace,
    Spectrum,
    centred,
    fit_plda,
    offline_prior,
    offline_space,
    principal,
    prior_spectrum,
    unit_length,
)
from core.solvers.identity.config import Config
from core.solvers.identity.model import Data, Params, State, log_joint
from core.solvers.identity.moves import sweep_units
from core.solvers.identity.start import Alike
from core.solvers.identity.units import Units, table, units_of
from core.solvers.identity.wholes import sweep_names
from core.solvers.mixture.neighbours import MAX_EXACT, nearest, nearest_by_index

FIRST_RATE = 0.7
RATES = np.linspace(0.05, 0.99, 48)
TALLIED = 16


@dataclass(frozen=True, eq=False)
class Inputs:
    """What all starts share."""

    units: Units
    x: FloatArray  # units × principal directions
    alike: Alike
    spectrum: Spectrum | None  # None: the scatters were learned offline,
    space: PldaSpace  # and this is their space; otherwise that of the prior
    params: Params
    config: Config


@dataclass(frozen=True, eq=False)
class Chain:
    """A start after its sweeps: the state, its log-joint, and the averaged chances of each unit's names."""

    data: Data
    state: State
    value: float
    tally_name: IntArray
    tally: FloatArray


def inputs_of(problem: Problem, constraints: Constraints, config: Config, seed: int) -> Inputs:
    units = units_of(problem, constraints)
    rows = units.mean(centred(problem, np.ones(problem.faces)))
    x = principal(rows, config.dimensions)
    group = units.groups[1][units.groups[0][:-1]]
    many = max(min(config.neighbours, units.many - 1), 1)
    rows_y = unit_length(x).astype(np.float32)
    if units.many > MAX_EXACT:
        index, cosine = nearest_by_index(rows_y, group, many, np.random.default_rng(seed))
    else:
        index, cosine = nearest(rows_y, group, np.arange(units.many), many)
    alike, prior = Alike.of(index, cosine), offline_prior(problem.embedder) if config.offline else None
    if prior is not None:
        space, params = offline_space(rows, prior, config.offline_dimensions), Params.of(config, config.offline_temperature)
        return Inputs(units, x, alike, None, space, params, config)
    spectrum, params = prior_spectrum(x, _same_person_cosine(rows_y, index)), Params.of(config, config.temperature)
    return Inputs(units, x, alike, spectrum, fit_plda(x, None, spectrum, config), params, config)


def _same_person_cosine(faces: FloatArray, index: IntArray) -> float:
    """The usual cosine of two faces of one person: that of a face's two nearest, which were not sought out for it."""
    one, other = index[:, 0], index[:, min(1, index.shape[1] - 1)]
    return float(np.clip(np.median(np.einsum("ij,ij->i", faces[one], faces[other])), 0.02, 0.9))


def fit(inputs: Inputs, seed: int, progress: Progress) -> list[Chain]:
    """A chain from each start, best first."""
    rate = np.full(inputs.units.counts.shape[1], FIRST_RATE)
    data = inputs.units.data(inputs.space, inputs.alike.index)
    begun = [starts.by_clusters(data, inputs.units, inputs.params, rate.copy())]
    named = starts.by_captions(
        inputs.units, inputs.x, inputs.spectrum, inputs.space, inputs.params, inputs.config, inputs.alike
    )
    if named is not None:
        names, many = len(inputs.units.counts), inputs.units.many
        cluster = np.where(named >= 0, named, names + np.arange(many))
        name = np.r_[np.arange(names), np.full(many, -1)]
        begun.append(starts.state_of(data, inputs.units, cluster, name, rate.copy(), inputs.params.absence))
    chains = []
    for k, state in enumerate(begun):
        chains.append(anneal(inputs, data, state, seed, _part(progress, k, len(begun)), settled=k == 1))
    return sorted(chains, key=lambda chain: -chain.value)


def _part(progress: Progress, number: int, many: int) -> Progress:
    """The progress of one start of many."""

    def told(stage: str, done: int, total: int, value: float | None = None) -> None:
        progress(stage, number * total + done, many * total, value)

    return told


def anneal(inputs: Inputs, data: Data, state: State, seed: int, progress: Progress, settled: bool) -> Chain:
    """Sweeps with falling temperature, then as many at temperature 1 as are averaged."""
    config, units, params = inputs.config, inputs.units, inputs.params
    many = config.sweeps + config.samples
    refits = set(np.linspace(0 if settled else 2, config.sweeps - 1, config.refits).astype(int).tolist())
    if inputs.spectrum is None or not config.learning:
        refits = set()
    value = -np.inf
    tally_name, tally = np.full((units.many, TALLIED), -9, np.int64), np.zeros((units.many, TALLIED))
    rng, volume = np.random.default_rng(seed), inputs.space.log_volume
    obey(data, state, params)
    if settled and 0 in refits:
        data, state, volume = refit(inputs, state)
    for turn in range(many):
        heat = 1.0 if settled else max(1.0, config.annealing - (config.annealing - 1) * turn / (0.7 * config.sweeps))
        kept = (tally_name, tally) if turn >= config.sweeps else starts.NOTHING
        sweep_units(data, state, params, rng.permutation(units.many), heat, seed + 1, turn, *kept)
        order = rng.permutation(np.flatnonzero(state.size > 0))
        start, members = table(state.cluster, np.arange(units.many), len(state.size))
        sweep_names(data, state, params, order, start, members, heat, seed + 1, turn)
        fit_rates(data, state, params)
        if turn in refits:
            data, state, volume = refit(inputs, state)
        if turn % 6 == 5 and turn < config.sweeps:
            starts.merge_all(data, state, params)
        value = log_joint(data, state, params) + params.temperature * _density(data, volume)
        progress("people", turn + 1, many, value)
    return Chain(data, state, value, tally_name, tally / config.samples)


def _density(data: Data, volume: float) -> float:
    """What makes the appearance terms of different spaces comparable: noise around 0, and the space's volume."""
    return len(data.y) * volume - 0.5 * float((data.y**2).sum())


def refit(inputs: Inputs, state: State) -> tuple[Data, State, float]:
    """The scatters from the current answer: clusters of one name are one person."""
    assert inputs.spectrum is not None
    name = state.name[state.cluster]
    person = np.where(name >= 0, name, len(inputs.units.counts) + state.cluster)
    space = fit_plda(inputs.x, person, inputs.spectrum, inputs.config)
    data = inputs.units.data(space, inputs.alike.index)
    total = np.zeros((len(state.size), data.y.shape[1]))
    np.add.at(total, state.cluster, data.y)
    return data, state._replace(total=total), space.log_volume


def fit_rates(data: Data, state: State, params: Params) -> None:
    """The common mention rate of each kind: the best of a grid, under a Beta(3, 2) prior."""
    seen = state.visible > 0
    visible = state.visible[seen].astype(float)
    for kind in range(len(state.rate)):
        hits = state.hits[seen, kind].astype(float)
        yes, no = params.rate_strength * RATES[:, None], params.rate_strength * (1 - RATES[:, None])
        fits = (betaln(yes + hits, no + visible - hits) - betaln(yes, no)).sum(1) + 2 * np.log(RATES) + np.log(1 - RATES)
        state.rate[kind] = RATES[int(fits.argmax())]


def obey(data: Data, state: State, params: Params) -> None:
    """Units that people answered for draw their cluster first, and clusters their names: answers name whole clusters."""
    answered = np.flatnonzero(data.fixed != OPEN)
    if not len(answered):
        return
    start, members = table(state.cluster, np.arange(len(state.cluster)), len(state.size))
    order = np.unique(state.cluster[answered])
    sweep_names(data, state, params, order, start, members, 0.0, 0, 0)
    sweep_units(data, state, params, answered, 0.0, 0, 0, *starts.NOTHING)
