"""What a method gives back: the names it considered with their scores, and the prediction that follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from core.arrays import between, lookup
from core.corrections import OPEN, Constraints
from core.problem import NOBODY, BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

UNKNOWN = 0.5  # the best answer of a face is not given if it is less probable than this: more speaks against it than for it
HALF_LEVEL = 0.125  # an expected weight below half a level (of five) counts as none: this is what makes nobody possible
NO_NEIGHBOUR = -1.5  # no cosine is so small: below it, a face has no such look-alike in other groups


AnswerKind = Literal["name", "nobody", "unknown"]


def kind_of_answer(name: str, confidence: float) -> AnswerKind:
    """What the best answer amounts to: a name, nobody (an answer: no caption names this person), or no answer yet.

    >>> kind_of_answer("Ross", 0.9), kind_of_answer("", 0.9), kind_of_answer("Ross", 0.3)
    ('name', 'nobody', 'unknown')
    """
    if confidence < UNKNOWN:
        return "unknown"
    return "name" if name else "nobody"


@dataclass(frozen=True, eq=False)
class Evidence:
    """What the default method knows besides names: who is one person, and who looks alike."""

    persons: csr_array[np.float32]  # faces × persons: the names first, then unnamed persons who return
    neighbours: IntArray  # faces × look-alikes in other groups, nearest first
    cosine: FloatArray  # how alike those are; below ``NO_NEIGHBOUR`` where there are not so many

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
    state: Mapping[str, NDArray[Any]] | None = None  # what a rerun may start from; not in a Prediction
    warm: bool = False  # whether this run started from a checkpoint

    def allowed(self, constraints: Constraints) -> Scores:
        """The scores without what people ruled out, whatever the method made of it."""
        keep = constraints.allows(self.face, self.name)
        return replace(self, face=self.face[keep], name=self.name[keep], score=self.score[keep])

    def answer(self, constraints: Constraints) -> tuple[IntArray, FloatArray]:
        """The best name of each face and its share of all scores; a person's answer stands whatever the scores say."""
        faces = len(constraints.fixed)
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
        answered = constraints.fixed != OPEN
        return np.where(answered, constraints.fixed, name), np.where(answered, 1.0, confidence)

    def at(self, face: IntArray, name: IntArray, names: int) -> FloatArray:
        """The score of each given (face, name), 0 where there is none."""
        return lookup(self.face * names + self.name, self.score, face * names + name)

    def sorted_back(self, face_order: IntArray, name_order: IntArray) -> Scores:
        """The scores in the order in which faces and names were given; the state is left out."""
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

    @property
    def unknown(self) -> BoolArray:
        """Which faces have no answer yet: ``name`` is only the best guess there."""
        return np.asarray(self.confidence < UNKNOWN)

    def label(self, face: int) -> str | None:
        """The face's name, or None for nobody."""
        return None if self.name[face] == NOBODY else self.names[self.name[face]]

    def ranked(self, face: int) -> list[tuple[int, float]]:
        """The names considered for a face with their probabilities: the answer, then the others, the likeliest first.

        A name is an index into ``names``; ``NOBODY`` is always among them.
        """
        named, nobody = self.probabilities
        rows = between(self.scores.face, face, face + 1)
        found = dict(zip(self.scores.name[rows].tolist(), named[rows].tolist(), strict=True))
        found |= {NOBODY: float(nobody[face]), int(self.name[face]): float(self.confidence[face])}
        return sorted(found.items(), key=lambda pair: (pair[0] != self.name[face], -pair[1], pair[0]))

    @cached_property
    def probabilities(self) -> tuple[FloatArray, FloatArray]:
        """By row of ``scores``, the probability of that name; by face, that of nobody.

        An answer has its confidence; what else was considered shares the rest in proportion to the scores.
        """
        face, score = self.scores.face, self.scores.score
        nobody = np.full(len(self.name), HALF_LEVEL) if self.scores.nobody is None else self.scores.nobody
        answer, unnamed = self.scores.name == self.name[face], self.name == NOBODY
        others = np.bincount(face, np.where(answer, 0.0, score), minlength=len(self.name)) + np.where(unnamed, 0.0, nobody)
        rest = (1.0 - self.confidence) / np.maximum(others, 1e-12)
        named = np.where(answer, self.confidence[face], score * rest[face])
        return named, np.where(unnamed, self.confidence, nobody * rest)
