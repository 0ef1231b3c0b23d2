"""A small project, solved once for all tests of the store; each test gets a copy of its own."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.store.project import Project
from tests.made import made_project


@pytest.fixture(scope="session")
def solved_film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of twelve frames with a run."""
    folder = tmp_path_factory.mktemp("store") / "film"
    made_project(folder, frames=12).close()
    return folder


@pytest.fixture
def project(solved_film: Path, tmp_path: Path) -> Iterator[Project]:
    with Project.open(Path(shutil.copytree(solved_film, tmp_path / "film"))) as opened:
        yield opened
