"""Captions of a film: none, of another film, with a window, naming nobody."""

import shutil
from pathlib import Path

import pytest

from core.errors import BadInput
from core.jobs.ingest import ingest, project_at
from core.jobs.requests import IngestVideo
from core.store.project import Change
from tests.core.jobs.ingest.people import SRT, Counting, captions


def test_the_window_takes_captions_from_around_a_frame(ada_and_bruno: Path, counted: Counting, tmp_path: Path) -> None:
    with project_at(tmp_path / "p") as project:
        ingest(project, IngestVideo(ada_and_bruno, captions(ada_and_bruno), window=1.5), finder=counted)
        assert project.frames()[0].caption == "ADA: Bruno is late again.\nBRUNO: I am not."
        with pytest.raises(BadInput, match="window"):
            ingest(project, IngestVideo(ada_and_bruno, window=-1.0), finder=counted)


def test_a_film_without_captions_has_people_without_names_until_it_gets_some(
    ada_and_bruno: Path, counted: Counting, tmp_path: Path
) -> None:
    alone = Path(shutil.copy(ada_and_bruno, tmp_path / "alone.mp4"))
    with project_at(tmp_path / "p") as project:
        summary = ingest(project, IngestVideo(alone), finder=counted)
        assert (summary.frames, summary.faces, summary.names, summary.notes) == (3, 4, (), ())
        assert {frame.caption for frame in project.frames()} == {""}
        face = project.faces()[0].id
        project.decide("Ann", Change("is", face=face, name="Ada"))
        looked = counted.looked
        later = ingest(
            project, IngestVideo(ada_and_bruno), finder=counted
        )  # the same film elsewhere, with captions beside it
        assert (later.frames, later.captions, later.names, counted.looked) == (0, 3, ("Ada", "Bruno"), looked)
        assert later.notes == ("alone.mp4 is in the project already", "captions from film.srt")
        assert [frame.caption for frame in project.frames()][:2] == ["ADA: Bruno is late again.", "BRUNO: I am not."]
        kinds = {mention.name: mention.kind for mention in project.mentions(project.frames()[0].id)}
        assert kinds == {"Ada": "speaker", "Bruno": "spoken"}
        assert (len(project.sources()), bool(project.log().standing(face).answers)) == (1, True)
        late = tmp_path / "late.srt"
        late.write_text("1\n01:00:00,000 --> 01:00:02,000\nADA: Too late.\n")
        with pytest.raises(BadInput, match="begin at 1:00:00, but the video ends at 0:06"):
            ingest(project, IngestVideo(alone, late), finder=counted)


def test_captions_that_name_nobody_are_told_of(ada_and_bruno: Path, counted: Counting, tmp_path: Path) -> None:
    path = tmp_path / "a.srt"
    path.write_text("1\n00:00:00,200 --> 00:00:01,800\nIt is late again.\n")
    with project_at(tmp_path / "p") as project:
        summary = ingest(project, IngestVideo(ada_and_bruno, path), finder=counted)
    assert summary.names == ()
    assert "the captions name nobody" in summary.text()


def test_captions_of_another_film_are_refused(ada_and_bruno: Path, counted: Counting, tmp_path: Path) -> None:
    path = tmp_path / "a.srt"
    path.write_text("1\n01:00:00,000 --> 01:00:02,000\nADA: Too late.\n")
    with (
        pytest.raises(BadInput, match=r"begin at 1:00:00, but the video ends at 0:06") as error,
        project_at(tmp_path / "p") as project,
    ):
        ingest(project, IngestVideo(ada_and_bruno, path), finder=counted)
    assert str(error.value).startswith(f"{path}: ")
    assert not (tmp_path / "p").exists()
    path.write_text(f"{SRT}\n4\n00:00:09,000 --> 00:00:10,000\nThe end.\n")
    with project_at(tmp_path / "p") as project:
        summary = ingest(project, IngestVideo(ada_and_bruno, path), finder=counted)
    assert summary.notes == ("1 caption after the end of the video",)
