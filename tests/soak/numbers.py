"""Problems at the edge of what there can be, for every method: ``python -m tests.soak.numbers``."""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from core import Problem, solve
from core.prediction import Prediction
from core.solve import METHODS
from core.solvers.dbgae.settings import AUTHORS, Settings

NAMES = ["A", "B", "C", "D"]
FACES, GROUPS = 24, 8
MEMORY = 4 << 30  # bytes of address space, of which PyTorch takes a good part for itself
SECONDS = 1200  # of work
TRAINED = [method for method in METHODS if method.startswith("dbgae") and method != "dbgae-no-autoencoder"]


def small() -> Iterator[tuple[str, Problem]]:
    """Each a few faces; every method takes moments."""
    chance = np.random.default_rng(0)
    features = _unit(chance.normal(size=(FACES, 16)))
    group = np.arange(FACES) // 3
    captions = [[NAMES[(k + j) % 4] for j in range(2)] for k in range(GROUPS)]

    def problem(**changes: Any) -> Problem:
        return Problem.build(**{"features": features, "group": group, "candidates": captions, **changes})

    yield "duplicate faces", problem(features=np.repeat(features[:6], 4, axis=0))
    yield "one face", problem(features=features[:1], group=[0], candidates=[["A"]])
    yield "one face and no name", problem(features=features[:1], group=[0], candidates=[[]])
    yield "one group", problem(group=np.zeros(FACES, int), candidates=[NAMES])
    yield "no names at all", problem(candidates=[[]] * GROUPS, names=[])
    yield "names that no caption has", problem(candidates=[[]] * GROUPS, names=NAMES)
    yield "all nobody", problem(group=group, candidates=[*[[]] * GROUPS, NAMES])
    yield "one name everywhere", problem(candidates=[["A"]] * GROUPS)
    yield "identical features", problem(features=np.ones((FACES, 16)))
    yield "one dimension", problem(features=chance.normal(size=(FACES, 1)))
    yield "huge and tiny features", problem(features=features * np.logspace(-10, 16, FACES)[:, None])
    yield "captions without faces", problem(group=group + 5, candidates=[["A"]] * 5 + captions + [["B", "C"]] * 5)
    yield "opposite faces", problem(features=[[1.0, 0.0], [-1.0, 0.0]], group=[0, 1], candidates=[["A"], ["B"]])


def large() -> Iterator[tuple[str, Problem]]:
    """Each large in one way."""
    chance = np.random.default_rng(1)
    wide = _unit(chance.normal(size=(FACES, 4096)))
    captions = [[NAMES[(k + j) % 4] for j in range(2)] for k in range(GROUPS)]
    yield "4,096 dimensions", Problem.build(features=wide, group=np.arange(FACES) // 3, candidates=captions)
    yield "a group of 500 faces", crowd(500, 300)
    yield "10,000 names", many_names(2000)


def crowd(faces: int, names: int) -> Problem:
    """So many faces and names in one group, beside some small ones."""
    features = _unit(np.random.default_rng(2).normal(size=(faces + 20, 16)))
    captions = [[f"N{k}" for k in range(names)]] + [["N1", "N2"]] * 5
    group = np.r_[np.zeros(faces, int), np.arange(20) // 4 + 1]
    return Problem.build(features=features, group=group, candidates=captions)


def many_names(faces: int, names: int = 10_000) -> Problem:
    """So many names, ten in each caption, two faces in each group."""
    called = [f"P{k}" for k in range(names)]
    groups = faces // 2
    listed = [[called[(10 * k + j) % names] for j in range(10)] for k in range(groups)]
    features = _unit(np.random.default_rng(2).normal(size=(faces, 32)))
    return Problem.build(features=features, group=np.arange(faces) // 2, candidates=listed, names=called)


def _unit(rows: np.ndarray) -> np.ndarray:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


def check(problem: Problem, answer: Prediction) -> None:
    """A name or nobody for every face, and a probability."""
    assert len(answer.name) == len(answer.confidence) == problem.faces
    assert ((answer.name >= -1) & (answer.name < max(len(answer.names), 1))).all()
    assert np.isfinite(answer.confidence).all()
    assert ((answer.confidence >= 0) & (answer.confidence <= 1 + 1e-6)).all()
    if not problem.names:
        assert (answer.name == -1).all()


def settings(method: str, epochs: int) -> Settings | None:
    """Of a method that trains, for so many epochs in two rounds; None for the others, which have nothing to set."""
    if method not in TRAINED:
        return None
    return replace(AUTHORS if method == "dbgae-authors" else Settings(), epochs=epochs, rounds=2)


def attempt(problem: Problem, method: str, epochs: int) -> tuple[str, float, int]:
    """Solves in a process of its own, within its memory and time: what was wrong if anything, seconds, megabytes."""
    import resource  # not on every system

    out, told = os.pipe()
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        try:
            check(problem, solve(problem, method, settings=settings(method, epochs)))
            said = "ok"
        except BaseException as error:
            said = f"{type(error).__name__}: {error}"
        os.write(told, said.encode()[:4000])
        os._exit(0)
    os.close(told)
    _, status, used = os.wait4(child, 0)
    with os.fdopen(out, "rb") as answer:
        said = answer.read().decode(errors="replace") or f"it ended with {status}"
    return said, used.ru_utime + used.ru_stime, used.ru_maxrss >> 10


def main() -> int:
    parser = argparse.ArgumentParser(description="problems at the edge, for every method")
    parser.add_argument("--methods", default=",".join(METHODS))
    parser.add_argument("--large", action="store_true", help="also those that take minutes")
    parser.add_argument("--epochs", type=int, default=200, help="of the methods that train; a tenth on large problems")
    parsed = parser.parse_args()
    warnings.simplefilter("error", RuntimeWarning)
    failed = tried = 0
    problems = [(*case, parsed.epochs) for case in small()]
    if parsed.large:
        problems += [(*case, max(2, parsed.epochs // 10)) for case in large()]
    for what, problem, epochs in problems:
        for method in parsed.methods.split(","):
            said, seconds, megabytes = attempt(problem, method, epochs)
            tried, failed = tried + 1, failed + (said != "ok")
            print(f"{what:28} {method:24} {seconds:7.1f} s {megabytes:6} MB: {said}", flush=True)
    print(f"{tried} answers, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
