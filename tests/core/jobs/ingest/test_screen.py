"""Names on the screen of a film: read, linked to the face above them, kept when captions change, and read once."""

from pathlib import Path

import pytest

from core.jobs.ingest import ingest, project_at
from core.jobs.requests import IngestVideo
from core.media.screen.ppocr import PpOcr
from core.media.video.reader import Pixels
from tests.core.jobs.ingest.people import Counting
from tests.core.media.screen.pgs import with_subtitles
from tests.core.media.screen.written import news


@pytest.fixture(scope="module")
def programme(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return news(tmp_path_factory.mktemp("news"))


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[Pixels]:
    """The pictures that are read."""
    seen: list[Pixels] = []
    read = PpOcr.read
    monkeypatch.setattr(PpOcr, "read", lambda self, picture: (seen.append(picture), read(self, picture))[1])
    return seen


def test_a_lower_third_names_the_face_above_it(
    programme: Path, counted: Counting, tmp_path: Path, readings: list[Pixels]
) -> None:
    with project_at(tmp_path / "p") as project:
        summary = ingest(project, IngestVideo(programme), finder=counted)
        assert summary.names == ("Anna Berg",)
        assert "2 texts on the screen, 1 name beside faces" in summary.text()
        assert [(line.text, line.name) for line in project.lines()] == [("Anna Berg", "Anna Berg"), ("Reporter", "")]
        named = [frame for frame in project.frames() if frame.caption == "Anna Berg"]
        assert named
        (mention,) = project.mentions(named[0].id)
        assert (mention.name, mention.kind, mention.spans) == ("Anna Berg", "screen", ((0, 9),))
        problem, _ = project.problem()
        assert problem.evidence_logodds.tolist() == [3.5]
        many = len(readings)
        assert 1 <= many <= 3
        captions = tmp_path / "news.srt"
        captions.write_text("1\n00:00:01,000 --> 00:00:02,500\nBEN: Good evening, Clara.\n")
        again = ingest(project, IngestVideo(programme, captions), finder=counted)
        assert again.captions >= 1
        both = [frame.caption for frame in project.frames() if "Anna Berg" in frame.caption]
        assert both == ["BEN: Good evening, Clara.\nAnna Berg"]
        assert len(readings) == many


def test_it_can_be_left_out(programme: Path, counted: Counting, tmp_path: Path, readings: list[Pixels]) -> None:
    with project_at(tmp_path / "p") as project:
        summary = ingest(project, IngestVideo(programme, screen=False), finder=counted)
        assert (summary.names, project.lines(), readings) == ((), [], [])


def test_with_a_cast_list_only_its_people_are_named(programme: Path, counted: Counting, tmp_path: Path) -> None:
    cast = tmp_path / "cast.txt"
    cast.write_text("Priya Raman\n")
    with project_at(tmp_path / "p") as project:
        assert ingest(project, IngestVideo(programme, cast=cast), finder=counted).names == ()
        assert {line.name for line in project.lines()} == {""}


def test_pictured_subtitles_are_captions(programme: Path, counted: Counting, tmp_path: Path) -> None:
    lines = [(0.3, 1.2, "ANNA: Where is Marcus?"), (1.5, 2.6, "He left with Priya.")]
    video = with_subtitles(programme, lines, tmp_path / "film.mkv")
    with project_at(tmp_path / "p") as project:
        summary = ingest(project, IngestVideo(video), finder=counted)
        assert "2 lines read from the pictured subtitles" in summary.text()
        assert {"Anna Berg", "Marcus", "Priya"} <= set(summary.names)
        assert [line.kind for line in project.lines()].count("subtitles") == 2
