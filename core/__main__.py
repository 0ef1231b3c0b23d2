"""The command line: ``python -m core COMMAND``. Exit code 0: done; 2: bad input, said in one line; 1: a bug."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import NoReturn

from core.errors import NO_MEMORY, BadInput, printable, short_of_memory
from core.progress import Stopped
from core.project_commands import add_commands

# OpenMP threads that spin while they wait would take the cores from whoever else computes here.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")


def main(arguments: list[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    try:
        parsed = _parser().parse_args(arguments)
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


def _solve(parsed: argparse.Namespace) -> None:
    from core.corrections import read_corrections
    from core.formats import check_can_write, prediction_csv, whole_file
    from core.problem import Problem
    from core.progress import Printer
    from core.solve import solve

    _methods(parsed.method)
    if parsed.out:
        check_can_write(parsed.out)
    problem = Problem.read(parsed.problem)
    corrections = read_corrections(parsed.corrections, problem.faces) if parsed.corrections else []
    try:
        prediction = solve(problem, parsed.method, corrections, parsed.seed, Printer())
    except BadInput as error:
        raise BadInput(f"{parsed.corrections or parsed.problem}: {error}") from error
    text = prediction_csv(prediction)
    if parsed.out:
        whole_file(parsed.out, lambda file: file.write(text.encode()))
    else:
        sys.stdout.buffer.write(text.encode())  # UTF-8, whatever the terminal says


def _links(parsed: argparse.Namespace) -> None:
    import numpy as np

    from core.corrections import bind
    from core.formats import whole_file
    from core.links import Distances, build_links, calibrate
    from core.problem import Problem

    problem, bound = bind(Problem.read(parsed.problem), [])
    found = calibrate(problem)
    distances = Distances(
        pair=found.pair if parsed.pair_distance is None else parsed.pair_distance,
        neighbour=found.neighbour if parsed.neighbour_distance is None else parsed.neighbour_distance,
    )
    links = build_links(problem, bound, distances)
    arrays = {
        "mention_group": problem.mention_group,
        "mention_name": problem.mention_name,
        "names": np.array(problem.names, dtype=np.str_),
        **{name: getattr(links, name) for name in links.__dataclass_fields__},
    }
    whole_file(parsed.out, lambda file: np.savez_compressed(file, **arrays))
    print(
        f"{len(links.within_face)} within-group and {len(links.cross_face)} cross-group links "
        f"(pairs nearer than {distances.pair:.4g}, neighbours nearer than {distances.neighbour:.4g}) in {parsed.out}"
    )


def _evaluate(parsed: argparse.Namespace) -> None:
    from dataclasses import asdict

    from core.experiments import evaluate, tables
    from core.progress import Printer

    measured = evaluate(parsed.problems, _methods(parsed.methods), range(parsed.seeds), Printer())
    print(json.dumps([asdict(row) for row in measured], indent=1) if parsed.json else tables(measured))


def _effort(parsed: argparse.Namespace) -> None:
    from dataclasses import asdict

    from core.experiments import measure_effort
    from core.experiments.effort import by_method
    from core.experiments.measure import with_truth
    from core.progress import Printer

    problem = with_truth(parsed.problem)
    again = by_method(parsed.method, parsed.seed)
    found = measure_effort(problem, again, target=parsed.target, seed=parsed.seed, progress=Printer())
    if parsed.json:
        print(json.dumps(asdict(found), indent=1))
        return
    print(
        f"accuracy {found.first_accuracy:.3f} of {found.faces} faces before anybody looked; to reach {found.target:g} "
        f"a person touched {found.queue:.1%} of them with the queue, {found.random:.1%} in random order"
    )


def _doctor(parsed: argparse.Namespace) -> None:
    from core.doctor import examine

    found = examine()
    if parsed.json:
        print(json.dumps({"ok": all(check.ok for check in found), "checks": [vars(check) for check in found]}, indent=1))
    else:
        print("\n".join(f"{'ok     ' if check.ok else 'MISSING'} {check.what}: {check.found}" for check in found))
    if not all(check.ok for check in found):
        raise BadInput("something that Rollcall needs is missing (see above); run `make setup`")


def _methods(text: str) -> list[str]:
    from core.solve import METHODS

    methods = [method.strip() for method in text.split(",") if method.strip()]
    for method in methods:
        if method not in METHODS:
            raise BadInput(f"there is no method {method!r}; choose from {', '.join(METHODS)}")
    if not methods:
        raise BadInput(f"no method is named; choose from {', '.join(METHODS)}")
    return methods


def _seed(text: str) -> int:
    if not text.isdecimal() or int(text) >= 2**63:
        raise argparse.ArgumentTypeError(f"{text!r} is no seed; give a whole number from 0")
    return int(text)


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 10_000:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number above 0")
    return int(text)


def _distance(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no distance; give a number above 0")
    return value


def _share(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no share; give a number above 0 and at most 1")
    return value


class Parser(argparse.ArgumentParser):
    """Says what is wrong with a call in one line, as everything else here does."""

    def error(self, message: str) -> NoReturn:
        raise BadInput(f"{message}; see {self.prog} --help")


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="python -m core", description="Rollcall names the faces in a video from its captions.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    command = commands.add_parser("solve", help="name the faces of a problem file")
    command.add_argument("problem", type=Path, metavar="PROBLEM.npz")
    command.add_argument("--method", default="rollcall", help="how (default: %(default)s)")
    command.add_argument("--corrections", type=Path, metavar="FILE.json", help="what people said; it is never overruled")
    command.add_argument("--seed", type=_seed, default=0, help="the same seed gives the same answer (default: 0)")
    command.add_argument("--out", type=Path, metavar="FILE.csv", help="where to write (default: standard output)")
    command.set_defaults(command=_solve)

    command = commands.add_parser("links", help="build the dual bipartite graph of a problem file")
    command.add_argument("problem", type=Path, metavar="PROBLEM.npz")
    command.add_argument("--out", type=Path, required=True, metavar="LINKS.npz")
    command.add_argument(
        "--pair-distance", type=_distance, metavar="X", help="one person with one name (default: calibrated)"
    )
    command.add_argument("--neighbour-distance", type=_distance, metavar="X", help="look-alikes (default: calibrated)")
    command.set_defaults(command=_links)

    command = commands.add_parser("evaluate", help="accuracy and F1 of methods on problems whose truth is known")
    command.add_argument("problems", type=Path, nargs="+", metavar="PROBLEM.npz")
    command.add_argument("--methods", default="rollcall", metavar="a,b")
    command.add_argument("--seeds", type=_count, default=1, metavar="N", help="how many seeds, from 0 (default: 1)")
    command.add_argument("--json", action="store_true")
    command.set_defaults(command=_evaluate)

    command = commands.add_parser("effort", help="how many faces a person must look at until nearly all are right")
    command.add_argument("problem", type=Path, metavar="PROBLEM.npz")
    command.add_argument("--target", type=_share, default=0.99, metavar="X", help="the accuracy to reach (default: 0.99)")
    command.add_argument("--method", default="rollcall", help="how (default: %(default)s)")
    command.add_argument("--seed", type=_seed, default=0, help="of the method and of the random order (default: 0)")
    command.add_argument("--json", action="store_true")
    command.set_defaults(command=_effort)

    add_commands(commands, _seed, _share)

    command = commands.add_parser("doctor", help="what is installed, which weights")
    command.add_argument("--json", action="store_true")
    command.set_defaults(command=_doctor)
    return parser


if __name__ == "__main__":
    sys.exit(main())
