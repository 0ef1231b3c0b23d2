"""How hard each name is, and how methods fare on easy and hard ones: the paper's condition-controlled experiments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from core.evaluation.measure import markdown
from core.problem import NOBODY, BoolArray, FloatArray, IntArray, Problem

RATIO_EDGES = np.linspace(0, 1, 11)


@dataclass(frozen=True, eq=False)
class Levels:
    """Names sorted into bins of growing difficulty: ``bin`` of each name (-1: no bin), and what each bin is called."""

    bin: IntArray
    labels: tuple[str, ...]
    title: str


@dataclass(frozen=True, eq=False)
class Curve:
    """A method's accuracy and F1 on the names of each bin, mean over its answers; nan where a bin has no face."""

    method: str
    accuracy: FloatArray
    f1: FloatArray


def ambiguity_ratio(problem: Problem) -> FloatArray:
    """Equation 16 for every name: the share of wrong links among the within-group links that touch the name.

    In each group every face is linked to every mention. A link is correct where the face is whom the mention names; it
    touches a name where its face or its mention is of that name. nan where no link touches the name.
    """
    truth = _truth(problem)
    names, shown = len(problem.names), truth != NOBODY
    mentions = np.bincount(problem.mention_group, minlength=problem.groups)
    faces = np.bincount(problem.group, minlength=problem.groups)
    correct = ground_truth_frequency(problem)
    by_face = np.bincount(truth[shown], mentions[problem.group[shown]], minlength=names)
    by_mention = np.bincount(problem.mention_name, faces[problem.mention_group], minlength=names)
    touching = by_face + by_mention - correct  # links whose face and mention are both of the name were counted twice
    return np.asarray(np.divide(touching - correct, touching, out=np.full(names, np.nan), where=touching > 0))


def ground_truth_frequency(problem: Problem) -> IntArray:
    """How many pairs of a face and a mention of the same name stand in one group, for every name."""
    truth = _truth(problem)
    return np.bincount(truth[named_here(problem)], minlength=len(problem.names)).astype(np.int64)


def named_here(problem: Problem) -> BoolArray:
    """Which faces are named by their own caption."""
    truth = _truth(problem)
    shown = truth != NOBODY
    wanted = problem.group * max(len(problem.names), 1) + truth
    return np.asarray(shown & np.isin(wanted, problem.mention_keys()))


def kinds(problem: Problem) -> dict[str, BoolArray]:
    """The faces by what their own caption says of them: within-group, cross-group, nobody."""
    here, shown = named_here(problem), _truth(problem) != NOBODY
    return {"named in its own caption": here, "named only elsewhere": shown & ~here, "nobody": ~shown}


def ratio_levels(problem: Problem) -> Levels:
    """The names by ambiguity ratio, in tenths; the last tenth includes 1."""
    ratio = ambiguity_ratio(problem)
    known = ~np.isnan(ratio)
    place = np.full(len(ratio), -1, dtype=np.int64)
    place[known] = np.minimum(ratio[known] * 10, 9)
    labels = tuple(f"{low:.1f}–{high:.1f}" for low, high in pairwise(RATIO_EDGES))
    return Levels(place, labels, "ambiguity ratio")


def frequency_levels(problem: Problem) -> Levels:
    """The names by ground-truth frequency: 0, 1, 2–3, 4–7, 8–15, ..."""
    frequency = ground_truth_frequency(problem)
    place = np.ceil(np.log2(frequency + 1)).astype(np.int64)
    most = int(place.max(initial=0))
    labels = ["0", "1", *(f"{2 ** (k - 1)}–{2**k - 1}" for k in range(2, most + 1))]
    return Levels(place, tuple(labels[: most + 1]), "ground-truth frequency")


def histogram(levels: Levels) -> IntArray:
    """How many names are in each bin."""
    return np.bincount(levels.bin[levels.bin >= 0], minlength=len(levels.labels)).astype(np.int64)


def curve(method: str, answers: Sequence[IntArray], problem: Problem, levels: Levels) -> Curve:
    """Accuracy over the faces whose true name is in a bin, and micro F1 of the bin's names, mean over ``answers`` (seeds).

    Faces that are nobody have no bin of their own; a bin's name given to one costs F1, as it should.
    """
    truth = _truth(problem)
    bins = len(levels.labels)
    due = _count(levels, truth, bins)
    right = np.array([_count(levels, np.where(answer == truth, truth, NOBODY), bins) for answer in answers])
    given = np.array([_count(levels, answer, bins) for answer in answers])
    shown = due > 0
    accuracy = np.where(shown, right / np.maximum(due, 1), np.nan).mean(axis=0)
    f1 = np.where(shown, 2 * right / np.maximum(given + due, 1), np.nan).mean(axis=0)
    return Curve(method, accuracy, f1)


def kind_table(problem: Problem, answers: Mapping[str, Sequence[IntArray]]) -> str:
    """Accuracy of each method on each kind of face: where it wins and loses."""
    parts, truth = kinds(problem), _truth(problem)
    rows = []
    for method, told in answers.items():
        right = np.mean([answer == truth for answer in told], axis=0)
        rows.append([method, *(f"{right[faces].mean():.3f}" if faces.any() else "–" for faces in parts.values())])
    return markdown(["accuracy", *(f"{kind} ({int(faces.sum())} faces)" for kind, faces in parts.items())], rows)


def _count(levels: Levels, names: IntArray, bins: int) -> IntArray:
    """How many of these faces have a name of each bin."""
    place = levels.bin[names[names != NOBODY]]
    return np.bincount(place[place >= 0], minlength=bins).astype(np.int64)


def _truth(problem: Problem) -> IntArray:
    assert problem.truth is not None
    return problem.truth
