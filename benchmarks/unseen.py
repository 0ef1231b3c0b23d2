"""Problems of the same kinds that no setting was chosen on: ``python -m benchmarks.unseen [--only TEXT] [--draws N]``.

Random shares of the frames of the problems in the folder that ROLLCALL_TEST_DATA names, their faces in other frames, noisier
faces, and generated films: fewer faces, more nobody, one name, hundreds of names, crowds. Prints for each kind the mean
accuracy, calibration error, and what is right above .95.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from core import NOBODY, Problem, solve
from core.arrays import find
from core.evaluation import metrics
from core.evaluation.generate import MEASURED, films
from core.formats import read_problem
from core.problem import IntArray

SETS = ("lost", "tv_bbt", "lfw_news", "films", "films_hard", "lfw_strangers", "tv_strangers")
FIRST = 200  # the draws that settings were tried on have smaller numbers
TOLD, ABSENT = 0.55, 0.4  # how often a caption names who is seen, and somebody who is not

Make = Callable[[int], Problem]  # of a draw's number


@cache
def shared(name: str) -> Problem:
    return read_problem(Path(os.environ["ROLLCALL_TEST_DATA"]) / f"{name}.npz")


def truth_of(problem: Problem) -> IntArray:
    assert problem.truth is not None
    return problem.truth


def named_only(problem: Problem, truth: IntArray, keep: list[str]) -> Problem:
    """Only these names are known; everybody else is nobody."""
    place = {name: k for k, name in enumerate(keep)}
    index = np.array([place.get(name, NOBODY) for name in problem.names] + [NOBODY])
    captions = [[name for name in caption if name in place] for caption in problem.candidates()]
    return Problem.build(problem.features, problem.group, captions, names=keep, truth=index[truth])


def frames(name: str, share: float, draw: int) -> Problem:
    """A share of the frames; who is no longer named anywhere is nobody."""
    problem = shared(name)
    chosen = np.sort(np.random.default_rng(draw).permutation(problem.groups)[: round(share * problem.groups)])
    captions, face = problem.candidates(), np.isin(problem.group, chosen)
    truth = truth_of(problem)[face]
    left = Problem.build(
        features=problem.features[face],
        group=find(chosen, problem.group[face]),
        candidates=[captions[group] for group in chosen],
        names=problem.names,
        truth=truth,
    )
    return named_only(left, truth, list(dict.fromkeys(said for group in chosen for said in captions[group])))


def one_name(name: str, draw: int) -> Problem:
    """Only one of the ten names with the most faces is known."""
    problem = shared(name)
    truth = truth_of(problem)
    often = np.argsort(-np.bincount(truth[truth >= 0], minlength=len(problem.names)), kind="stable")
    return named_only(problem, truth, [problem.names[often[draw % 10]]])


def noisier(name: str, noise: float, draw: int) -> Problem:
    """Faces of length 1 with noise of this length added."""
    problem = shared(name)
    rng, rows = np.random.default_rng(draw), problem.features.astype(np.float64)
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    rows += noise * rng.normal(size=rows.shape) / np.sqrt(rows.shape[1])
    return replace(problem, features=rows.astype(np.float32))


def regrouped(name: str, unnamed: float, size: int, draw: int) -> Problem:
    """The named persons' faces in other frames of up to ``size`` faces; a share of the persons is never named."""
    problem, rng = shared(name), np.random.default_rng(draw)
    truth = truth_of(problem)
    unknown = rng.permutation(len(problem.names))[: round(unnamed * len(problem.names))]
    known = np.setdiff1d(np.arange(len(problem.names)), unknown)
    full: list[list[int]] = []
    filling: list[tuple[int, list[int]]] = []
    for face in rng.permutation(np.flatnonzero(truth >= 0)).tolist():
        at = next((k for k, (_, inside) in enumerate(filling) if truth[face] not in truth[inside]), len(filling))
        if at == len(filling):
            filling.append((int(rng.integers(1, size + 1)), []))
        most, inside = filling[at]
        inside.append(face)
        if len(inside) == most:
            full.append(filling.pop(at)[1])
    full += [inside for _, inside in filling]
    captions = []
    for inside in full:
        said = [person for person in truth[inside].tolist() if person in known and rng.random() < TOLD]
        said += [int(rng.choice(known))] if rng.random() < ABSENT else []
        captions.append([problem.names[person] for person in dict.fromkeys(said)])
    order = np.concatenate([np.array(inside) for inside in full])
    group = np.repeat(np.arange(len(full)), [len(inside) for inside in full])
    mixed = Problem.build(problem.features[order], group, captions, names=problem.names, truth=truth[order])
    return named_only(mixed, truth[order], list(dict.fromkeys(name for caption in captions for name in caption)))


def kinds() -> Iterator[tuple[str, Make]]:
    for name in SETS:
        for share, label in ((0.5, "half"), (0.25, "quarter")):
            yield f"{label} of {name}", partial(frames, name, share)
    yield from ((f"tenth of {name}", partial(frames, name, 0.1)) for name in ("lost", "tv_bbt"))
    yield from ((f"{name}, noisier", partial(noisier, name, 0.6)) for name in SETS)
    yield from ((f"one name of {name}", partial(one_name, name)) for name in ("lost", "tv_bbt", "lfw_news"))
    yield "lfw_news in other frames, half unnamed", partial(regrouped, "lfw_news", 0.5, 4)
    yield "tv_bbt in other frames, half unnamed", partial(regrouped, "tv_bbt", 0.5, 4)
    yield "lfw_news in frames of up to 40", partial(regrouped, "lfw_news", 0.2, 40)
    for looks, like in ((None, ""), (MEASURED, ", like FaceNet")):
        made = partial(_films, scatter=looks)
        yield f"films{like}", made
        yield f"a third of films{like}", partial(made, films=4, groups=186, names=60)
        yield f"one film, 6 names{like}", partial(made, films=1, groups=60, names=6)
        yield f"one film, 1 name{like}", partial(made, films=1, groups=60, names=1)
        yield f"films, half nobody{like}", partial(made, extras=0.5)
    yield "films, 600 names", partial(_films, films=40, groups=1800, names=600)


def _films(draw: int, **settings: Any) -> Problem:
    return films(seed=draw, **settings)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", metavar="TEXT", help="kinds whose name holds this")
    parser.add_argument("--draws", type=int, default=3, metavar="N")
    parser.add_argument("--method", default="rollcall")
    parsed = parser.parse_args()
    print("| problem | faces | accuracy | calibration error | right above .95 |\n|---|---|---|---|---|", flush=True)
    rows = []
    for label, make in kinds():
        if parsed.only not in label:
            continue
        found = []
        for draw in range(FIRST, FIRST + parsed.draws):
            problem = make(draw)
            prediction = solve(problem, parsed.method)
            right = prediction.name == truth_of(problem)
            sure = right[prediction.confidence > 0.95]
            error = metrics.calibration_error(prediction.confidence, right.astype(np.int64))
            found.append([problem.faces, right.mean(), error, sure.mean() if len(sure) else np.nan])
        rows.append(np.nanmean(found, axis=0))
        print(f"| {label} | {rows[-1][0]:.0f} | " + " | ".join(f"{value:.3f}" for value in rows[-1][1:]) + " |", flush=True)
    mean = np.nanmean(rows, axis=0)
    print(f"| mean of {len(rows)} kinds | {mean[0]:.0f} | " + " | ".join(f"{value:.3f}" for value in mean[1:]) + " |")


if __name__ == "__main__":
    main()
