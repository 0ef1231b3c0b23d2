"""Inference: several starts, annealed sweeps, names and merges; the starts compete by the log-joint."""

from __future__ import annotations

import os
from concurrent.futures import CancelledError, ThreadPoolExecutor
from copy import deepcopy
from dataclasses import dataclass
from threading import Event

import numpy as np
from scipy.special import betaln, gammaln

from core.problem import NOBODY, FloatArray, IntArray
from core.progress import Progress
from core.solvers.identity import start as starts
from core.solvers.identity.appearance import PldaSpace, fit_plda
from core.solvers.identity.config import (
    ABSENT_RATES,
    ABSENT_YES,
    FIRST_RATES,
    FURTHER,
    RARER,
    RATES,
    STRENGTHS,
    USUAL_ABSENT_YES,
    USUAL_FURTHER,
    USUAL_STRENGTH,
    Config,
)
from core.solvers.identity.inputs import Inputs
from core.solvers.identity.model import log_joint, looks
from core.solvers.identity.moves import sweep_units
from core.solvers.identity.names import sweep_names
from core.solvers.identity.state import Data, Params, State
from core.solvers.identity.steps import violated
from core.solvers.identity.units import table

TALLIED = 16


RENAMED = 64  # clusters against whose name people spoke, of which it is asked whether they follow as a whole


@dataclass(frozen=True, eq=False)
class Chain:
    """A start after its sweeps: the state, its log-joint, and the averaged chances of each unit's names."""

    space: PldaSpace
    state: State
    value: float
    tally_name: IntArray
    tally: FloatArray


def fit(inputs: Inputs, seed: int, progress: Progress) -> list[Chain]:
    """A chain from each start, best first. One tells its progress, others run beside it on other cores."""
    config, work = inputs.config, inputs.units.work(inputs.config.crowd)
    more = int(np.clip(config.further_units / work, 0, config.further_starts))
    stopped = Event()

    def silent(stage: str, done: int, total: int, value: float | None = None) -> None:
        if stopped.is_set():
            raise CancelledError

    def run(number: int, told: Progress) -> Chain | None:
        begun = begin(inputs, number // 2 if number % 2 else None, seed)
        return None if begun is None else anneal(inputs, *begun, seed + 97 * number, told, settled=number % 2 == 1)

    with ThreadPoolExecutor(max((os.cpu_count() or 1) - 1, 1)) as pool:
        others = [pool.submit(run, number, silent) for number in range(1, 2 + 2 * more)]
        try:
            found = [run(0, progress)]
            for number, other in reversed(list(enumerate(others, 1))):  # those that no other core has begun are run here
                found.append(run(number, silent) if other.cancel() else other.result())
        finally:
            stopped.set()
    return sorted((chain for chain in found if chain is not None), key=lambda chain: -chain.value)


def begin(inputs: Inputs, noise: int | None, seed: int) -> tuple[Data, State] | None:
    """The start from look-alikes (None), or from captions with this noise (0: none); None if captions allow no start."""
    units, params, data = inputs.units, inputs.params, inputs.data(inputs.space)
    rate = np.tile(FIRST_RATES, (units.counts.shape[1], 1))
    if noise is None:
        return data, starts.by_clusters(data, units, params, rate)
    named = starts.by_captions(inputs, seed, noise)
    if named is None:
        return None
    cluster = np.where(named >= 0, named, len(units.counts) + np.arange(units.many))
    name = np.r_[np.arange(len(units.counts)), np.full(units.many, NOBODY)]
    return data, starts.state_of(data, units, cluster, name, rate, params)


def anneal(inputs: Inputs, data: Data, state: State, seed: int, progress: Progress, settled: bool) -> Chain:
    """Sweeps with falling temperature, then some at temperature 1 that are averaged.

    Where little moves there are fewer of both; small problems have time for all.
    """
    config, units, params = inputs.config, inputs.units, inputs.params
    small = config.small_units / units.work(config.crowd)
    samples = int(np.clip(small, config.samples, 12 * config.samples))
    sweeps = int(np.clip(small, config.sweeps, 3 * config.sweeps))
    learns = inputs.spectrum is not None and config.learning
    refits = set(np.linspace(0 if settled else 2, sweeps - 1, config.refits).astype(int).tolist()) if learns else set()
    tally = np.full((units.many, TALLIED), -9, np.int64), np.zeros((units.many, TALLIED))
    rng, space = np.random.default_rng(seed), inputs.space
    state = obey(data, state, params)
    if 0 in refits:
        data, state, space = refit(inputs, state)
    turn, sampled, value = 0, 0, -np.inf
    while sampled < samples:
        sampling = turn >= sweeps
        heat = 1.0 if settled else max(1.0, config.annealing - (config.annealing - 1) * turn / (0.7 * sweeps))
        asked = unsettled(rng.permutation(units.many), state.margin, config, turn)
        kept = tally if sampling else starts.NOTHING
        moved = sweep_units(data, state, params, asked, heat, seed + 1, turn, *kept)
        order = unsettled(rng.permutation(np.flatnonzero(state.size > 0)), state.name_margin, config, turn)
        start, members = table(state.cluster, np.arange(units.many), len(state.size))
        sweep_names(data, state, params, order, start, members, heat, seed + 1, turn)
        if turn < 3 or turn % 4 == 0:
            fit_rates(data, state)
            fit_further(state)
        still = moved < config.still * units.many and turn % 6 == 5 and sweeps == config.sweeps
        if turn in refits or (learns and still and not sampling):
            data, state, space = refit(inputs, state)
        if turn % 6 == 5 and not sampling:
            starts.merge_all(data, state, params)
        value = log_joint(data, state, params) + params.temperature * _density(data, space)
        progress("people", turn + 1, sweeps + samples, value)
        sampled += sampling
        turn = max(turn + 1, sweeps if still else 0)
        if still and sampled >= samples // 2:
            break
    progress("people", sweeps + samples, sweeps + samples, value)
    return Chain(space, state, value, tally[0], tally[1] / tally[1].sum(1, keepdims=True))


def unsettled(order: IntArray, margin: FloatArray, config: Config, turn: int) -> IntArray:
    """Those of which the best alternative was hardly ahead of the second, and every turn a part of the others."""
    return np.asarray(order[(margin[order] < config.settled) | ((order + turn) % config.patience == 0)])


def _density(data: Data, space: PldaSpace) -> float:
    """What makes the appearance terms of different spaces comparable: noise around 0, the volume, the prior of W."""
    return len(data.y) * space.log_volume - 0.5 * float((data.y**2).sum()) + space.log_prior


def refit(inputs: Inputs, state: State) -> tuple[Data, State, PldaSpace]:
    """The scatters from the current answer: clusters of one name are one person."""
    assert inputs.spectrum is not None
    name = state.name[state.cluster]
    person = np.where(name >= 0, name, len(inputs.units.counts) + state.cluster)
    space = fit_plda(inputs.x, person, inputs.spectrum, inputs.config)
    data = inputs.data(space)
    total, marginal = looks(data, state.cluster, state.size)
    return data, state._replace(total=total, marginal=marginal), space


def fit_rates(data: Data, state: State) -> None:
    """By kind of mention, the Beta priors of both mention rates: the likeliest of a grid.

    Whoever is absent is mentioned far less often than whoever is visible: captions do not speak against their pictures.
    """
    seen, strength = state.visible > 0, STRENGTHS[:, None]
    yes, no = (strength * RATES).ravel()[:, None], (strength * (1 - RATES)).ravel()[:, None]
    often = np.tile(2 * np.log(RATES) + np.log(1 - RATES), len(STRENGTHS))  # Beta(3, 2) for the common rate
    often += np.repeat(near(STRENGTHS, USUAL_STRENGTH), len(RATES))
    absent_yes = np.repeat(ABSENT_YES, len(ABSENT_RATES))[:, None]
    absent_no = absent_yes * (1 / np.tile(ABSENT_RATES, len(ABSENT_YES))[:, None] - 1)
    for kind in range(len(state.rate)):
        mentioned = data.mentions[:, kind] > 0
        hits, visible = state.hits[:, kind].astype(float), state.visible.astype(float)
        one = seen & mentioned
        fits = often + _fit(yes, no, hits[one], visible[one] - hits[one])
        rest = data.mentions[mentioned, kind] - hits[mentioned]
        silent = np.maximum(data.occasions[mentioned] - visible[mentioned] - rest, 0)
        other = _fit(absent_yes, absent_no, rest, silent) + np.repeat(near(ABSENT_YES, USUAL_ABSENT_YES), len(ABSENT_RATES))
        best = int(fits.argmax())
        rarer = np.tile(ABSENT_RATES, len(ABSENT_YES)) < RARER * yes[best, 0] / (yes[best, 0] + no[best, 0])
        worst = int(np.where(rarer, other, -np.inf).argmax())
        state.rate[kind] = yes[best, 0], no[best, 0], absent_yes[worst, 0], absent_no[worst, 0]


def fit_further(state: State) -> None:
    """The concentration of a name's clusters: the likeliest of a grid.

    K clusters of n units: ``a^K Gamma(a) / Gamma(a + n)``. Where vectors are poor, one person is many clusters.
    """
    many, units = state.bearers[state.bearers > 0], state.units[state.bearers > 0]
    a = FURTHER[:, None]
    fits = (many * np.log(a) + gammaln(a) - gammaln(a + units)).sum(1) + near(FURTHER, USUAL_FURTHER)
    state.further[0] = FURTHER[int(fits.argmax())]


def near(values: FloatArray, usual: float) -> FloatArray:
    """The log-density of a log-normal prior of a hyperparameter, one e-fold wide."""
    return np.asarray(-0.5 * np.log(values / usual) ** 2)


def _fit(yes: FloatArray, no: FloatArray, hits: FloatArray, misses: FloatArray) -> FloatArray:
    return np.asarray((betaln(yes + hits, no + misses) - betaln(yes, no)).sum(1))


def obey(data: Data, state: State, params: Params) -> State:
    """The state, changed so that it is one that people's answers leave possible.

    Where they rule out a cluster's name for some of its units, these leave it, or the whole cluster takes another name:
    whichever the log-joint prefers.
    """
    against = violated(data, state)
    for cluster in np.unique(state.cluster[against])[:RENAMED]:
        apart, whole = state, deepcopy(state)
        start, members = table(whole.cluster, np.arange(len(whole.cluster)), len(whole.size))
        sweep_names(data, whole, params, np.array([cluster]), start, members, 0.0, 0, 0)
        units = members[start[cluster] : start[cluster + 1]]
        for one in (whole, apart):
            sweep_units(data, one, params, np.intersect1d(units, violated(data, one)), 0.0, 0, 0, *starts.NOTHING)
        state = max(whole, apart, key=lambda one: log_joint(data, one, params))
    sweep_units(data, state, params, violated(data, state), 0.0, 0, 0, *starts.NOTHING)
    return state
