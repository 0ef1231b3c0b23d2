"""Accuracy and F1 of methods on problems whose truth is known: Tables 1 and 2 of the paper."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from core.errors import BadInput
from core.evaluation import metrics
from core.formats import read_problem
from core.problem import FloatArray, IntArray, Problem
from core.progress import Progress, silent
from core.solve import METHODS, solve
from core.solvers.baselines.registry import BASELINES

OURS = "rollcall" if "rollcall" in METHODS else "dbgae"
SEEDLESS = frozenset({*BASELINES, "dbgae-no-autoencoder"})  # nothing in them is drawn at random: measured once for all seeds


@dataclass(frozen=True)
class Measured:
    """One method on one problem with one seed."""

    problem: str
    method: str
    seed: int
    accuracy: float
    f1: float
    seconds: float
    unknown: float = 0.0  # the share of faces of which the method says that it does not know


@dataclass(frozen=True, eq=False)
class Answered:
    """A measurement with the answer behind it: an index into the problem's names, or nobody, for each face."""

    measured: Measured
    answer: IntArray


def evaluate(
    paths: Iterable[Path], methods: Iterable[str], seeds: Iterable[int], progress: Progress = silent
) -> list[Measured]:
    """Every method on every problem with every seed; a method without chance in it runs once and has a row a seed."""
    paths, methods, seeds = list(paths), list(dict.fromkeys(methods)), list(seeds)
    problems = {name: with_truth(path) for name, path in zip(_names(paths), paths, strict=True)}
    total = len(problems) * sum(1 if method in SEEDLESS else len(seeds) for method in methods)
    measured: list[Measured] = []
    done = 0
    for name, problem in problems.items():
        for method in methods:
            for seed in seeds[:1] if method in SEEDLESS else seeds:
                measured.append(measure(name, problem, method, seed).measured)
                done += 1
                progress("evaluate", done, total)
            if method in SEEDLESS:
                measured += [replace(measured[-1], seed=seed) for seed in seeds[1:]]
    return measured


def measure(name: str, problem: Problem, method: str, seed: int) -> Answered:
    """Solves a problem whose truth is known, and compares."""
    assert problem.truth is not None
    started = time.perf_counter()
    prediction = solve(problem, method, seed=seed)
    seconds = time.perf_counter() - started
    answer = prediction.name
    measured = Measured(
        problem=name,
        method=method,
        seed=seed,
        accuracy=metrics.accuracy(answer, problem.truth),
        f1=metrics.f1(answer, problem.truth),
        seconds=round(seconds, 3),
        unknown=float(prediction.unknown.mean()),
    )
    return Answered(measured, answer)


def with_truth(path: Path) -> Problem:
    """The problem in a file, or a refusal where it has nothing to compare with."""
    problem = read_problem(path)
    if problem.truth is None:
        raise BadInput(f"{path}: this problem has no truth to compare with; add the array truth, or use `solve`")
    return problem


def is_ablation(method: str) -> bool:
    return "-no-" in method


def tables(measured: Sequence[Measured]) -> str:
    """Table 1 (methods) and, where there are ablations, Table 2 (each ablation below the method it was taken from)."""
    ablations = [row.method for row in measured if is_ablation(row.method)]
    if not ablations:
        return "\n\n".join([table(measured), *_unknown(measured)])
    whole = {method.split("-no-")[0] for method in ablations}
    first = [row for row in measured if not is_ablation(row.method)]
    second = [row for row in measured if row.method in whole or is_ablation(row.method)]
    told = [f"**Table 1. Methods**\n\n{table(first)}"] if first else []
    return "\n\n".join([*told, f"**Table 2. Ablations**\n\n{table(second)}", *_unknown(measured)])


def _unknown(measured: Sequence[Measured]) -> list[str]:
    """A line on the share of faces of which methods say that they do not know, where there are any."""
    rows: dict[tuple[str, str], list[float]] = {}
    for row in measured:
        rows.setdefault((row.method, row.problem), []).append(row.unknown)
    said = [f"{method} on {problem} {np.mean(shares):.1%}" for (method, problem), shares in rows.items() if any(shares)]
    return [f"Unknown (accuracy and F1 count the best answer all the same): {', '.join(said)}"] if said else []


def table(measured: Sequence[Measured]) -> str:
    """Accuracy / F1, mean ± standard deviation over the seeds, as a Markdown table: a row a method, a column a problem.

    The deviation is the sample's (n - 1). The best of several methods is bold.
    """
    problems = list(dict.fromkeys(row.problem for row in measured))
    methods = list(dict.fromkeys(row.method for row in measured))
    found: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for row in measured:
        found.setdefault((row.method, row.problem), []).append((row.accuracy, row.f1))
    mean = {key: np.mean(values, axis=0) for key, values in found.items()}
    best = {p: np.max([mean[m, p].round(3) for m in methods if (m, p) in mean], axis=0) for p in problems}

    def cell(method: str, problem: str) -> str:
        values = found.get((method, problem))
        if values is None:
            return "–"
        leads = (mean[method, problem].round(3) >= best[problem]) & (len(methods) > 1)
        return " / ".join(f"**{text}**" if bold else text for text, bold in zip(spread(values), leads.tolist(), strict=True))

    rows = [[method, *(cell(method, problem) for problem in problems)] for method in methods]
    return markdown(["accuracy / F1", *problems], rows)


def spread(values: Sequence[tuple[float, ...]]) -> list[str]:
    """``mean ± standard deviation`` of each column of figures; of one row the figures alone."""
    figures: FloatArray = np.asarray(values, dtype=np.float64)
    mean = figures.mean(axis=0)
    if len(figures) == 1:
        return [f"{m:.3f}" for m in mean]
    return [f"{m:.3f} ± {s:.3f}" for m, s in zip(mean, figures.std(axis=0, ddof=1), strict=True)]


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; a bar inside a cell is escaped."""
    lines = [list(head), ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _names(paths: Sequence[Path]) -> list[str]:
    """What each problem is called: its file's name, with the folder where two files share one."""
    stems = [path.stem for path in paths]
    return [stem if stems.count(stem) == 1 else str(path) for stem, path in zip(stems, paths, strict=True)]
