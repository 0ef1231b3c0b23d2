"""Workers read what stands on the screen and listen to what is said; whoever writes the project finds it all done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from core.jobs import ingest as ingesting
from core.jobs.archive import films as work_on_films
from core.jobs.archive.coordinator import Coordinator
from core.jobs.archive.flights import Settings
from core.jobs.archive.listing import films_of
from core.jobs.archive.messages import Hint, Listen, Look
from core.jobs.ingest import ingest, project_at
from core.jobs.requests import IngestVideo
from core.media.cache import Cache
from core.media.faces.finder import FaceFinder
from core.media.gathering import screen_of
from core.media.screen.registry import READER, READERS
from core.media.screen.texts import STRETCH, LazyReader
from core.media.speech.kinds import Said, Samples
from core.media.speech.registry import LISTENER, LISTENERS
from core.media.video.reader import Timeline
from core.media.video.sampling import parts
from core.records import SourceLine
from core.store.archives.archive import Archive
from core.store.project import Project
from tests.core.jobs.archive.inline import Inline
from tests.core.media.portraits import portrait, scene
from tests.core.media.screen.written import with_text
from tests.core.media.speech.spoken import Pretended, film_with, silence, spoken

EVERYTHING = Settings(method="cluster-voting", speech=True)


class Hinted(Pretended):
    """Says the names that it was told."""

    def words(self, sound: Samples, hints: Sequence[str], language: str) -> tuple[Sequence[Said], str]:
        self.heard.append(len(sound))
        return [Said(0.0, len(sound) / 16_000, f"Hello {' and '.join(hints)}.", 0.9)], "en"


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch) -> Hinted:
    """Whoever listens; no other one is allowed to hear anything."""
    made, deaf = Hinted(), Hinted()
    deaf.words = deaf.voices = None  # type: ignore[assignment,method-assign]
    monkeypatch.setattr(work_on_films, "listener_here", lambda: made)
    monkeypatch.setitem(LISTENERS, LISTENER, lambda model: deaf)  # type: ignore[arg-type,misc]
    monkeypatch.setattr(ingesting, "is_installed", lambda: True)
    return made


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Somebody above a name, who speaks."""
    folder = tmp_path / "films"
    folder.mkdir()
    picture = with_text(scene(portrait("Ada")), ("Anna Berg", 20, 200), ("Reporter", 20, 232))
    sound = np.concatenate([silence(1), spoken("Good evening."), silence(1)])
    film_with(folder / "talk.mp4", sound, picture)
    return folder


def is_past_a_step(engine: Inline) -> bool:
    """Whether something was done that is noted; what may be said is asked for again."""
    return any(not isinstance(task, Hint) for task in engine.done)


def lines(folder: Path) -> list[tuple[str, float, float, str, str]]:
    with Project.open(folder) as project:
        found: list[SourceLine] = project.lines()
        return [(line.kind, line.start, line.stop, line.text, line.name) for line in found]


def frames(folder: Path) -> list[tuple[float | None, str]]:
    with Project.open(folder) as project:
        return [(frame.time, frame.caption) for frame in project.frames()]


def test_workers_read_and_listen_and_nobody_does_it_again(
    source: Path, listener: Hinted, finder: FaceFinder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where every coordinator ends after one step. What came of it is what a plain ingest gives."""
    reader = LazyReader(READERS[READER]())
    looks: Counter[str] = Counter()
    with monkeypatch.context() as patch, Archive.at(tmp_path / "archive") as archive:
        patch.setattr(work_on_films, "reader_here", lambda: reader)
        patch.setitem(READERS, READER, None)  # whoever writes cannot read
        archive.states.add(films_of(source))
        while archive.states.film(1).state != "done":
            engine = Inline()
            with archive.coordinated():
                Coordinator(archive, engine, engine, EVERYTHING, stop=partial(is_past_a_step, engine)).run()
            looks.update(type(task).__name__ for task in engine.done if isinstance(task, Look | Listen))
            assert archive.states.film(1).state != "failed", archive.states.film(1).message
        there = archive.project_folder(archive.states.film(1).project)
    assert looks == {"Look": 1, "Listen": 1}
    many = len(listener.heard)
    assert many >= 1
    monkeypatch.setitem(LISTENERS, LISTENER, lambda model: listener)  # type: ignore[arg-type,misc]
    with project_at(tmp_path / "plain") as project:
        ingest(project, IngestVideo(source / "talk.mp4", speech=True), finder=finder)
    assert len(listener.heard) == 2 * many
    assert lines(there) == lines(tmp_path / "plain")
    assert frames(there) == frames(tmp_path / "plain")
    assert {kind for kind, *_ in lines(there)} == {"speech", "screen"}
    assert "Hello Anna Berg." in {text for _, _, _, text, _ in lines(there)}  # what was read helps to hear


def test_nothing_is_read_where_that_is_not_wanted(source: Path, tmp_path: Path) -> None:
    settings = Settings(method="cluster-voting", screen=False)
    with Archive.at(tmp_path / "archive") as archive:
        archive.states.add(films_of(source))
        engine = Inline()
        with archive.coordinated():
            assert Coordinator(archive, engine, engine, settings).run().done == 1
        assert lines(archive.project_folder(archive.states.film(1).project)) == []


def test_pieces_watch_every_stretch_of_the_screen_once(tmp_path: Path) -> None:
    times = np.arange(0, 400, 0.2)
    cuts = np.array([31.0, 95.5, 120.0, 214.9, 330.0])
    timeline = Timeline(np.arange(len(times)), times, np.arange(len(times)) % 10 == 0, cuts, 400.0, 0, False)
    cache = Cache(tmp_path, "")
    whole = screen_of(cache, "c", timeline).looks.tolist()
    pieces = [screen_of(cache, "c", timeline, span).looks for span in parts(timeline, 90.0)]
    assert len(pieces) == 4
    assert sorted(np.concatenate(pieces).tolist()) == whole
    stretches = [set((times[looks] // STRETCH).tolist()) for looks in pieces]
    assert sum(map(len, stretches)) == len(set.union(*stretches))
