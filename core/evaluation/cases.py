"""Single frames side by side with the best baseline, and our failures: the paper's last two figures as text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.evaluation.ambiguity import kinds
from core.evaluation.measure import markdown
from core.problem import NOBODY, IntArray, Problem


@dataclass(frozen=True)
class Case:
    """One frame: what its caption names, and for each face the truth, our answer and the other method's."""

    group: int
    caption: tuple[str, ...]
    faces: tuple[int, ...]
    truth: tuple[str, ...]
    ours: tuple[str, ...]
    other: tuple[str, ...]


def choose(
    problem: Problem, ours: IntArray, other: IntArray, which: Literal["wins", "failures"], many: int = 5
) -> list[Case]:
    """Frames where we are right and the other method errs most (wins), or where we err most (failures).

    Frames that hold more kinds of faces (named here, named elsewhere, nobody) come first, then those with more errors.
    """
    truth = problem.truth
    assert truth is not None
    wrong, missed = (np.bincount(problem.group, said != truth, minlength=problem.groups) for said in (ours, other))
    held = [np.bincount(problem.group, faces, minlength=problem.groups) > 0 for faces in kinds(problem).values()]
    variety = np.sum(held, axis=0)
    fits, worth = (wrong == 0) & (missed > 0) if which == "wins" else wrong > 0, missed if which == "wins" else wrong
    order = np.lexsort((np.arange(problem.groups), -worth, -variety))
    captions = problem.candidates()
    return [_case(problem, group, captions[group], ours, other) for group in order[fits[order]][:many].tolist()]


def case_table(cases: list[Case], ours: str, other: str) -> str:
    """A row a frame, its faces one below the other; ✗ marks a wrong answer."""

    def told(said: tuple[str, ...], truth: tuple[str, ...]) -> str:
        return "<br>".join(name if name == right else f"{name} ✗" for name, right in zip(said, truth, strict=True))

    rows = [
        [
            str(case.group),
            ", ".join(case.caption) or "(no name)",
            "<br>".join(case.truth),
            told(case.ours, case.truth),
            told(case.other, case.truth),
        ]
        for case in cases
    ]
    return markdown(["frame", "names in its caption", "truth", ours, other], rows)


def _case(problem: Problem, group: int, caption: list[str], ours: IntArray, other: IntArray) -> Case:
    assert problem.truth is not None
    faces = np.flatnonzero(problem.group == group).tolist()

    def names(said: IntArray) -> tuple[str, ...]:
        return tuple("nobody" if said[face] == NOBODY else problem.names[said[face]] for face in faces)

    return Case(group, tuple(caption), tuple(faces), names(problem.truth), names(ours), names(other))
