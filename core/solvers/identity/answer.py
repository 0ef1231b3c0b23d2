"""From chains to an answer: posterior averages, and who is one person."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from core.prediction import Evidence, Scores
from core.problem import FloatArray
from core.solvers.identity.config import Config
from core.solvers.identity.confusable import discounted
from core.solvers.identity.inference import Chain
from core.solvers.identity.inputs import Alike
from core.solvers.identity.units import Units

FAINT = 1e-3


def weights(chains: list[Chain], config: Config) -> FloatArray:
    """How much each chain is heard, by its log-joint."""
    temperature = min(config.mode_temperature, config.mode_nats * len(chains[0].state.cluster))
    weight = np.exp([(chain.value - chains[0].value) / temperature for chain in chains])
    return np.asarray(weight / weight.sum())


def scores_of(units: Units, alike: Alike, chains: list[Chain], config: Config) -> Scores:
    """The mean of the chains, with the doubt about names that captions hardly tell from others."""
    names, weight = len(units.counts), weights(chains, config)
    table = csr_array((units.many, names + 1))
    for share, chain in zip(weight.tolist(), chains, strict=True):
        unit, slot = np.nonzero(chain.tally > 0)
        name = chain.tally_name[unit, slot]
        column = np.where(name >= 0, name, names)
        table = table + csr_array((share * chain.tally[unit, slot], (unit, column)), shape=table.shape)
    faces = discounted(csr_array(table), units, chains[0].state, config)[units.unit].tocoo()
    face, name, score = faces.coords[0].astype(np.int64), faces.coords[1].astype(np.int64), faces.data
    nobody = np.zeros(len(units.unit))
    nobody[face[name == names]] = score[name == names]
    listed = (name < names) & (score > FAINT)
    order = np.lexsort((name[listed], face[listed]))
    return Scores(
        face=face[listed][order],
        name=name[listed][order],
        score=score[listed][order],
        nobody=nobody,
        evidence=evidence_of(units, alike, chains[0]),
    )


def evidence_of(units: Units, alike: Alike, chain: Chain) -> Evidence:
    """Who is one person: a column a name with its largest cluster, then one for each other cluster.

    Further clusters of a name stand by themselves: captions put them together, not looks, and an answer settles one of them.
    """
    names, state, unit = len(units.counts), chain.state, units.unit
    alive = np.flatnonzero(state.size > 0)
    named = alive[state.name[alive] >= 0]
    named = named[np.argsort(state.size[named], kind="stable")]  # the largest is written last
    main = np.full(names, -1, np.int64)
    main[state.name[named]] = named
    others = np.setdiff1d(alive, main)
    column = np.zeros(len(state.size), np.int64)
    column[main[main >= 0]] = np.flatnonzero(main >= 0)
    column[others] = names + np.arange(len(others))
    persons = csr_array(
        (np.ones(len(unit), np.float32), (np.arange(len(unit)), column[state.cluster[unit]])),
        shape=(len(unit), names + len(others)),
    )
    first = np.unique(unit, return_index=True)[1]
    neighbours = first[np.maximum(alike.index, 0)][unit]
    cosine = alike.cosine[unit]
    return Evidence(persons, neighbours, cosine.astype(np.float32))
