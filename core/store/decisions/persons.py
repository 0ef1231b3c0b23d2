"""Who is one person and who is two, by people's word: each such word is a step with two entries, one for each face."""

from __future__ import annotations

from dataclasses import dataclass

from core.store.decisions.entries import JUDGEMENTS, TAKEN_OUT
from core.store.decisions.log import Log

Pair = tuple[int, int]


@dataclass(frozen=True)
class Judged:
    """Pairs of faces, the smaller number first, in the order in which people spoke of them."""

    same: tuple[Pair, ...]
    apart: tuple[Pair, ...]


def judged(log: Log) -> Judged:
    """What holds now: of a pair the latest word counts, whoever said it. Half a step, the rest hidden, says nothing."""
    steps: dict[str, list[int]] = {}
    kinds: dict[str, str] = {}
    for entry in log.about_persons:
        if log.in_force(entry) and entry.face is not None:
            steps.setdefault(entry.step, []).append(entry.face)
            kinds[entry.step] = entry.kind
    last: dict[Pair, str] = {}
    for step, faces in steps.items():
        if len(faces) == 2:
            pair = min(faces), max(faces)
            last.pop(pair, None)
            last[pair] = kinds[step]
    same, apart = ([pair for pair, kind in last.items() if kind == wanted] for wanted in JUDGEMENTS)
    return Judged(tuple(same), tuple(apart))


def strays(log: Log, faces: set[int]) -> set[int]:
    """Those of ``faces`` that somebody left out of a group when naming it; a whole group that is somebody else is none."""
    found = set()
    for face in faces:
        for entry in log.about(face):
            if entry.kind == "is not" and log.in_force(entry):
                whole = any(other.kind in JUDGEMENTS for other in log.of_step(entry.step))
                found |= set() if whole else {face}
            elif entry.kind in ("open", TAKEN_OUT) and log.in_force(entry):
                found.discard(face)
    return found
