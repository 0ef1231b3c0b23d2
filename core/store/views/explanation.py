"""Why a face of a project got its name: ``core.review.explain`` in the project's numbers, without the embeddings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from core.problem import IntArray, Problem
from core.records import Mention
from core.review.explain import Explanation, explain
from core.store.runs.answers import Solved
from core.store.views.current_labels import CurrentLabels


@dataclass(frozen=True, eq=False)
class Explainer:
    """What explaining needs of a run: who is in which frame, and who is named there. Slow to make, so keep it."""

    solved: Solved
    problem: Problem  # without features
    frame: IntArray  # by group

    def explain(self, face: int) -> Explanation | None:
        """The evidence behind one face's answer, with the project's numbers of faces and frames; None for a new face."""
        row = self.solved.row(face)
        if row is None:
            return None
        found, numbers = explain(self.problem, self.solved.prediction, row), self.solved.face
        return Explanation(
            face,
            found.considered,
            tuple(replace(a, face=int(numbers[a.face]), group=int(self.frame[a.group])) for a in found.look_alikes),
            tuple(replace(r, by_face=int(numbers[r.by_face])) for r in found.ruled_out),
        )


def explainer(solved: Solved, labels: CurrentLabels, mentions: Mapping[int, tuple[Mention, ...]]) -> Explainer:
    frame_of = np.full(len(solved.face), -1, np.int64)  # what is no face any more is in no frame
    _, here, there = np.intersect1d(solved.face, labels.face, assume_unique=True, return_indices=True)
    frame_of[here] = labels.frame[there]
    frames, group = np.unique(frame_of, return_inverse=True)
    names: dict[str, int] = {}
    pairs = [
        (group, names.setdefault(mention.name, len(names)))
        for group, frame in enumerate(frames.tolist())
        for mention in mentions.get(frame, ())
    ]
    mention_group, mention_name = np.array(pairs, np.int64).reshape(-1, 2).T
    problem = Problem(np.zeros((0, 0), np.float32), group, tuple(names), mention_group, mention_name, len(frames))
    return Explainer(solved, problem, frames)
