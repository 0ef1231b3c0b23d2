"""What all chains share: units, their look-alikes, the space in which they are compared."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.corrections import Constraints
from core.prediction import NO_NEIGHBOUR
from core.problem import FloatArray, IntArray, Problem
from core.solvers.identity.appearance import (
    PldaSpace,
    Spectrum,
    centred,
    fit_plda,
    offline_space,
    principal,
    prior_spectrum,
    unit_length,
)
from core.solvers.identity.config import Config
from core.solvers.identity.neighbours import neighbours_of
from core.solvers.identity.prior import offline_prior
from core.solvers.identity.state import Data, Params
from core.solvers.identity.units import Units, table, units_of

Edges = tuple[IntArray, IntArray, FloatArray]


@dataclass(frozen=True, eq=False)
class Alike:
    """Look-alikes of each unit (-1 where there is none), and how alike they are, as weights and cosines."""

    index: IntArray
    cosine: FloatArray
    weight: FloatArray

    @staticmethod
    def of(index: IntArray, cosine: FloatArray) -> Alike:
        """The weight is 0 at a cosine that nine of ten look-alikes exceed, and 1 for the most alike."""
        found = cosine > NO_NEIGHBOUR
        low = np.quantile(cosine[found], 0.1) if found.any() else 0.0
        weight = np.where(found, np.maximum(cosine - low, 0), 0)
        return Alike(np.where(found, index, -1), cosine, weight / max(float(weight.max(initial=0)), 1e-9))


@dataclass(frozen=True, eq=False)
class Inputs:
    """What all starts share."""

    units: Units
    x: FloatArray  # units × principal directions
    alike: Alike
    edges: Edges
    spectrum: Spectrum | None  # None: the scatters were learned offline,
    space: PldaSpace  # and this is their space; otherwise that of the prior
    params: Params
    config: Config

    def data(self, space: PldaSpace) -> Data:
        return self.units.data(space, self.alike.index, self.edges)


def inputs_of(problem: Problem, constraints: Constraints, config: Config, seed: int) -> Inputs:
    units, rows = units_of(problem, constraints, config), centred(problem, np.ones(problem.faces))
    spectrum = prior_spectrum(problem, unit_length(rows), config.dimensions, np.random.default_rng(seed))
    rows = units.mean(rows)
    x = principal(rows, spectrum.dimensions)
    group = units.groups[1][units.groups[0][:-1]]
    many = max(min(config.neighbours, units.many - 1), 1)
    alike = Alike.of(*neighbours_of(unit_length(x).astype(np.float32), group, many))
    edges = edges_of(alike, spectrum, config)
    prior = offline_prior(problem.embedder, problem.features.shape[1]) if config.offline else None
    if prior is not None:
        space, params = offline_space(rows, prior, config.offline_dimensions), params_of(config, units, None)
        return Inputs(units, x, alike, edges, None, space, params, config)
    params = params_of(config, units, spectrum)
    return Inputs(units, x, alike, edges, spectrum, fit_plda(x, None, spectrum, config), params, config)


def params_of(config: Config, units: Units, spectrum: Spectrum | None) -> Params:
    """The temperature is that of an isotropic likelihood as far as the prior of the scatters counts."""
    if spectrum is None:
        return Params.of(config, config.offline_temperature, units.usable_names, units.films)
    learned = units.many if config.learning else 0
    prior = config.within_faces * spectrum.dimensions
    isotropic = spectrum.directions / spectrum.dimensions
    tau = (prior * isotropic + learned * config.temperature) / (prior + learned)
    return Params.of(config, tau, units.usable_names, units.films)


def edges_of(alike: Alike, spectrum: Spectrum, config: Config) -> Edges:
    """The pairs of look-alikes, each from both ends, weighted by the probability that they are one person.

    Of a unit's look-alikes only as many count as there are other units of one person, on average.
    """
    found = alike.index >= 0
    found[:, max(round(spectrum.share * len(found)), 1) :] = False
    one, other = np.repeat(np.arange(len(found)), found.sum(1)), alike.index[found]
    weight = config.likeness * spectrum.same_person(alike.cosine[found].astype(np.float64))
    start, place = table(np.r_[one, other], np.arange(2 * len(one)), len(found))
    return start, np.r_[other, one][place], np.r_[weight, weight][place]
