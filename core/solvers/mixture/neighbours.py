"""Face vectors and their nearest neighbours in other groups: exact search, or an inverted index for large problems."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.prediction import NO_NEIGHBOUR
from core.problem import FloatArray, IntArray, Problem
from core.solvers.mixture.plda import small_sample_weight
from core.solvers.mixture.sparse_tables import Sparse, from_coo

CELLS = 1 << 22  # cosines in one block
ROUNDING = 1e-9  # smaller differences between faces are rounding errors
PRIOR_PAIRS = 20.0  # pseudo-count of the prior for the cosine of different people, in pairs of one frame
MAX_EXACT = 30_000  # with more faces, neighbours come from an index
CALIBRATION_FACES = 512  # faces on which the number of probed cells is calibrated
RECALL = 0.993  # share of true neighbours that the index must find
MAX_PROBED_SHARE = 0.15  # share of cells beyond which exact search is faster
MAX_SAME_GROUP = 20  # extra results asked from the index, for faces of the same group


def unit(rows: FloatArray) -> FloatArray:
    """Rows scaled to length 1."""
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12))


def prepare(problem: Problem, dimensions: int) -> FloatArray:
    """Unit vectors, minus the mean that different people share, scaled to length 1 again, on the first principal components.

    All zero if all faces are identical.
    """
    rows = unit(problem.features.astype(np.float64))
    if len(rows) > 2 and np.ptp(rows, axis=0).max(initial=0) < ROUNDING:
        return np.zeros((len(rows), min(*rows.shape, dimensions)), np.float32)
    rows = unit(rows - shared_mean(rows, problem))
    if len(rows) < rows.shape[1]:  # fewer faces than dimensions: the Gram matrix is smaller
        value, side = np.linalg.eigh(rows @ rows.T)
        return np.ascontiguousarray((side * np.sqrt(np.maximum(value, 0)))[:, ::-1][:, :dimensions], np.float32)
    _, axes = np.linalg.eigh(rows.T @ rows / len(rows))
    return np.ascontiguousarray(rows @ axes[:, ::-1][:, :dimensions], np.float32)


def shared_mean(rows: FloatArray, problem: Problem) -> FloatArray:
    """The part of the mean face that different people share; the rest of the mean belongs to the most frequent persons.

    The squared length of the shared mean is the cosine of different people, estimated from faces of one frame. Its prior is
    ``(1 - sum_c p_c^2) |mean|^2`` with p_c the share of name c among the mentions: k unrelated persons contribute ``1/k``.
    """
    mean = rows.mean(0)
    square = float(mean @ mean)
    size = np.bincount(problem.group, minlength=problem.groups)
    frame = from_coo(np.ones(len(rows)), problem.group, np.arange(len(rows)), (problem.groups, len(rows))) @ rows
    pairs, similarity_sum = 0.5 * float((size * (size - 1)).sum()), 0.5 * float((frame**2).sum() - size.sum())
    counts = np.bincount(problem.mention_name)
    guess = square * (1 - float((counts**2).sum()) / max(float(counts.sum()), 1.0) ** 2)
    common = (similarity_sum + PRIOR_PAIRS * guess) / (pairs + PRIOR_PAIRS)
    return np.asarray(mean * np.clip(common / max(square, 1e-12), 0, 1))


@dataclass(frozen=True, eq=False)
class NeighbourGraph:
    """The nearest faces in other groups: ``index`` and ``cosine``, nearest first, and ``weight`` (faces × faces, 0 to 1).

    The weight rises linearly from 0 to 1 between the two cosines of ``reach``.
    """

    index: IntArray
    cosine: FloatArray
    reach: tuple[float, float]
    weight: Sparse

    @staticmethod
    def from_reach(reach: tuple[float, float], index: IntArray, cosine: FloatArray) -> NeighbourGraph:
        faces, (low, high) = len(index), reach
        weight = np.clip((cosine - np.float32(low)) / np.float32(high - low), 0, 1)
        row = np.repeat(np.arange(faces), index.shape[1])
        return NeighbourGraph(index, cosine, reach, from_coo(weight.ravel(), row, index.ravel(), (faces, faces)))

    def same_person_cosine(self, faces: FloatArray) -> float:
        """The typical cosine of two faces of one person: the median cosine between a face's two nearest neighbours.

        The cosine with the nearest itself is biased, as a maximum over many. In small samples it is not, and the second
        neighbour is often another person; there the nearest is used (``small_sample_weight``).
        """
        one, other = self.index[:, 0], self.index[:, min(1, self.index.shape[1] - 1)]
        second = np.clip(np.median(np.einsum("ij,ij->i", faces[one], faces[other])), 0.02, 0.5)
        nearest = np.clip(np.median(self.cosine[:, 0]), 0.05, 0.5)
        small = small_sample_weight(len(faces))
        return float((1 - small) * second + small * nearest)


def neighbour_graph(faces: FloatArray, group: IntArray, many: int, rng: np.random.Generator) -> NeighbourGraph:
    """The ``many`` nearest faces of other groups.

    The weight is 0 at two standard deviations above the cosine of random pairs, and 1 at the median over the three nearest.
    """
    many = max(min(many, len(faces) - 1), 1)
    unrelated = np.einsum("ij,ij->i", faces, faces[rng.permutation(len(faces))])
    middle = np.median(unrelated)  # most pairs are different people
    low = middle + 2 * 1.48 * np.median(np.abs(unrelated - middle))
    if len(faces) > MAX_EXACT:
        index, cosine = nearest_by_index(faces, group, many, rng)
    else:
        index, cosine = nearest(faces, group, np.arange(len(faces)), many)
    return NeighbourGraph.from_reach((float(low), float(max(np.median(cosine[:, :3]), low + 1e-3))), index, cosine)


def nearest(faces: FloatArray, group: IntArray, asked: IntArray, many: int) -> tuple[IntArray, FloatArray]:
    """The nearest faces of other groups for each face ``asked``, by exact search in blocks."""
    n = len(faces)
    index, cosine = np.zeros((len(asked), many), np.int64), np.full((len(asked), many), -2.0, np.float32)
    order = np.argsort(group, kind="stable")
    first, last = (np.searchsorted(group[order], group, side=side) for side in ("left", "right"))
    for start in range(0, len(asked), height := max(CELLS // n, 1)):
        face = asked[start : start + height]
        similarity = faces[face] @ faces.T
        size = last[face] - first[face]
        offset = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size)
        similarity[np.repeat(np.arange(len(face)), size), order[np.repeat(first[face], size) + offset]] = -2.0
        found = np.full((len(face), 4 * many), -np.inf, np.float32)
        where = np.zeros(found.shape, np.int64)
        pick(similarity, _at_least(similarity, many), where, found)
        best = np.argsort(-found, axis=1, kind="stable")[:, :many]
        index[start : start + height] = np.take_along_axis(where, best, 1)
        cosine[start : start + height] = np.take_along_axis(found, best, 1)
    return index, cosine


def _at_least(rows: FloatArray, many: int) -> FloatArray:
    """A lower bound of each row's ``many``-th greatest value, from the maxima of interleaved subsets of columns."""
    heaps = max(32 * many, 1)
    deal = rows.shape[1] // heaps
    if deal < 2:
        return np.asarray(np.partition(rows, -min(many, rows.shape[1]), axis=1)[:, -min(many, rows.shape[1])])
    greatest = rows[:, : deal * heaps].reshape(len(rows), deal, heaps).max(1)
    return np.asarray(np.partition(greatest, -many, axis=1)[:, -many])


def pick(block: FloatArray, least: FloatArray, place: IntArray, value: FloatArray) -> None:
    """Writes each row's entries of at least ``least``, or the greatest of too many, to ``place`` and ``value``."""
    enough, width = block >= least[:, None], min(place.shape[1], block.shape[1])
    crowded = np.flatnonzero(np.count_nonzero(enough, axis=1) > width)
    enough[crowded] = False
    row, column = np.divmod(np.flatnonzero(enough), max(block.shape[1], 1))
    at = np.arange(len(row)) - np.searchsorted(row, row)
    place[row, at], value[row, at] = column, block[row, column]
    if len(crowded):
        best = np.argpartition(-block[crowded], width - 1, axis=1)[:, :width]
        place[crowded, :width], value[crowded, :width] = best, np.take_along_axis(block[crowded], best, 1)


# --- Approximate search ----------------------------------------------------------------------------------------------


def nearest_by_index(faces: FloatArray, group: IntArray, many: int, rng: np.random.Generator) -> tuple[IntArray, FloatArray]:
    """The nearest faces of other groups by an inverted index (faiss IVF).

    The number of probed cells is calibrated on a few faces to reach RECALL. If that takes too many cells, the search is
    exact.
    """
    cells = int(4 * np.sqrt(len(faces)))
    search, probed = _index(faces, group, many, cells), 8
    tried = np.sort(rng.permutation(len(faces))[:CALIBRATION_FACES])
    last = nearest(faces, group, tried, many)[1][:, -1:] - 1e-6
    while (search(tried, probed)[1] >= last).mean() < RECALL:
        probed *= 2
        if probed > MAX_PROBED_SHARE * cells:
            return nearest(faces, group, np.arange(len(faces)), many)
    index, cosine = search(np.arange(len(faces)), probed)
    short = np.flatnonzero(cosine[:, -1] < NO_NEIGHBOUR)
    index[short], cosine[short] = nearest(faces, group, short, many)
    return index, cosine


def _index(
    faces: FloatArray, group: IntArray, many: int, cells: int
) -> Callable[[IntArray, int], tuple[IntArray, FloatArray]]:
    """A search for the nearest faces of other groups in so many cells; the cosine is -2 where it finds too few."""
    import faiss

    d = faces.shape[1]
    index = faiss.IndexIVFFlat(faiss.IndexFlatIP(d), d, cells, faiss.METRIC_INNER_PRODUCT)
    index.cp.niter, index.cp.max_points_per_centroid = 8, 40
    index.train(faces)
    index.add(faces)
    wide = many + min(int(np.bincount(group).max()), MAX_SAME_GROUP)

    def search(asked: IntArray, probed: int) -> tuple[IntArray, FloatArray]:
        index.nprobe = min(probed, cells)
        where, cosine = np.zeros((len(asked), many), np.int64), np.full((len(asked), many), -2.0, np.float32)
        for start in range(0, len(asked), 1 << 13):
            part = slice(start, start + (1 << 13))
            value, found = index.search(faces[asked[part]], wide)
            value[(found < 0) | (group[found] == group[asked[part]][:, None])] = -2.0
            best = np.argsort(-value, axis=1, kind="stable")[:, :many]
            where[part], cosine[part] = np.take_along_axis(np.maximum(found, 0), best, 1), np.take_along_axis(value, best, 1)
        return where, cosine

    return search
