"""Warm starts: a run after few new corrections goes on from the last cold run, with the units that they affect.

Every warm start begins with the same cold run. So the answer does not depend on the order of corrections, and an undone one
leaves no trace. A cold run that is told a few corrections first runs without them, so that it gives the same answer.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.corrections import OPEN, Constraints
from core.problem import NOBODY, BoolArray, FloatArray, IntArray, Problem
from core.progress import Progress
from core.solvers.identity import start as starts
from core.solvers.identity.answer import weights
from core.solvers.identity.appearance import PldaSpace
from core.solvers.identity.config import Config
from core.solvers.identity.inference import Chain, obey
from core.solvers.identity.inputs import Alike, Edges, Inputs
from core.solvers.identity.moves import sweep_units
from core.solvers.identity.names import sweep_names
from core.solvers.identity.state import Data, Params, State
from core.solvers.identity.units import Units, table, units_of

FORMAT = 10  # of the checkpoint: increased when its arrays or the model change
UNHEARD = 1e-3  # the weight of such a chain
NO_NAME, EMPTY = -1, -9  # in a tally
EDGES = "edge_start", "edge_unit", "edge_weight"


class End(NamedTuple):
    """The end of a chain, see ``PldaSpace``, ``State`` and ``Chain``."""

    y: FloatArray
    psi: FloatArray
    cluster: IntArray
    name: IntArray
    rate: FloatArray
    further: FloatArray
    value: FloatArray
    tally_name: IntArray
    tally: FloatArray


@dataclass(frozen=True, eq=False)
class Memory:
    """The end of a cold run, and what people had said to it."""

    names: tuple[str, ...]
    fixed: IntArray  # see ``Constraints``
    refused: IntArray
    unit: IntArray  # by face
    alike: Alike
    edges: Edges
    temperature: float
    ends: tuple[End, ...]


def is_few(faces: int, problem: Problem, config: Config) -> bool:
    """Whether changed corrections of so many faces allow a warm start."""
    return faces <= max(config.rerun_faces, config.rerun_share * problem.faces)


def starts_without_corrections(problem: Problem, constraints: Constraints, config: Config) -> bool:
    """Whether a cold run first runs without the corrections: there are only a few.

    Problems with identical faces are excluded: only answers tell these apart.
    """
    answered = np.union1d(np.flatnonzero(constraints.fixed != OPEN), constraints.refused // max(constraints.names, 1))
    twins = (problem.features[1:] == problem.features[:-1]).all(1).any()
    return len(answered) > 0 and is_few(len(answered), problem, config) and not twins


def changed_units(
    memory: Memory, problem: Problem, constraints: Constraints, units: Units, config: Config
) -> IntArray | None:
    """The units about which people say other things than to the cold run; None if it cannot be gone on with."""
    if not np.array_equal(units.unit, memory.unit):
        return None  # people gave the faces of a track different answers
    differ = _given(memory.fixed, memory.names) != _given(constraints.fixed, problem.names)
    changed = _refused(memory.refused, memory.names) ^ _refused(constraints.refused, problem.names)
    differ[[face for face, _ in changed]] = True
    face = np.flatnonzero(differ)
    frames = np.isin(problem.group, problem.group[face])  # a name that one face was given, others of its frame lose
    return np.unique(units.unit[frames]) if is_few(len(face), problem, config) else None


def _given(fixed: IntArray, names: tuple[str, ...]) -> NDArray[Any]:
    """The answer about each face."""
    return np.array([*names, OPEN, NOBODY], dtype=object)[fixed]


def _refused(refused: IntArray, names: tuple[str, ...]) -> set[tuple[int, str]]:
    return {(key // len(names), names[key % len(names)]) for key in refused.tolist()}


def rerun(
    memory: Memory, problem: Problem, constraints: Constraints, config: Config, seed: int, progress: Progress
) -> tuple[Units, list[Chain]] | None:
    """The chains of the cold run after some more sweeps over what the new corrections affect."""
    units = units_of(problem, constraints, config)
    changed = changed_units(memory, problem, constraints, units, config)
    if changed is None:
        return None
    params = Params.of(config, memory.temperature, units.usable_names, units.films)
    index = {name: k for k, name in enumerate(problem.names)}
    place = np.array([*(index.get(name, NO_NAME) for name in memory.names), NO_NAME], np.int64)
    chains = []
    for number, end in enumerate(memory.ends):
        space, value = PldaSpace(end.y, end.psi, 0.0), float(end.value)
        data = units.data(space, memory.alike.index, memory.edges)
        name = np.where(end.tally_name >= 0, place[np.maximum(end.tally_name, NO_NAME)], end.tally_name)
        state = starts.state_of(data, units, end.cluster, place[end.name], end.rate.copy(), params)
        state.further[:] = end.further
        tally = name, end.tally.copy()
        if len(changed):
            state = go_on(data, state, params, config, changed, tally, seed + number)
        progress("people", number + 1, len(memory.ends), value)
        chains.append(Chain(space, state, value, *tally))
    return units, chains


def go_on(
    data: Data, state: State, params: Params, config: Config, changed: IntArray, tally: tuple[Any, Any], seed: int
) -> State:
    """Obeys the corrections, then sweeps over the units that they affect, whose rows of the tally are made anew."""
    before = deepcopy(state)
    state = obey(data, state, params)
    moved = state.name[state.cluster] != before.name[before.cluster]
    moved[changed] = True
    asked = np.flatnonzero(beside(data, moved, (before, state)))
    rng, samples = np.random.default_rng(seed), config.rerun_sweeps
    fresh = np.full_like(tally[0], EMPTY), np.zeros_like(tally[1])
    for turn in range(2 + samples):
        kept = fresh if turn >= 2 else starts.NOTHING
        sweep_units(data, state, params, rng.permutation(asked), 1.0, seed, turn, *kept)
        start, members = table(state.cluster, np.arange(len(state.cluster)), len(state.size))
        sweep_names(data, state, params, np.unique(state.cluster[asked]), start, members, 1.0, seed, turn)
    tally[0][asked], tally[1][asked] = fresh[0][asked], fresh[1][asked] / samples
    return state


def beside(data: Data, moved: BoolArray, states: tuple[State, ...]) -> BoolArray:
    """Units whose chances may be others: those of the frames, the look-alikes and the clusters of units that moved."""
    units, near = len(moved), moved.copy()
    near[np.repeat(np.arange(units), np.diff(data.edge_start))[moved[data.edge_unit]]] = True
    for state in states:
        near |= np.isin(state.cluster, state.cluster[moved])
    groups = np.zeros(data.groups, bool)
    groups[data.unit_group[np.repeat(near, np.diff(data.unit_start))]] = True
    near[np.repeat(np.arange(units), np.diff(data.unit_start))[groups[data.unit_group]]] = True
    return near


# --- The checkpoint as plain arrays --------------------------------------------------------------------------------------


def pack(inputs: Inputs, problem: Problem, constraints: Constraints, chains: list[Chain]) -> Mapping[str, NDArray[Any]]:
    """The end of a cold run as plain arrays. Chains that are hardly heard are left out."""
    chains = [chain for chain, weight in zip(chains, weights(chains, inputs.config), strict=True) if weight > UNHEARD]
    arrays: dict[str, NDArray[Any]] = {"format": np.array(FORMAT), "names": np.array(json.dumps(problem.names))}
    arrays |= {"fixed": constraints.fixed, "refused": constraints.refused, "unit": inputs.units.unit}
    arrays |= {"index": inputs.alike.index, "cosine": inputs.alike.cosine}
    arrays |= dict(zip(EDGES, inputs.edges, strict=True))
    arrays |= {"temperature": np.array(inputs.params.temperature), "many": np.array(len(chains))}
    for k, chain in enumerate(chains):
        state = chain.state
        ends = chain.space.y, chain.space.psi, state.cluster, state.name, state.rate, state.further
        end = End(*ends, np.array(chain.value), chain.tally_name, chain.tally)
        arrays |= {f"{key}_{k}": value for key, value in end._asdict().items()}
    return arrays


def unpack(a: Mapping[str, NDArray[Any]]) -> Memory | None:
    """What ``pack`` packed; None if the arrays have another format."""
    try:
        if int(a["format"]) != FORMAT:
            return None
        return Memory(
            names=tuple(json.loads(str(a["names"]))),
            fixed=a["fixed"],
            refused=a["refused"],
            unit=a["unit"],
            alike=Alike.of(a["index"], a["cosine"]),
            edges=(a["edge_start"], a["edge_unit"], a["edge_weight"]),
            temperature=float(a["temperature"]),
            ends=tuple(End(*(a[f"{key}_{k}"] for key in End._fields)) for k in range(int(a["many"]))),
        )
    except (ValueError, KeyError):
        return None
