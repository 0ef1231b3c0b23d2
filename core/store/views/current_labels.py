"""Current labels: who is who now, by people's answers and the last run's for the rest.

As arrays, so that the app's lists, counts and queues are quick at any size.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.arrays import find
from core.prediction import UNKNOWN as LEAST
from core.problem import BoolArray, FloatArray, IntArray
from core.store.decisions.by_track import not_faces
from core.store.decisions.log import Answer, Log
from core.store.runs.answers import UNKNOWN, Counts, Solved
from core.store.tables.face_table import FaceArrays
from core.store.views.predicted_labels import predicted_labels

__all__ = ["CONFIRMED", "CONFLICT", "CORRECTED", "OPEN", "UNKNOWN", "CurrentLabels", "current_labels"]

OPEN, CONFIRMED, CORRECTED, CONFLICT = range(4)


@dataclass(frozen=True, eq=False)
class CurrentLabels:
    """The faces that people see, and who they are: ``name`` is a number of the name table, ``NOBODY`` or ``UNKNOWN``.

    ``guess`` is the best answer also where it is too unsure to be given; ``UNKNOWN`` where no run has looked yet.
    """

    face: IntArray
    frame: IntArray
    track: IntArray
    shows: FloatArray  # how well its picture shows who it is
    best: BoolArray
    doubtful: BoolArray  # perhaps no face: nobody is asked about it
    name: IntArray
    guess: IntArray
    confidence: FloatArray
    state: IntArray  # OPEN, CONFIRMED, CORRECTED or CONFLICT

    @cached_property
    def waiting(self) -> BoolArray:
        """Which faces are to be settled."""
        return np.asarray(((self.state == OPEN) & ~self.doubtful) | (self.state == CONFLICT))

    @property
    def settled(self) -> int:
        """How many faces people have settled."""
        return int(((self.state == CONFIRMED) | (self.state == CORRECTED)).sum())

    @cached_property
    def counts(self) -> Counts:
        """How many faces have a name, and of how many nobody knows yet who they are."""
        return Counts(len(self.face), int((self.name >= 0).sum()), int((self.name == UNKNOWN).sum()))

    def rows(self, faces: IntArray) -> IntArray:
        """The rows of faces that are here."""
        place = find(self.face, faces)
        return place[place >= 0]

    def in_frame(self, frame: int) -> IntArray:
        return np.flatnonzero(self.frame == frame)


def current_labels(faces: FaceArrays, log: Log, solved: Solved | None, by_track: Mapping[int, Answer]) -> CurrentLabels:
    """The run's answers with people's laid over them; ``by_track`` has those that faces have from their tracks."""
    name = np.full(len(faces.face), UNKNOWN, np.int64)
    confidence, state = np.zeros(len(name)), np.full(len(name), OPEN, np.int64)
    if solved is not None:
        place = find(faces.face, solved.face)
        there = place >= 0
        said, sure = predicted_labels(solved, log)
        name[place[there]] = said[there]
        confidence[place[there]] = sure[there]
    answered = np.array([face for face in log.answered if log.standing(face).answers], np.int64)
    place = find(faces.face, answered)
    standings = [log.standing(int(face)) for face in answered[place >= 0]]
    place = place[place >= 0]
    name[place] = [standing.answers[-1].name for standing in standings]
    confidence[place] = 1.0
    state[place] = [_state(standing.conflict, standing.answers[-1].kind) for standing in standings]
    place = find(faces.face, np.fromiter(by_track, np.int64, len(by_track)))
    name[place] = [answer.name for answer in by_track.values()]
    confidence[place] = 1.0
    state[place] = [_state(False, answer.kind) for answer in by_track.values()]
    guess = name.copy()
    name[(state == OPEN) & (confidence < LEAST)] = UNKNOWN
    shown = ~np.isin(faces.face, [*log.hidden, *not_faces(by_track)])
    return CurrentLabels(
        faces.face[shown],
        faces.frame[shown],
        faces.track[shown],
        faces.shows[shown],
        faces.best[shown],
        faces.doubtful[shown],
        name[shown],
        guess[shown],
        confidence[shown],
        state[shown],
    )


def _state(conflict: bool, kind: str) -> int:
    return CONFLICT if conflict else CONFIRMED if kind == "confirm" else CORRECTED
