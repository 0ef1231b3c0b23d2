"""The paper's ablations of the links; those of the network are fields of its ``Settings``."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.corrections import Constraints
from core.problem import Problem
from core.solvers.dbgae.links import Links
from core.solvers.dbgae.pooling import clamp


def averaged(problem: Problem, constraints: Constraints, links: Links) -> Links:
    """Without the dual graph: every name of a caption is equally likely."""
    share = 1.0 / np.bincount(problem.mention_group, minlength=problem.groups)[problem.mention_group]
    within, cross = clamp(problem, constraints, links, share[links.within_mention], share[links.cross_mention])
    return replace(links, within_weight=within, cross_weight=cross)


def without_cross(links: Links) -> Links:
    """Without cross-group links."""
    none = np.zeros(0, dtype=np.int64)
    return replace(
        links,
        cross_face=none,
        cross_mention=none,
        cross_weight=none * 0.0,
        cross_similarity=none * 0.0,
        cross_neighbour=none,
    )
