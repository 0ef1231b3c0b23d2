"""The commands for many films: archive takes them in, archive-find and archive-export look at all of them at once."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from core.cli import arguments
from core.cli.arguments import Commands, add_json, add_method, add_seed
from core.errors import BadInput, printable
from core.progress import Printer

if TYPE_CHECKING:
    from core.jobs.archive.engine import Engine
    from core.store.archives.archive import Archive, State


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
    read = "read names that stand on the screen (default: yes)"
    made.add_argument("--screen", action=argparse.BooleanOptionalAction, default=True, help=read)
    made.add_argument("--speech", action="store_true", help="listen to films without captions; needs `make speech`")
    add_method(made)
    add_seed(made)
    add_json(made)
    made.set_defaults(command=_archive)
    _add_looking(commands)


def _add_looking(commands: Commands) -> None:
    made = commands.add_parser("archive-find", help="look for somebody in all films of an archive")
    made.add_argument("--archive", type=Path, required=True, metavar="DIR")
    what = made.add_mutually_exclusive_group()
    what.add_argument("--name", help="when is this person on screen? (default: who is in it at all)")
    what.add_argument(
        "--picture",
        type=Path,
        metavar="FILE",
        help="who is this? Every face in the picture is looked for, the largest first",
    )
    what.add_argument("--update", action="store_true", help="take in what changed since, and no more")
    made.add_argument("--most", type=arguments.count, default=50, metavar="N", help="so many at the most (default: 50)")
    add_json(made)
    made.set_defaults(command=_find)

    made = commands.add_parser("archive-export", help="export all projects of an archive, a file or folder each")
    made.add_argument("--archive", type=Path, required=True, metavar="DIR")
    made.add_argument("--format", default="csv", help="as for `rollcall export` (default: csv)")
    made.add_argument("--out", type=Path, required=True, metavar="DIR", help="a new folder")
    made.set_defaults(command=_export)


# --- archive -----------------------------------------------------------------------------------------------------------


def _archive(parsed: argparse.Namespace) -> None:
    from core.jobs.archive.coordinator import Coordinator
    from core.jobs.archive.flights import Settings
    from core.jobs.archive.listing import films_of
    from core.jobs.archive.search import refresh
    from core.media.speech.whisper import NOT_INSTALLED, is_installed
    from core.store.archives.archive import Archive

    arguments.methods(parsed.method)
    if parsed.certificates and not parsed.scheduler:
        raise BadInput("--certificates goes with --scheduler; leave it out")
    if parsed.gpu and not parsed.scheduler:
        raise BadInput("--gpu goes with --scheduler: a worker of this machine uses a GPU by itself; leave it out")
    if parsed.speech and not is_installed():
        raise BadInput(NOT_INSTALLED)
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
                    settings = Settings(parsed.method, parsed.seed, parsed.gpu, screen=parsed.screen, speech=parsed.speech)
                    stop = arguments.interrupted(signal.SIGTERM)
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
        engine = ClusterEngine(parsed.scheduler, parsed.certificates, told=lambda text: print(text, file=sys.stderr))
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
            told, lines = _alike(archive, parsed.picture, parsed.most)
        elif parsed.name:
            seen = search.on_screen(archive, parsed.name, many=parsed.most)
            told = [vars(one) for one in seen]
            lines = [f"{one.source}: {clock(one.start)} to {clock(one.stop)}" for one in seen]
        else:
            people = search.names(archive, many=parsed.most)
            told = [vars(one) for one in people]
            lines = [
                f"{one.name}: {clock(one.seconds)} in {one.projects} project{'s' * (one.projects > 1)}" for one in people
            ]
    print(json.dumps(told, indent=1, ensure_ascii=False) if parsed.json else printable_lines(lines))


def _alike(archive: Archive, picture: Path, most: int) -> tuple[list[dict[str, object]], list[str]]:
    """Who looks like the faces of a picture, for programs and for people; ``asked`` is the face's box in it."""
    from core.jobs.archive import search
    from core.records import clock

    try:
        faces = search.faces_in(picture.read_bytes())
    except OSError as error:
        raise BadInput(f"{picture}: cannot be read ({error.strerror}); check the path") from error
    if not faces:
        raise BadInput(f"{picture}: no face was found in it; give a picture with a larger one")
    told: list[dict[str, object]] = []
    lines: list[str] = []
    for number, face in enumerate(faces, 1):
        asked = [round(edge) for edge in (face.box.left, face.box.top, face.box.right, face.box.bottom)]
        hits = search.find(archive, face.embedder, face.vector, most)
        if len(faces) > 1:
            lines.append(f"face {number} of {len(faces)}, at {asked[0]}, {asked[1]}:" + " nobody" * (not hits))
        for hit in hits:
            told.append(vars(hit.face) | {"cosine": round(hit.cosine, 3), "asked": asked})
            where = f"{hit.face.source} at {clock(hit.face.time or 0)}"
            lines.append(f"{hit.cosine:.2f} {hit.face.name or 'unknown'}: {where}")
    return told, lines


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
