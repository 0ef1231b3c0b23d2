"""The review queue: which faces to show a person next, so that an answer settles most."""

from __future__ import annotations

import numpy as np

from core.problem import BoolArray, FloatArray, IntArray
from core.solve import Prediction

SETTLED = 0.9  # how much of its person's uncertainty an answer is expected to take away


def next_faces(prediction: Prediction, answered: BoolArray, many: int) -> IntArray:
    """The ``many`` faces whose answers help most, the most helpful first; never one that is answered.

    With e_i = 1 - confidence the chance that face i is wrong, an answer about i mends i itself and tells about the faces
    of the same person: ``value_i = e_i (1 + sum_j S_ij e_j)``, ``S_ij = sum_k q_ik q_jk`` the chance that i and j are one
    person. After each pick the faces of the picked person are worth less, so that a batch spreads over persons. Where
    a method knows no persons, the least sure faces come first.
    """
    doubt = np.where(answered, 0.0, 1.0 - prediction.confidence)
    many = min(many, int((~answered).sum()))
    evidence = prediction.scores.evidence
    if evidence is None:
        return np.argsort(np.where(answered, np.inf, -doubt), kind="stable")[:many]
    persons = evidence.persons
    picked = np.zeros(many, dtype=np.int64)
    shown = answered.copy()
    for place in range(many):
        value = doubt * (1.0 + persons @ (persons.T @ doubt))
        picked[place] = np.argmax(np.where(shown, -1.0, value))
        shown[picked[place]] = True
        doubt = doubt * (1.0 - SETTLED * np.clip(_same_person(prediction, int(picked[place])), 0.0, 1.0))
        doubt[picked[place]] = 0.0
    return picked


def _same_person(prediction: Prediction, face: int) -> FloatArray:
    """For every face the chance that it shows the same person as ``face``."""
    assert prediction.scores.evidence is not None
    persons = prediction.scores.evidence.persons
    row = persons[[face]].tocoo()
    belongs = np.zeros(persons.shape[1], dtype=np.float32)
    belongs[row.coords[1]] = row.data
    return np.asarray(persons @ belongs)
