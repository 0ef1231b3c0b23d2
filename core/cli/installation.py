"""The commands about Rollcall itself: demo renders a film to try it with, doctor says what is installed."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from core.cli.arguments import Commands, add_json
from core.errors import BadInput


def add_commands(commands: Commands) -> None:
    made = commands.add_parser("demo", help="render the demo film")
    made.add_argument("--out", type=Path, required=True, metavar="DIR")
    made.set_defaults(command=_demo)

    made = commands.add_parser("doctor", help="what is installed, which weights")
    add_json(made)
    made.set_defaults(command=_doctor)


def _demo(parsed: argparse.Namespace) -> None:
    from assets.demo.film import render
    from core.progress import Printer

    film = render(parsed.out, Printer())
    print(film.video)


def _doctor(parsed: argparse.Namespace) -> None:
    from core.cli.doctor import examine

    found = examine()
    if parsed.json:
        print(json.dumps({"ok": all(check.ok for check in found), "checks": [vars(check) for check in found]}, indent=1))
    else:
        print("\n".join(f"{'ok     ' if check.ok else 'MISSING'} {check.what}: {check.found}" for check in found))
    if not all(check.ok for check in found):
        raise BadInput("something that Rollcall needs is missing (see above); run `make setup`")
