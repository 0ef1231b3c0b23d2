"""The commands that work on problem files: solve, links, evaluate, effort."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from core.cli import arguments
from core.cli.arguments import Commands, add_json, add_method, add_seed
from core.errors import BadInput


def add_commands(commands: Commands) -> None:
    made = commands.add_parser("solve", help="name the faces of a problem file")
    made.add_argument("problem", type=Path, metavar="PROBLEM.npz")
    add_method(made)
    made.add_argument("--corrections", type=Path, metavar="FILE.json", help="what people said; it is never overruled")
    add_seed(made)
    made.add_argument("--out", type=Path, metavar="FILE", help="where to write (default: standard output)")
    add_json(made)
    made.set_defaults(command=_solve)

    made = commands.add_parser("links", help="build the dual bipartite graph of a problem file")
    made.add_argument("problem", type=Path, metavar="PROBLEM.npz")
    made.add_argument("--out", type=Path, required=True, metavar="LINKS.npz")
    near = "one person with one name (default: calibrated)"
    made.add_argument("--pair-distance", type=arguments.distance, metavar="X", help=near)
    near = "look-alikes (default: calibrated)"
    made.add_argument("--neighbour-distance", type=arguments.distance, metavar="X", help=near)
    made.set_defaults(command=_links)

    made = commands.add_parser("evaluate", help="accuracy and F1 of methods on problems whose truth is known")
    made.add_argument("problems", type=Path, nargs="+", metavar="PROBLEM.npz")
    made.add_argument("--methods", default="rollcall", metavar="a,b")
    many = "how many seeds, from 0 (default: 1)"
    made.add_argument("--seeds", type=arguments.count, default=1, metavar="N", help=many)
    add_json(made)
    made.set_defaults(command=_evaluate)

    made = commands.add_parser("effort", help="how many faces a person must look at until nearly all are right")
    made.add_argument("problem", type=Path, metavar="PROBLEM.npz")
    target = "the accuracy to reach (default: 0.99)"
    made.add_argument("--target", type=arguments.share, default=0.99, metavar="X", help=target)
    add_method(made)
    add_seed(made, "of the method and of the random order")
    add_json(made)
    made.set_defaults(command=_effort)


def _solve(parsed: argparse.Namespace) -> None:
    from core.corrections import read_corrections
    from core.formats import check_can_write, read_problem, whole_file
    from core.formats.write.csv import prediction_csv, prediction_json
    from core.progress import Printer
    from core.solve import solve

    arguments.methods(parsed.method)
    if parsed.out:
        check_can_write(parsed.out)
    problem = read_problem(parsed.problem)
    corrections = read_corrections(parsed.corrections, problem.faces) if parsed.corrections else []
    try:
        prediction = solve(problem, parsed.method, corrections, parsed.seed, Printer())
    except BadInput as error:
        raise BadInput(f"{parsed.corrections or parsed.problem}: {error}") from error
    text = prediction_json(prediction) if parsed.json else prediction_csv(prediction)
    if parsed.out:
        whole_file(parsed.out, lambda file: file.write(text.encode()))
    else:
        sys.stdout.buffer.write(text.encode())  # UTF-8, whatever the terminal says


def _links(parsed: argparse.Namespace) -> None:
    import numpy as np

    from core.corrections import bind
    from core.formats import read_problem, whole_file
    from core.solvers.dbgae.links import Distances, build_links, calibrate

    problem, constraints = bind(read_problem(parsed.problem), [])
    found = calibrate(problem)
    distances = Distances(
        pair=found.pair if parsed.pair_distance is None else parsed.pair_distance,
        neighbour=found.neighbour if parsed.neighbour_distance is None else parsed.neighbour_distance,
    )
    links = build_links(problem, constraints, distances)
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

    from core.evaluation import evaluate, tables
    from core.progress import Printer

    measured = evaluate(parsed.problems, arguments.methods(parsed.methods), range(parsed.seeds), Printer())
    print(json.dumps([asdict(row) for row in measured], indent=1) if parsed.json else tables(measured))


def _effort(parsed: argparse.Namespace) -> None:
    from dataclasses import asdict

    from core.evaluation import measure_effort
    from core.evaluation.effort import by_method
    from core.evaluation.measure import with_truth
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
