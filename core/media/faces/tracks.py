"""Tracks: faces of one shot that are the same person, joined by where they are, how they move and how alike they are.

Faces are first joined from one moment to the next. Pieces that do not overlap in time are then joined across short gaps, the
most alike first, and short ones that lie in the absence of another. Two faces of one moment are never one track. Splitting
one person costs a click, joining two costs the truth.
"""

from __future__ import annotations

from itertools import groupby

import numpy as np
from scipy.optimize import linear_sum_assignment

from core.arrays import chunks, ragged
from core.media.faces.suppress import overlaps
from core.problem import FloatArray, IntArray

# Chosen on four films; two faces of different people in one place for a moment are the danger: a cut that was not seen.
STAYS = 0.3  # intersection over union that is the same place ...
MAYBE = 0.30  # ... and cosine that is one person there
ALIKE = 0.55  # cosine that is one person also if it moved
REACH = 1.5  # by how many of its sides a face may move in a second, and twice that for a moment
AWAY = 1.0  # seconds that a face may be away (hidden, turned, missed) and still go on
RECENT = 4  # faces that a new one is compared with: a face turns, and turns back
GAP = 6.0  # seconds between two pieces of one track
SAME = 0.60  # cosine of two pieces' mean vectors that are one person near the same place ...
SURE = 0.72  # ... and anywhere in the picture
NEVER = 1e6


def tracks(time: FloatArray, shot: IntArray, boxes: FloatArray, vectors: FloatArray, quality: FloatArray) -> IntArray:
    """A track number for each face. Faces come in the order of their times; those of one time are of one picture."""
    numbers = np.full(len(time), -1, dtype=np.int64)
    first = 0
    for _, members in groupby(range(len(time)), key=shot.tolist().__getitem__):
        here = np.fromiter(members, dtype=np.int64)
        pieces = _pieces(time[here], boxes[here], vectors[here])
        joined = _joined(time[here], boxes[here], vectors[here], quality[here], pieces)
        numbers[here] = first + joined
        first += int(joined.max(initial=-1)) + 1
    return numbers


def mean_vectors(number: IntArray, vectors: FloatArray, quality: FloatArray) -> FloatArray:
    """For each track the mean of its faces' vectors, weighted by quality, of unit length."""
    total = np.zeros((int(number.max(initial=-1)) + 1, vectors.shape[1]))
    for part in chunks(len(vectors), vectors.shape[1]):
        np.add.at(total, number[part], vectors[part] * quality[part, None])
    return np.asarray(total / np.maximum(np.linalg.norm(total, axis=1, keepdims=True), 1e-9))


def _pieces(time: FloatArray, boxes: FloatArray, vectors: FloatArray) -> IntArray:
    """Faces of one shot joined from each moment to the next."""
    number = np.full(len(time), -1, dtype=np.int64)
    running: dict[int, list[int]] = {}
    new = 0
    for now, group in groupby(range(len(time)), key=time.tolist().__getitem__):
        here = np.fromiter(group, dtype=np.int64)
        running = {piece: faces for piece, faces in running.items() if now - time[faces[-1]] <= AWAY}
        known = list(running)
        for row, column in _going_on(time, boxes, vectors, list(running.values()), here):
            number[here[column]] = known[row]
        for face in here.tolist():
            if number[face] < 0:
                number[face], new = new, new + 1
            running.setdefault(int(number[face]), []).append(face)
    return number


def _going_on(
    time: FloatArray, boxes: FloatArray, vectors: FloatArray, before: list[list[int]], here: IntArray
) -> list[tuple[int, int]]:
    """Which pieces go on in which faces: one to one, the likeliest as a whole."""
    if not before:
        return []
    last = np.array([faces[-1] for faces in before])
    earlier = np.array([faces[-2] if len(faces) > 1 else faces[-1] for faces in before])
    gap = time[here[0]] - time[last]
    speed = (boxes[last] - boxes[earlier]) / np.maximum(time[last] - time[earlier], 1e-6)[:, None]
    overlap = np.maximum(overlaps(boxes[last], boxes[here]), overlaps(boxes[last] + speed * gap[:, None], boxes[here]))
    alike = np.array([(vectors[faces[-RECENT:]] @ vectors[here].T).max(axis=0) for faces in before])
    near = _distance(boxes[last], boxes[here]) <= REACH * (np.minimum(gap, 1.0) + 0.5)[:, None]
    fits = ((overlap >= STAYS) & (alike >= MAYBE)) | (near & (alike >= ALIKE))
    rows, columns = linear_sum_assignment(np.where(fits, -(alike + overlap), NEVER))
    return [(int(r), int(c)) for r, c in zip(rows, columns, strict=True) if fits[r, c]]


def _joined(time: FloatArray, boxes: FloatArray, vectors: FloatArray, quality: FloatArray, piece: IntArray) -> IntArray:
    """Pieces joined across gaps, the most alike first; two that are in view at once never."""
    means = mean_vectors(piece, vectors, quality)
    first, last = _ends(piece, len(means))
    begins, order = np.sort(time[first]), np.argsort(time[first], kind="stable")
    after = np.searchsorted(begins, time[last], side="right")
    many = np.searchsorted(begins, time[last] + GAP, side="right") - after
    one, other = np.repeat(np.arange(len(means)), many), order[ragged(after, many)]
    alike = np.concatenate(
        [np.zeros(0), *(np.einsum("ij,ij->i", means[one[part]], means[other[part]]) for part in chunks(len(one), 512))]
    )
    before, behind = boxes[last[one]], boxes[first[other]]
    stays = (time[first[other]] - time[last[one]] <= AWAY) & (_overlap(before, behind) >= STAYS)
    near = _apart(before, behind) <= REACH
    fits = np.flatnonzero((alike >= SURE) | (near & (alike >= SAME)) | (stays & (alike >= MAYBE)))
    label = np.arange(len(means))
    spans = {
        k: [(start, stop)] for k, (start, stop) in enumerate(zip(time[first].tolist(), time[last].tolist(), strict=True))
    }
    for pair in fits[np.argsort(-alike[fits], kind="stable")].tolist():
        mine, theirs = int(label[one[pair]]), int(label[other[pair]])
        if mine != theirs and not any(a <= d and c <= b for a, b in spans[mine] for c, d in spans[theirs]):
            label[label == theirs] = mine
            spans[mine] += spans.pop(theirs)
    return _filled(time, boxes, vectors, quality, np.unique(label[piece], return_inverse=True)[1])


def _filled(time: FloatArray, boxes: FloatArray, vectors: FloatArray, quality: FloatArray, track: IntArray) -> IntArray:
    """Short tracks join the one that is away as long as they last, before and behind is near, and is like them."""
    means = mean_vectors(track, vectors, quality)
    first, last = _ends(track, len(means))
    faces = np.argsort(track, kind="stable")  # of each track, in the order of time
    start, stop = (np.searchsorted(track[faces], np.arange(len(means)), side) for side in ("left", "right"))
    into, filled = np.arange(len(means)), set()
    for short in np.flatnonzero(time[last] - time[first] < AWAY).tolist():
        around = np.flatnonzero((time[first] < time[first[short]]) & (time[last] > time[last[short]]))
        alike = means[around] @ means[short]
        for long in around[np.argsort(-alike, kind="stable")][: int((alike >= MAYBE).sum())].tolist():
            mine = faces[start[long] : stop[long]]
            behind = int(np.searchsorted(time[mine], time[first[short]]))
            ends = mine[[behind - 1, behind]]
            near = _apart(boxes[ends], boxes[[first[short], last[short]]]) <= REACH
            if time[ends[1]] > time[last[short]] and near.all() and (long, behind) not in filled:
                into[short] = long
                filled.add((long, behind))
                break
    return np.asarray(np.unique(_followed(into)[track], return_inverse=True)[1])


def _followed(into: IntArray) -> IntArray:
    """Where a track ends that joins another, which may join a third."""
    while (further := into[into] != into).any():
        into = np.where(further, into[into], into)
    return into


def _ends(piece: IntArray, many: int) -> tuple[IntArray, IntArray]:
    """The first and the last face of each piece."""
    faces = np.arange(len(piece))
    first, last = np.full(many, len(piece)), np.full(many, -1)
    np.minimum.at(first, piece, faces)
    np.maximum.at(last, piece, faces)
    return first, last


def _distance(one: FloatArray, other: FloatArray) -> FloatArray:
    """How far the middles of every pair of boxes are apart, in sides of the larger one."""
    return _apart(one[:, None], other[None])


def _overlap(one: FloatArray, other: FloatArray) -> FloatArray:
    """The intersection over union of boxes that stand side by side."""
    both = np.minimum(one[:, 2:], other[:, 2:]) - np.maximum(one[:, :2], other[:, :2])
    shared = np.maximum(both, 0).prod(axis=1)
    areas = (one[:, 2:] - one[:, :2]).prod(axis=1) + (other[:, 2:] - other[:, :2]).prod(axis=1)
    return np.asarray(shared / np.maximum(areas - shared, 1e-9))


def _apart(one: FloatArray, other: FloatArray) -> FloatArray:
    """The same for boxes that stand side by side."""
    far = np.linalg.norm((one[..., :2] + one[..., 2:] - other[..., :2] - other[..., 2:]) / 2, axis=-1)
    side = np.maximum((one[..., 2:] - one[..., :2]).max(axis=-1), (other[..., 2:] - other[..., :2]).max(axis=-1))
    return np.asarray(far / np.maximum(side, 1e-9))
