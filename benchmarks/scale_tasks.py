"""Where the coordinator saturates: films whose tasks do nothing."""

from __future__ import annotations

import time
from collections.abc import Collection
from pathlib import Path

import numpy as np

from benchmarks.measure import processor
from benchmarks.scale_cluster import cluster_of
from core.jobs.archive import messages, wire
from core.jobs.archive.cluster import ClusterEngine
from core.jobs.archive.coordinator import Coordinator
from core.jobs.archive.engine import Ended, Engine
from core.jobs.archive.films import kind_of_cache
from core.jobs.archive.flights import Settings
from core.jobs.archive.local import LocalEngine
from core.jobs.archive.messages import Asked, Done, Idle, Kept, Look, Looked, Scan, Scanned, Solution, Solve, Write, Written
from core.media.cache import Cache
from core.media.video.reader import Timeline
from core.store.archives.archive import Archive, NewFilm


class Empty:
    """An engine that carries its tasks to real workers, where they do nothing, and gives the answers that they would."""

    def __init__(self, engine: Engine, place: Path) -> None:
        self.engine, self.carried = engine, 0
        timeline = Timeline(
            np.arange(100), np.arange(100) / 10, np.arange(100) % 10 == 0, np.zeros(0), 10.0, 0, False
        )  # fmt: skip
        cache = Cache(place / "made", "")
        cache.put_timeline("0" * 64, timeline)
        self.timeline = (cache.timeline_name("0" * 64), (cache.folder / cache.timeline_name("0" * 64)).read_bytes())
        self.kind = kind_of_cache()

    def submit(self, number: int, message: bytes, gpu: bool = False, where: str = "", avoid: Collection[str] = ()) -> None:
        name, content = self.timeline
        match wire.decode(message):
            case Scan():
                answer: messages.Answer = Scanned(self.kind, "0" * 64, 10.0, (), (name,), (content,))
            case Look():
                answer = Looked(self.kind, (), ())
            case Write():
                answer = Written("nothing")
            case messages.Ask():
                answer = Asked(0, 0, "[]", b"")
            case Solve():
                answer = Solution(0.0, (), b"", b"")
            case _:
                answer = Kept("nothing", False)
        self.carried += 1
        self.engine.submit(number, wire.encode(Idle(0.0, wire.encode(answer))))

    def ended(self, timeout: float) -> list[Ended]:
        found = []
        for one in self.engine.ended(timeout):
            done = wire.decode(one.answer) if one.fate == "answered" else None
            found.append(Ended(one.number, one.fate, done.fill if isinstance(done, Done) else b"", one.worker))
        return found

    def slots(self) -> int:
        return self.engine.slots()

    def close(self) -> None:
        self.engine.close()


def tasks(place: Path, films: int, workers: int, cluster: bool, hosts: bool) -> None:
    source = place / "films"
    source.mkdir(parents=True)
    for number in range(films):
        (source / f"{number:05}.mp4").write_bytes(b"0")
    archive = Archive.at(place / "archive")
    archive.states.add([NewFilm(f"p{k:05}", f"P {k}", source / f"{k:05}.mp4") for k in range(films)])
    if cluster:
        with cluster_of(place, workers, hosts) as found:
            _coordinate(archive, Empty(ClusterEngine(found.address, found.keys), place), films)
    else:
        _coordinate(archive, Empty(LocalEngine(workers, place / "scratch", place / "log"), place), films)


def _coordinate(archive: Archive, engine: Empty, films: int) -> None:
    began, used = time.perf_counter(), processor(own=True)
    done = Coordinator(archive, engine, engine, Settings()).run()
    used, seconds = processor(own=True) - used, time.perf_counter() - began
    engine.close()
    assert done.done == done.projects == films, done
    print(f"{films} empty films, {engine.carried} tasks: {used:.1f} s of processor in the coordinator,")
    print(f"{engine.carried / used * 60:.0f} tasks and {films / used * 60:.0f} films a minute of its processor time;")
    print(f"in {seconds:.1f} s on this machine as busy as it was: {engine.carried / seconds * 60:.0f} tasks a minute")
