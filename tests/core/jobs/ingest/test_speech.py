"""A film without captions is listened to when that is asked for: words become captions, also of a film that is there."""

from pathlib import Path

import numpy as np
import pytest

from core.errors import BadInput
from core.jobs import ingest as ingesting
from core.jobs.ingest import ingest, project_at
from core.jobs.requests import IngestVideo
from core.media.speech.registry import LISTENER, LISTENERS
from tests.core.jobs.ingest.people import Counting
from tests.core.media.portraits import portrait, scene
from tests.core.media.speech.spoken import Pretended, film_with, silence, spoken


@pytest.fixture(scope="module")
def talking(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sound = np.concatenate([silence(1), spoken("Good evening. My name is Priya Raman."), silence(1)])
    return film_with(tmp_path_factory.mktemp("talking") / "film.mp4", sound, scene(portrait("Ada")))


def test_words_become_captions_and_leave_as_subtitles(talking: Path, counted: Counting, tmp_path: Path) -> None:
    cast = tmp_path / "cast.txt"
    cast.write_text("Priya Raman\n")
    with project_at(tmp_path / "p") as project:
        silent = ingest(project, IngestVideo(talking, cast=cast), finder=counted)
        assert silent.names == ()
        summary = ingest(project, IngestVideo(talking, cast=cast, speech=True), finder=counted)
        assert "film.mp4 is in the project already" in summary.text()
        assert summary.names == ("Priya Raman",)
        (spoken_line, *_) = project.lines()
        assert spoken_line.kind == "speech"
        assert any("Priya Raman" in frame.caption for frame in project.frames())
        project.export("captions", tmp_path / "said.srt")
        assert "Priya Raman" in (tmp_path / "said.srt").read_text()


def test_a_new_film_is_listened_to_on_the_way(
    talking: Path, counted: Counting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(LISTENERS, LISTENER, lambda model: Pretended())  # type: ignore[arg-type,misc]
    cast = tmp_path / "cast.txt"
    cast.write_text("Priya Raman\n")
    with project_at(tmp_path / "p") as project:
        stages: list[str] = []
        progress = lambda stage, *_: stages.append(stage)  # noqa: E731
        summary = ingest(project, IngestVideo(talking, cast=cast, speech=True), progress, finder=counted)
        assert list(dict.fromkeys(stages)) == ["shots", "faces", "listening", "names", "saving"]
        assert "1 line heard" in summary.text()
        assert any(frame.caption == "clip 1" for frame in project.frames())


def test_what_is_not_installed_is_told_before_anything_is_computed(
    talking: Path, counted: Counting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ingesting, "is_installed", lambda: False)
    with project_at(tmp_path / "p") as project:
        with pytest.raises(BadInput, match="run `make speech`"):
            ingest(project, IngestVideo(talking, speech=True), finder=counted)
        with pytest.raises(BadInput, match="goes with --speech"):
            ingest(project, IngestVideo(talking, model=tmp_path), finder=counted)
    assert counted.looked == 0
