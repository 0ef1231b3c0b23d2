"""Faces of made-up people, drawn from the distribution that was learned offline."""

from __future__ import annotations

import numpy as np

from core.problem import FloatArray
from core.solvers.embeddings import FACENET
from core.solvers.identity.prior import mean_face, offline_prior


def drawn_people(people: int, faces: int, seed: int = 0) -> FloatArray:
    """(people × faces × 512) vectors of unit length."""
    prior = offline_prior(FACENET, 512)
    mean = mean_face(FACENET, 512)
    assert prior is not None
    assert mean is not None
    directions, within, between = prior
    random = np.random.default_rng(seed)
    person = random.normal(size=(people, 1, len(between))) @ np.linalg.cholesky(between).T
    noise = random.normal(size=(people, faces, len(within))) @ np.linalg.cholesky(within).T
    found = mean + (person + noise) @ directions.T
    return np.asarray(found / np.linalg.norm(found, axis=2, keepdims=True), np.float32)
