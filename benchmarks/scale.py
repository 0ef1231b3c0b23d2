"""What an archive costs and how it grows: ``python -m benchmarks.scale WHAT``; docs/scale.md holds what it printed.

``overhead``: processor time of an archive of some films against that of a plain ingest and run of each, taking turns.
``growth``: the same films with 1, 2 and 4 workers, on this machine's cores or, with ``--cluster``, through a scheduler.
``tasks``: films whose tasks do nothing: how many the coordinator, the scheduler and the table of states get through.
``search``: made-up people in an archive of films that are not there; ``--keep DIR`` goes on where a run was stopped.
``needs``: what 10,000 films of 45 minutes need, from the figures given.

Processor time is user and system time of a process and all that it began, so a busy machine changes it little.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from pathlib import Path

from benchmarks.scale_cluster import cluster_of
from benchmarks.scale_overhead import METHOD, cost, overhead
from benchmarks.scale_search import build, search
from benchmarks.scale_tasks import tasks

DEMO = Path(__file__).resolve().parents[1] / "assets" / "demo" / "project" / "uploads"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("overhead", "growth", "tasks", "search", "needs"))
    parser.add_argument("--film", type=Path, action="append", help="may be given several times; default: the demo film")
    parser.add_argument("--copies", type=int, default=2, help="of each film, for growth")
    parser.add_argument("--repeats", type=int, default=1, help="for overhead and growth")
    parser.add_argument("--workers", type=lambda text: [int(many) for many in text.split(",")], default="1,2,4")
    parser.add_argument("--cluster", action="store_true")
    parser.add_argument("--hosts", action="store_true", help="with --cluster: each worker in a network of its own, as root")
    parser.add_argument("--films", type=int, default=300, help="empty films, for tasks")
    parser.add_argument("--vectors", type=int, default=10_000_000)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--cpu-per-minute", type=float, default=20.0, help="processor seconds a minute of film, for needs")
    parser.add_argument("--coordinator-per-film", type=float, default=20.0, help="processor seconds where projects lie")
    parsed = parser.parse_args()
    films = parsed.film or [next(DEMO.glob("*.mp4"))]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        if parsed.what == "overhead":
            overhead(place, films, parsed.repeats)
        elif parsed.what == "growth":
            growth(place, films, parsed.copies, parsed.workers, parsed.cluster, parsed.hosts, parsed.repeats)
        elif parsed.what == "tasks":
            for many in parsed.workers:
                print(f"{many} workers:", end=" ")
                tasks(place / str(many), parsed.films, many, parsed.cluster, parsed.hosts)
        elif parsed.what == "search":
            build((parsed.keep or place) / "archive", parsed.vectors)
            search((parsed.keep or place) / "archive", parsed.vectors, parsed.queries)
        else:
            needs(parsed.cpu_per_minute, parsed.coordinator_per_film)


# --- Processor time ----------------------------------------------------------------------------------------------------


def growth(
    place: Path, films: list[Path], copies: int, workers: list[int], cluster: bool, hosts: bool, repeats: int
) -> None:
    """The same films by more and more workers. The longest of them sets the pace where each has a core of its own."""
    source = _copies(place, films, copies)
    for turn in range(repeats):
        for many in workers:
            folder = place / f"archive-{many}-{turn}"
            words = ["-m", "core", "archive", "--archive", str(folder), "--films", str(source), "--one-each"]
            words += ["--method", METHOD, "--workers", str(1 if cluster else many)]
            parts: list[float] = []
            if cluster:
                with cluster_of(place / f"cluster-{many}-{turn}", many, hosts) as found:
                    here = cost(*words, *found.words())
                parts = found.used
            else:
                here = cost(*words)
            shutil.rmtree(folder)
            print(f"{many} workers: {here + sum(parts):.1f} s of processor for {len(films) * copies} films", end="")
            if parts:
                each = " ".join(f"{seconds:.1f}" for seconds in parts[1:])
                print(f": coordinator and writer {here:.1f}, scheduler {parts[0]:.1f}, workers {each}", end="")
            print(flush=True)


def _copies(place: Path, films: list[Path], many: int) -> Path:
    """The films so many times, each with its captions."""
    source = place / "films"
    source.mkdir()
    for film in films:
        beside = [path for path in film.parent.iterdir() if path.stem == film.stem and path.suffix in (".srt", ".vtt")]
        for number in range(many):
            for path in (film, *beside):
                shutil.copy(path, source / f"{film.stem}-{number}{path.suffix}")
    return source


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
