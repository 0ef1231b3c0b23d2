"""The command line: ``python -m core COMMAND``. Exit code 0: done; 2: bad input, said in one line; 1: a bug."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

from core.errors import BadInput

# OpenMP threads that spin while they wait would take the cores from whoever else computes here.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")


def main(arguments: list[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    parsed = _parser().parse_args(arguments)
    try:
        parsed.command(parsed)
        sys.stdout.flush()
    except BadInput as error:
        print(f"rollcall: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        print("rollcall: stopped", file=sys.stderr)
        return 130
    return 0


def _solve(parsed: argparse.Namespace) -> None:
    from core.corrections import read_corrections
    from core.formats import prediction_csv, whole_file
    from core.problem import Problem
    from core.progress import Printer
    from core.solve import solve

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
        sys.stdout.write(text)


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
        "mention_name": np.array([problem.names[k] for k in problem.mention_name], dtype=np.str_),
        **{name: getattr(links, name) for name in links.__dataclass_fields__},
    }
    whole_file(parsed.out, lambda file: np.savez_compressed(file, **arrays))
    print(
        f"{len(links.within_face)} within-group and {len(links.cross_face)} cross-group links "
        f"(pairs nearer than {distances.pair:.4g}, neighbours nearer than {distances.neighbour:.4g}) in {parsed.out}"
    )


def _evaluate(parsed: argparse.Namespace) -> None:
    from dataclasses import asdict

    from core.experiments import evaluate, table
    from core.progress import Printer

    measured = evaluate(parsed.problems, parsed.methods, range(parsed.seeds), Printer())
    print(json.dumps([asdict(row) for row in measured], indent=1) if parsed.json else table(measured))


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
            raise argparse.ArgumentTypeError(f"there is no method {method!r}; choose from {', '.join(METHODS)}")
    return methods


def _count(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
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


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m core", description="Rollcall names the faces in a video from its captions."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    command = commands.add_parser("solve", help="name the faces of a problem file")
    command.add_argument("problem", type=Path, metavar="PROBLEM.npz")
    command.add_argument("--method", default="dbgae", help="how (default: %(default)s)")
    command.add_argument("--corrections", type=Path, metavar="FILE.json", help="what people said; it is never overruled")
    command.add_argument("--seed", type=int, default=0, help="the same seed gives the same answer (default: 0)")
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
    command.add_argument("--methods", type=_methods, default=["dbgae"], metavar="a,b")
    command.add_argument("--seeds", type=_count, default=1, metavar="N", help="how many seeds, from 0 (default: 1)")
    command.add_argument("--json", action="store_true")
    command.set_defaults(command=_evaluate)

    command = commands.add_parser("doctor", help="what is installed, which weights")
    command.add_argument("--json", action="store_true")
    command.set_defaults(command=_doctor)
    return parser


if __name__ == "__main__":
    sys.exit(main())
