"""The paper's second protocol, for the partial-label setting: ten folds.

A partial-label learner is fitted to nine tenths of the frames with their captions, and names the faces of the last tenth,
whose captions it does not see, from all names. Every other method needs no training data: it sees that last tenth alone,
with its captions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.corrections import bind
from core.evaluation import metrics
from core.evaluation.measure import markdown, spread
from core.problem import BoolArray, IntArray, Problem
from core.progress import Progress, silent
from core.solve import solve
from core.solvers.baselines.method import candidate_table
from core.solvers.baselines.registry import LEARNERS

FOLDS = 10


@dataclass(frozen=True)
class Fold:
    """One method on one fold."""

    method: str
    fold: int
    accuracy: float
    f1: float


def split(problem: Problem, folds: int = FOLDS, seed: int = 0) -> IntArray:
    """The fold of each face. Frames are dealt out whole, at random, so that a caption is on one side only."""
    shown = np.unique(problem.group)
    fold_of = np.zeros(problem.groups, dtype=np.int64)
    fold_of[np.random.default_rng(seed).permutation(shown)] = np.arange(len(shown)) % folds
    return fold_of[problem.group]


def only(problem: Problem, faces: BoolArray) -> Problem:
    """The problem of these faces alone: their frames and captions, and the names in the same order."""
    kept = np.unique(problem.group[faces])
    place = np.full(problem.groups, -1, dtype=np.int64)
    place[kept] = np.arange(len(kept))
    mentions, evidence = place[problem.mention_group] >= 0, faces[problem.evidence_face]
    return replace(
        problem,
        features=problem.features[faces],
        group=place[problem.group[faces]],
        mention_group=place[problem.mention_group[mentions]],
        mention_name=problem.mention_name[mentions],
        groups=len(kept),
        captions=None if problem.captions is None else tuple(problem.captions[g] for g in kept.tolist()),
        truth=None if problem.truth is None else problem.truth[faces],
        track=None if problem.track is None else problem.track[faces],
        quality=None if problem.quality is None else problem.quality[faces],
        evidence_face=(np.cumsum(faces) - 1)[problem.evidence_face[evidence]],
        evidence_name=problem.evidence_name[evidence],
        evidence_logodds=problem.evidence_logodds[evidence],
        mention_kind=None if problem.mention_kind is None else problem.mention_kind[mentions],
        film=None if problem.film is None else problem.film[kept],
    )


def answer(problem: Problem, method: str, unseen: BoolArray, seed: int = 0) -> IntArray:
    """What a method says of the ``unseen`` faces under this protocol."""
    if method not in LEARNERS:
        return solve(replace(only(problem, unseen), truth=None), method, seed=seed).name
    known = only(problem, ~unseen)
    candidates = candidate_table(*bind(known, []))
    fitted = LEARNERS[method](known.features, candidates)
    return np.asarray(fitted.predict(problem.features[unseen]).argmax(axis=1), dtype=np.int64)


def cross_validate(
    problem: Problem, methods: Iterable[str], folds: int = FOLDS, seed: int = 0, progress: Progress = silent
) -> list[Fold]:
    """Every method on every fold, all on the same folds."""
    assert problem.truth is not None
    methods, fold_of = list(methods), split(problem, folds, seed)
    found = []
    for fold in range(folds):
        unseen = fold_of == fold
        if not unseen.any() or unseen.all():
            continue
        for method in methods:
            told, due = answer(problem, method, unseen, seed), problem.truth[unseen]
            found.append(Fold(method, fold, metrics.accuracy(told, due), metrics.f1(told, due)))
            progress("folds", len(found), folds * len(methods))
    return found


def fold_table(found: Sequence[Fold]) -> str:
    """Mean ± standard deviation over the folds, and what each method was shown."""
    rows = []
    for method in dict.fromkeys(row.method for row in found):
        accuracy, f1 = spread([(row.accuracy, row.f1) for row in found if row.method == method])
        sees = "nine tenths, and the faces of the last" if method in LEARNERS else "the last tenth and its captions"
        rows.append([method, sees, accuracy, f1])
    return markdown(["method", "sees", "accuracy", "F1"], rows)
