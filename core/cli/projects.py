"""The commands that read and write a project's decisions and labels: correct, log, queue, merge, export, import,
remove."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from core.cli import arguments
from core.cli.arguments import Commands, add_json, add_on_project, add_who, opened
from core.cli.work import source_number
from core.errors import BadInput, printable


def add_commands(commands: Commands) -> None:
    what = "write a file of corrections into a project's log of decisions"
    made = add_on_project(commands, "correct", what, _correct)
    made.add_argument("--corrections", type=Path, required=True, metavar="FILE.json")
    add_who(made)

    made = add_on_project(commands, "export", "write a project's labels", _export)
    made.add_argument("--format", required=True, metavar="F", help="csv, json, coco, ...; an unknown one lists them all")
    where = made.add_mutually_exclusive_group(required=True)
    where.add_argument("--out", type=Path, metavar="PATH")
    where.add_argument(
        "--beside", action="store_true", help="with --format xmp: beside the pictures; existing files are kept"
    )
    made.add_argument("--dry-run", action="store_true", help="with --beside: only say what would change")
    made.add_argument("--confirmed", action="store_true", help="only what people said")
    sure = "only faces that are at least so sure"
    made.add_argument("--min-confidence", type=arguments.share, default=0.0, metavar="X", help=sure)
    made.add_argument("--without-nobody", action="store_true", help="only faces with a name")

    made = add_on_project(commands, "import", "make a project from a JSON export", _import, "the new project's folder")
    made.add_argument("file", type=Path, metavar="FILE.json")

    made = add_on_project(commands, "log", "the decisions that people made", _log)
    add_json(made)

    made = add_on_project(commands, "queue", "what the app would ask next, best first", _queue)
    add_json(made)

    made = add_on_project(commands, "merge", "take the decisions of another person's copy into a project", _merge)
    made.add_argument("other", type=Path, metavar="OTHER", help="the other copy's folder")

    made = add_on_project(commands, "remove", "remove a project, or one person in it, for good", _remove)
    only = made.add_mutually_exclusive_group()
    only.add_argument("--person", metavar="NAME", help="only this person")
    only.add_argument("--source", metavar="N|TITLE", help="only this film, folder or file; see `rollcall sources`")
    add_who(made)

    made = add_on_project(commands, "sources", "what a project was made from, and what came in with each", _sources)
    add_json(made)


# --- Into a project ----------------------------------------------------------------------------------------------------


def _correct(parsed: argparse.Namespace) -> None:
    from core.corrections import read_corrections
    from core.store.project import Change, system_user

    with opened(parsed) as project:
        said = read_corrections(parsed.corrections, len(project.embeddings()))
        if said:
            changes = [Change(correction.kind, face=correction.face, name=correction.name) for correction in said]
            project.decide(parsed.who or system_user(), *changes)
        print(f"{parsed.project}: {len(said)} corrections written")


def _import(parsed: argparse.Namespace) -> None:
    from core.store.project import Project

    with Project.from_json(parsed.file, parsed.project) as project:
        print(f"{parsed.project}: {project.count('face')} faces, {len(project.log().entries)} decisions")


def _merge(parsed: argparse.Namespace) -> None:
    from core.store.project import Project

    with opened(parsed) as project, Project.open(parsed.other) as other:
        merged = project.merge(other)
    print(
        f"{parsed.project}: {merged.decisions} decisions and {merged.faces} added faces taken in; "
        f"people disagree on {merged.conflicts} faces"
    )


# --- Out of a project --------------------------------------------------------------------------------------------------


def _export(parsed: argparse.Namespace) -> None:
    if parsed.beside:
        return _beside(parsed)
    if parsed.dry_run:
        raise BadInput("--dry-run goes with --beside; leave it out")
    with opened(parsed) as project:
        project.export(parsed.format, parsed.out, parsed.confirmed, parsed.min_confidence, parsed.without_nobody)
    print(parsed.out)


def _beside(parsed: argparse.Namespace) -> None:
    from core.formats.write.beside import in_words, plan, write_beside

    if parsed.format != "xmp":
        raise BadInput("--beside goes with --format xmp; name a file with --out instead")
    with opened(parsed) as project:
        labels = project.labels(parsed.confirmed, parsed.min_confidence, parsed.without_nobody)
    done = plan(labels) if parsed.dry_run else write_beside(labels)
    for one in done:
        gone = f" (no longer {', '.join(one.gone)})" if one.gone else ""
        told = one.why if one.kind == "left alone" else f"{', '.join(one.names) or 'no names'}{gone}"
        print(printable(f"{one.kind}  {one.path}: {told}"))
    print(f"{parsed.project}: {in_words(done)}{' (nothing was written)' if parsed.dry_run else ''}")


def _sources(parsed: argparse.Namespace) -> None:
    with opened(parsed) as project:
        sources = project.sources()
    if parsed.json:
        print(
            json.dumps([vars(one) | {"summary": json.loads(one.summary)} for one in sources], indent=1, ensure_ascii=False)
        )
        return
    for one in sources:
        print(printable(f"{one.id}  {one.title} ({one.kind}, {one.added[:10]}): {json.loads(one.summary).get('text', '')}"))


def _log(parsed: argparse.Namespace) -> None:
    with opened(parsed) as project:
        log = project.log()
        if parsed.json:
            print(json.dumps([vars(entry) | {"said": log.said(entry)} for entry in log.entries], indent=1))
            return
        for entry in log.entries:
            undone = "" if log.in_force(entry) else "  (undone)"
            print(printable(f"{entry.at}  {entry.who}: {log.said(entry)}{undone}"))


def _queue(parsed: argparse.Namespace) -> None:
    with opened(parsed) as project:
        asked = project.review.questions()
    if parsed.json:
        print(json.dumps([vars(one) | {"track": None if one.track < 0 else one.track} for one in asked], indent=1))
        return
    for one in asked:
        who = " or ".join(one.asks) or "who is this"
        print(printable(f"face {one.face} in frame {one.frame}: {who}? settles {one.settles}"))


def _remove(parsed: argparse.Namespace) -> None:
    _remove_from(parsed)
    from core.jobs.archive.search import archive_of, refresh
    from core.store.archives.archive import Archive

    around = archive_of(parsed.project)
    if around is not None:  # nor does the archive's search know it any more
        with Archive.open(around) as archive:
            refresh(archive)


def _remove_from(parsed: argparse.Namespace) -> None:
    from core.store.project import Project, system_user

    if parsed.source is not None:
        with opened(parsed) as project:
            number = source_number(project, parsed.source)
            gone = project.remove_source(parsed.who or system_user(), number)
        print(f"{parsed.project}: a source with {gone} faces was taken out for good")
        return
    if parsed.person is None:
        Project.remove(parsed.project)
        print(f"{parsed.project}: removed for good")
        return
    with opened(parsed) as project:
        gone = project.remove_person(parsed.person)
    print(f"{parsed.project}: a person with {gone} faces was removed for good")
