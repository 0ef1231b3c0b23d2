"""The review queue: which faces to show a person next, so that an answer settles most."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from core.prediction import NO_NEIGHBOUR, Prediction
from core.problem import NOBODY, BoolArray, FloatArray, IntArray

CORE = 0.5  # a face that belongs to a person by more than this speaks for it
LOOK_ALIKES = 5  # whose names are compared with a face's own
UNLIKE = 0.05  # what it adds to a face's doubt if none of them is believed to be who it is
NAMELESS = 0.05  # least doubt that somebody is nobody: names that no caption beside them mentions are hardly considered


@dataclass(frozen=True, eq=False)
class Doubts:
    """What may be wrong: the name of a whole person, and who a single face is."""

    name: FloatArray  # by person: the chance that its name is wrong, shared by all its faces
    faces: FloatArray  # by person: how many of them nobody has answered yet
    own: FloatArray  # by face: the chance of an error beyond that


def next_faces(prediction: Prediction, answered: BoolArray, many: int) -> IntArray:
    """The ``many`` faces whose answers help most, the most helpful first; never one that is answered."""
    return question_order(prediction, answered, np.ones(len(answered)))[:many]


def question_order(prediction: Prediction, answered: BoolArray, quality: FloatArray) -> IntArray:
    """All open faces by what an answer settles, the most helpful first.

    An answer about a face settles its own doubt. Among faces as unsure, those are wrong more often whose look-alikes are
    somebody else; so that adds to their own doubt. The doubt about the name of a person, times its open faces, is asked
    about once, at the face that stands for the person best: the least doubtful of its members, by how good a picture it is.
    Where a method knows no persons, the least sure faces come first.
    """
    value = np.where(answered, 0.0, 1.0 - prediction.confidence)
    if prediction.scores.evidence is not None:
        persons, nobody = prediction.scores.evidence.persons, prediction.name == NOBODY
        known = persons @ (persons[answered & nobody].sum(0) > 0) > CORE  # an answer said that this person is nobody
        value = np.where(nobody & ~answered & ~known, np.maximum(value, NAMELESS), value)
        doubts = doubts_of(persons, value, answered)
        value = doubts.own + UNLIKE * unlike(prediction)
        face = np.repeat(np.arange(persons.shape[0]), np.diff(persons.indptr))
        core = (persons.data > CORE) & ~answered[face]
        member, person = face[core], persons.indices[core]
        order = np.lexsort((-persons.data[core] * quality[member] * (1.0 - np.minimum(value[member], 1.0)), person))
        asked, first = np.unique(person[order], return_index=True)
        value[member[order[first]]] += (doubts.name * doubts.faces)[asked]
    return np.argsort(np.where(answered, np.inf, -value), kind="stable")[: int((~answered).sum())]


def doubts_of(persons: csr_array[np.float32], doubt: FloatArray, answered: BoolArray) -> Doubts:
    """Parts the doubt about each face in two: its person's faces share at most the doubt of the surest of them."""
    many, person = persons.shape[1], persons.indices
    face = np.repeat(np.arange(persons.shape[0]), np.diff(persons.indptr))
    core = persons.data > CORE
    left = core & ~answered[face]
    shared = np.ones(many)
    np.minimum.at(shared, person[left], doubt[face[left]])
    shared[np.bincount(person[left], minlength=many) == 0] = 0.0
    own = np.maximum(doubt - persons @ shared, 0.0)
    return Doubts(shared, np.asarray(persons[~answered].sum(0), np.float64), own)


def unlike(prediction: Prediction) -> FloatArray:
    """By face, how much of its nearest look-alikes is believed to be somebody else than it is; 0 if it has none."""
    scores, evidence = prediction.scores, prediction.scores.evidence
    assert evidence is not None
    near, found = evidence.neighbours[:, :LOOK_ALIKES], evidence.cosine[:, :LOOK_ALIKES] > NO_NEIGHBOUR
    name = np.broadcast_to(prediction.name[:, None], near.shape)
    same = scores.at(near, name, max(len(prediction.names), 1))
    if scores.nobody is not None:
        same = np.where(name == NOBODY, scores.nobody[near], same)
    return np.asarray(((1.0 - same) * found).sum(1) / np.maximum(found.sum(1), 1))
