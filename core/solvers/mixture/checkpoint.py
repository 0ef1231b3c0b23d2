"""The warm-start checkpoint as plain arrays, and the rule when a cold start first runs without the corrections."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from core.corrections import OPEN, Constraints
from core.problem import Problem
from core.solvers.mixture.likelihoods import MentionRates
from core.solvers.mixture.neighbours import NeighbourGraph
from core.solvers.mixture.plda import PldaSpace
from core.solvers.mixture.posterior import Posterior
from core.solvers.mixture.sparse_tables import Sparse, sparse
from core.solvers.mixture.warm_start import Chain, State, is_few

FORMAT = 7  # format version: increased when the arrays or the method change


def starts_without_corrections(ordered: Problem, constraints: Constraints) -> bool:
    """Whether a cold start first runs without the corrections: there are only a few.

    A single answer early in a run can change the answer for faces that it does not concern. And a warm start then gives the
    same answer as a cold start. Problems with identical faces are excluded: only answers tell these apart.
    """
    twins = (ordered.features[1:] == ordered.features[:-1]).all(1).any()
    answered = len(np.union1d(np.flatnonzero(constraints.fixed != OPEN), constraints.refused // max(constraints.names, 1)))
    return answered > 0 and is_few(answered, ordered) and not twins


def pack(state: State | None) -> Mapping[str, Any] | None:
    """The state as plain arrays."""
    if state is None:
        return None
    constraints, graph = state.constraints, state.graph
    arrays: dict[str, Any] = {"format": np.array(FORMAT), "names": np.array(json.dumps(state.names))}
    arrays |= {"fixed": constraints.fixed, "group": constraints.group, "refused": constraints.refused}
    arrays |= {"taken": constraints.taken, "injected": constraints.injected, "injected_names": constraints.injected_names}
    arrays["many_names"] = np.array(constraints.names)
    arrays |= {"faces": state.faces, "index": graph.index, "cosine": graph.cosine, "reach": np.array(graph.reach)}
    arrays["views"] = np.array(len(state.chains))
    for number, chain in enumerate(state.chains):
        arrays |= {f"{key}_{number}": np.asarray(value) for key, value in _packed(chain).items()}
    return arrays


def _packed(chain: Chain) -> dict[str, Any]:
    resp, space, rate = chain.posterior.resp, chain.space, chain.rate
    packed = {"value": resp.data, "column": resp.indices, "row": resp.indptr, "shape": resp.shape}
    packed |= {"new": chain.posterior.new, "y": space.y, "psi": space.between_variance}
    return packed | {"rho": rate.visible, "beta": rate.absent, "common": rate.common}


def _unpacked(a: Mapping[str, Any], number: int) -> Chain:
    def of(key: str) -> Any:
        return a[f"{key}_{number}"]

    resp: Sparse = sparse((of("value"), of("column"), of("row")))
    resp.resize(*of("shape").tolist())
    rate = MentionRates(of("rho"), of("beta"), float(of("common")))
    return Chain(Posterior(resp, of("new")), PldaSpace(of("y"), of("psi")), rate)


def unpack(a: Mapping[str, Any]) -> State | None:
    """The state that ``pack`` packed; None if the arrays have another format version."""
    try:
        if int(a["format"]) != FORMAT:
            return None
        return State(
            names=tuple(json.loads(str(a["names"]))),
            constraints=Constraints(
                a["fixed"], a["group"], a["refused"], a["taken"], a["injected"], a["injected_names"], int(a["many_names"])
            ),
            faces=a["faces"],
            graph=NeighbourGraph.from_reach(tuple(a["reach"].tolist()), a["index"], a["cosine"]),
            chains=tuple(_unpacked(a, number) for number in range(int(a["views"]))),
        )
    except (ValueError, KeyError):
        return None
