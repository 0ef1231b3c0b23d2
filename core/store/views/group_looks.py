"""How groups of faces look: who stands out of a group, whom a group looks like, and which two may be one person."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import find
from core.problem import BoolArray, FloatArray, IntArray

LOOKED_AT = 60  # faces of a group that are compared
PAIRS = 3  # suggested at a time
ALIKE = 0.45  # the least cosine of two groups that may be one person
LIKE = 0.35  # ... of a group and somebody else than the run says; of a face and the rest of its group
MORE = 0.2  # by so much it is more like somebody else than like its own before that is said


@dataclass(frozen=True)
class Pair:
    """Two groups that may be one person: the faces that stand for them; or a group and a ``name``."""

    one: int
    other: int
    name: str
    likeness: float


@dataclass(frozen=True, eq=False)
class Looks:
    """The mean directions of groups, behind them those of people who have a name, with the numbers of these names."""

    faces: Sequence[IntArray]
    frames: Sequence[Collection[int]]
    centre: FloatArray
    same_person: float  # the cosine of a face to the rest of its group, as it usually is
    names: IntArray  # of the people behind the groups

    def like(self, one: int, bears: Sequence[int]) -> list[int]:
        """The names of those whom a group looks like, the most alike first; not of those with whom it is seen.

        ``bears`` has the name of each group, -1 for none. A group that has a name is compared with others of that name:
        where there are none, it is the bearer itself.
        """
        own = bears[one]
        name = np.r_[np.array(bears, np.int64), self.names]
        size = np.array([len(some) for some in self.faces])
        cosine = self.centre @ self.centre[one]
        there = (name >= 0) & (size > size[one])
        if own >= 0 and not (there & (name == own)).any():
            return []
        least = ALIKE if own < 0 else max(LIKE, float(cosine[there & (name == own)].max()) + MORE)
        there &= (name != own) & (cosine >= least)
        there[there] = [set(self.frames[one]).isdisjoint(self.frames[k]) for k in np.flatnonzero(there).tolist()]
        order = np.flatnonzero(there)[np.argsort(-cosine[there], kind="stable")]
        return list(dict.fromkeys(name[order].tolist()))

    def pairs(self, known: Sequence[str], apart: Sequence[set[int]]) -> tuple[Pair, ...]:
        """Groups that may be one person, or a named one's; never those who are seen together or were told ``apart``."""
        groups = len(self.faces) - len(known)
        if groups == 0 or len(self.faces) < 2:
            return ()
        members = [set(some.tolist()) for some in self.faces]
        likeness = np.triu(self.centre @ self.centre.T, 1)[:groups]
        found: list[Pair] = []
        for at in np.argsort(-likeness, axis=None).tolist():
            one, other = divmod(at, len(self.faces))
            if likeness[one, other] < max(ALIKE, self.same_person) or len(found) == PAIRS:
                break
            keys = int(self.faces[one].min()), int(self.faces[other].min())
            met = set(self.frames[one]) & set(self.frames[other])
            met |= {p for p, pair in enumerate(apart) if pair & members[one] and pair & members[other]}
            if not met and not any(keys[0] in (pair.one, pair.other) for pair in found):
                name = "" if other < groups else known[other - groups]
                found.append(Pair(*keys, name, float(likeness[one, other])))
        return tuple(found)


def looks(vectors: FloatArray, faces: Sequence[IntArray], frames: Sequence[Collection[int]], names: Sequence[int]) -> Looks:
    """Of groups and behind them of named people; ``frames`` are those in which each is seen."""
    centre, own = np.zeros((len(faces), vectors.shape[1])), []
    for k, some in enumerate(faces):
        rows = _unit(np.asarray(vectors[some[:LOOKED_AT]], np.float64))
        total = rows.sum(0)
        centre[k] = _unit(total)
        if len(rows) > 1:
            own += (rows * _unit(total - rows)).sum(1).tolist()
    return Looks(faces, frames, centre, float(np.quantile(own, 0.25)) if own else 0.0, np.array(names, np.int64))


def outsiders(vectors: FloatArray, group: IntArray, track: IntArray, frame: IntArray) -> BoolArray:
    """By row, whether it does not belong: its track looks far more like another group than like the rest of its own, or
    like another and hardly like its own.

    Not where the other group is seen in the same frame, for then it is somebody else.
    """
    if not len(group):
        return np.zeros(0, bool)
    own = np.where(track >= 0, track, track.max() + 1 + np.arange(len(track)))
    piece, at = np.unique(own, return_inverse=True)
    rows = _unit(np.asarray(vectors, np.float64))
    part, whole = np.zeros((len(piece), rows.shape[1])), np.zeros((int(group.max()) + 1, rows.shape[1]))
    np.add.at(part, at, rows)
    np.add.at(whole, group, rows)
    of = np.zeros(len(piece), np.int64)
    of[at] = group
    rest = (_unit(part) * _unit(whole[of] - part)).sum(1)
    cosine = _unit(part) @ _unit(whole).T
    cosine[np.arange(len(piece)), of] = -1.0
    places, seen = np.unique(frame, return_inverse=True)
    taken = np.unique(group * len(places) + seen)
    for other in range(len(whole)):
        cosine[at[find(taken, other * len(places) + seen) >= 0], other] = -1.0
    alone = np.linalg.norm(whole[of] - part, axis=1) < 1e-9
    more = np.where(rest < LIKE, 0.0, MORE)
    return np.asarray((~alone & (cosine.max(1) >= np.maximum(ALIKE, rest + more)))[at])


def _unit(rows: FloatArray) -> FloatArray:
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), 1e-12))
