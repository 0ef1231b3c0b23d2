"""Problem files for the commands."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from core import Problem
from core.cli.main import main
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
    return ten_faces(tmp_path / "film.npz")


@pytest.fixture(scope="session")
def taken_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a project P and the problem file P.npz that it came from; nobody may write into it."""
    folder = tmp_path_factory.mktemp("taken_in")
    assert main(["ingest", "--project", str(folder / "P"), "--problem", str(ten_faces(folder / "P.npz"))]) == 0
    return folder


@pytest.fixture
def in_a_folder(taken_in: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The commands are called in a folder that holds P and P.npz."""
    shutil.copytree(taken_in, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    capsys.readouterr()


def ten_faces(path: Path) -> Path:
    random = np.random.default_rng(3)
    looks = random.normal(size=(3, 32))
    who = [0, 1, 1, 2, 0, 2, 0, 1, 2, 0]
    features = looks[who] + 0.3 * random.normal(size=(10, 32))
    captions = [["Ross", "Rachel"], ["Rachel", "Joey"], ["Ross", "Joey"], ["Ross", "Rachel"], ["Joey", "Ross"]]
    group = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    write_problem(Problem.build(features, group, captions, names=["Ross", "Rachel", "Joey"], truth=who), path)
    return path
