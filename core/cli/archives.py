"""The commands for many films: archive takes them in, archive-find and archive-export look at all of them at once, and
cluster lets other machines help."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from core.cli import arguments
from core.cli.arguments import Commands, add_json, add_method, add_seed
from core.errors import BadInput, printable
from core.progress import Printer

if TYPE_CHECKING:
    from core.jobs.archive.engine import Engine
    from core.store.archives.archive import State

HERE = "127.0.0.1:8786"


def add_commands(commands: Commands) -> None:
    made = commands.add_parser("archive", help="take many films in, or go on with it: one project a film or series")
    made.add_argument("--archive", type=Path, required=True, metavar="DIR", help="made if it is not there")
    what = "a folder of films, or a table with the columns film, captions, cast, project (default: what is left)"
    made.add_argument("--films", type=Path, metavar="DIR|FILE.csv", help=what)
    made.add_argument("--one-each", action="store_true", help="films of one folder are no series, but projects of their own")
    made.add_argument("--retry", action="store_true", help="try films again that failed")
    made.add_argument("--status", action="store_true", help="say how far it is, and do nothing")
    made.add_argument("--workers", type=arguments.count, metavar="N", help="processes on this machine (default: its cores)")
    made.add_argument("--scheduler", metavar="ADDRESS", help="of a cluster; see `rollcall cluster scheduler`")
    made.add_argument("--certificates", type=Path, metavar="DIR", help="of that cluster")
    made.add_argument("--gpu", action="store_true", help="of a cluster, workers with a GPU alone look for faces")
    add_method(made)
    add_seed(made)
    add_json(made)
    made.set_defaults(command=_archive)
    _add_looking(commands)
    _add_cluster(commands)


def _add_looking(commands: Commands) -> None:
    made = commands.add_parser("archive-find", help="look for somebody in all films of an archive")
    made.add_argument("--archive", type=Path, required=True, metavar="DIR")
    what = made.add_mutually_exclusive_group()
    what.add_argument("--name", help="when is this person on screen? (default: who is in it at all)")
    what.add_argument("--picture", type=Path, metavar="FILE", help="who is this?")
    what.add_argument("--update", action="store_true", help="take in what changed since, and no more")
    made.add_argument("--most", type=arguments.count, default=50, metavar="N", help="so many at the most (default: 50)")
    add_json(made)
    made.set_defaults(command=_find)

    made = commands.add_parser("archive-export", help="export all projects of an archive, a file or folder each")
    made.add_argument("--archive", type=Path, required=True, metavar="DIR")
    made.add_argument("--format", default="csv", help="as for `rollcall export` (default: csv)")
    made.add_argument("--out", type=Path, required=True, metavar="DIR", help="a new folder")
    made.set_defaults(command=_export)


def _add_cluster(commands: Commands) -> None:
    made = commands.add_parser("cluster", help="let other machines help with an archive")
    parts = made.add_subparsers(required=True, metavar="PART")

    made = parts.add_parser("certificates", help="make what the parts of a cluster know each other by")
    made.add_argument("--out", type=Path, required=True, metavar="DIR")
    made.add_argument("--days", type=arguments.count, default=365, help="how long they hold (default: 365)")
    made.set_defaults(command=_certificates)

    made = parts.add_parser("scheduler", help="deal tasks out to workers, until it is stopped")
    made.add_argument("--address", default=HERE, help="where to listen, and nowhere else (default: %(default)s)")
    made.add_argument("--certificates", type=Path, metavar="DIR", help="needed where others can reach the address")
    made.set_defaults(command=_scheduler)

    made = parts.add_parser("worker", help="do tasks of a scheduler, until it is stopped")
    made.add_argument("--scheduler", required=True, metavar="ADDRESS")
    listens = "where to listen, and nowhere else, with any port (default: %(default)s)"
    made.add_argument("--address", default="127.0.0.1", help=listens)
    made.add_argument("--certificates", type=Path, metavar="DIR", help="needed where others can reach the addresses")
    made.add_argument("--workers", type=arguments.count, metavar="N", help="processes (default: the cores of this machine)")
    made.add_argument("--scratch", type=Path, metavar="DIR", help="a folder of its own on a disk of this machine")
    made.add_argument("--gpu", action="store_true", help="this machine has a GPU for these workers")
    made.add_argument("--one", action="store_true", help=argparse.SUPPRESS)  # what the command begins, once a process
    made.set_defaults(command=_worker)

    made = parts.add_parser("slurm", help="write a batch script that begins workers as jobs of Slurm")
    made.add_argument("--scheduler", required=True, metavar="ADDRESS")
    made.add_argument("--certificates", type=Path, required=True, metavar="DIR", help="on a path that all nodes share")
    made.add_argument("--jobs", type=arguments.count, default=10, metavar="N", help="jobs, a node each (default: 10)")
    made.add_argument("--cores", type=arguments.count, default=8, metavar="N", help="workers a job (default: 8)")
    made.add_argument("--hours", type=arguments.count, default=24, metavar="N", help="a job may take (default: 24)")
    made.add_argument("--gpu", action="store_true", help="each job has a GPU")
    made.add_argument("--out", type=Path, required=True, metavar="FILE.sh")
    made.set_defaults(command=_slurm)


# --- archive -----------------------------------------------------------------------------------------------------------


def _archive(parsed: argparse.Namespace) -> None:
    from core.jobs.archive.coordinator import Coordinator
    from core.jobs.archive.flights import Settings
    from core.jobs.archive.listing import films_of
    from core.jobs.archive.search import refresh
    from core.store.archives.archive import Archive

    arguments.methods(parsed.method)
    if parsed.certificates and not parsed.scheduler:
        raise BadInput("--certificates goes with --scheduler; leave it out")
    if parsed.gpu and not parsed.scheduler:
        raise BadInput("--gpu goes with --scheduler: a worker of this machine uses a GPU by itself; leave it out")
    if parsed.status or not parsed.films:
        archive = Archive.open(parsed.archive)
    else:
        films = films_of(parsed.films, parsed.one_each)
        archive = Archive.at(parsed.archive)
    with archive:
        if not parsed.status:
            with archive.coordinated():
                new = archive.states.add(films) if parsed.films else 0
                if new and not parsed.json:
                    print(f"{parsed.archive}: {new} new films")
                with _engines(parsed, archive) as (engine, writer):
                    settings = Settings(parsed.method, parsed.seed, parsed.gpu)
                    stop = _on_interrupt()
                    Coordinator(archive, engine, writer, settings, Printer(), stop).run(parsed.retry)
                refresh(archive, Printer(), stop)
        _status(archive, parsed)


@contextmanager
def _engines(parsed: argparse.Namespace, archive: object) -> Iterator[tuple[Engine, Engine]]:
    """What does the work, and what writes the projects: on this machine the same."""
    from core.jobs.archive.cluster import ClusterEngine
    from core.jobs.archive.local import LocalEngine
    from core.store.archives.archive import Archive

    assert isinstance(archive, Archive)
    cores = parsed.workers or os.cpu_count() or 1
    writer = LocalEngine(cores, archive.folder / "scratch", archive.folder / "workers.log")
    try:
        if not parsed.scheduler:
            yield writer, writer
            return
        engine = ClusterEngine(parsed.scheduler, parsed.certificates)
        try:
            yield engine, writer
        finally:
            engine.close()
    finally:
        writer.close()


def _status(archive: object, parsed: argparse.Namespace) -> None:
    from core.store.archives.archive import Archive

    assert isinstance(archive, Archive)
    films, projects = archive.states.films(), archive.states.projects()
    counts = archive.states.counts()
    if parsed.json:
        told = [
            {
                "film": str(film.path), "project": film.project, "state": film.state, "message": film.message,
                "pieces": film.pieces, "looked": film.looked,
            }
            for film in films
        ]  # fmt: skip
        print(json.dumps({"counts": counts, "films": told, "projects": [vars(one) for one in projects]}, indent=1))
    else:
        named = sum(one.state == "done" for one in projects)
        print(printable(f"{archive.folder}: {_counted(counts)}; {named} of {len(projects)} projects named"))
        for film in films:
            if film.state == "failed":
                print(printable(f"failed: {film.message}"), file=sys.stderr)
        for one in projects:
            if one.state == "failed":
                print(printable(f"failed: {one.title}: {one.message}"), file=sys.stderr)
    if counts["failed"] and not parsed.status:
        raise BadInput(f"{counts['failed']} of {sum(counts.values())} films failed; mend them and give --retry")


def _find(parsed: argparse.Namespace) -> None:
    from core.jobs.archive import search
    from core.records import clock
    from core.store.archives.archive import Archive

    with Archive.open(parsed.archive) as archive:
        search.refresh(archive, Printer())
        if parsed.update:
            return
        if parsed.picture:
            try:
                faces = search.faces_in(parsed.picture.read_bytes())
            except OSError as error:
                raise BadInput(f"{parsed.picture}: cannot be read ({error.strerror}); check the path") from error
            if not faces:
                raise BadInput(f"{parsed.picture}: no face was found in it; give a picture with a larger one")
            hits = search.find(archive, faces[0].embedder, faces[0].vector, parsed.most)
            told = [vars(hit.face) | {"cosine": round(hit.cosine, 3)} for hit in hits]
            lines = [
                f"{hit.cosine:.2f} {hit.face.name or 'unknown'}: {hit.face.source} at {clock(hit.face.time or 0)}"
                for hit in hits
            ]
        elif parsed.name:
            seen = search.on_screen(archive, parsed.name, many=parsed.most)
            told = [vars(one) for one in seen]
            lines = [f"{one.source}: {clock(one.start)} to {clock(one.stop)}" for one in seen]
        else:
            people = search.names(archive, many=parsed.most)
            told = [vars(one) for one in people]
            lines = [f"{one.name}: {clock(one.seconds)} in {one.projects} projects" for one in people]
    print(json.dumps(told, indent=1, ensure_ascii=False) if parsed.json else printable_lines(lines))


def printable_lines(lines: list[str]) -> str:
    return "\n".join(map(printable, lines)) or "nobody"


def _export(parsed: argparse.Namespace) -> None:
    from core.jobs.archive.search import export_all
    from core.store.archives.archive import Archive

    with Archive.open(parsed.archive) as archive:
        many = export_all(archive, parsed.format, parsed.out, Printer())
    print(f"{parsed.out}: {many} projects")


def _counted(counts: dict[State, int]) -> str:
    return ", ".join(f"{many} {state}" for state, many in counts.items() if many) or "no films"


def _on_interrupt() -> Callable[[], bool]:
    """Whether Ctrl-C was pressed, or the program told to end: what is done by then is kept."""
    pressed: list[int] = []

    def note(number: int, _: object) -> None:
        pressed.append(number)
        signal.signal(signal.SIGINT, signal.default_int_handler)

    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, note)
    return lambda: bool(pressed)


# --- cluster -----------------------------------------------------------------------------------------------------------


def _certificates(parsed: argparse.Namespace) -> None:
    from core.jobs.archive.network import make_certificates

    make_certificates(parsed.out, parsed.days)
    print(f"{parsed.out}: copy this folder to every machine of the cluster, and show it to nobody else")


def _scheduler(parsed: argparse.Namespace) -> None:
    from core.jobs.archive.network import Address
    from core.jobs.archive.serve import serve_scheduler

    serve_scheduler(
        Address.read(parsed.address, parsed.certificates), parsed.certificates, lambda text: print(text, flush=True)
    )


def _worker(parsed: argparse.Namespace) -> None:
    from core.jobs.archive.network import Address, security
    from core.jobs.archive.scratch import scratch
    from core.jobs.archive.serve import Keeper, serve_worker

    scheduler, address = (Address.read(text, parsed.certificates) for text in (parsed.scheduler, parsed.address))
    security(parsed.certificates)
    if parsed.one:
        serve_worker(scheduler, address, parsed.certificates, parsed.gpu)
        return
    command = ["cluster", "worker", "--one", "--scheduler", str(scheduler), "--address", parsed.address]
    command += ["--certificates", str(parsed.certificates.absolute())] if parsed.certificates else []
    command += ["--gpu"] if parsed.gpu else []
    place = (parsed.scratch or scratch()).absolute()
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    keeper = Keeper(parsed.workers or os.cpu_count() or 1, command, place)
    try:
        keeper.keep(_on_interrupt())
    finally:
        keeper.close()


def _slurm(parsed: argparse.Namespace) -> None:
    from shlex import quote

    from core.formats import whole_file
    from core.jobs.archive.network import Address

    address = Address.read(parsed.scheduler, parsed.certificates)
    words = [sys.executable, "-m", "core", "cluster", "worker", "--scheduler", str(address), "--workers", str(parsed.cores)]
    words += ["--certificates", str(parsed.certificates.absolute()), *(["--gpu"] if parsed.gpu else [])]
    lines = [
        "#!/bin/bash",
        "#SBATCH --job-name=rollcall",
        f"#SBATCH --array=1-{parsed.jobs}",
        f"#SBATCH --nodes=1 --ntasks=1 --cpus-per-task={parsed.cores}",
        f"#SBATCH --time={parsed.hours}:00:00",
        *(["#SBATCH --gres=gpu:1"] if parsed.gpu else []),
        "# the node's address in the network that the scheduler is in",
        f"here=$(ip route get {quote(address.host)} | sed -n 's/.* src \\([0-9a-f.:]*\\).*/\\1/p')",
        f"cd {quote(str(Path(__file__).resolve().parents[2]))}",
        f'exec {" ".join(map(quote, words))} --address "$here" --scratch "${{TMPDIR:-/tmp}}/rollcall-$SLURM_JOB_ID"',
    ]
    whole_file(parsed.out, lambda file: file.write(("\n".join(lines) + "\n").encode()))
    print(f"{parsed.out}: start it with sbatch; the scheduler and `rollcall archive` run where the projects lie")
