"""Tiny problems, and all states that such a problem can be in."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from core import Correction, Problem
from core.corrections import bind
from core.problem import FloatArray, IntArray
from core.solvers.identity.appearance import PldaSpace
from core.solvers.identity.config import DEFAULTS, FIRST_RATES
from core.solvers.identity.start import state_of
from core.solvers.identity.state import Data, Params, State
from core.solvers.identity.units import Units, units_of

PARAMS = Params.of(DEFAULTS, 0.6, 2, 1.0)


def tiny(seed: int, faces: int = 5, names: int = 2, groups: int = 3) -> Problem:
    """Faces of as many persons as there are names, in random groups, with captions that mention some of them."""
    rng = np.random.default_rng(seed)
    person, group = rng.integers(names, size=faces), np.sort(rng.integers(groups, size=faces))
    features = np.eye(names + 1)[person] * 2 + 0.5 * rng.normal(size=(faces, names + 1))
    called = [f"name {k}" for k in range(names)]
    captions = [[called[k] for k in range(names) if rng.random() < 0.6] for _ in range(groups)]
    return Problem.build(features, group, captions, names=called)


def prepared(problem: Problem, corrections: tuple[Correction, ...] = ()) -> tuple[Data, Units]:
    bound, constraints = bind(problem, corrections)
    units = units_of(bound, constraints)
    space = PldaSpace(units.mean(bound.features.astype(np.float64)), np.full(bound.features.shape[1], 1.5), 0.0)
    everybody = np.array([[j for j in range(units.many) if j != i] for i in range(units.many)]).reshape(units.many, -1)
    weight = np.random.default_rng(units.many).uniform(0, 0.4, size=(units.many, units.many))
    weight = (weight + weight.T)[~np.eye(units.many, dtype=bool)]
    edges = np.arange(units.many + 1) * (units.many - 1), everybody.ravel(), weight
    return units.data(space, everybody, edges), units


def state(data: Data, units: Units, cluster: IntArray, name: IntArray, rate: FloatArray | None = None) -> State:
    rates = np.tile(FIRST_RATES, (units.counts.shape[1], 1)) if rate is None else rate
    return state_of(data, units, cluster, name, rates, PARAMS)


def partitions(many: int) -> Iterator[list[int]]:
    """All partitions of so many units, as restricted growth strings."""

    def grow(prefix: list[int], used: int) -> Iterator[list[int]]:
        if len(prefix) == many:
            yield prefix
            return
        for k in range(used + 1):
            yield from grow([*prefix, k], max(used, k + 1))

    yield from grow([], 0)


def all_states(data: Data, units: Units) -> Iterator[State]:
    for cluster in partitions(units.many):
        for name in product(range(-1, len(units.counts)), repeat=max(cluster) + 1):
            yield state(data, units, np.array(cluster), np.array(name))
