"""What one epoch of the autoencoder costs, as a multiple of the matrix products it cannot avoid.

``python benchmarks/dbgae.py [--epochs N] [--repeats N]`` times training at the paper's sizes on a problem of MPII-MD's size
against a yardstick timed in the same run, turn by turn, so that a busy machine slows both. Prints a line for people and
saves JSON in ``benchmarks/results/``.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).parents[1]))

from core.corrections import bind
from core.dbgae import Autoencoder, Settings
from core.generate import films
from core.links import Links, build_links, calibrate
from core.problem import Problem

RESULTS = Path(__file__).parent / "results"


def products(problem: Problem, links: Links, settings: Settings) -> Callable[[], None]:
    """The dense products of one epoch, forward and twice backward: messages to mentions, features, embeddings, decoder."""
    faces, mentions, d = problem.faces, problem.mentions, problem.features.shape[1]
    width = 2 * settings.hidden + settings.features
    shapes = [
        (mentions, d, settings.hidden),  # W x, within-group
        (mentions, d, settings.hidden),  # W x, cross-group
        (faces, d, settings.features),  # f
        (faces, d, 4 * settings.heads * settings.attention),  # W_a x of both graphs and directions
        (faces, width, settings.dense),  # u
        (mentions, width, settings.dense),  # v
        (faces, settings.dense, settings.levels * settings.dense),  # u Q
    ]
    operands = [(torch.randn(n, k), torch.randn(k, m), torch.randn(n, m)) for n, k, m in shapes]

    def run() -> None:
        for a, b, c in operands:
            a @ b
            a.T @ c
            c @ b.T

    return run


def seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=10, help="epochs a turn")
    parser.add_argument("--repeats", type=int, default=7, help="turns")
    parsed = parser.parse_args()
    problem, bound = bind(films(), [])
    links = build_links(problem, bound, calibrate(problem))
    settings = Settings(epochs=parsed.epochs, rounds=1)
    training = Autoencoder(problem, settings)
    yardstick = products(problem, links, settings)
    training.refine(links)  # the first round also warms up
    turns = []
    for _ in range(parsed.repeats):
        plain = min(seconds(yardstick) for _ in range(parsed.epochs))
        turns.append((seconds(lambda: training.refine(links)) / parsed.epochs, plain))
    epoch = statistics.median(turn[0] for turn in turns)
    ratio = statistics.median(epoch / plain for epoch, plain in turns)
    result = {
        "work": "one epoch of dbgae at the paper's sizes",
        "faces": problem.faces,
        "mentions": problem.mentions,
        "within_links": len(links.within_face),
        "cross_links": len(links.cross_face),
        "seconds_an_epoch": round(epoch, 4),
        "times_the_yardstick": round(ratio, 2),
        "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "threads": torch.get_num_threads(),
    }
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "dbgae.json").write_text(json.dumps(result, indent=1) + "\n")
    print(
        f"{result['work']}: {epoch * 1000:.0f} ms, {ratio:.2f} times its matrix products; "
        f"{problem.faces} faces, {len(links.cross_face)} cross-group links, peak memory {result['peak_memory_mb']} MB"
    )


if __name__ == "__main__":
    main()
