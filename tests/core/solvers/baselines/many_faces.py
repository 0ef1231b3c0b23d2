"""Faces enough to compare a baseline with other implementations: drawn ones, and those of *Lost* where they are there."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from core.formats import read_problem
from core.problem import BoolArray, FloatArray, IntArray, Problem
from tests.private import private_cases

# none: drawn ones
faces_of = pytest.mark.parametrize("path", [pytest.param(None, id="drawn"), *private_cases("lost.npz")])


@dataclass(frozen=True, eq=False)
class Faces:
    """Faces with candidates and truth."""

    problem: Problem
    candidates: BoolArray  # faces × names

    @property
    def features(self) -> FloatArray:
        return self.problem.features

    @property
    def truth(self) -> IntArray:
        assert self.problem.truth is not None
        return self.problem.truth


def read(path: Path | None, noise: float = 1.7) -> Faces:
    problem = read_problem(path) if path else drawn(noise)
    mentioned = np.zeros((problem.groups, len(problem.names)), dtype=bool)
    mentioned[problem.mention_group, problem.mention_name] = True
    return Faces(problem, mentioned[problem.group])


def drawn(noise: float, faces: int = 400, people: int = 12, dimensions: int = 40) -> Problem:
    """One face a frame. The more ``noise``, the more people overlap; a caption has their own name and often others."""
    rng = np.random.default_rng(0)
    truth = rng.integers(people, size=faces)
    features = rng.normal(size=(people, dimensions))[truth] + noise * rng.normal(size=(faces, dimensions))
    candidates = rng.random((faces, people)) < 1.2 / (people - 1)
    candidates[np.arange(faces), truth] = True
    names = [f"person {k}" for k in range(people)]
    captions = [[names[k] for k in np.flatnonzero(row)] for row in candidates]
    return Problem.build(features, np.arange(faces), captions, names=names, truth=truth)
