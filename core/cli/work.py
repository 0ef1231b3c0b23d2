"""The commands that do long work on a project: ingest, run, compare. Each builds a request and does it in this process."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from core.cli import arguments
from core.cli.arguments import Commands, add_json, add_method, add_on_project, add_seed, add_who
from core.errors import BadInput, printable
from core.progress import Printer

if TYPE_CHECKING:
    from core.jobs.requests import Ingest
    from core.store.project import Project


def add_commands(commands: Commands) -> None:
    made = add_on_project(
        commands, "ingest", "take a video, pictures or a problem file into a project", _ingest, "made if it is not there"
    )
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
    made.add_argument("--labels", type=Path, metavar="FILE", help="boxes with names: COCO, Label Studio, CVAT or CSV")
    often = "look at a frame every so often (default: by caption)"
    made.add_argument("--every", type=arguments.seconds, metavar="SECONDS", help=often)
    made.add_argument("--per-shot", action="store_true", help="look at one frame a shot")
    near = "captions so near a frame in time count for it, too"
    made.add_argument("--window", type=arguments.seconds, metavar="SECONDS", help=near)
    read = "read names that stand on the screen (default: yes)"
    made.add_argument("--screen", action=argparse.BooleanOptionalAction, default=None, help=read)
    heard = "listen to what is said where there are no captions; needs `make speech`"
    made.add_argument("--speech", action="store_true", default=None, help=heard)
    own = "with --speech: the folder of another Whisper model for CTranslate2"
    made.add_argument("--speech-model", type=Path, metavar="DIR", help=own)
    made.add_argument("--folder-names", action="store_true", help="folders of --images are called after the people in them")
    made.add_argument("--preview", action="store_true", help="say what was found and what would come in; change nothing")
    made.add_argument("--title", default="", help="of a new project")
    add_who(made)
    add_json(made)

    what_for = "give the pictures or the film of a project other captions; all decisions stay"
    made = add_on_project(commands, "captions", what_for, _captions)
    made.add_argument("--source", required=True, metavar="N|TITLE", help="see `rollcall sources`")
    made.add_argument("--captions", type=Path, required=True, metavar="FILE")
    made.add_argument("--cast", type=Path, metavar="FILE")
    made.add_argument("--window", type=arguments.seconds, metavar="SECONDS", help=near)
    add_json(made)

    what_for = "take the boxes and names of a label file into a project: COCO, Label Studio, CVAT or CSV"
    made = add_on_project(commands, "labels", what_for, _labels)
    made.add_argument("--labels", type=Path, required=True, metavar="FILE")
    add_who(made)
    add_json(made)

    what_for = "find the faces of a project again, as new projects do; all decisions stay"
    add_on_project(commands, "find-again", what_for, _find_again)

    made = add_on_project(commands, "run", "name the faces of a project around what people said", _run)
    add_method(made)
    made.add_argument("--cold", "--from-nothing", action="store_true", help="start cold, not from the last run's checkpoint")
    add_seed(made)
    add_json(made)

    what_for = "let several methods name the faces, for the app's table; runs stay as they are"
    made = add_on_project(commands, "compare", what_for, _compare)
    made.add_argument("--methods", default="rollcall", metavar="a,b")
    add_seed(made)


# --- ingest ------------------------------------------------------------------------------------------------------------


def _ingest(parsed: argparse.Namespace) -> None:
    from core.jobs.ingest import ingest, project_at

    request = ingest_request(parsed)
    if parsed.preview:
        return _preview(parsed, request)
    title = parsed.title or (parsed.video or parsed.images or parsed.problem or parsed.mvad or parsed.mpii).stem
    with project_at(parsed.project, title) as project:
        summary = ingest(project, request, Printer(), arguments.interrupted())
    if parsed.json:
        print(json.dumps(vars(summary), indent=1))
        return
    print(printable(f"{parsed.project}: {summary.text()}"))
    for path, reason in summary.skipped:
        print(printable(f"skipped {path}: {reason}"), file=sys.stderr)


def _preview(parsed: argparse.Namespace, request: Ingest) -> None:
    from core.jobs.preview import preview
    from core.jobs.requests import IngestMpii, IngestMvad
    from core.store.project import Project

    if isinstance(request, IngestMvad | IngestMpii):
        raise BadInput("--preview goes with --video, --images or --problem; leave it out")
    with Project.open(parsed.project) if (parsed.project / "project.sqlite").is_file() else nullcontext() as project:
        found = preview(request, project)
    if parsed.json:
        print(json.dumps(vars(found) | {"uncaptioned": found.uncaptioned}, indent=1, ensure_ascii=False))
        return
    for what, text in found.said():
        print(printable(f"{what}: {text}"))


def _captions(parsed: argparse.Namespace) -> None:
    from core.jobs.recaption import recaption
    from core.jobs.requests import Recaption

    with arguments.opened(parsed) as project:
        number = source_number(project, parsed.source)
        summary = recaption(project, Recaption(number, parsed.captions, parsed.cast, parsed.window or 0.0), Printer())
    print(json.dumps(vars(summary), indent=1) if parsed.json else printable(f"{parsed.project}: {summary.text()}"))


def _labels(parsed: argparse.Namespace) -> None:
    from core.jobs.labels import take_labels
    from core.store.project import system_user

    with arguments.opened(parsed) as project:
        taken = take_labels(project, parsed.labels, parsed.who or system_user())
    print(json.dumps(vars(taken), indent=1) if parsed.json else printable(f"{parsed.project}: {taken.text()}"))


def source_number(project: Project, text: str) -> int:
    """The source that is meant by its number or its title."""
    sources = project.sources()
    found = [source.id for source in sources if text == str(source.id)] or [s.id for s in sources if s.title == text]
    if len(found) != 1:
        listed = ", ".join(f"{source.id} ({source.title})" for source in sources) or "none"
        raise BadInput(f"there is no one source {text!r}; the project has {listed}")
    return found[0]


def _find_again(parsed: argparse.Namespace) -> None:
    from core.jobs.find_again import find_again

    with arguments.opened(parsed) as project:
        print(printable(f"{parsed.project}: {find_again(project, Printer(), arguments.interrupted())}"))


def ingest_request(parsed: argparse.Namespace) -> Ingest:
    """What is asked for; refuses options that do not go together."""
    from core.jobs.requests import IngestMpii, IngestMvad, IngestPictures, IngestProblem, IngestVideo

    _only_with(parsed, ("video",), ("every", "window", "screen", "speech", "speech_model"))
    _only_with(parsed, ("mvad", "mpii"), ("features",))
    _only_with(parsed, ("mpii",), ("persons",))
    if parsed.problem:
        _refuse(parsed, "problem", ("captions", "cast", "people", "labels"))
        return IngestProblem(parsed.problem)
    if parsed.images:
        photos = (parsed.images, parsed.captions, parsed.cast, parsed.people, parsed.who)
        return IngestPictures(*photos, folders=parsed.folder_names, labels=parsed.labels)
    if parsed.video:
        given = (parsed.video, parsed.captions, parsed.cast, parsed.people, parsed.per_shot, parsed.every)
        words = {"screen": parsed.screen is not False, "speech": bool(parsed.speech), "model": parsed.speech_model}
        return IngestVideo(*given, window=parsed.window or 0.0, who=parsed.who, labels=parsed.labels, **words)
    _refuse(parsed, "mvad" if parsed.mvad else "mpii", ("people", "labels"))
    if parsed.features is None:
        raise BadInput("--mvad and --mpii hold no pictures; give their faces' features with --features")
    if parsed.mpii:
        return IngestMpii(parsed.mpii, parsed.features, parsed.persons, parsed.cast)
    if parsed.captions is None:
        raise BadInput(f"{parsed.mvad}: holds no captions; give them with --captions")
    return IngestMvad(parsed.mvad, parsed.features, parsed.captions)


def _only_with(parsed: argparse.Namespace, what: tuple[str, ...], options: tuple[str, ...]) -> None:
    for option in options:
        if getattr(parsed, option) is not None and not any(getattr(parsed, one) for one in what):
            raise BadInput(f"--{option.replace('_', '-')} goes with --{' or --'.join(what)}; leave it out")


def _refuse(parsed: argparse.Namespace, what: str, options: tuple[str, ...]) -> None:
    for option in options:
        if getattr(parsed, option) is not None:
            raise BadInput(f"--{option} does not go with --{what}, which holds its names itself; leave it out")


# --- run and compare ---------------------------------------------------------------------------------------------------


def _run(parsed: argparse.Namespace) -> None:
    from core.jobs.perform import run
    from core.jobs.requests import RunMethod

    arguments.methods(parsed.method)
    with arguments.opened(parsed) as project:
        made = run(project, RunMethod(parsed.method, parsed.seed, parsed.cold), Printer())
        changed, solved, nicknames = project.what_changed(), project.solved(), project.nicknames()
    assert solved is not None
    counts = solved.counts
    if parsed.json:
        told: dict[str, object] = {
            "named": counts.named,
            "nobody": counts.nobody,
            "unknown": counts.unknown,
            "changed": len(changed),
        }
        told["nicknames"] = [vars(one) for one in nicknames]
        print(json.dumps(vars(made) | told, indent=1))
        return
    right = "" if made.accuracy is None else f", {made.accuracy:.1%} of the best answers right"
    print(f"{parsed.project}: {made.method} {counts.text()}; {made.seconds:.1f} s{right}; {len(changed)} changed")
    for one in nicknames:
        print(printable(f"{one.nickname} is taken for {one.name}: {one.reason}; the page People parts them"))


def _compare(parsed: argparse.Namespace) -> None:
    from core.jobs.perform import compare
    from core.jobs.requests import CompareMethods

    methods = tuple(arguments.methods(parsed.methods))
    with arguments.opened(parsed) as project:
        for one in compare(project, CompareMethods(methods, parsed.seed), Printer()):
            print(f"{one.method}: {len(one.face)} faces in {one.seconds:.1f} s")
