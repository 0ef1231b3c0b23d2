"""What a method gives back: the names it considered with their scores, and the prediction that follows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.corrections import OPEN, Bound
from core.problem import NOBODY, FloatArray, IntArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from core.memory import Memory
    from core.warm import State

HALF_LEVEL = 0.125  # an expected weight below half a level (of five) counts as none: this is what makes nobody possible


@dataclass(frozen=True, eq=False)
class Evidence:
    """What the default method knows besides names: who is one person, and who looks alike."""

    persons: csr_array[np.float32]  # faces × persons: the names first, then unnamed persons who return
    neighbours: IntArray  # faces × look-alikes in other groups, nearest first
    cosine: FloatArray  # how alike those are

    def sorted_back(self, face_order: IntArray, name_order: IntArray) -> Evidence:
        back = np.argsort(face_order)
        unnamed = np.arange(len(name_order), self.persons.shape[1])
        return Evidence(
            persons=self.persons[back][:, np.r_[np.argsort(name_order), unnamed]],
            neighbours=face_order[self.neighbours[back]],
            cosine=self.cosine[back],
        )


@dataclass(frozen=True, eq=False)
class Scores:
    """The names considered for each face, as (face, name, score) rows ordered by face, then name. No row, no chance.

    ``nobody`` is each face's score for nobody; without it, what is below half a level is nobody.
    """

    face: IntArray
    name: IntArray
    score: FloatArray
    nobody: FloatArray | None = None
    evidence: Evidence | None = None
    state: State | None = None  # what a rerun takes up

    def allowed(self, bound: Bound) -> Scores:
        """The scores without what people ruled out, whatever the method made of it."""
        keep = bound.allows(self.face, self.name)
        return replace(self, face=self.face[keep], name=self.name[keep], score=self.score[keep])

    def answer(self, bound: Bound) -> tuple[IntArray, FloatArray]:
        """The best name of each face and its share of all scores; a person's answer stands whatever the scores say."""
        faces = len(bound.fixed)
        nobody = np.full(faces, HALF_LEVEL) if self.nobody is None else self.nobody
        total = np.bincount(self.face, self.score, minlength=faces) + nobody
        name = np.full(faces, NOBODY, dtype=np.int64)
        best = np.zeros(faces)
        order = np.lexsort((self.name, -self.score, self.face))
        face = self.face[order]
        top = order[np.r_[True, face[1:] != face[:-1]]] if len(order) else order
        name[self.face[top]], best[self.face[top]] = self.name[top], self.score[top]
        if self.nobody is not None:
            name[best < nobody] = NOBODY
        confidence = np.where(name == NOBODY, nobody, best) / np.maximum(total, 1e-12)
        answered = bound.fixed != OPEN
        return np.where(answered, bound.fixed, name), np.where(answered, 1.0, confidence)

    def at(self, face: IntArray, name: IntArray, names: int) -> FloatArray:
        """The score of each given (face, name), 0 where there is none."""
        if not len(self.face):
            return np.zeros(face.shape)
        key = self.face * names + self.name
        wanted = face * names + name
        place = np.minimum(np.searchsorted(key, wanted), len(key) - 1)
        return np.where(key[place] == wanted, self.score[place], 0.0)

    def sorted_back(self, face_order: IntArray, name_order: IntArray) -> Scores:
        """The scores in the order in which faces and names were given; without the state, which is in the settled one."""
        row = np.lexsort((name_order[self.name], face_order[self.face]))
        return Scores(
            face=face_order[self.face][row],
            name=name_order[self.name][row],
            score=self.score[row],
            nobody=None if self.nobody is None else self.nobody[np.argsort(face_order)],
            evidence=None if self.evidence is None else self.evidence.sorted_back(face_order, name_order),
        )


@dataclass(frozen=True, eq=False)
class Prediction:
    """Who is who: for each face an index into ``names`` or ``NOBODY``, and how probable it is that this is right."""

    names: tuple[str, ...]
    name: IntArray
    confidence: FloatArray
    scores: Scores  # of the default method: probabilities
    memory: Memory | None = None  # of the default method: give it to a rerun, which is much quicker with it
    warm: bool = False  # whether this is such a rerun

    def label(self, face: int) -> str | None:
        """The face's name, or None for nobody."""
        return None if self.name[face] == NOBODY else self.names[self.name[face]]
