"""Why a face of a project got its name: ``core.explain`` in the project's numbers, without the embeddings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.explain import Explanation, explain
from core.prediction import Prediction
from core.problem import IntArray, Problem
from core.store.runs import Solved

if TYPE_CHECKING:
    from core.project import Project


@dataclass(frozen=True, eq=False)
class Known:
    """What explaining needs of a run: who is in which frame, and who is named there. Dear to make, so keep it."""

    solved: Solved
    problem: Problem  # without features
    prediction: Prediction  # with the names as they are called now
    frame: IntArray  # by group


def known(project: Project) -> Known | None:
    """For the last run; None before the first."""
    solved, now, log = project.solved(), project.now(), project.log()
    if solved is None:
        return None
    place = np.minimum(np.searchsorted(now.face, solved.face), max(len(now.face) - 1, 0))
    there = now.face[place] == solved.face if len(now.face) else np.zeros(len(solved.face), bool)
    frame_of = np.where(there, now.frame[place] if len(now.face) else -1, -1)  # what is no face any more is in no frame
    frames, group = np.unique(frame_of, return_inverse=True)
    mentions, names = project.all_mentions(), dict[str, int]()
    pairs = [
        (group, names.setdefault(mention.name, len(names)))
        for group, frame in enumerate(frames.tolist())
        for mention in mentions.get(frame, ())
    ]
    mention_group, mention_name = np.array(pairs, np.int64).reshape(-1, 2).T
    problem = Problem(np.zeros((0, 0), np.float32), group, tuple(names), mention_group, mention_name, len(frames))
    called = tuple(log.text(int(name)) for name in solved.name_id)
    return Known(solved, problem, replace(solved.prediction, names=called), frames)


def explained(known: Known, face: int) -> Explanation | None:
    """The evidence behind one face's answer, its faces and groups as the project numbers them; None for a new face."""
    row = known.solved.row(face)
    if row is None:
        return None
    found = explain(known.problem, known.prediction, row)
    numbers = known.solved.face
    return Explanation(
        face,
        found.considered,
        tuple(replace(a, face=int(numbers[a.face]), group=int(known.frame[a.group])) for a in found.look_alikes),
        tuple(replace(r, by_face=int(numbers[r.by_face])) for r in found.ruled_out),
    )
