"""The dual bipartite graph: within-group and cross-group links between faces and mentions.

Within-group links join every face of a group to every mention in its caption, weighted by how often that face and that
name come together (equation 1). Cross-group links join a face to the mentions of its look-alikes in other groups.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import find, join, lookup
from core.corrections import Constraints
from core.problem import FloatArray, IntArray, Problem
from core.solvers.embeddings import SAME_PERSON_DISTANCES
from core.solvers.neighbours import Neighbours, distances_between, find_neighbours, pair_cosines

PAIR_SHARE = 0.95  # the pairs of a name cluster at 0.95 d, as in the authors' published graph
ASKED = 1000  # faces whose captions are foretold to calibrate d
QUANTILES = np.geomspace(0.0005, 0.2, 24)  # the distances tried, as shares of all pairs of faces


@dataclass(frozen=True)
class Distances:
    """How near two faces must be: ``pair`` to count as one person with one name, ``neighbour`` for a cross-group link."""

    pair: float
    neighbour: float


@dataclass(frozen=True, eq=False)
class Links:
    """Both graphs as lists of links, ordered by face, then mention. ``cross_similarity`` is the cosine between the face and
    the look-alike through which it is linked."""

    within_face: IntArray
    within_mention: IntArray
    within_weight: FloatArray
    cross_face: IntArray
    cross_mention: IntArray
    cross_weight: FloatArray
    cross_similarity: FloatArray
    cross_neighbour: IntArray  # the look-alike


def build_links(problem: Problem, constraints: Constraints, distances: Distances) -> Links:
    """The dual bipartite graph of ``problem`` with people's corrections as observed supervision."""
    near = find_neighbours(problem.features, max(distances.pair, distances.neighbour))
    face, mention = pair_up(problem)
    allowed = constraints.allows(face, problem.mention_name[mention])
    count = np.zeros(len(face))
    count[allowed] = pair_counts(problem, face[allowed], mention[allowed], near.nearer(near.distance <= distances.pair))
    weight = contradiction_share(count, face, mention)
    weight[constraints.given(face, problem.mention_name[mention])] = 1.0
    cross = _cross_links(problem, constraints, near.nearer(near.distance < distances.neighbour), face, mention, weight)
    return Links(face, mention, weight, *cross)


def pair_up(problem: Problem) -> tuple[IntArray, IntArray]:
    """Every (face, mention) of one group, ordered by face, then mention."""
    return join(problem.mention_group, problem.group)


def pair_counts(problem: Problem, face: IntArray, mention: IntArray, near: Neighbours) -> FloatArray:
    """c_ij: how many (face, name) pairs lie in the cluster of each given pair.

    The paper clusters the tuples [x_i; l_j] by DBSCAN. With two points to a cluster, its clusters are the connected
    components of the graph that joins near tuples, and tuples of different names are never near.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    if not len(face):
        return np.zeros(0)
    key = face * len(problem.names) + problem.mention_name[mention]
    order = np.argsort(key)
    key = key[order]
    # each near pair of faces joins the tuples of the names that both faces' captions hold
    at, far_mention = join(problem.mention_group, problem.group[near.left])
    name = problem.mention_name[far_mention]
    one, other = (find(key, side[at] * len(problem.names) + name) for side in (near.left, near.right))
    both = (one >= 0) & (other >= 0)
    graph = coo_array((np.ones(int(both.sum()), np.int8), (one[both], other[both])), shape=(len(key), len(key)))
    _, cluster = connected_components(graph, directed=False)
    size = np.empty(len(key))
    size[order] = np.bincount(cluster)[cluster]
    return size


def contradiction_share(count: FloatArray, face: IntArray, mention: IntArray) -> FloatArray:
    """Equation 1: a link's count over the counts of all links that share its face or its mention."""
    if not len(count):
        return count
    total = np.bincount(face, count)[face] + np.bincount(mention, count)[mention] - count
    return np.divide(count, total, out=np.zeros_like(count), where=total > 0)


def calibrate(problem: Problem, seed: int = 0) -> Distances:
    """The published distances of the problem's embedder; where there are none, distances read off the data.

    Captions tell, without any truth, which distance makes two faces look alike: d is the one at which the captions of a
    face's neighbours foretell its own caption best. Too small a d leaves faces without neighbours, too large a one asks
    strangers; both foretell less.
    """
    features = problem.features
    if problem.embedder in SAME_PERSON_DISTANCES:
        d = SAME_PERSON_DISTANCES[problem.embedder]
        return Distances(PAIR_SHARE * d, d)
    from scipy.sparse import csr_array

    shape = (problem.groups, max(len(problem.names), 1))
    mentioned = csr_array(
        (np.ones(problem.mentions, np.float32), (problem.mention_group, problem.mention_name)), shape=shape
    )
    rate = np.asarray(mentioned.sum(axis=0)).ravel() / problem.groups
    captioned = np.flatnonzero(np.diff(mentioned.indptr)[problem.group])
    asked = np.sort(np.random.default_rng(seed).permutation(captioned)[:ASKED])
    distance = distances_between(features, asked)
    distance[problem.group[asked][:, None] == problem.group[None, :]] = np.inf
    finite, length = distance[np.isfinite(distance)], float(np.linalg.norm(features, axis=1).mean())
    if not len(finite):
        return Distances(PAIR_SHARE * length, length)
    own = mentioned[problem.group[asked]].toarray()
    each = np.maximum(np.diff(mentioned.indptr)[problem.group], 1)
    votes = csr_array(mentioned[problem.group].multiply(1.0 / each[:, None]))
    grid = np.quantile(finite, QUANTILES) + 1e-6 * length  # above 0: one picture may stand in two frames
    gain = np.zeros(len(grid))
    for k, d in enumerate(grid):
        vote = (csr_array(distance < d, dtype=np.float32) @ votes).toarray()
        top = (vote == vote.max(axis=1, keepdims=True)) & (vote > 0)
        # how much more often the elected name (of equals, each in part) stands in the face's caption than in any caption
        gain[k] = np.mean((top * (own - rate)).sum(axis=1) / np.maximum(top.sum(axis=1), 1))
    d = float(grid[np.argmax(gain)])
    return Distances(PAIR_SHARE * d, d)


def _cross_links(
    problem: Problem, constraints: Constraints, near: Neighbours, face: IntArray, mention: IntArray, weight: FloatArray
) -> tuple[IntArray, IntArray, FloatArray, FloatArray, IntArray]:
    """Links each face to the mentions of its look-alikes in other groups, with the look-alike's within-group weight.

    Where several look-alikes lead to one mention, the nearest one counts.
    """
    apart = problem.group[near.left] != problem.group[near.right]
    left, right, distance = near.left[apart], near.right[apart], near.distance[apart]
    one, other, distance = np.r_[left, right], np.r_[right, left], np.r_[distance, distance]
    at, target = join(problem.mention_group, problem.group[other])
    # the nearest look-alike first; equal distances by the look-alike's own number, so that the choice is settled
    order = np.lexsort((other[at], distance[at], target, one[at]))
    at, target = at[order], target[order]
    source = one[at]
    first = np.r_[True, (source[1:] != source[:-1]) | (target[1:] != target[:-1])] if len(at) else np.zeros(0, bool)
    at, target, source = at[first], target[first], source[first]
    key = face * problem.mentions + mention
    link_weight = lookup(key, weight, other[at] * problem.mentions + target)
    name = problem.mention_name[target]
    link_weight = np.where(constraints.allows(source, name), link_weight, 0.0)
    link_weight = np.where(constraints.given(source, name), 1.0, link_weight)
    return source, target, link_weight, pair_cosines(problem.features, source, other[at]), other[at]
