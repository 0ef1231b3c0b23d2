"""From chains to an answer: posterior averages, and who is one person."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from core.prediction import Evidence, Scores
from core.solvers.identity.inference import Chain, Inputs

FAINT = 1e-3


def scores_of(inputs: Inputs, chains: list[Chain]) -> Scores:
    """The mean of the chains, weighted by their log-joint."""
    config, names = inputs.config, len(inputs.units.counts)
    weight = np.exp([(chain.value - chains[0].value) / config.mode_temperature for chain in chains])
    weight = weight / weight.sum()
    table = csr_array((inputs.units.many, names + 1))
    for share, chain in zip(weight.tolist(), chains, strict=True):
        unit, slot = np.nonzero(chain.tally > 0)
        name = chain.tally_name[unit, slot]
        column = np.where(name >= 0, name, names)
        table = table + csr_array((share * chain.tally[unit, slot], (unit, column)), shape=table.shape)
    faces = csr_array(table)[inputs.units.unit].tocoo()
    face, name, score = faces.coords[0].astype(np.int64), faces.coords[1].astype(np.int64), faces.data
    nobody = np.zeros(len(inputs.units.unit))
    nobody[face[name == names]] = score[name == names]
    listed = (name < names) & (score > FAINT)
    order = np.lexsort((name[listed], face[listed]))
    return Scores(
        face=face[listed][order],
        name=name[listed][order],
        score=score[listed][order],
        nobody=nobody,
        evidence=evidence_of(inputs, chains[0]),
    )


def evidence_of(inputs: Inputs, chain: Chain) -> Evidence:
    """Who is one person: a column a name, then one for each cluster without a name."""
    names, state, unit = len(inputs.units.counts), chain.state, inputs.units.unit
    borne = state.name[state.cluster]
    unnamed = np.unique(state.cluster[borne < 0])
    column = np.where(borne >= 0, borne, names + np.searchsorted(unnamed, state.cluster))
    persons = csr_array(
        (np.ones(len(unit), np.float32), (np.arange(len(unit)), column[unit])), shape=(len(unit), names + len(unnamed))
    )
    first = np.unique(unit, return_index=True)[1]
    neighbours = first[np.maximum(inputs.alike.index, 0)][unit]
    cosine = inputs.alike.cosine[unit]
    return Evidence(persons, neighbours, cosine.astype(np.float32))
