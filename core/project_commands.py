"""The commands that work on a project: ingest, run, compare, correct, export, import, log, merge, remove, demo."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import BadInput, printable
from core.progress import Printer

if TYPE_CHECKING:
    from core.media.ingest import Summary
    from core.project import Project

Command = Callable[[argparse.Namespace], None]


def add_commands(commands: Any, seed: Callable[[str], int], share: Callable[[str], float]) -> None:
    """Adds them to the command line."""

    def command(name: str, what: str, run: Command, project: str = "the project's folder") -> argparse.ArgumentParser:
        made: argparse.ArgumentParser = commands.add_parser(name, help=what)
        made.add_argument("--project", type=Path, required=True, metavar="DIR", help=project)
        made.set_defaults(command=run)
        return made

    made = command("ingest", "take a video, pictures or a problem file into a project", _ingest, "made if it is not there")
    what = made.add_mutually_exclusive_group(required=True)
    what.add_argument("--video", type=Path, metavar="FILE")
    what.add_argument("--images", type=Path, metavar="DIR|ZIP", help="pictures")
    what.add_argument("--problem", type=Path, metavar="FILE.npz")
    what.add_argument("--mvad", type=Path, metavar="FILE.json", help="annotations of M-VAD Names")
    what.add_argument("--mpii", type=Path, metavar="FILE.csv", help="annotations of MPII-MD or LSMDC")
    made.add_argument("--features", type=Path, metavar="PATH", help="the features of --mvad (.npy) or --mpii (a folder)")
    made.add_argument("--persons", type=Path, metavar="FILE", help="who is meant in the sentences of --mpii")
    made.add_argument("--captions", type=Path, metavar="FILE", help="subtitles, or a table of pictures (CSV, JSON)")
    made.add_argument("--cast", type=Path, metavar="FILE", help="names, one person a line: Chandler Bing, Chandler, Bing")
    made.add_argument("--people", type=Path, metavar="DIR", help="reference photos by name")
    made.add_argument(
        "--every", type=_seconds, metavar="SECONDS", help="look at a frame every so often (default: by caption)"
    )
    made.add_argument("--per-shot", action="store_true", help="look at one frame a shot")
    made.add_argument(
        "--window", type=_seconds, metavar="SECONDS", help="captions so near a frame in time count for it, too"
    )
    made.add_argument("--title", default="", help="of a new project")
    _who(made)
    _result(made)

    made = command("run", "name the faces of a project around what people said", _run)
    made.add_argument("--method", default="rollcall", help="how (default: %(default)s)")
    made.add_argument("--from-nothing", action="store_true", help="do not take up where the last run ended")
    made.add_argument("--seed", type=seed, default=0, help="the same seed gives the same answer (default: 0)")
    _result(made)

    made = command("compare", "let several methods name the faces, for the app's table; runs stay as they are", _compare)
    made.add_argument("--methods", default="rollcall", metavar="a,b")
    made.add_argument("--seed", type=seed, default=0, help="the same seed gives the same answer (default: 0)")
    made.add_argument("--job", type=int, default=None, help=argparse.SUPPRESS)

    made = command("correct", "write a file of corrections into a project's log of decisions", _correct)
    made.add_argument("--corrections", type=Path, required=True, metavar="FILE.json")
    _who(made)

    made = command("export", "write a project's labels", _export)
    made.add_argument("--format", required=True, metavar="F", help="csv, json, coco, ...; an unknown one lists them all")
    made.add_argument("--out", type=Path, required=True, metavar="PATH")
    made.add_argument("--confirmed", action="store_true", help="only what people said")
    made.add_argument("--min-confidence", type=share, default=0.0, metavar="X", help="only faces that are at least so sure")
    made.add_argument("--without-nobody", action="store_true", help="only faces with a name")

    made = command("import", "make a project from a JSON export", _import, "the new project's folder")
    made.add_argument("file", type=Path, metavar="FILE.json")

    made = command("log", "the decisions that people made", _log)
    made.add_argument("--json", action="store_true")

    made = command("merge", "take the decisions of another person's copy into a project", _merge)
    made.add_argument("other", type=Path, metavar="OTHER", help="the other copy's folder")

    made = command("remove", "remove a project, or one person in it, for good", _remove)
    made.add_argument("--person", metavar="NAME", help="only this person")

    made = commands.add_parser("demo", help="render the demo film")
    made.add_argument("--out", type=Path, required=True, metavar="DIR")
    made.set_defaults(command=_demo)


def _who(made: argparse.ArgumentParser) -> None:
    made.add_argument("--as", dest="who", default="", metavar="NAME", help="who says so (default: the system's user)")


def _result(made: argparse.ArgumentParser) -> None:
    made.add_argument("--json", action="store_true")
    made.add_argument("--job", type=int, default=None, help=argparse.SUPPRESS)  # the app's number for this piece of work


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds; give 0 or more")
    return value


# --- Into a project ----------------------------------------------------------------------------------------------------


def _ingest(parsed: argparse.Namespace) -> None:
    from core.jobs import Reporter, reported
    from core.media.ingest import ingest_pictures, ingest_problem, ingest_video, project_at
    from core.media.sampling import Sampling

    _only_with(parsed, ("video",), ("every", "window"))
    _only_with(parsed, ("mvad", "mpii"), ("features",))
    _only_with(parsed, ("mpii",), ("persons",))
    title = parsed.title or (parsed.video or parsed.images or parsed.problem or parsed.mvad or parsed.mpii).stem
    summary: Summary
    with project_at(parsed.project, title) as project, reported(project, parsed.job, Printer(), raises=False) as progress:
        stop = progress.stopped if isinstance(progress, Reporter) else _on_interrupt()
        shared = {"cast": parsed.cast, "people": parsed.people, "progress": progress, "stop": stop, "who": parsed.who}
        if parsed.problem:
            _refuse(parsed, "problem", ("captions", "cast", "people"))
            summary = ingest_problem(project, parsed.problem)
        elif parsed.mvad or parsed.mpii:
            summary = _benchmark(project, parsed)
        elif parsed.images:
            summary = ingest_pictures(project, parsed.images, parsed.captions, **shared)
        else:
            every = None if parsed.every is None else Sampling.each(parsed.every)
            sampling = every or Sampling("shot" if parsed.per_shot else "caption")
            window = {} if parsed.window is None else {"window": parsed.window}
            summary = ingest_video(project, parsed.video, parsed.captions, sampling=sampling, **window, **shared)
        if isinstance(progress, Reporter):
            progress.message = summary.text()
    if parsed.json:
        print(json.dumps(vars(summary), indent=1))
        return
    print(printable(f"{parsed.project}: {summary.text()}"))
    for path, reason in summary.skipped if parsed.job is None else ():  # a job's log names no file: photos bear names
        print(printable(f"skipped {path}: {reason}"), file=sys.stderr)


def _on_interrupt() -> Callable[[], bool]:
    """Whether Ctrl-C was pressed: what is done by then is kept. Pressed again, it ends everything at once."""
    pressed: list[int] = []

    def note(number: int, _: object) -> None:
        pressed.append(number)
        signal.signal(signal.SIGINT, signal.default_int_handler)

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, note)
    return lambda: bool(pressed)


def _benchmark(project: Project, parsed: argparse.Namespace) -> Summary:
    """Films of one of the paper's data sets, each a source of its own."""
    from core.formats import mpii, mvad
    from core.media.cast import read_cast
    from core.media.ingest import Summary

    _refuse(parsed, "mvad" if parsed.mvad else "mpii", ("people",))
    if parsed.features is None:
        raise BadInput("--mvad and --mpii hold no pictures; give their faces' features with --features")
    if parsed.mpii:
        names = list(read_cast(parsed.cast).people) if parsed.cast else []
        films = mpii.read(parsed.mpii, parsed.features, parsed.persons, names)
    elif parsed.captions is None:
        raise BadInput(f"{parsed.mvad}: holds no captions; give them with --captions")
    else:
        films = mvad.read(parsed.mvad, parsed.features, parsed.captions)
    for source, frames in films:
        project.add(source, frames, "features")
    return Summary(project.count("frame"), project.count("face"), tuple(project.names()))


def _only_with(parsed: argparse.Namespace, what: tuple[str, ...], options: tuple[str, ...]) -> None:
    for option in options:
        if getattr(parsed, option) is not None and not any(getattr(parsed, one) for one in what):
            raise BadInput(f"--{option} goes with --{' or --'.join(what)}; leave it out")


def _refuse(parsed: argparse.Namespace, what: str, options: tuple[str, ...]) -> None:
    for option in options:
        if getattr(parsed, option) is not None:
            raise BadInput(f"--{option} does not go with --{what}, which holds its names itself; leave it out")


def _import(parsed: argparse.Namespace) -> None:
    from core.formats import everything

    with everything.read(parsed.file, parsed.project) as project:
        print(f"{parsed.project}: {project.count('face')} faces, {len(project.log().entries)} decisions")


def _correct(parsed: argparse.Namespace) -> None:
    from core.corrections import read_corrections
    from core.project import Change, system_user

    with _project(parsed) as project:
        faces = int(project.database.one("SELECT coalesce(max(id), -1) + 1 FROM face"))
        said = read_corrections(parsed.corrections, faces)
        if said:
            changes = [Change(correction.kind, face=correction.face, name=correction.name) for correction in said]
            project.decide(parsed.who or system_user(), *changes)
        print(f"{parsed.project}: {len(said)} corrections written")


def _run(parsed: argparse.Namespace) -> None:
    from core.jobs import reported
    from core.solve import METHODS

    if parsed.method not in METHODS:
        raise BadInput(f"there is no method {parsed.method!r}; choose from {', '.join(METHODS)}")
    with _project(parsed) as project, reported(project, parsed.job, Printer()) as progress:
        run = project.run(parsed.method, parsed.seed, progress, parsed.from_nothing)
        changed = project.what_changed()
    if parsed.json:
        print(json.dumps(vars(run) | {"changed": len(changed)}, indent=1))
        return
    right = "" if run.accuracy is None else f", {run.accuracy:.1%} of them right"
    print(f"{parsed.project}: {run.faces} faces named by {run.method} in {run.seconds:.1f} s{right}; {len(changed)} changed")


def _compare(parsed: argparse.Namespace) -> None:
    from core.jobs import reported
    from core.store.comparing import compare

    methods = [method.strip() for method in parsed.methods.split(",") if method.strip()]
    with _project(parsed) as project, reported(project, parsed.job, Printer()) as progress:
        for one in compare(project, methods, parsed.seed, progress):
            print(f"{one.method}: {len(one.face)} faces in {one.seconds:.1f} s")


def _merge(parsed: argparse.Namespace) -> None:
    from core.project import Project

    with _project(parsed) as project, Project.open(parsed.other) as other:
        merged = project.merge(other)
    print(
        f"{parsed.project}: {merged.decisions} decisions and {merged.faces} added faces taken in; "
        f"people disagree on {merged.conflicts} faces"
    )


# --- Out of a project --------------------------------------------------------------------------------------------------


def _export(parsed: argparse.Namespace) -> None:
    with _project(parsed) as project:
        project.export(parsed.format, parsed.out, parsed.confirmed, parsed.min_confidence, parsed.without_nobody)
    print(parsed.out)


def _log(parsed: argparse.Namespace) -> None:
    with _project(parsed) as project:
        log = project.log()
        if parsed.json:
            print(json.dumps([vars(entry) | {"said": log.said(entry)} for entry in log.entries], indent=1))
            return
        for entry in log.entries:
            undone = "" if log.in_force(entry) else "  (undone)"
            print(printable(f"{entry.at}  {entry.who}: {log.said(entry)}{undone}"))


def _remove(parsed: argparse.Namespace) -> None:
    from core.project import Project

    if parsed.person is None:
        Project.remove(parsed.project)
        print(f"{parsed.project}: removed for good")
        return
    with _project(parsed) as project:
        gone = project.remove_person(parsed.person)
    print(f"{parsed.project}: a person with {gone} faces was removed for good")


def _demo(parsed: argparse.Namespace) -> None:
    from assets.demo.film import render

    film = render(parsed.out, Printer())
    print(film.video)


def _project(parsed: argparse.Namespace) -> Project:
    from core.project import Project

    project = Project.open(parsed.project)
    if project.damage:
        print(f"rollcall: {parsed.project}: {project.damage}", file=sys.stderr)
    return project
