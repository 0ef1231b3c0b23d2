"""One finder, one film and one project of photos for all tests of ingesting."""

from pathlib import Path

import pytest

from core.jobs.ingest import ingest, project_at
from core.jobs.requests import IngestPictures
from core.media.faces.finder import FaceFinder
from tests.core.jobs.ingest.people import SRT, Counting
from tests.core.media.films import film
from tests.core.media.portraits import Album, portrait, scene


@pytest.fixture(scope="session")
def counting(finder: FaceFinder) -> Counting:
    return Counting(finder)


@pytest.fixture
def counted(counting: Counting) -> Counting:
    counting.looked, counting.after = 0, lambda looked: None
    return counting


@pytest.fixture(scope="session")
def ada_and_bruno(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six seconds: Ada, then Bruno, then both; with captions beside it."""
    folder = tmp_path_factory.mktemp("film")
    ada, bruno = portrait("Ada"), portrait("Bruno")
    shots = [scene(ada), scene(bruno, wall=(60, 30, 20)), scene(ada, bruno)]
    (folder / "film.srt").write_text(SRT)
    return film(folder / "film.mp4", [shot for shot in shots for _ in range(50)])


@pytest.fixture(scope="session")
def photo_project(album: Album, counting: Counting, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project of an album."""
    folder = tmp_path_factory.mktemp("photos") / "p"
    with project_at(folder) as project:
        summary = ingest(project, IngestPictures(album.folder, album.captions), finder=counting)
        assert (summary.uncaptioned, summary.skipped) == (album.unlisted, ())
    return folder
