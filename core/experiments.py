"""How well methods do on problems whose truth is known."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core import metrics
from core.errors import BadInput
from core.problem import Problem
from core.progress import Progress, silent
from core.solve import solve


@dataclass(frozen=True)
class Measured:
    """One method on one problem with one seed."""

    problem: str
    method: str
    seed: int
    accuracy: float
    f1: float
    seconds: float


def evaluate(
    paths: Iterable[Path], methods: Iterable[str], seeds: Iterable[int], progress: Progress = silent
) -> list[Measured]:
    """Every method on every problem with every seed."""
    paths, methods, seeds = list(paths), list(methods), list(seeds)
    problems = [Problem.read(path) for path in paths]
    for path, problem in zip(paths, problems, strict=True):
        if problem.truth is None:
            raise BadInput(f"{path}: this problem has no truth to compare with; evaluate needs the array truth")
    measured = []
    for path, problem in zip(paths, problems, strict=True):
        for method in methods:
            for seed in seeds:
                measured.append(_measure(path.stem, problem, method, seed))
                progress("evaluate", len(measured), len(paths) * len(methods) * len(seeds))
    return measured


def _measure(name: str, problem: Problem, method: str, seed: int) -> Measured:
    assert problem.truth is not None
    started = time.perf_counter()
    answer = solve(problem, method, seed=seed).name
    seconds = time.perf_counter() - started
    return Measured(
        problem=name,
        method=method,
        seed=seed,
        accuracy=metrics.accuracy(answer, problem.truth),
        f1=metrics.f1(answer, problem.truth),
        seconds=round(seconds, 3),
    )


def table(measured: list[Measured]) -> str:
    """Accuracy / F1, mean ± standard deviation over the seeds, as a Markdown table: a row a method, a column a problem."""
    problems = list(dict.fromkeys(row.problem for row in measured))
    methods = list(dict.fromkeys(row.method for row in measured))

    def cell(method: str, problem: str) -> str:
        rows = [row for row in measured if row.method == method and row.problem == problem]
        figures = np.array([(row.accuracy, row.f1) for row in rows])
        mean, spread = figures.mean(axis=0), figures.std(axis=0)
        told = [f"{m:.3f} ± {s:.3f}" if len(rows) > 1 else f"{m:.3f}" for m, s in zip(mean, spread, strict=True)]
        return " / ".join(told)

    lines = [["accuracy / F1", *problems], ["---"] * (len(problems) + 1)]
    lines += [[method, *(cell(method, problem) for problem in problems)] for method in methods]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
