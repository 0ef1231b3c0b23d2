"""What a stop, a crash or a full disk leaves: nothing half-made, and nothing to compute again."""

import errno
from pathlib import Path

import pytest

from core.errors import BadInput
from core.jobs.ingest import ingest, project_at
from core.jobs.requests import IngestVideo
from core.media import looking
from core.media.ingest import Summary
from core.media.video.sampling import FOLLOWED
from core.store.project import Project
from tests.core.jobs.ingest.people import SRT, Counting, captions


def test_nothing_is_computed_twice(ada_and_bruno: Path, counted: Counting, tmp_path: Path) -> None:
    other = tmp_path / "other.srt"
    other.write_text(SRT.replace("is late", "is very late"))
    with project_at(tmp_path / "p") as project:
        ingest(project, IngestVideo(ada_and_bruno, captions(ada_and_bruno)), finder=counted)
        followed = counted.looked
        assert followed == pytest.approx(6 / FOLLOWED, abs=3)  # seconds of film
        summary = ingest(project, IngestVideo(ada_and_bruno, other), finder=counted)  # other words
        assert counted.looked == followed
        assert (summary.frames, summary.captions) == (0, 1)
        assert summary.notes == ("film.mp4 is in the project already", "captions from other.srt")
        ingest(project, IngestVideo(ada_and_bruno, captions(ada_and_bruno), every=1.0), finder=counted)
        assert counted.looked == followed + 6  # at half past each second, to be shown
        again = ingest(project, IngestVideo(ada_and_bruno, captions(ada_and_bruno)), finder=counted)
        assert (again.frames, counted.looked) == (0, followed + 6)
        assert "film.mp4 is in the project already" in again.text()


def test_a_stop_leaves_a_usable_project_and_the_rest_can_follow(
    ada_and_bruno: Path, counted: Counting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looking, "BATCH", 2)
    with project_at(tmp_path / "p") as project:
        summary = ingest(project, IngestVideo(ada_and_bruno, every=0.5), finder=counted, stop=lambda: counted.looked >= 10)
        assert (summary.stopped, summary.frames) == (True, seen := len(project.frames()))
        assert 1 <= seen < 12
        assert "stopped before the end" in summary.text()
        assert project.run().faces == seen
        rest = ingest(project, IngestVideo(ada_and_bruno, every=0.5), finder=counted)
        assert (rest.stopped, rest.frames) == (False, 12 - seen)
        times = [frame.time for frame in project.frames()]
        assert len(times) == len(set(times)) == 12


def test_a_stop_before_anything_was_found_leaves_nothing(ada_and_bruno: Path, counted: Counting, tmp_path: Path) -> None:
    with project_at(tmp_path / "p") as project:
        assert ingest(project, IngestVideo(ada_and_bruno), finder=counted, stop=lambda: True) == Summary(stopped=True)
    assert not (tmp_path / "p").exists()


def test_a_crash_adds_nothing_and_the_next_ingest_goes_on(
    ada_and_bruno: Path, counted: Counting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looking, "BATCH", 2)

    def crash(looked: int) -> None:
        if looked > 4:
            raise RuntimeError("the power is gone")

    counted.after = crash
    Project.create(tmp_path / "p").close()
    with project_at(tmp_path / "p") as project:
        with pytest.raises(RuntimeError, match="power"):
            ingest(project, IngestVideo(ada_and_bruno, every=0.5), finder=counted)
        assert project.sources() == project.frames() == project.faces() == []
    with project_at(tmp_path / "whole") as project:
        counted.looked, counted.after = 0, lambda looked: None
        ingest(project, IngestVideo(ada_and_bruno, every=0.5), finder=counted)
        whole, counted.looked = counted.looked, 0
    with project_at(tmp_path / "p") as project:
        assert ingest(project, IngestVideo(ada_and_bruno, every=0.5), finder=counted).frames == 12
        assert counted.looked == whole - 4


def test_a_full_disk_leaves_no_new_project_and_an_old_one_as_it_was(
    ada_and_bruno: Path, counted: Counting, tmp_path: Path
) -> None:
    def full(looked: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    counted.after = full
    for folder in (tmp_path / "deep" / "new", tmp_path / "old"):
        if folder.name == "old":
            Project.create(folder).close()
        with pytest.raises(BadInput, match="the disk is full"), project_at(folder) as project:
            ingest(project, IngestVideo(ada_and_bruno), finder=counted)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["old"]
    with Project.open(tmp_path / "old") as project:
        assert project.sources() == []
