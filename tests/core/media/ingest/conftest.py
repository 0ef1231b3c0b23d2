"""One finder, one film and one set of photos for all tests of ingesting."""

from pathlib import Path

import pytest

from core.media.ingest import ingest_pictures, project_at
from tests.core.media.films import film
from tests.core.media.ingest.people import SRT, Counting, portrait, scene


@pytest.fixture(scope="session")
def loaded() -> Counting:
    return Counting()


@pytest.fixture
def finder(loaded: Counting) -> Counting:
    loaded.looked, loaded.after = 0, lambda looked: None
    return loaded


@pytest.fixture(scope="session")
def penny_and_raj(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six seconds: Penny, then Raj, then both; with captions beside it."""
    folder = tmp_path_factory.mktemp("film")
    penny, raj = portrait(data, "penny"), portrait(data, "raj")
    shots = [scene(penny), scene(raj, wall=(60, 30, 20)), scene(penny, raj)]
    (folder / "film.srt").write_text(SRT)
    return film(folder / "film.mp4", [shot for shot in shots for _ in range(50)])


@pytest.fixture(scope="session")
def photos(data: Path, loaded: Counting, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project of all photos."""
    folder = tmp_path_factory.mktemp("photos") / "p"
    with project_at(folder) as project:
        summary = ingest_pictures(project, data / "photos", data / "photos" / "captions.csv", finder=loaded)
        assert (summary.frames, summary.left_out, summary.skipped) == (45, 1, ())
    return folder
