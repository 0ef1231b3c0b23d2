"""Who looks like whom: the nearest faces in other groups, exactly for a film or two, through an index for a library."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.members import Sparse, table
from core.problem import FloatArray, IntArray, Problem
from core.scatter import handful

CELLS = 1 << 22  # cosines worked out at once
ROUNDING = 1e-9  # a smaller difference between faces is none
GUESSED = 20.0  # pairs of one frame that weigh as much as the guess how alike different people are
EXACT = 30_000  # with more faces than this, an index finds the look-alikes
TRIED = 512  # faces on which the index is tried,
RECALL = 0.993  # until it finds this share of their nearest
WORTH = 0.15  # of the cells; if it takes more than that, comparing with all faces is quicker
MISSING = -1.5  # no cosine is so small: below it, a face has no such look-alike in other groups
SHARING = 20  # faces of one group that may stand among the nearest before the face is compared with all others


def unit(rows: FloatArray) -> FloatArray:
    """Every row at length 1."""
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12))


def prepare(problem: Problem, dimensions: int) -> FloatArray:
    """Unit length, without what all faces share, unit length again, on the leading principal directions.

    All zero if all faces are the same.
    """
    rows = unit(problem.features.astype(np.float64))
    if len(rows) > 2 and np.ptp(rows, axis=0).max(initial=0) < ROUNDING:
        return np.zeros((len(rows), min(*rows.shape, dimensions)), np.float32)
    rows = unit(rows - common_face(rows, problem))
    if len(rows) < rows.shape[1]:  # as many directions as there are faces hold all of them
        value, side = np.linalg.eigh(rows @ rows.T)
        return np.ascontiguousarray((side * np.sqrt(np.maximum(value, 0)))[:, ::-1][:, :dimensions], np.float32)
    _, axes = np.linalg.eigh(rows.T @ rows / len(rows))
    return np.ascontiguousarray(rows @ axes[:, ::-1][:, :dimensions], np.float32)


def common_face(rows: FloatArray, problem: Problem) -> FloatArray:
    """What all faces share, whoever they are: their mean, as far as it is not the look of the few who are seen most.

    The cosine of different people is the square of its length, and faces of one frame are different people. Before any such
    pair is seen, the guess is that of k persons with nothing in common: they make ``1/k`` of the square of the mean's
    length, k being how many are named, those more often more.
    """
    mean = rows.mean(0)
    square = float(mean @ mean)
    size = np.bincount(problem.group, minlength=problem.groups)
    frame = table(np.ones(len(rows)), problem.group, np.arange(len(rows)), (problem.groups, len(rows))) @ rows
    pairs, alike = 0.5 * float((size * (size - 1)).sum()), 0.5 * float((frame**2).sum() - size.sum())
    said = np.bincount(problem.mention_name)
    guess = square * (1 - float((said**2).sum()) / max(float(said.sum()), 1.0) ** 2)
    common = (alike + GUESSED * guess) / (pairs + GUESSED)
    return np.asarray(mean * np.clip(common / max(square, 1e-12), 0, 1))


@dataclass(frozen=True, eq=False)
class LookAlikes:
    """The nearest faces in other groups: ``index`` and ``cosine``, nearest first, and ``weight`` (faces × faces, 0 to 1).

    The weight is 0 at the first cosine of ``reach``, and 1 at the second.
    """

    index: IntArray
    cosine: FloatArray
    reach: tuple[float, float]
    weight: Sparse

    @staticmethod
    def within(reach: tuple[float, float], index: IntArray, cosine: FloatArray) -> LookAlikes:
        faces, (low, high) = len(index), reach
        weight = np.clip((cosine - np.float32(low)) / np.float32(high - low), 0, 1)
        row = np.repeat(np.arange(faces), index.shape[1])
        return LookAlikes(index, cosine, reach, table(weight.ravel(), row, index.ravel(), (faces, faces)))

    def typical(self, faces: FloatArray) -> float:
        """The usual cosine of faces of one person: that of a face's two nearest look-alikes.

        Its own with the nearest says too much, being the greatest of many; that of those two was not sought out. Among a
        handful the nearest is not the greatest of many, and the second may well be somebody else.
        """
        one, other = self.index[:, 0], self.index[:, min(1, self.index.shape[1] - 1)]
        beside = np.clip(np.median(np.einsum("ij,ij->i", faces[one], faces[other])), 0.02, 0.5)
        nearest = np.clip(np.median(self.cosine[:, 0]), 0.05, 0.5)
        few = handful(len(faces))
        return float((1 - few) * beside + few * nearest)


def look_alikes(faces: FloatArray, group: IntArray, many: int, rng: np.random.Generator) -> LookAlikes:
    """The ``many`` nearest faces of other groups.

    The weight is 0 at two standard deviations above the cosine of unrelated faces, and 1 at that of the typical nearest.
    """
    many = max(min(many, len(faces) - 1), 1)
    unrelated = np.einsum("ij,ij->i", faces, faces[rng.permutation(len(faces))])
    middle = np.median(unrelated)  # most pairs are different people
    low = middle + 2 * 1.48 * np.median(np.abs(unrelated - middle))
    if len(faces) > EXACT:
        index, cosine = nearest_by_index(faces, group, many, rng)
    else:
        index, cosine = nearest(faces, group, np.arange(len(faces)), many)
    return LookAlikes.within((float(low), float(max(np.median(cosine[:, :3]), low + 1e-3))), index, cosine)


def nearest(faces: FloatArray, group: IntArray, asked: IntArray, many: int) -> tuple[IntArray, FloatArray]:
    """The nearest faces of other groups for each face ``asked``, by comparing it with all, a few at a time."""
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
    """What the ``many``-th greatest of each row is at least: the columns are dealt into heaps, whose greatest are ranked."""
    heaps = max(32 * many, 1)
    deal = rows.shape[1] // heaps
    if deal < 2:
        return np.asarray(np.partition(rows, -min(many, rows.shape[1]), axis=1)[:, -min(many, rows.shape[1])])
    greatest = rows[:, : deal * heaps].reshape(len(rows), deal, heaps).max(1)
    return np.asarray(np.partition(greatest, -many, axis=1)[:, -many])


def pick(block: FloatArray, least: FloatArray, place: IntArray, value: FloatArray) -> None:
    """Of each row what is at least ``least``, or of too many the greatest, into the narrow ``place`` and ``value``."""
    enough, width = block >= least[:, None], min(place.shape[1], block.shape[1])
    crowded = np.flatnonzero(np.count_nonzero(enough, axis=1) > width)
    enough[crowded] = False
    row, column = np.divmod(np.flatnonzero(enough), max(block.shape[1], 1))
    at = np.arange(len(row)) - np.searchsorted(row, row)
    place[row, at], value[row, at] = column, block[row, column]
    if len(crowded):
        best = np.argpartition(-block[crowded], width - 1, axis=1)[:, :width]
        place[crowded, :width], value[crowded, :width] = best, np.take_along_axis(block[crowded], best, 1)


# --- A library ---------------------------------------------------------------------------------------------------------


def nearest_by_index(faces: FloatArray, group: IntArray, many: int, rng: np.random.Generator) -> tuple[IntArray, FloatArray]:
    """The same through an index that compares a face with those of the nearest cells only.

    How many cells, is tried on a few faces: enough to find nearly all of the nearest. Faces so scattered that it takes too
    many are sooner compared with all others.
    """
    cells = int(4 * np.sqrt(len(faces)))
    search, probed = _index(faces, group, many, cells), 8
    tried = np.sort(rng.permutation(len(faces))[:TRIED])
    last = nearest(faces, group, tried, many)[1][:, -1:] - 1e-6
    while (search(tried, probed)[1] >= last).mean() < RECALL:
        probed *= 2
        if probed > WORTH * cells:
            return nearest(faces, group, np.arange(len(faces)), many)
    index, cosine = search(np.arange(len(faces)), probed)
    short = np.flatnonzero(cosine[:, -1] < MISSING)
    index[short], cosine[short] = nearest(faces, group, short, many)
    return index, cosine


def _index(
    faces: FloatArray, group: IntArray, many: int, cells: int
) -> Callable[[IntArray, int], tuple[IntArray, FloatArray]]:
    """A search for the nearest faces of other groups in so many cells; -2 where it finds too few."""
    import faiss

    d = faces.shape[1]
    index = faiss.IndexIVFFlat(faiss.IndexFlatIP(d), d, cells, faiss.METRIC_INNER_PRODUCT)
    index.cp.niter, index.cp.max_points_per_centroid = 8, 40
    index.train(faces)
    index.add(faces)
    wide = many + min(int(np.bincount(group).max()), SHARING)

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
