"""The command line: ``rollcall COMMAND``. Exit code 0: done; 2: bad input, said in one line; 1: a bug."""

from __future__ import annotations

import argparse
import os
import sys
from typing import NoReturn

from core.cli import archives, clusters, installation, library, problems, projects, teams, work
from core.errors import NO_MEMORY, BadInput, printable, short_of_memory
from core.progress import Stopped

# OpenMP threads that spin while they wait would take the cores from whoever else computes here.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")


def main(arguments: list[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    try:
        parsed = parser().parse_args(arguments)
        parsed.command(parsed)
        sys.stdout.flush()
    except BadInput as error:
        print(f"rollcall: {printable(str(error))}", file=sys.stderr)
        return 2
    except (MemoryError, RuntimeError) as error:
        if not short_of_memory(error):
            raise
        print(f"rollcall: {NO_MEMORY}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (KeyboardInterrupt, Stopped):
        print("rollcall: stopped", file=sys.stderr)
        return 130
    return 0


class Parser(argparse.ArgumentParser):
    """Says what is wrong with a call in one line, as everything else here does."""

    def error(self, message: str) -> NoReturn:
        raise BadInput(f"{message}; see {self.prog} --help")


def parser() -> argparse.ArgumentParser:
    """All commands, in the order in which ``--help`` lists them."""
    made = Parser(prog="rollcall", description="Rollcall names the faces in a video from its captions.")
    commands = made.add_subparsers(required=True, metavar="COMMAND")
    for group in (problems, work, projects, teams, archives, clusters, library, installation):
        group.add_commands(commands)
    return made
