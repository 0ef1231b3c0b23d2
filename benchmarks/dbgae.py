"""What the paper's method costs at M-VAD's size: ``python -m benchmarks.dbgae [--epochs N] [--large]``.

A child process reads the problem, builds the links and trains a few epochs; the whole run of 1000 is reckoned from what
these took: everything around the epochs once, as often as the method does it, and the epochs. ``--large`` also runs
all 1000. The yardstick is the matrix products that an epoch cannot avoid, timed in the same process.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.measure import Report, Row, problem_file, ran
from benchmarks.solving import cold_start

if TYPE_CHECKING:
    from core.problem import Problem
    from core.solvers.dbgae.settings import Settings

AGAINST = "its matrix products"


def products(problem: Problem, settings: Settings) -> Callable[[], None]:
    """The dense products of one epoch, forward and twice backward: messages to mentions, features, embeddings, decoder."""
    import torch

    faces, mentions, d = problem.faces, problem.mentions, problem.features.shape[1]
    shapes = [
        *[(mentions, d, settings.hidden)] * 2,  # W x, within-group and cross-group
        (faces, d, settings.features),  # f
        *[(faces, settings.hidden, settings.dense)] * 2,  # u
        *[(mentions, settings.hidden, settings.dense)] * 2,  # v
        (faces, settings.dense, settings.levels * settings.dense),  # u Q
    ]
    operands = [(torch.randn(n, k), torch.randn(k, m), torch.randn(n, m)) for n, k, m in shapes]

    def run() -> None:
        for a, b, c in operands:
            a @ b
            a.T @ c
            c @ b.T

    return run


def train(path: Path, epochs: int) -> None:
    """Times each step of a short run and tells them as a line of JSON."""
    clock = [time.perf_counter()]
    from core.corrections import bind
    from core.formats import read_problem
    from core.solvers.dbgae.links import build_links, calibrate
    from core.solvers.dbgae.settings import Settings
    from core.solvers.dbgae.training import Autoencoder
    from core.solvers.order import canonical_order

    problem, constraints = bind(read_problem(path), [])
    problem, constraints, _, _ = canonical_order(problem, constraints)
    links = build_links(problem, constraints, calibrate(problem))
    settings = Settings(epochs=epochs, rounds=1)
    training = Autoencoder(problem, settings, progress=lambda *_: clock.append(time.perf_counter()))
    clock.append(time.perf_counter())
    training.refine(links)
    clock.append(time.perf_counter())
    epoch = median(after - before for before, after in pairwise(clock[2:-1]))
    round_ = clock[-1] - clock[1] - epochs * epoch  # the graph before and the decoding after the epochs
    work = products(problem, settings)
    work()
    turns = []
    for _ in range(3):
        started = time.perf_counter()
        work()
        turns.append(time.perf_counter() - started)
    told = {"setup": clock[1] - clock[0], "round": round_, "epoch": epoch, "plain": median(turns)}
    print(json.dumps({**told, "links": len(links.within_face) + len(links.cross_face)}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=8, help="timed")
    parser.add_argument("--large", action="store_true", help="also the whole run at M-VAD's size, about an hour")
    parser.add_argument("--train", type=Path, metavar="PROBLEM", help="only this, told as JSON")
    parsed = parser.parse_args()
    if parsed.train:
        train(parsed.train, parsed.epochs)
        return
    from core.solvers.dbgae.settings import Settings

    rounds, epochs = Settings().rounds, Settings().epochs
    report = Report("dbgae")
    for work, path, reach in (
        ("1,000 faces (MPII-MD)", problem_file("mpii-md", 1000), ""),
        ("22,258 faces (M-VAD)", problem_file("m-vad"), "75 min, 6 GB"),
    ):
        child = ran("-m", "benchmarks.dbgae", "--train", path, "--epochs", str(parsed.epochs))
        told = child.json()
        times = told["epoch"] / told["plain"]
        report.add(Row(f"an epoch of `dbgae`, {work}", told["epoch"], times, AGAINST, child.memory_mb))
        whole = told["setup"] + rounds * told["round"] + epochs * told["epoch"]
        note = f"reckoned from {parsed.epochs} epochs; {told['links']:,} links"
        times = whole / (epochs * told["plain"])
        report.add(Row(f"`dbgae`, {epochs} epochs, {work}", whole, times, AGAINST, child.memory_mb, reach=reach, note=note))
    if parsed.large:
        row = cold_start(path, f"`dbgae` cold start, {work}, run whole", reach, method="dbgae")
        report.add(replace(row, times=(row.seconds or 0) / (epochs * told["plain"]), against=AGAINST))


if __name__ == "__main__":
    main()
