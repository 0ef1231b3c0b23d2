"""Reference photos: they help captions or stand in for them."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.jobs.ingest import ingest, project_at
from core.jobs.requests import IngestPictures, IngestVideo
from tests.core.jobs.ingest.people import Counting, captions
from tests.core.media.films import noisy
from tests.core.media.portraits import Album, portrait


@pytest.fixture
def people(tmp_path: Path) -> Path:
    (tmp_path / "people" / "Bruno Keller").mkdir(parents=True)
    Image.fromarray(portrait("Bruno", 2)).save(tmp_path / "people" / "Bruno Keller" / "bruno2.png")
    Image.fromarray(portrait("Ada", 2)).save(tmp_path / "people" / "ada.png")
    Image.fromarray(noisy(1)).save(tmp_path / "people" / "Nobody There.png")
    return tmp_path / "people"


def test_reference_photos_stand_in_for_captions(
    ada_and_bruno: Path, people: Path, counted: Counting, tmp_path: Path
) -> None:
    with project_at(tmp_path / "p") as project:
        summary = ingest(project, IngestVideo(ada_and_bruno, people=people, who="Ada"), finder=counted)
        assert set(summary.names) == {"Bruno Keller", "Ada"}
        assert summary.skipped == (("Nobody There.png", "no face was found on it"),)
        assert [source.title for source in project.sources()] == ["people", "film.mp4"]
        answered = {face.name: frame.frame.path for frame in project.labels(confirmed=True).frames for face in frame.faces}
        assert answered == {"Ada": "ada.png", "Bruno Keller": "Bruno Keller/bruno2.png"}
        assert project.review.annotators() == ["Ada"]


def test_people_are_known_by_two_photos_each(album: Album, photo_project: Path, counted: Counting, tmp_path: Path) -> None:
    for picture in album.folder.glob("*/*.png"):
        folder = tmp_path / ("people" if picture.stem[-1] in "12" else "album") / picture.parent.name
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(picture, folder)
    with project_at(tmp_path / "p") as project:
        shutil.copytree(photo_project / "cache", project.cache)
        summary = ingest(project, IngestPictures(tmp_path / "album", people=tmp_path / "people"), finder=counted)
        assert (summary.frames, len(summary.names), counted.looked) == (album.portraits, album.people, 0)
        project.run()
        found = [frame for frame in project.labels().frames if frame.source.title == "album"]
        right = [frame.frame.path.split("/")[0] in [face.name.lower() for face in frame.faces] for frame in found]
    assert len(right) == album.portraits - 2 * album.people
    assert np.mean(right) >= 0.85


def test_reference_photos_help_captions(ada_and_bruno: Path, people: Path, counted: Counting, tmp_path: Path) -> None:
    with project_at(tmp_path / "p") as project:
        summary = ingest(project, IngestVideo(ada_and_bruno, captions(ada_and_bruno), people=people), finder=counted)
        assert summary.merges == (("Bruno", "Bruno Keller"),)
        assert set(project.names()) == {"Bruno Keller", "Ada"}
        again = ingest(
            project, IngestVideo(ada_and_bruno, captions(ada_and_bruno), people=people, every=2.0), finder=counted
        )
        assert again.merges == ()  # known already
        assert [source.title for source in project.sources()] == ["people", "film.mp4"]  # the same moments, the same photos
