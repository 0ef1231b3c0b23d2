"""Warm starts: a run after new corrections starts from the last cold start and recomputes what they affect.

Every warm start begins with the same state, whatever warm starts came between. So the answer does not depend on the order
of corrections, an undone correction leaves no trace, and errors do not accumulate.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.corrections import OPEN, Constraints
from core.problem import NOBODY, FloatArray, IntArray, Problem
from core.progress import Progress
from core.solvers.mixture.cluster_statistics import ClusterStatistics
from core.solvers.mixture.likelihoods import MentionRates
from core.solvers.mixture.neighbours import NeighbourGraph
from core.solvers.mixture.plda import PldaSpace
from core.solvers.mixture.posterior import ClusterScores, Inputs, Posterior, clamp, frame_posterior, top_candidates
from core.solvers.mixture.sparse_tables import from_coo, scale_rows, soft_counts, sparse
from core.solvers.mixture.split_merge import split_merge_step

ROUNDS = 5  # at most
SPLIT_MERGE_ROUNDS = (0, 2)  # rounds that end with a split-merge step
TOLERANCE = 0.02  # smaller changes of a responsibility count as none
ALL_BELOW = 4000  # problems with at most so many faces are recomputed whole
MAX_CHANGED_SHARE = 0.03  # share of faces whose answers may differ from the checkpoint's
MIN_CHANGED = 5  # or so many faces


@dataclass(frozen=True, eq=False)
class Chain:
    """The end of one chain."""

    posterior: Posterior
    space: PldaSpace
    rate: MentionRates


@dataclass(frozen=True, eq=False)
class State:
    """The end of a cold start."""

    names: tuple[str, ...]
    constraints: Constraints
    faces: FloatArray
    graph: NeighbourGraph
    chains: tuple[Chain, ...]
    nystrom: FloatArray | None = None  # ``nystrom_features`` of the faces; not on disk


def changed_faces(state: State, problem: Problem, constraints: Constraints) -> IntArray | None:
    """The faces whose corrections differ from those of ``state``; None if there are too many for a warm start."""
    differ = _given(state.constraints, state.names) != _given(constraints, problem.names)
    differ[[face for face, _ in _refused(state.constraints, state.names) ^ _refused(constraints, problem.names)]] = True
    face = np.flatnonzero(differ)
    return face if is_few(len(face), problem) else None


def is_few(faces: int, problem: Problem) -> bool:
    """Whether changed corrections of so many faces allow a warm start."""
    return faces <= max(MIN_CHANGED, MAX_CHANGED_SHARE * problem.faces)


def _given(constraints: Constraints, names: tuple[str, ...]) -> NDArray[Any]:
    """The answer about each face."""
    return np.array([*names, OPEN, NOBODY], dtype=object)[constraints.fixed]


def _refused(constraints: Constraints, names: tuple[str, ...]) -> set[tuple[int, str]]:
    return {(key // len(names), names[key % len(names)]) for key in constraints.refused.tolist()}


def refit(
    inputs: Inputs, chain: Chain, before: tuple[str, ...], names: tuple[str, ...], face: IntArray, progress: Progress
) -> Chain:
    """Continues the chain with changed corrections of ``face``; recomputes their frames, neighbours and clusters."""
    start, space, settings = remap_names(chain.posterior, before, names), chain.space, inputs.settings
    posterior, rate = clamp(inputs, start), chain.rate
    asked = _affected(inputs, start, posterior, face)
    for turn in range(ROUNDS if len(face) else 0):  # without changed corrections nothing changes
        rate, last = inputs.mention_rates(posterior), posterior
        scores = ClusterScores.of(inputs, posterior, space, rate, settings.rounds)
        many = posterior.resp.shape[1]
        candidates = top_candidates(inputs, scores.rows, many, scores.new, asked)
        posterior = _with_rows(posterior, frame_posterior(inputs, candidates, many, scores.new, rate, asked), asked)
        if settings.unnamed and turn in SPLIT_MERGE_ROUNDS:
            stats, inside = ClusterStatistics.of(inputs, space, rate), np.zeros(len(posterior.new), bool)
            moved = _moved_faces(start, posterior, inputs.names)
            inside[np.union1d(face, moved)] = True  # the cold start has treated the other clusters
            posterior = clamp(inputs, Posterior.of(split_merge_step(posterior.resp, posterior.new, stats, inside)))
        progress("people", turn + 1, ROUNDS, posterior.mean_confidence())
        moved = _moved_faces(last, posterior, inputs.names)
        if turn > max(SPLIT_MERGE_ROUNDS) and not len(moved):
            break
        asked = np.union1d(asked, _affected(inputs, last, posterior, moved))
    return Chain(posterior, space, rate)


def remap_names(posterior: Posterior, before: tuple[str, ...], names: tuple[str, ...]) -> Posterior:
    """The posterior with the columns of the names of now; a name that is gone becomes an unnamed cluster."""
    index = {name: k for k, name in enumerate(names)}
    gone = iter(range(len(names), len(names) + len(before)))
    place = [index[name] if name in index else next(gone) for name in before]
    unnamed, clusters = len(names) + sum(name not in index for name in before), posterior.resp.shape[1]
    column = np.r_[place, np.arange(unnamed, unnamed + clusters - len(place))].astype(np.int64)
    many = unnamed + clusters - len(place)
    moves = from_coo(np.ones(len(column)), np.arange(len(column)), column, (len(column), many))
    return Posterior(sparse(posterior.resp @ moves), posterior.new)


def _with_rows(posterior: Posterior, part: Posterior, faces: IntArray) -> Posterior:
    """The posterior with the rows of some faces replaced."""
    stays = np.ones(len(posterior.new))
    stays[faces] = 0
    return Posterior(sparse(scale_rows(stays, posterior.resp) + part.resp), np.where(stays > 0, posterior.new, part.new))


def _moved_faces(before: Posterior, after: Posterior, names: int) -> IntArray:
    """The faces whose probabilities of names or of "new" changed."""
    differ = abs(before.resp[:, :names] - after.resp[:, :names]).max(axis=1).toarray() if names else 0.0
    return np.flatnonzero(np.maximum(differ, np.abs(before.new - after.new)) > TOLERANCE)


def _affected(inputs: Inputs, before: Posterior, after: Posterior, face: IntArray) -> IntArray:
    """The faces that a change at ``face`` may affect: frames, neighbours, and clusters before and after."""
    n = len(inputs.faces)
    if n <= ALL_BELOW:
        return np.arange(n)
    hit = np.zeros(n, bool)
    hit[face] = True
    one = hit.astype(np.float32)
    near = (inputs.graph.weight @ one > 0) | (inputs.graph.weight.T @ one > 0)
    for posterior in (before, after):
        touched = soft_counts(posterior.resp[face]) > TOLERANCE
        near |= posterior.resp @ touched.astype(np.float32) > TOLERANCE
    frames = np.zeros(int(inputs.group.max()) + 1, bool)
    frames[inputs.group[hit | near]] = True
    return np.flatnonzero(frames[inputs.group])
