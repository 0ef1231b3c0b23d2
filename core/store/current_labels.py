"""Current labels: who is who now, by people's answers and the last run's for the rest.

As arrays, so that the app's lists, counts and queues are quick at any size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.problem import NOBODY, BoolArray, FloatArray, IntArray
from core.store.face_table import FaceArrays
from core.store.log import Log
from core.store.predicted_labels import predicted_labels
from core.store.runs import LIKELY, Solved

OPEN, CONFIRMED, CORRECTED, CONFLICT = range(4)
UNKNOWN = -2  # no run has looked at the face yet
DOUBT = 0.8  # a machine's answer below this confidence is doubtful


@dataclass(frozen=True, eq=False)
class CurrentLabels:
    """The faces that people see, and who they are: ``name`` is a number of the name table, ``NOBODY`` or ``UNKNOWN``."""

    face: IntArray
    frame: IntArray
    track: IntArray
    best: BoolArray
    name: IntArray
    confidence: FloatArray
    state: IntArray  # OPEN, CONFIRMED, CORRECTED or CONFLICT

    @cached_property
    def waiting(self) -> BoolArray:
        """Which faces nobody has settled."""
        return np.asarray((self.state == OPEN) | (self.state == CONFLICT))

    @property
    def settled(self) -> int:
        """How many faces people have settled."""
        return int(((self.state == CONFIRMED) | (self.state == CORRECTED)).sum())

    def rows(self, faces: IntArray) -> IntArray:
        """The rows of faces that are here."""
        place = np.minimum(np.searchsorted(self.face, faces), max(len(self.face) - 1, 0))
        return place[self.face[place] == faces] if len(self.face) else place[:0]

    def in_frame(self, frame: int) -> IntArray:
        return np.flatnonzero(self.frame == frame)


def current_labels(faces: FaceArrays, log: Log, solved: Solved | None) -> CurrentLabels:
    """The run's answers with people's laid over them."""
    name = np.full(len(faces.face), UNKNOWN, np.int64)
    confidence, state = np.zeros(len(name)), np.full(len(name), OPEN, np.int64)
    if solved is not None:
        place = np.searchsorted(faces.face, solved.face)
        there = (place < len(name)) & np.isin(solved.face, faces.face)
        said, sure = predicted_labels(solved, log)
        name[place[there]] = said[there]
        confidence[place[there]] = sure[there]
    answered = np.array([face for face in log.answered if log.standing(face).answers], np.int64)
    answered = answered[np.isin(answered, faces.face)]
    standings = [log.standing(int(face)) for face in answered]
    place = np.searchsorted(faces.face, answered)
    name[place] = [standing.answers[-1].name for standing in standings]
    confidence[place] = 1.0
    state[place] = [_state(standing.conflict, standing.answers[-1].kind) for standing in standings]
    shown = ~np.isin(faces.face, list(log.hidden))
    return CurrentLabels(
        faces.face[shown],
        faces.frame[shown],
        faces.track[shown],
        faces.best[shown],
        name[shown],
        confidence[shown],
        state[shown],
    )


def _state(conflict: bool, kind: str) -> int:
    return CONFLICT if conflict else CONFIRMED if kind == "confirm" else CORRECTED


@dataclass(frozen=True, eq=False)
class Person:
    """A name, or somebody unnamed who returns (``name`` is ""), with the faces, the surest first."""

    name: str
    faces: IntArray
    settled: int
    doubtful: int = 0  # open faces of which the machine is not sure


def people(labels: CurrentLabels, log: Log, names: Sequence[str]) -> list[Person]:
    """All ``names`` with their faces, those with most faces first; a name nobody bears comes last."""
    order = np.lexsort((labels.face, -labels.confidence, labels.name))
    numbers, first = np.unique(labels.name[order], return_index=True)
    parts = dict(zip(numbers.tolist(), np.split(order, first[1:]), strict=True)) if len(order) else {}
    doubt = (labels.state == OPEN) & (labels.confidence < DOUBT)
    found = [
        Person(log.text(name), labels.face[rows], int((labels.state[rows] != OPEN).sum()), int(doubt[rows].sum()))
        for name, rows in parts.items()
        if name >= 0
    ]
    seen = {person.name for person in found}
    found += [Person(name, np.zeros(0, np.int64), 0) for name in names if name not in seen]
    return sorted(found, key=lambda person: (-len(person.faces), person.name))


def strangers(labels: CurrentLabels, solved: Solved | None) -> list[Person]:
    """Unnamed people who return: clusters of open faces that the last run calls nobody, the largest first."""
    if solved is None or solved.prediction.scores.evidence is None:
        return []
    persons = solved.prediction.scores.evidence.persons
    unnamed = persons[:, len(solved.name_id) :].tocoo()
    open_ = labels.face[(labels.state == OPEN) & (labels.name == NOBODY)]
    belongs = (unnamed.data > LIKELY) & np.isin(solved.face[unnamed.coords[0]], open_)
    face, person, sure = solved.face[unnamed.coords[0]][belongs], unnamed.coords[1][belongs], unnamed.data[belongs]
    order = np.lexsort((face, -sure, person))
    kept, first = np.unique(person[order], return_index=True)
    parts = np.split(face[order], first[1:]) if len(kept) else []
    return sorted((Person("", part, 0) for part in parts if len(part) > 1), key=lambda p: -len(p.faces))
