"""What an archive costs and how it grows: ``python -m benchmarks.scale WHAT``; docs/scale.md holds what it printed.

``overhead``: processor time of an archive of one film against that of a plain ingest and run of it.
``growth``: the same films with 1, 2 and 4 workers, on this machine's cores or, with ``--cluster``, through a scheduler.
``tasks``: films whose tasks do nothing: how many the coordinator, the scheduler and the table of states get through.
``search``: made-up people in an archive of films that are not there; ``--keep DIR`` goes on where a run was stopped.
``needs``: what 10,000 films of 45 minutes need, from the figures given.

Processor time is user and system time of a process and all that it began, so a busy machine changes it little.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.measure import processor
from benchmarks.scale_cluster import cluster_of
from benchmarks.scale_search import build, search
from benchmarks.scale_tasks import tasks

ROOT = Path(__file__).resolve().parents[1]
DEMO = ROOT / "assets" / "demo" / "project" / "uploads"
METHOD = "cluster-voting"  # the solver is measured elsewhere


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("overhead", "growth", "tasks", "search", "needs"))
    parser.add_argument("--film", type=Path, help="default: the demo film")
    parser.add_argument("--copies", type=int, default=2, help="of the film, for growth")
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
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        if parsed.what == "overhead":
            overhead(place, film_of(parsed.film))
        elif parsed.what == "growth":
            growth(place, film_of(parsed.film), parsed.copies, parsed.workers, parsed.cluster, parsed.hosts)
        elif parsed.what == "tasks":
            for many in parsed.workers:
                print(f"{many} workers:", end=" ")
                tasks(place / str(many), parsed.films, many, parsed.cluster, parsed.hosts)
        elif parsed.what == "search":
            build((parsed.keep or place) / "archive", parsed.vectors)
            search((parsed.keep or place) / "archive", parsed.vectors, parsed.queries)
        else:
            needs(parsed.cpu_per_minute, parsed.coordinator_per_film)


def film_of(path: Path | None) -> Path:
    return path or next(DEMO.glob("*.mp4"))


# --- Processor time ----------------------------------------------------------------------------------------------------


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
