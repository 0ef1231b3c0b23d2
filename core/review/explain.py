"""Why a face got its name: the names considered, the look-alikes that speak for them, and who ruled others out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import between
from core.prediction import Prediction
from core.problem import NOBODY, Problem

SHOWN = 5  # look-alikes and names shown at most


@dataclass(frozen=True)
class Considered:
    """A name (empty: nobody), how probable it is, whether the face's own caption holds it, and in how many look-alikes'
    captions it stands."""

    name: str
    score: float
    in_caption: bool
    look_alike_captions: int


@dataclass(frozen=True)
class LookAlike:
    """A face of another frame that looks like this one, how alike (cosine), and the name it got (empty: nobody)."""

    face: int
    group: int
    similarity: float
    name: str
    confidence: float


@dataclass(frozen=True)
class RuledOut:
    """A name of the caption that went to another face of the frame."""

    name: str
    by_face: int
    confidence: float


@dataclass(frozen=True)
class Explanation:
    """Why face ``face`` got its name."""

    face: int
    considered: tuple[Considered, ...]  # the answer, then the most probable first
    look_alikes: tuple[LookAlike, ...]  # most alike first
    ruled_out: tuple[RuledOut, ...]


def explain(problem: Problem, prediction: Prediction, face: int) -> Explanation:
    """The evidence behind one face's answer."""
    look_alikes = _look_alikes(problem, prediction, face)
    return Explanation(
        face=face,
        considered=_considered(problem, prediction, face, look_alikes),
        look_alikes=look_alikes,
        ruled_out=_ruled_out(problem, prediction, face),
    )


def _caption(problem: Problem, group: int) -> set[str]:
    return {problem.names[k] for k in problem.mention_name[between(problem.mention_group, group, group + 1)]}


def _considered(
    problem: Problem, prediction: Prediction, face: int, look_alikes: tuple[LookAlike, ...]
) -> tuple[Considered, ...]:
    own = _caption(problem, int(problem.group[face]))
    others = [_caption(problem, alike.group) for alike in look_alikes]
    found = ((prediction.names[k] if k != NOBODY else "", chance) for k, chance in prediction.ranked(face)[:SHOWN])
    return tuple(Considered(n, chance, n in own, sum(n in other for other in others)) for n, chance in found if chance > 0)


def _look_alikes(problem: Problem, prediction: Prediction, face: int) -> tuple[LookAlike, ...]:
    evidence = prediction.scores.evidence
    if evidence is None:
        return ()
    pairs = zip(evidence.neighbours[face, :SHOWN].tolist(), evidence.cosine[face, :SHOWN].tolist(), strict=True)
    return tuple(
        LookAlike(
            other, int(problem.group[other]), cosine, prediction.label(other) or "", float(prediction.confidence[other])
        )
        for other, cosine in pairs
        if cosine > 0 and problem.group[other] != problem.group[face]
    )


def _ruled_out(problem: Problem, prediction: Prediction, face: int) -> tuple[RuledOut, ...]:
    """Names of the frame's caption that other faces of the frame hold."""
    own = _caption(problem, int(problem.group[face]))
    mates = np.flatnonzero((problem.group == problem.group[face]) & (prediction.name != NOBODY))
    return tuple(
        RuledOut(label, int(mate), float(prediction.confidence[mate]))
        for mate in mates.tolist()
        if mate != face and (label := prediction.label(mate) or "") in own and label != prediction.label(face)
    )
