"""The networks, loaded once for all tests."""

import pytest

from core.media.detector import Detector
from core.media.faces import FaceFinder


@pytest.fixture(scope="session")
def finder() -> FaceFinder:
    return FaceFinder()


@pytest.fixture(scope="session")
def detector() -> Detector:
    return Detector()
