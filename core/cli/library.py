"""The people library: look at it, turn it on and off, give to it, export it, remove people, empty it."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from core.cli.arguments import Commands, add_json
from core.errors import BadInput, printable

ACTIONS = ("list", "on", "off", "add", "export", "remove", "empty")


def add_commands(commands: Commands) -> None:
    about = "names with a few faces that projects give; new projects know these people again. Off until you turn it on"
    made = commands.add_parser("library", help="the people library: names with faces from your projects", description=about)
    made.add_argument("action", nargs="?", default="list", choices=ACTIONS)
    made.add_argument("name", nargs="?", default="", help="whom to remove")
    made.add_argument("--project", type=Path, metavar="DIR", help="with add: whose confirmed people to take in")
    made.add_argument("--out", type=Path, metavar="FILE.json", help="with export: where to")
    made.add_argument("--yes", action="store_true", help="with remove and empty: for good, without being asked again")
    add_json(made)
    made.set_defaults(command=_library)


def _library(parsed: argparse.Namespace) -> None:
    from core.store.library.shelf import Library

    library = Library()
    match parsed.action:
        case "on" | "off":
            library.turn(parsed.action == "on")
            print(printable(f"{library.path}: the people library is {parsed.action}"))
        case "add":
            _add(library.on, parsed.project)
        case "export":
            if parsed.out is None:
                raise BadInput("name the file to write with --out")
            print(printable(f"{parsed.out}: {library.export(parsed.out)} people"))
        case "remove":
            _sure(parsed.yes, f"remove {parsed.name or 'nobody'}")
            gone = library.remove([parsed.name])
            if not gone:
                raise BadInput(f"there is nobody called {parsed.name!r} in the library; see `rollcall library`")
            print(printable(f"{parsed.name}: {gone} faces removed for good"))
        case "empty":
            _sure(parsed.yes, "empty the library")
            print(f"{library.empty()} faces removed for good")
        case _:
            _list(parsed.json)


def _sure(yes: bool, what: str) -> None:
    if not yes:
        raise BadInput(f"to {what} for good, say so with --yes; nothing was removed")


def _add(on: bool, folder: Path | None) -> None:
    from core.store.project import Project

    if folder is None:
        raise BadInput("name the project with --project")
    if not on:
        raise BadInput("the people library is off; turn it on with `rollcall library on`")
    with Project.open(folder) as project:
        print(printable(f"{folder}: {project.library.give()} people in the library"))


def _list(as_json: bool) -> None:
    from core.store.library.shelf import Library

    library = Library()
    people = library.people()
    if as_json:
        print(json.dumps({"on": library.on, "people": [vars(one) for one in people]}, indent=1, ensure_ascii=False))
        return
    print(printable(f"{library.path}: {'on' if library.on else 'off'}, {len(people)} people"))
    for one in people:
        print(printable(f"{one.name}: {one.faces} face{'s' * (one.faces > 1)} from {', '.join(one.titles)}"))
