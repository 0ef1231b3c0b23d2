"""Problem files for the commands."""

from pathlib import Path

import numpy as np
import pytest

from core import Problem
from core.evaluation.generate import films
from core.formats.write.npz import write_problem


@pytest.fixture(scope="session")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("film") / "film.npz"
    write_problem(films(films=2, groups=20, names=8, dimensions=16), path)
    return path


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tiny") / "tiny.npz"
    write_problem(Problem.build(np.eye(3), [0, 0, 1], [["Zoë", "A, B"], []], names=["Zoë", "A, B"]), path)
    return path


@pytest.fixture
def problem(tmp_path: Path) -> Path:
    """Ten faces of three people, who are known."""
    random = np.random.default_rng(3)
    looks = random.normal(size=(3, 32))
    who = [0, 1, 1, 2, 0, 2, 0, 1, 2, 0]
    features = looks[who] + 0.3 * random.normal(size=(10, 32))
    path = tmp_path / "film.npz"
    captions = [["Ross", "Rachel"], ["Rachel", "Joey"], ["Ross", "Joey"], ["Ross", "Rachel"], ["Joey", "Ross"]]
    group = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    write_problem(Problem.build(features, group, captions, names=["Ross", "Rachel", "Joey"], truth=who), path)
    return path
