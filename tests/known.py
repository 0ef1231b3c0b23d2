"""A method that knows the truth, for tests that are about something else than naming faces.

It is as sure of a face as the face is like its person, so it does not change with the default method, and takes a moment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import numpy as np
from scipy.sparse import csr_array

from core.prediction import NO_NEIGHBOUR, Evidence, Scores
from core.problem import NOBODY, FloatArray, IntArray, Problem
from core.solve import METHODS
from core.store.project import Project, Run

SHARPNESS = 8.0  # of the softmax over persons: a face that is its person's mean is sure, one between two persons is not
ALIKE = 0.5  # the cosine above which two strangers are one person
LOOK_ALIKES = 5
CONSIDERED = 0.001  # the chance below which a name is left out


@contextmanager
def known_answers(project: Project, doubt: float = 0.0) -> Iterator[None]:
    """In the block, runs of the default method on this project, in this process, are those of ``known``."""
    problem, _ = project.problem()
    assert problem.truth is not None, "nobody knows who these faces are"
    who = ["" if k == NOBODY else problem.names[k] for k in problem.truth]
    truth = {features.tobytes(): name for features, name in zip(problem.features, who, strict=True)}
    usual = METHODS["rollcall"]
    METHODS["rollcall"] = lambda task: known(task.problem, truth, doubt)
    try:
        yield
    finally:
        METHODS["rollcall"] = usual


def known_run(project: Project, doubt: float = 0.0) -> Run:
    """A run of the default method whose answer is known; ``doubt`` makes it less sure of every name."""
    with known_answers(project, doubt):
        return project.run()


def known(problem: Problem, truth: Mapping[bytes, str], doubt: float = 0.0) -> Scores:
    """Each face by its nearest person, with a ``doubt`` about all names.

    ``truth`` says by a face's features who it is; a method is not told that.
    """
    features = problem.features / np.linalg.norm(problem.features, axis=1, keepdims=True)
    names = len(problem.names)
    number = {"": NOBODY} | {name: k for k, name in enumerate(problem.names)}
    named = np.array([number[truth[row.tobytes()]] for row in problem.features])
    person = np.where(named == NOBODY, names + _strangers(features), named)
    member = np.arange(int(person.max(initial=names)) + 1) == person[:, None]
    centre = member.T @ features
    seen = np.linalg.norm(centre, axis=1)
    alike = np.where(seen > 0, features @ centre.T / np.maximum(seen, 1e-9), -np.inf)
    chance = np.exp(SHARPNESS * (alike - alike.max(axis=1, keepdims=True)))
    chance /= chance.sum(axis=1, keepdims=True)
    persons = csr_array(np.where(chance > CONSIDERED, chance, 0).astype(np.float32))
    chance = (1 - doubt) * chance + doubt / chance.shape[1]
    face, name = np.nonzero(chance[:, :names] > CONSIDERED)
    evidence = Evidence(persons, *_look_alikes(features, problem.group))
    return Scores(face, name, chance[face, name], chance[:, names:].sum(axis=1), evidence)


def _strangers(features: FloatArray) -> IntArray:
    """For each face, the first that is like it, numbered from 0."""
    first = (features @ features.T > ALIKE).argmax(axis=1)
    return np.unique(first, return_inverse=True)[1]


def _look_alikes(features: FloatArray, group: IntArray) -> tuple[IntArray, FloatArray]:
    cosine = np.where(group[:, None] == group, 2 * NO_NEIGHBOUR, features @ features.T)
    nearest = np.argsort(-cosine, axis=1, kind="stable")[:, :LOOK_ALIKES]
    return nearest, np.take_along_axis(cosine, nearest, axis=1)
