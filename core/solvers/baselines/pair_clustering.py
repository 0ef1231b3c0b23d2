"""Pair Clustering: a face takes the name with which it, and faces like it, come together most often.

The first baseline of the DB-GAE paper (AAAI 2020, section Baselines), after J. Sander et al., Density-Based Clustering in
Spatial Databases, 1998. The (face, candidate) pairs of each name are clustered by DBSCAN with two points to a cluster; a
pair counts as many as its cluster has, a pair in no cluster counts 1; each face takes its pair of the largest count, of
equal ones the first in the order of names.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.problem import BoolArray, FloatArray, Problem
from core.solvers.baselines.ipal import normalised
from core.solvers.dbgae.links import pair_counts
from core.solvers.neighbours import find_neighbours


@dataclass(frozen=True, eq=False)
class Fitted:
    """``confidence``: each candidate's share in the counts of its face."""

    confidence: FloatArray


def fit(features: FloatArray, candidates: BoolArray, distance: float) -> Fitted:
    """``distance`` is DBSCAN's ε: ``calibrate(problem).neighbour``."""
    face, name = np.nonzero(candidates)
    # a group for each face: its candidates are then the group's mentions, and each pair is a mention
    alone = Problem(
        features=features,
        group=np.arange(len(features)),
        names=tuple(str(k) for k in range(candidates.shape[1])),
        mention_group=face,
        mention_name=name,
        groups=len(features),
    )
    count = np.zeros(candidates.shape)
    count[face, name] = pair_counts(alone, face, np.arange(len(face)), find_neighbours(features, distance))
    return Fitted(normalised(count))
