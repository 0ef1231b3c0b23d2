"""What several commands take: kinds of values, and the options that they share."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import BadInput

if TYPE_CHECKING:
    from core.store.project import Project

Command = Callable[[argparse.Namespace], None]
Commands = Any  # what argparse makes of subparsers has no name of its own


# --- Kinds of values ---------------------------------------------------------------------------------------------------


def seed(text: str) -> int:
    if not text.isdecimal() or int(text) >= 2**63:
        raise argparse.ArgumentTypeError(f"{text!r} is no seed; give a whole number from 0")
    return int(text)


def count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 10_000:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number above 0")
    return int(text)


def distance(text: str) -> float:
    value = _number(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no distance; give a number above 0")
    return value


def share(text: str) -> float:
    value = _number(text)
    if not 0 < value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no share; give a number above 0 and at most 1")
    return value


def seconds(text: str) -> float:
    value = _number(text)
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds; give 0 or more")
    return value


def methods(text: str) -> list[str]:
    """The methods in a list with commas; refuses one that there is not. Loads the registry, so it is no argparse type."""
    from core.solve import METHODS

    found = [method.strip() for method in text.split(",") if method.strip()]
    for method in found:
        if method not in METHODS:
            raise BadInput(f"there is no method {method!r}; choose from {', '.join(METHODS)}")
    if not found:
        raise BadInput(f"no method is named; choose from {', '.join(METHODS)}")
    return found


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return -1.0


# --- Options that several commands share -------------------------------------------------------------------------------


def add_method(made: argparse.ArgumentParser) -> None:
    made.add_argument("--method", default="rollcall", help="how (default: %(default)s)")


def add_seed(made: argparse.ArgumentParser, what: str = "the same seed gives the same answer") -> None:
    made.add_argument("--seed", type=seed, default=0, help=f"{what} (default: 0)")


def add_json(made: argparse.ArgumentParser) -> None:
    made.add_argument("--json", action="store_true")


def add_who(made: argparse.ArgumentParser) -> None:
    made.add_argument("--as", dest="who", default="", metavar="NAME", help="who says so (default: the system's user)")


def add_on_project(
    commands: Commands, name: str, what: str, run: Command, project: str = "the project's folder"
) -> argparse.ArgumentParser:
    """A command that works on a project."""
    made: argparse.ArgumentParser = commands.add_parser(name, help=what)
    made.add_argument("--project", type=Path, required=True, metavar="DIR", help=project)
    made.set_defaults(command=run)
    return made


def opened(parsed: argparse.Namespace) -> Project:
    """The project that a command works on; what is wrong with it is said."""
    from core.store.project import Project

    project = Project.open(parsed.project)
    if project.damage:
        print(f"rollcall: {parsed.project}: {project.damage}", file=sys.stderr)
    return project


def interrupted(*also: signal.Signals) -> Callable[[], bool]:
    """Whether Ctrl-C was pressed, or one of these signals came: what is done by then is kept. Pressed again, it ends
    everything at once."""
    pressed: list[int] = []

    def note(number: int, _: object) -> None:
        pressed.append(number)
        signal.signal(signal.SIGINT, signal.default_int_handler)

    if threading.current_thread() is threading.main_thread():
        for one in (signal.SIGINT, *also):
            signal.signal(one, note)
    return lambda: bool(pressed)
