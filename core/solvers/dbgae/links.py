"""The dual bipartite graph: within-group and cross-group links between faces and mentions.

Within-group links join every face of a group to every mention in its caption, weighted by how often that face and that
name come together (equation 1). Cross-group links join a face to the mentions of its look-alikes in other groups.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.corrections import Bound
from core.problem import BoolArray, FloatArray, IntArray, Problem

FACENET_DISTANCE = 1.0  # d: below it two FaceNet vectors show one person
PAIR_SHARE = 0.95  # the pairs of a name cluster at 0.95 d, as in the authors' published graph
ASKED = 1000  # faces whose captions are foretold to calibrate d
QUANTILES = np.geomspace(0.0005, 0.2, 24)  # the distances tried, as shares of all pairs of faces
BLOCK = 4_000_000  # entries of one block of the distance matrix (32 MB)


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


@dataclass(frozen=True, eq=False)
class Neighbours:
    """Pairs of faces nearer than some distance, each pair once (``left < right``)."""

    left: IntArray
    right: IntArray
    distance: FloatArray

    def nearer(self, keep: BoolArray) -> Neighbours:
        return Neighbours(self.left[keep], self.right[keep], self.distance[keep])


def build_links(problem: Problem, bound: Bound, distances: Distances) -> Links:
    """The dual bipartite graph of ``problem`` with people's corrections as observed supervision."""
    near = find_neighbours(problem.features, max(distances.pair, distances.neighbour))
    face, mention = pair_up(problem)
    allowed = bound.allows(face, problem.mention_name[mention])
    count = np.zeros(len(face))
    count[allowed] = pair_counts(problem, face[allowed], mention[allowed], near.nearer(near.distance <= distances.pair))
    weight = contradiction_share(count, face, mention)
    weight[bound.given(face, problem.mention_name[mention])] = 1.0
    cross = _cross_links(problem, bound, near.nearer(near.distance < distances.neighbour), face, mention, weight)
    return Links(face, mention, weight, *cross)


def pair_up(problem: Problem) -> tuple[IntArray, IntArray]:
    """Every (face, mention) of one group, ordered by face, then mention."""
    return _expand(np.arange(problem.faces), problem.group, problem)


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
    # each near pair of faces joins the tuples of the names that both faces' captions hold
    at, far_mention = _expand(np.arange(len(near.left)), problem.group[near.left], problem)
    name = problem.mention_name[far_mention]
    one = _find(key, order, near.left[at] * len(problem.names) + name)
    other = _find(key, order, near.right[at] * len(problem.names) + name)
    both = (one >= 0) & (other >= 0)
    graph = coo_array((np.ones(int(both.sum()), np.int8), (one[both], other[both])), shape=(len(key), len(key)))
    _, cluster = connected_components(graph, directed=False)
    size: FloatArray = np.bincount(cluster)[cluster].astype(np.float64)
    return size


def contradiction_share(count: FloatArray, face: IntArray, mention: IntArray) -> FloatArray:
    """Equation 1: a link's count over the counts of all links that share its face or its mention."""
    if not len(count):
        return count
    total = np.bincount(face, count)[face] + np.bincount(mention, count)[mention] - count
    return np.divide(count, total, out=np.zeros_like(count), where=total > 0)


def find_neighbours(features: FloatArray, radius: float) -> Neighbours:
    """All pairs of faces at most ``radius`` apart, exactly, in blocks of the distance matrix."""
    centred = features - features.mean(axis=0)  # the same distances, from smaller numbers
    square = np.einsum("ij,ij->i", centred, centred)
    # products in float32 are off by a few 1e-6 of the squares: take a little more, then measure those again
    slack = 1e-5 * float(square.max()) + 1e-12
    rows = max(1, BLOCK // len(features))
    found: list[tuple[IntArray, IntArray]] = []
    for start in range(0, len(features), rows):
        stop = min(start + rows, len(features))
        product = centred[start:stop] @ centred[start:].T
        gap = square[start:stop, None] + square[None, start:] - 2 * product
        left, right = np.nonzero(gap <= radius * radius + slack)
        later = right > left
        found.append((left[later] + start, right[later] + start))
    left = np.concatenate([pair[0] for pair in found])
    right = np.concatenate([pair[1] for pair in found])
    distance = pair_distances(features, left, right)
    near = distance <= radius
    return Neighbours(left[near], right[near], distance[near])


def pair_distances(features: FloatArray, left: IntArray, right: IntArray) -> FloatArray:
    """The L2 distance of each given pair, measured in float64 so that a limit of 1.0 cuts where it says."""
    distance = np.empty(len(left))
    rows = max(1, BLOCK // features.shape[1])
    for start in range(0, len(left), rows):
        part = slice(start, start + rows)
        gap = features[left[part]].astype(np.float64) - features[right[part]]
        distance[part] = np.sqrt(np.einsum("ij,ij->i", gap, gap))
    return distance


def calibrate(problem: Problem, seed: int = 0) -> Distances:
    """The paper's distances for 512-d FaceNet vectors; for features of any other kind, distances read off the data.

    Captions tell, without any truth, which distance makes two faces look alike: d is the one at which the captions of a
    face's neighbours foretell its own caption best. Too small a d leaves faces without neighbours, too large a one asks
    strangers; both foretell less.
    """
    features = problem.features
    length = np.linalg.norm(features, axis=1)
    if features.shape[1] == 512 and np.allclose(length, 1, atol=1e-3):
        return Distances(PAIR_SHARE * FACENET_DISTANCE, FACENET_DISTANCE)
    from scipy.sparse import csr_array

    shape = (problem.groups, max(len(problem.names), 1))
    mentioned = csr_array(
        (np.ones(problem.mentions, np.float32), (problem.mention_group, problem.mention_name)), shape=shape
    )
    rate = np.asarray(mentioned.sum(axis=0)).ravel() / problem.groups
    captioned = np.flatnonzero(np.diff(mentioned.indptr)[problem.group])
    asked = np.sort(np.random.default_rng(seed).permutation(captioned)[:ASKED])
    distance = _distances_between(features, asked)
    distance[problem.group[asked][:, None] == problem.group[None, :]] = np.inf
    finite = distance[np.isfinite(distance)]
    if not len(finite):
        return Distances(PAIR_SHARE * float(length.mean()), float(length.mean()))
    own = mentioned[problem.group[asked]].toarray()
    each = np.maximum(np.diff(mentioned.indptr)[problem.group], 1)
    votes = csr_array(mentioned[problem.group].multiply(1.0 / each[:, None]))
    grid = np.quantile(finite, QUANTILES) + 1e-6 * float(length.mean())  # above 0: one picture may stand in two frames
    gain = np.zeros(len(grid))
    for k, d in enumerate(grid):
        vote = (csr_array(distance < d, dtype=np.float32) @ votes).toarray()
        top = (vote == vote.max(axis=1, keepdims=True)) & (vote > 0)
        # how much more often the elected name (of equals, each in part) stands in the face's caption than in any caption
        gain[k] = np.mean((top * (own - rate)).sum(axis=1) / np.maximum(top.sum(axis=1), 1))
    d = float(grid[np.argmax(gain)])
    return Distances(PAIR_SHARE * d, d)


def _distances_between(features: FloatArray, asked: IntArray) -> FloatArray:
    """Distances of the asked faces to all faces."""
    square = np.einsum("ij,ij->i", features, features)
    gap = square[asked][:, None] + square[None, :] - 2 * features[asked] @ features.T
    return np.asarray(np.sqrt(np.maximum(gap, 0.0)))


def _cross_links(
    problem: Problem, bound: Bound, near: Neighbours, face: IntArray, mention: IntArray, weight: FloatArray
) -> tuple[IntArray, IntArray, FloatArray, FloatArray, IntArray]:
    """Links each face to the mentions of its look-alikes in other groups, with the look-alike's within-group weight.

    Where several look-alikes lead to one mention, the nearest one counts.
    """
    apart = problem.group[near.left] != problem.group[near.right]
    left, right, distance = near.left[apart], near.right[apart], near.distance[apart]
    one, other, distance = np.r_[left, right], np.r_[right, left], np.r_[distance, distance]
    at, target = _expand(np.arange(len(one)), problem.group[other], problem)
    # the nearest look-alike first; equal distances by the look-alike's own number, so that the choice is settled
    order = np.lexsort((other[at], distance[at], target, one[at]))
    at, target = at[order], target[order]
    source = one[at]
    first = np.r_[True, (source[1:] != source[:-1]) | (target[1:] != target[:-1])] if len(at) else np.zeros(0, bool)
    at, target, source = at[first], target[first], source[first]
    key = face * problem.mentions + mention
    link_weight = weight[np.searchsorted(key, other[at] * problem.mentions + target)] if len(at) else np.zeros(0)
    name = problem.mention_name[target]
    link_weight = np.where(bound.allows(source, name), link_weight, 0.0)
    link_weight = np.where(bound.given(source, name), 1.0, link_weight)
    return source, target, link_weight, cosine(problem.features, source, other[at]), other[at]


def cosine(features: FloatArray, left: IntArray, right: IntArray) -> FloatArray:
    """The cosine of the raw features of each given pair of faces."""
    unit = features / np.linalg.norm(features, axis=1, keepdims=True)
    similarity = np.empty(len(left))
    rows = max(1, BLOCK // features.shape[1])
    for start in range(0, len(left), rows):
        part = slice(start, start + rows)
        similarity[part] = np.einsum("ij,ij->i", unit[left[part]], unit[right[part]])
    return similarity


def _expand(items: IntArray, group: IntArray, problem: Problem) -> tuple[IntArray, IntArray]:
    """Each item once for every mention of its group: (which item, which mention)."""
    start = np.searchsorted(problem.mention_group, np.arange(problem.groups + 1))
    many = np.diff(start)[group]
    item = np.repeat(items, many)
    offset = np.arange(len(item)) - np.repeat(np.cumsum(many) - many, many)
    return item, np.repeat(start[group], many) + offset


def _find(key: IntArray, order: IntArray, wanted: IntArray) -> IntArray:
    """Where each wanted number stands in ``key``; -1 where it does not."""
    place = np.minimum(np.searchsorted(key, wanted, sorter=order), len(key) - 1)
    found = order[place]
    return np.where(key[found] == wanted, found, -1)
