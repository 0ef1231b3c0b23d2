"""Small films with captions, and an archive of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.jobs.archive import films as work_on_films
from core.jobs.archive.listing import films_of
from core.media.faces.finder import FaceFinder
from core.store.archives.archive import Archive
from tests.core.media.films import film
from tests.core.media.portraits import portrait, scene
from tests.made_once import made_once

SRT = """1
00:00:00,100 --> 00:00:01,100
ADA: Bruno is late again.

2
00:00:01,300 --> 00:00:02,300
BRUNO: I am not.

3
00:00:02,500 --> 00:00:03,500
Ada looks at Bruno.
"""
SHOTS = 12  # frames of each of three shots, ten a second


def make_film(path: Path, wall: int = 60) -> Path:
    """Four seconds: Ada, then Bruno, then both; the wall makes one film another than the next."""
    ada, bruno = portrait("Ada"), portrait("Bruno")
    shots = [scene(ada), scene(bruno, wall=(wall, 30, 20)), scene(ada, bruno)]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.with_suffix(".srt").write_text(SRT, encoding="utf-8")
    return film(path, [shot for shot in shots for _ in range(SHOTS)], rate=10)


def _films(folder: Path) -> None:
    make_film(folder / "alone.mp4")
    make_film(folder / "series" / "one.mp4", 90)
    make_film(folder / "series" / "two.mp4", 120)


@pytest.fixture(scope="session")
def films(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A film by itself, and a series of two."""
    return made_once(tmp_path_factory, "archive-films", _films)


@pytest.fixture
def archive(films: Path, tmp_path: Path) -> Iterator[Archive]:
    with Archive.at(tmp_path / "archive") as made:
        made.states.add(films_of(films))
        yield made


@pytest.fixture(autouse=True)
def here(finder: FaceFinder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers of this process share its networks."""
    monkeypatch.setattr(work_on_films, "finder_here", lambda: finder)
    monkeypatch.setenv("ROLLCALL_SCRATCH", str(tmp_path / "scratch"))
