"""Workers are killed while an archive is taken in: ``python -m tests.soak.archive --kills 100 --films 40``.

A film is five tasks and each project three more. In the end every film is done, none is twice in its project, and no frame
is missing that a plain ingest finds.
"""

from __future__ import annotations

import argparse
import random
import shutil
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path

import psutil

from core.jobs.archive.coordinator import Coordinator
from core.jobs.archive.flights import Settings, Tally
from core.jobs.archive.listing import films_of
from core.jobs.archive.local import LocalEngine
from core.jobs.ingest import ingest, project_at
from core.jobs.requests import IngestVideo
from core.store.archives.archive import Archive
from core.store.project import Project
from tests.core.jobs.archive.conftest import make_film

QUICK = Settings(method="cluster-voting", piece=1.0)
MOMENTS = (0.1, 2.0)  # seconds of processor of the worker that is killed next
IDLE = 20.0  # seconds after which another one is chosen


class Killer(threading.Thread):
    """Kills one worker after the other, each when it has computed for some more moments, until it has killed enough.

    Moments are of the processor: on a busy machine workers would else be killed before they could have done anything.
    """

    def __init__(self, engine: LocalEngine, kills: int, seed: int) -> None:
        super().__init__(daemon=True)
        self.engine, self.kills, self.killed, self.random = engine, kills, 0, random.Random(seed)
        self.over = threading.Event()

    def run(self) -> None:
        while self.killed < self.kills and not self.over.wait(0.05):
            pids = self.engine.pids()
            if pids:
                with suppress(psutil.NoSuchProcess):
                    self._kill(psutil.Process(self.random.choice(pids)), self.random.uniform(*MOMENTS))

    def _kill(self, worker: psutil.Process, moments: float) -> None:
        begin, end = used(worker), time.monotonic() + IDLE
        while used(worker) < begin + moments:
            if self.over.wait(0.05) or time.monotonic() > end:
                return
        worker.kill()
        self.killed += 1


def used(worker: psutil.Process) -> float:
    times = worker.cpu_times()
    return float(times.user + times.system)


def frames(folder: Path) -> list[tuple[float | None, str]]:
    with Project.open(folder) as project:
        return sorted((frame.time, frame.caption) for frame in project.frames())


def kill_workers(place: Path, films: int, kills: int, seed: int = 0, seconds: float = 1e9) -> tuple[Tally, int]:
    """Gives how the archive stands, and how many workers were killed; ``place`` may hold what an earlier call left."""
    source = place / "films"
    if not source.exists():
        first = make_film(source / "0000.mp4")
        for number in range(1, films):
            for suffix in (".mp4", ".srt"):
                shutil.copy(first.with_suffix(suffix), source / f"{number:04}{suffix}")
    if not (place / "plain").exists():
        with project_at(place / "plain") as project:
            ingest(project, IngestVideo(source / "0000.mp4"))
    engine = LocalEngine(2, place / "scratch", place / "log")
    killer = Killer(engine, kills, seed)
    end = time.monotonic() + seconds
    try:
        with Archive.at(place / "archive") as archive, archive.coordinated():
            archive.states.add(films_of(source))
            killer.start()
            tally = Coordinator(archive, engine, engine, QUICK, stop=lambda: time.monotonic() > end).run()
            killer.over.set()
            killer.join()
            if not tally.left:
                check(archive, place, films)
            return tally, killer.killed
    finally:
        engine.close()


def check(archive: Archive, place: Path, films: int) -> None:
    """Every film is there, once, and whole."""
    wrong = [(film.path.name, film.message) for film in archive.states.films() if film.state != "done"]
    assert not wrong, wrong
    whole = frames(place / "plain")
    for one in archive.states.projects():
        with Project.open(archive.project_folder(one.name)) as project:
            assert [source.kind for source in project.sources()] == ["video"], one
            assert len(project.runs()) == 1, one
        assert frames(archive.project_folder(one.name)) == whole, one
    assert len(archive.states.projects()) == films
    assert not any((archive.folder / "incoming").iterdir())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--films", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after so long; the same --keep goes on")
    parser.add_argument("--keep", type=Path)
    parsed = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = parsed.keep or Path(folder)
        place.mkdir(exist_ok=True)
        tally, killed = kill_workers(place, parsed.films, parsed.kills, parsed.seed, parsed.seconds)
        print(f"{killed} workers killed: {tally}")


if __name__ == "__main__":
    main()
