"""The track is the unit of decisions: what people say of one of its faces holds for the others, until they say otherwise."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import numpy as np

from core.problem import IntArray
from core.store.decisions.log import NO_FACE, Answer, Log


def track_answers(log: Log, face: IntArray, track: IntArray, without: frozenset[int] = frozenset()) -> dict[int, Answer]:
    """By face, the answer that it has from its track: faces of which nobody said anything, and whose track has one answer.

    Two answers that differ split a track: what it then holds for the other faces is open. A face that was refused the name
    does not get it either.
    """
    known = (number for number in log.settled if number not in without)
    said = {number: answer for number in known if (answer := log.standing(number).answer) is not None}
    if not said:
        return {}
    answered = np.isin(face, np.fromiter(said, np.int64, len(said)))
    given: defaultdict[int, list[Answer]] = defaultdict(list)
    for number, of in zip(face[answered & (track >= 0)].tolist(), track[answered & (track >= 0)].tolist(), strict=True):
        given[of].append(said[number])
    agreed = {of: answers[-1] for of, answers in given.items() if len({answer.name for answer in answers}) == 1}
    others = np.flatnonzero(~answered & np.isin(track, np.fromiter(agreed, np.int64, len(agreed))))
    found = {}
    for number, of in zip(face[others].tolist(), track[others].tolist(), strict=True):
        standing, answer = log.standing(number), agreed[of]
        if not standing.answers and answer.name not in standing.refused:
            found[number] = answer
    return found


def not_faces(answers: Mapping[int, Answer]) -> set[int]:
    """Those that are no faces, as their tracks are not."""
    return {face for face, answer in answers.items() if answer.name == NO_FACE}
