"""Cluster Voting: look-alikes vote on one name for all of them.

The second baseline of the DB-GAE paper (AAAI 2020, section Baselines), after J. Sander et al., Density-Based Clustering in
Spatial Databases, 1998. The faces are clustered by DBSCAN with two points to a cluster, which makes its clusters the
connected components of near faces; a face in no cluster stands alone. Every face of a cluster votes for each of its
candidates, and the cluster's majority is every member's name, whether its own caption has it or not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from core.problem import BoolArray, FloatArray
from core.solvers.baselines.ipal import normalised
from core.solvers.neighbours import find_neighbours


@dataclass(frozen=True, eq=False)
class Fitted:
    """``confidence``: each name's share in the votes of a face's cluster."""

    confidence: FloatArray


def fit(features: FloatArray, candidates: BoolArray, distance: float) -> Fitted:
    """``distance`` is DBSCAN's ε: ``calibrate(problem).neighbour``."""
    near = find_neighbours(features, distance)
    faces = len(features)
    graph = coo_array((np.ones(len(near.left), np.int8), (near.left, near.right)), shape=(faces, faces))
    clusters, cluster = connected_components(graph, directed=False)
    votes = np.zeros((clusters, candidates.shape[1]))
    np.add.at(votes, cluster, candidates)
    # half a vote for the names of one's own caption decides among equals, and only there; then the order of names does
    return Fitted(normalised(votes[cluster] + 0.5 * candidates))
