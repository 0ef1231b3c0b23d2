"""Instance label pooling (equation 15), and how its scores become the weights of the next round's links."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.arrays import lookup
from core.corrections import Constraints
from core.prediction import HALF_LEVEL, Scores
from core.problem import FloatArray, IntArray, Problem
from core.solvers.dbgae.links import Links, contradiction_share


def pool(problem: Problem, constraints: Constraints, links: Links, within: FloatArray, cross: FloatArray) -> Scores:
    """Equation 15: a face's links summed by name, cross-group links times the look-alike's cosine.

    The paper's sigma is read as: a weight below half a level is 0.
    """
    weight = np.r_[within, cross * links.cross_similarity]
    face = np.r_[links.within_face, links.cross_face]
    name = problem.mention_name[np.r_[links.within_mention, links.cross_mention]]
    keep = (weight >= HALF_LEVEL) & constraints.allows(face, name)
    names = max(len(problem.names), 1)
    key, place = np.unique(face[keep] * names + name[keep], return_inverse=True)
    score = np.bincount(place, weight[keep], minlength=len(key)).astype(np.float64)
    return Scores(key // names, key % names, score)


def clamp(
    problem: Problem, constraints: Constraints, links: Links, within: FloatArray, cross: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The weights under the constraints: 1 where a person gave the name, 0 where it is ruled out."""

    def clamped(face: IntArray, mention: IntArray, weight: FloatArray) -> FloatArray:
        name = problem.mention_name[mention]
        return np.where(constraints.given(face, name), 1.0, np.where(constraints.allows(face, name), weight, 0.0))

    return (
        clamped(links.within_face, links.within_mention, within),
        clamped(links.cross_face, links.cross_mention, cross),
    )


def fed_back(problem: Problem, constraints: Constraints, links: Links, scores: Scores) -> Links:
    """The links with weights from pooled scores: a face's score for a name takes the place of the count in equation 1."""
    name = problem.mention_name[links.within_mention]
    count = scores.at(links.within_face, name, len(problem.names))
    weight = contradiction_share(count, links.within_face, links.within_mention)
    key = links.within_face * problem.mentions + links.within_mention
    through = lookup(key, weight, links.cross_neighbour * problem.mentions + links.cross_mention)
    within, cross = clamp(problem, constraints, links, weight, through)
    return replace(links, within_weight=within, cross_weight=cross)
