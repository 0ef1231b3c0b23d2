"""An epoch of the paper's method in three ways, ours, dense PyTorch, PyTorch Geometric: ``python -m benchmarks.compared``.

First all three must give the same embeddings, the same loss and the same gradients from the same weights, to 1e-5, or
nothing is timed. Then each trains in a process of its own, on generated problems of two sizes; ``--memory`` bounds it, and
what needs more is told so.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.measure import Report, Row, problem_file, ran

SIZES = (1_000, 5_000)
TOLD = {"ours": "our layers", "dense": "dense PyTorch", "geometric": "PyTorch Geometric"}
TOLERANCE = 1e-5


def ready(path: Path) -> tuple[Any, Any]:
    """A problem and its links."""
    from core.corrections import bind
    from core.formats import read_problem
    from core.solvers.dbgae.links import build_links, calibrate

    problem, constraints = bind(read_problem(path), [])
    return problem, build_links(problem, constraints, calibrate(problem))


def model_for(problem: Any, seed: int = 0) -> Any:
    """The autoencoder at the paper's sizes."""
    import torch

    from core.solvers.dbgae.model import DBGAE
    from core.solvers.dbgae.settings import Settings

    torch.manual_seed(seed)
    return DBGAE(Settings(), problem.features.shape[1], len(problem.names))


def largest_difference(problem: Any, links: Any, model: Any) -> float:
    """Between any two ways: of embeddings, loss and gradients, relative to the largest entry where that is above 1."""
    import torch

    from benchmarks.ways import WAYS

    found: dict[str, list[Any]] = {}
    for name, way in WAYS.items():
        layers: Any = way(model, problem, links)
        model.zero_grad()
        loss = layers()
        loss.backward()
        found[name] = [*layers.encode(), loss, *(p.grad.clone() for p in model.parameters())]
    worst = 0.0
    for name in ("dense", "geometric"):
        for one, other in zip(found["ours"], found[name], strict=True):
            scale = max(1.0, float(one.detach().abs().max()))
            worst = max(worst, float(torch.sub(one, other).detach().abs().max()) / scale)
    return worst


def train(way: str, path: Path, epochs: int, memory: float) -> None:
    """Trains in one way and tells, as a line of JSON, what an epoch takes."""
    import resource

    resource.setrlimit(resource.RLIMIT_DATA, (int(memory * 2**30),) * 2)
    import torch

    from benchmarks.ways import WAYS

    problem, links = ready(path)
    layers: Any = WAYS[way](model_for(problem), problem, links)
    optimizer = torch.optim.Adam(layers.model.parameters(), lr=0.001, fused=True)
    turns = []
    try:
        for _ in range(epochs + 1):
            started = time.perf_counter()
            optimizer.zero_grad(set_to_none=True)
            torch.autograd.backward(layers())
            optimizer.step()
            turns.append(time.perf_counter() - started)
    except (RuntimeError, MemoryError) as error:
        if "memory" not in str(error):
            raise
        print(json.dumps(None))
        return
    print(json.dumps({"seconds": median(turns[1:]), "links": len(links.cross_face)}))


def compare(report: Report, faces: int, epochs: int, memory: float) -> None:
    path = problem_file("m-vad", faces)
    ours = None
    for way, words in TOLD.items():
        child = ran("-m", "benchmarks.compared", "--train", way, path, "--epochs", str(epochs), "--memory", str(memory))
        told = child.json()
        work = f"an epoch in {words}, {faces:,} faces"
        if told is None:
            report.add(Row(work, None, note=f"does not fit {memory:g} GB"))
            continue
        ours = ours or told["seconds"]
        row = Row(work, told["seconds"], told["seconds"] / ours, TOLD["ours"], child.memory_mb, faces=faces, series=words)
        report.add(row)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--train", nargs=2, metavar=("WAY", "PROBLEM"), help="only this, told as JSON")
    parser.add_argument("--agree", type=Path, metavar="PROBLEM", help="only how far the ways differ")
    parser.add_argument("--epochs", type=int, default=2, help="timed, after one that warms up")
    parser.add_argument("--memory", type=float, default=10, metavar="GB")
    parsed = parser.parse_args()
    if parsed.train:
        train(parsed.train[0], Path(parsed.train[1]), parsed.epochs, parsed.memory)
        return
    if parsed.agree:
        problem, links = ready(parsed.agree)
        print(json.dumps(largest_difference(problem, links, model_for(problem))))
        return
    difference = ran("-m", "benchmarks.compared", "--agree", problem_file("m-vad", SIZES[0])).json()
    print(f"{SIZES[0]} faces, three ways, the same weights: embeddings, loss and gradients within {difference:.1e}")
    if difference > TOLERANCE:
        raise SystemExit("the three ways do not agree: a comparison of their times would mean nothing")
    report = Report("compared")
    for faces in SIZES:
        compare(report, faces, parsed.epochs, parsed.memory)


if __name__ == "__main__":
    main()
