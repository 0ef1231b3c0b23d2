"""What an archive costs and how it grows: ``python -m benchmarks.scale WHAT``; docs/scale.md holds what it printed.

``overhead``: processor time of an archive of one film against that of a plain ingest and run of it.
``growth``: the same films with 1, 2 and 4 workers, on this machine's cores or, with ``--cluster``, through a scheduler.
``tasks``: films whose tasks do nothing: how many the coordinator, the scheduler and the table of states get through.
``search``: vectors of made-up people in the index of an archive; ``--keep DIR`` goes on where a run was stopped.
``needs``: what 10,000 films of 45 minutes need, from the figures given.

Processor time is user and system time of a process and all that it began, so a busy machine changes it little.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

import numpy as np

from core.jobs.archive import messages
from core.jobs.archive.coordinator import Coordinator
from core.jobs.archive.engine import Ended, Engine
from core.jobs.archive.flights import Settings
from core.jobs.archive.local import LocalEngine
from core.jobs.archive.messages import Asked, Done, Idle, Kept, Look, Looked, Scan, Scanned, Solution, Solve, Write, Written
from core.media.cache import Cache
from core.media.video.reader import Timeline
from core.store.archives.archive import Archive, NewFilm
from core.store.archives.vectors import FaceVectors

ROOT = Path(__file__).resolve().parents[1]
DEMO = ROOT / "assets" / "demo" / "project" / "uploads"
METHOD = "cluster-voting"  # the solver is measured elsewhere


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("overhead", "growth", "tasks", "search", "needs"))
    parser.add_argument("--film", type=Path, help="default: the demo film")
    parser.add_argument("--copies", type=int, default=2, help="of the film, for growth")
    parser.add_argument("--workers", default="1,2,4")
    parser.add_argument("--cluster", action="store_true")
    parser.add_argument("--hosts", action="store_true", help="with --cluster: each worker in a network of its own, as root")
    parser.add_argument("--films", type=int, default=300, help="empty films, for tasks")
    parser.add_argument("--vectors", type=int, default=10_000_000)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--cpu-per-minute", type=float, default=20.0, help="processor seconds a minute of film, for needs")
    parser.add_argument("--coordinator-per-film", type=float, default=20.0, help="processor seconds where projects lie")
    parsed = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        if parsed.what == "overhead":
            overhead(place, film_of(parsed.film))
        elif parsed.what == "growth":
            growth(
                place,
                film_of(parsed.film),
                parsed.copies,
                [int(n) for n in parsed.workers.split(",")],
                parsed.cluster,
                parsed.hosts,
            )
        elif parsed.what == "tasks":
            tasks(place, parsed.films, parsed.cluster)
        elif parsed.what == "search":
            search(parsed.keep or place, parsed.vectors, parsed.queries)
        else:
            needs(parsed.cpu_per_minute, parsed.coordinator_per_film)


def film_of(path: Path | None) -> Path:
    return path or next(DEMO.glob("*.mp4"))


# --- Processor time ----------------------------------------------------------------------------------------------------


def processor(own: bool = False) -> float:
    import resource  # not on every system

    used = resource.getrusage(resource.RUSAGE_SELF if own else resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def cost(*words: str, **environment: str) -> float:
    """Processor seconds of a command of Rollcall and everything that it began."""
    before = processor()
    around = os.environ | {"PYTHONPATH": str(ROOT)} | environment
    done = subprocess.run([sys.executable, "-m", "core", *words], cwd=ROOT, env=around, capture_output=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr.decode())
    return processor() - before


def overhead(place: Path, film: Path) -> None:
    source = _copies(place, film, 1)
    captions = next(source.glob("*.srt"), None) or next(source.glob("*.vtt"))
    project = str(place / "plain")
    plain = cost("ingest", "--project", project, "--video", str(next(source.glob("*.mp4"))), "--captions", str(captions))
    run = cost("run", "--project", project, "--method", METHOD)
    words = ("--films", str(source), "--workers", "1", "--method", METHOD)
    whole = cost("archive", "--archive", str(place / "archive"), *words)
    print(f"plain ingest {plain:.1f} s, run {run:.1f} s of processor; archive {whole:.1f} s:", end=" ")
    print(f"{100 * (whole / (plain + run) - 1):+.1f} % ({whole - plain - run:+.1f} s)")


def growth(place: Path, film: Path, copies: int, workers: list[int], cluster: bool, hosts: bool) -> None:
    source = _copies(place, film, copies)
    for many in workers:
        archive = str(place / f"archive-{many}")
        words = ["archive", "--archive", archive, "--films", str(source), "--one-each", "--method", METHOD]
        if not cluster:
            used = cost(*words, "--workers", str(many))
        else:
            before = processor()
            with cluster_of(place, many, hosts) as found:
                cost(*words, "--workers", "1", *found)
            used = processor() - before  # with the scheduler and the workers, which have ended by now
        print(f"{many} workers: {used:.1f} s of processor for {copies} films", flush=True)


def _copies(place: Path, film: Path, many: int) -> Path:
    """The film so many times, each with its captions."""
    source = place / "films"
    source.mkdir()
    beside = [path for path in film.parent.iterdir() if path.stem == film.stem and path.suffix in (".srt", ".vtt")]
    for number in range(many):
        for path in (film, *beside):
            shutil.copy(path, source / f"film-{number}{path.suffix}")
    return source


@contextmanager
def cluster_of(place: Path, workers: int, hosts: bool = False) -> Iterator[list[str]]:
    """A scheduler and so many workers; gives what a command needs to find them. Without ``hosts`` all listen on loopback;
    with it each worker has a network of its own and reaches the scheduler through a bridge, with certificates."""
    around = os.environ | {"PYTHONPATH": str(ROOT), "ROLLCALL_SCRATCH": str(place / "scratch")}
    start = [sys.executable, "-m", "core", "cluster"]
    with _hosts(workers) if hosts else nullcontext(["127.0.0.1"] * (workers + 1)) as addresses:
        with socket.socket() as one:
            one.bind((addresses[0], 0))
            scheduler = f"{addresses[0]}:{one.getsockname()[1]}"
        known = ["--certificates", str(place / "keys")] if hosts else []
        if hosts and not (place / "keys").exists():
            subprocess.run([*start, "certificates", "--out", str(place / "keys")], cwd=ROOT, env=around, check=True)
        parts = [subprocess.Popen([*start, "scheduler", "--address", scheduler, *known], cwd=ROOT, env=around)]
        for number, address in enumerate(addresses[1:]):
            inside = ["ip", "netns", "exec", f"rollcall{number}"] if hosts else []
            words = ["worker", "--scheduler", scheduler, "--address", address, "--workers", "1", *known]
            parts.append(subprocess.Popen([*inside, *start, *words], cwd=ROOT, env=around))
        try:
            yield ["--scheduler", scheduler, *known]
        finally:
            for process in reversed(parts):
                process.send_signal(signal.SIGTERM)
                with suppress(subprocess.TimeoutExpired):
                    process.wait(timeout=60)


@contextmanager
def _hosts(many: int) -> Iterator[list[str]]:
    """Networks of their own for so many hosts, joined by a bridge; gives the bridge's address and theirs."""

    def ip(*words: str, check: bool = True) -> None:
        subprocess.run(["ip", *words], check=check, capture_output=True)

    bridge = "rollcall-br"
    ip("link", "add", bridge, "type", "bridge")
    try:
        ip("addr", "add", "10.77.0.1/24", "dev", bridge)
        ip("link", "set", bridge, "up")
        for number in range(many):
            name, inner, outer = f"rollcall{number}", f"rc-in{number}", f"rc-out{number}"
            ip("netns", "add", name)
            ip("link", "add", outer, "type", "veth", "peer", "name", inner, "netns", name)
            ip("link", "set", outer, "master", bridge, "up")
            ip("-n", name, "addr", "add", f"10.77.0.{number + 2}/24", "dev", inner)
            for device in (inner, "lo"):
                ip("-n", name, "link", "set", device, "up")
        yield ["10.77.0.1", *(f"10.77.0.{number + 2}" for number in range(many))]
    finally:
        for number in range(many):
            ip("netns", "del", f"rollcall{number}", check=False)
        ip("link", "del", bridge, check=False)


# --- Empty tasks -------------------------------------------------------------------------------------------------------


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
        from core.jobs.archive.films import kind_of_cache

        self.kind = kind_of_cache()

    def submit(self, number: int, message: bytes, gpu: bool = False, where: str = "", avoid: Collection[str] = ()) -> None:
        name, content = self.timeline
        match messages.decode(message):
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
        self.engine.submit(number, messages.encode(Idle(0.0, messages.encode(answer))))

    def ended(self, timeout: float) -> list[Ended]:
        found = []
        for one in self.engine.ended(timeout):
            done = messages.decode(one.answer) if one.fate == "answered" else None
            found.append(Ended(one.number, one.fate, done.fill if isinstance(done, Done) else b"", one.worker))
        return found

    def slots(self) -> int:
        return self.engine.slots()

    def close(self) -> None:
        self.engine.close()


def tasks(place: Path, films: int, cluster: bool) -> None:
    source = place / "films"
    source.mkdir()
    for number in range(films):
        (source / f"{number:05}.mp4").write_bytes(b"0")
    archive = Archive.at(place / "archive")
    archive.states.add([NewFilm(f"p{k:05}", f"P {k}", source / f"{k:05}.mp4") for k in range(films)])
    if cluster:
        with cluster_of(place, 4) as found:
            from core.jobs.archive.cluster import ClusterEngine

            _coordinate(archive, Empty(ClusterEngine(found[1]), place), films)
    else:
        _coordinate(archive, Empty(LocalEngine(4, place / "scratch", place / "log"), place), films)


def _coordinate(archive: Archive, engine: Empty, films: int) -> None:
    began, used = time.perf_counter(), processor(own=True)
    done = Coordinator(archive, engine, engine, Settings()).run()
    used, seconds = processor(own=True) - used, time.perf_counter() - began
    engine.close()
    assert done.done == done.projects == films, done
    print(f"{films} empty films, {engine.carried} tasks: {used:.1f} s of processor in the coordinator,")
    print(f"{engine.carried / used * 60:.0f} tasks and {films / used * 60:.0f} films a minute of its processor time;")
    print(f"in {seconds:.1f} s on this machine as busy as it was: {engine.carried / seconds * 60:.0f} tasks a minute")


# --- Search ------------------------------------------------------------------------------------------------------------


def search(folder: Path, many: int, queries: int) -> None:
    """Made-up people: a centre each, tracks around it as far apart as those of one person are."""
    import faiss

    index, batch = FaceVectors(folder / "vectors", 512), 250_000
    while len(index) < many:
        at = len(index)
        index.add(_people(at // batch, min(batch, many - at)), at)
        print(f"{len(index):,} vectors", flush=True)
    _indexed(index, many)
    random = np.random.default_rng(1)
    rows = random.choice(many, queries, replace=False)
    asked = np.asarray(index.vectors()[np.sort(rows)], np.float32) + 0.02 * random.normal(size=(queries, 512))
    index.search(asked[0], 50)
    spent, right = [], 0
    for query, row in zip(asked, np.sort(rows), strict=True):
        began, used = time.perf_counter(), time.process_time()
        found, _ = index.search(query, 50)
        spent.append((time.process_time() - used, time.perf_counter() - began))
        right += int(row in found)
    taken = np.percentile(np.array(spent), 95, axis=0)
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    size = sum(path.stat().st_size for path in (folder / "vectors").glob("index-*.faiss")) / 2**30
    print(f"{many:,} vectors of 512 numbers, index {size:.2f} GB, {faiss.__name__} {faiss.__version__}")
    print(f"p95 {1000 * taken[0]:.0f} ms of processor, {1000 * taken[1]:.0f} ms on the clock; found {right} of {queries}")
    print(f"most memory of the process {peak:.2f} GB (with what it was built with, where it was built in this run)")


def _indexed(index: FaceVectors, many: int) -> None:
    """Builds the index; what was kept of an earlier run counts."""
    from core.store.archives import vectors

    steps = range(vectors.LISTS[0][0], many + vectors.LISTS[0][0], vectors.LISTS[0][0])
    print(f"building the index of {many:,} in {len(steps)} steps", flush=True)
    used = time.process_time()
    index.index()
    print(f"{time.process_time() - used:.0f} s of processor for what was not in the index", flush=True)


def _people(number: int, many: int, each: int = 25) -> np.ndarray:
    """``many`` tracks of people whom no other batch has: cosines of about 0.7 within a person."""
    random = np.random.default_rng(number)
    centres = random.standard_normal((many // each + 1, 512), np.float32)
    rows = np.repeat(centres, each, axis=0)[:many] + 0.65 * random.standard_normal((many, 512), np.float32)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


# --- What much material needs ------------------------------------------------------------------------------------------


def needs(cpu_per_minute: float, coordinator: float, films: int = 10_000, minutes: int = 45) -> None:
    hours = films * minutes * cpu_per_minute / 3600
    here = films * coordinator / 3600
    told = {
        "core hours of workers": round(hours),
        "core hours where the projects lie": round(here),
        "days with 100 cores": round(hours / 100 / 24, 1),
        "cores that one coordinator core keeps busy": round(minutes * cpu_per_minute / coordinator),
    }
    print(json.dumps(told, indent=1))


if __name__ == "__main__":
    main()
