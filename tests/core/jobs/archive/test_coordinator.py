"""Films come in whole, once, and whatever goes wrong with one is its own affair."""

from __future__ import annotations

import errno
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import BadInput
from core.jobs.archive import messages, sending, wire
from core.jobs.archive.coordinator import Coordinator
from core.jobs.archive.engine import Ended
from core.jobs.archive.flights import ALONE, Settings, Tally
from core.jobs.archive.listing import films_of
from core.jobs.archive.messages import Look, Message, Put, Scan, Solve, Write, Wrong
from core.jobs.ingest import ingest, project_at
from core.jobs.requests import IngestVideo
from core.media.faces.finder import FaceFinder
from core.store.archives.archive import Archive
from core.store.project import Project
from tests.core.jobs.archive.inline import Fate, Inline

QUICK = Settings(method="cluster-voting", piece=1.0)
PIECES = 3  # of each film: one a shot


def run(archive: Archive, engine: Inline, retry: bool = False, settings: Settings = QUICK) -> Tally:
    with archive.coordinated():
        return Coordinator(archive, engine, engine, settings).run(retry)


def only(archive: Archive, films: Path) -> Archive:
    """The archive with the first film alone."""
    for film in archive.states.films()[1:]:
        archive.states.set_state(film.id, "failed", "left out")
    return archive


def content(folder: Path) -> list[tuple[float | None, str, list[tuple[float, ...]]]]:
    """What is on the frames of a project."""
    with Project.open(folder) as project:
        boxes = {frame.id: [] for frame in project.frames()}
        for face in project.faces():
            boxes[face.frame].append(tuple(round(v) for v in (face.box.left, face.box.top, face.box.right, face.box.bottom)))
        return sorted((frame.time, frame.caption, sorted(boxes[frame.id])) for frame in project.frames())


def project_of(archive: Archive, film: int) -> Path:
    return archive.project_folder(archive.states.film(film).project)


def test_an_archive_holds_what_a_plain_ingest_finds(
    archive: Archive, films: Path, finder: FaceFinder, tmp_path: Path
) -> None:
    engine = Inline()
    assert run(archive, engine) == Tally(done=3, failed=0, left=0, projects=2)
    assert Counter(type(task).__name__ for task in engine.done) == Counter(
        Scan=3, Look=3 * PIECES, Write=3, Ask=2, Solve=2, Keep=2
    )
    with project_at(tmp_path / "plain") as project:
        ingest(project, IngestVideo(films / "alone.mp4"), finder=finder)
        plain = project.run("cluster-voting").faces, len(project.tracks(1))
    assert content(project_of(archive, 1)) == content(tmp_path / "plain")
    with Project.open(project_of(archive, 1)) as project:
        assert (project.runs()[-1].faces, len(project.tracks(1))) == plain
        assert {"ADA", "Ada"} & set(project.names())
    with Project.open(project_of(archive, 2)) as project:  # the series
        assert [source.title for source in project.sources()] == ["one.mp4", "two.mp4"]
        assert project.title == "Series"
    assert not any((archive.folder / "incoming").iterdir())
    again = Inline()
    assert run(archive, again) == Tally(done=3, failed=0, left=0, projects=2)
    assert again.done == []  # nothing is left


def test_the_next_coordinator_does_what_is_left(archive: Archive, films: Path) -> None:
    """Whatever a coordinator had noted when it ended is not done again, and everything else is."""
    only(archive, films)
    looks: list[tuple[str, int]] = []
    attempts = 0
    while archive.states.film(1).state != "done":
        attempts += 1
        engine = Inline()
        with archive.coordinated():  # it ends after one task
            Coordinator(archive, engine, engine, QUICK, stop=lambda engine=engine: bool(engine.done)).run()
        looks += [(task.path, task.piece) for task in engine.done if isinstance(task, Look)]
    assert attempts == 1 + PIECES + 1  # to scan it, to look at it, to write it
    assert run(archive, Inline()).projects == 1
    assert len(looks) == len(set(looks)) == PIECES
    with Project.open(project_of(archive, 1)) as project:
        assert len(project.sources()) == 1
        assert len(project.runs()) == 1


def test_a_film_that_was_written_but_not_noted_is_not_written_again(archive: Archive, films: Path) -> None:
    only(archive, films)
    run(archive, Inline())
    before, message = content(project_of(archive, 1)), archive.states.film(1).message
    archive.states.set_state(1, "running")  # as if the coordinator had died before its note
    assert run(archive, Inline()).done == 1
    assert content(project_of(archive, 1)) == before
    assert archive.states.film(1).message == message


@pytest.mark.parametrize("what", [Scan, Look, Write])
def test_a_film_that_ends_its_workers_fails_alone(archive: Archive, what: type[Message]) -> None:
    def fate(task: Message, tries: int) -> Ended | None:
        return Ended(0, "killed") if isinstance(task, what) and "/one.mp4" in task.path else None  # type: ignore[attr-defined]

    assert run(archive, Inline(fate)) == Tally(done=2, failed=1, left=0, projects=2)
    failed = archive.states.films("failed")[0]
    assert failed.path.name == "one.mp4"
    assert "ended its worker 12 times" in failed.message
    with Project.open(project_of(archive, 3)) as project:
        assert [source.title for source in project.sources()] == ["two.mp4"]
    assert run(archive, Inline(), retry=True) == Tally(done=3, failed=0, left=0, projects=2)


def test_a_task_that_ended_its_workers_is_tried_again_alone(archive: Archive, films: Path) -> None:
    only(archive, films)

    def fate(task: Message, tries: int) -> Ended | None:
        return Ended(0, "killed") if isinstance(task, Look) and task.piece == 1 and tries <= ALONE else None

    engine = Inline(fate)
    assert run(archive, engine).done == 1
    assert engine.tries["Look " + str(films / "alone.mp4") + " 1"] == ALONE + 1


def first(fate: Ended) -> Fate:
    """Every task of a worker ends so at its first attempt."""
    return lambda task, tries: fate if tries == 1 and isinstance(task, Scan | Look | Solve) else None


def test_what_a_worker_lacks_another_one_has(archive: Archive, films: Path) -> None:
    only(archive, films)
    full = wire.encode(Wrong("worker", "the worker's disk is full"))
    engine = Inline(first(Ended(0, "answered", full, "full one")))
    assert run(archive, engine).done == 1
    assert engine.avoided.count(frozenset({"full one"})) >= 1 + PIECES


def test_where_all_workers_lack_it_the_film_fails_with_their_sentence(archive: Archive, films: Path) -> None:
    only(archive, films)
    full = Ended(0, "answered", wire.encode(Wrong("worker", "the worker's disk is full; free some space there")), "w")
    run(archive, Inline(lambda task, tries: full if isinstance(task, Look) else None))
    said = f"{films / 'alone.mp4'}: the worker's disk is full; free some space there (at last worker w)"
    assert archive.states.film(1).message == said


def test_what_a_restarted_scheduler_lost_is_asked_for_again(archive: Archive, films: Path) -> None:
    only(archive, films)
    assert run(archive, Inline(first(Ended(0, "lost")))).done == 1


def test_a_film_that_no_path_leads_to_is_sent_in_blocks(
    archive: Archive, films: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only(archive, films)
    monkeypatch.setattr(sending, "BLOCK", 20_000)
    nowhere = "/nowhere/alone.mp4"
    engine = Inline(changed=lambda task: replace(task, path=nowhere) if isinstance(task, Scan | Look) else task)
    assert run(archive, engine).done == 1
    size = (films / "alone.mp4").stat().st_size
    assert sum(isinstance(task, Put) for task in engine.done) == -(-size // 20_000)  # once, for all of its tasks


def test_only_one_coordinates(archive: Archive) -> None:
    with archive.coordinated(), pytest.raises(BadInput, match="works on this archive already"), archive.coordinated():
        pass


def test_what_cannot_be_read_fails_with_a_sentence_and_can_be_mended(archive: Archive, films: Path, tmp_path: Path) -> None:
    source = tmp_path / "films"
    source.mkdir()
    (source / "broken.mp4").write_bytes(b"no film")
    shutil.copy(films / "alone.mp4", source / "mute.mp4")
    (source / "mute.srt").write_bytes(b"\x00\x01")
    with Archive.at(tmp_path / "other") as other:
        other.states.add([*films_of(source), replace(films_of(source)[0], path=source / "gone.mp4")])
        assert run(other, Inline()).failed == 3
        broken, mute, gone = other.states.films("failed")
        assert "no video" in broken.message
        assert "mute.srt" in mute.message
        assert "gone.mp4: cannot be read" in gone.message
        shutil.copy(films / "alone.srt", source / "mute.srt")
        assert run(other, Inline(), retry=True) == Tally(done=1, failed=2, left=0, projects=1)


def test_workers_of_another_version_are_refused(archive: Archive, films: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only(archive, films)
    engine = Inline()
    one = Coordinator(archive, engine, engine, QUICK)
    monkeypatch.setattr(one._steps, "_kind", "media-99 other other")
    one.run()
    assert "run the same version everywhere" in archive.states.film(1).message


def test_a_full_disk_where_the_projects_lie_ends_the_work_and_fails_no_film(
    archive: Archive, films: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, content: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        with pytest.raises(BadInput, match=r"No space left .* same command again"):
            run(archive, Inline())
    assert archive.states.counts()["failed"] == 0
    assert run(only(archive, films), Inline()).done == 1


def test_files_that_a_worker_names_stay_in_their_folder(archive: Archive, films: Path) -> None:
    only(archive, films)
    one = Coordinator(archive, Inline(), Inline(), QUICK)
    with pytest.raises(BadInput):
        one._steps.store(1, messages.Looked("", ("../../evil.npz",), (b"x",)))
    assert not list(archive.folder.rglob("evil*"))
