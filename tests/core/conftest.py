"""The networks, loaded once a process, and an album drawn once a run."""

from pathlib import Path

import pytest

from core.media.faces.finder import FaceFinder
from core.media.faces.mtcnn import Mtcnn
from tests.core.media.portraits import Album, drawn, drawn_album, photographed
from tests.made_once import made_once
from tests.private import private_cases


@pytest.fixture(scope="session")
def finder() -> FaceFinder:
    return FaceFinder()


@pytest.fixture(scope="session")
def detector() -> Mtcnn:
    return Mtcnn()


@pytest.fixture(scope="session", params=[pytest.param(None, id="drawn"), *private_cases("photos")])
def album(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Album:
    photos: Path | None = request.param
    return photographed(photos) if photos else drawn(made_once(tmp_path_factory, "album", drawn_album))
