"""Methods side by side: each names the faces around what people said; the answers are kept beside the runs.

What Review shows stays as it is: that is the last run, whatever was compared since.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from core import metrics
from core.corrections import Correction
from core.errors import BadInput
from core.formats import whole_file
from core.formats.arrays import Arrays
from core.problem import NOBODY, FloatArray, IntArray
from core.progress import Progress
from core.store import files
from core.store.contents import now
from core.store.runs import named

if TYPE_CHECKING:
    from pathlib import Path

    from core.project import Project


@dataclass(frozen=True, eq=False)
class Compared:
    """A method's answer. ``name`` holds numbers of the project's name table, or ``NOBODY``, in the order of ``face``."""

    method: str
    at: str
    seconds: float
    version: int  # of the log of decisions that it took as fixed
    face: IntArray
    name: IntArray
    confidence: FloatArray


def compare(project: Project, methods: Sequence[str], seed: int, progress: Progress) -> list[Compared]:
    """Lets each method name the faces on the present corrections, and keeps the answers."""
    from core.solve import METHODS, solve
    from core.store.solving import corrections, problem

    for method in methods:
        if method not in METHODS:
            raise BadInput(f"there is no method {method!r}; choose from {', '.join(METHODS)}")
    version, said = project.log().version, corrections(project)
    asked, ids = problem(project)
    place = {face: k for k, face in enumerate(ids)}
    fixed = [Correction(place[c.face], c.kind, c.name) for face in said if face in place for c in said[face]]
    for number, method in enumerate(methods):
        title = f"{method} ({number + 1} of {len(methods)})"
        progress(title, 0, 1)
        began = perf_counter()
        prediction = solve(asked, method, fixed, seed, _within(progress, title))
        seconds = perf_counter() - began
        with project.database.transaction():
            numbers = np.array([*(project.name_number(name) for name in prediction.names), -1], np.int64)
        _write(project, method, seconds, version, np.array(ids), numbers[prediction.name], prediction.confidence)
    return compared(project)


def compared(project: Project) -> list[Compared]:
    """What was compared, in the order of the methods' names; an answer that cannot be read is left out."""
    found = []
    for path in sorted(_folder(project).glob("*.npz")):
        try:
            with Arrays(path) as archive:
                found.append(
                    Compared(
                        path.stem,
                        str(archive["at"]),
                        float(archive["seconds"]),
                        int(archive["version"]),
                        archive["face"],
                        archive["name"],
                        archive["confidence"],
                    )
                )
        except (OSError, ValueError, KeyError):
            continue
    return found


@dataclass(frozen=True)
class Judged:
    """How a method fares on this project; ``accuracy`` and ``f1`` where the truth is known."""

    method: str
    agreement: float  # the share of faces on which it says the same as the last run
    named: float  # the share of faces that it gives a name
    confidence: float  # on average
    seconds: float
    fresh: bool  # it knew all that people have said by now
    accuracy: float | None
    f1: float | None


def judged(project: Project, truth: IntArray | None, ids: Sequence[int]) -> list[Judged]:
    """All methods that were compared. ``truth``: for the faces ``ids`` the number of their name, or ``NOBODY``."""
    log, solved = project.log(), project.solved()
    merged = log.merged()
    found = []
    for one in compared(project):
        name = renamed(one.name, merged)
        agreement = float("nan")
        if solved is not None:
            _, mine, theirs = np.intersect1d(one.face, solved.face, assume_unique=True, return_indices=True)
            agreement = float(np.mean(name[mine] == named(solved, merged)[theirs])) if len(mine) else float("nan")
        accuracy = f1 = None
        if truth is not None:
            answer = aligned(one.face, name, ids)
            accuracy, f1 = metrics.accuracy(answer, truth), metrics.f1(answer, truth)
        found.append(
            Judged(
                method=one.method,
                agreement=agreement,
                named=float(np.mean(name != NOBODY)),
                confidence=float(one.confidence.mean()),
                seconds=one.seconds,
                fresh=one.version == log.version,
                accuracy=accuracy,
                f1=f1,
            )
        )
    return found


def renamed(name: IntArray, merged: dict[int, int]) -> IntArray:
    """Numbers of names with those that were merged put into one."""
    if not merged:
        return name
    table = np.arange(-1, max(int(name.max(initial=-1)), *merged) + 1)
    table[np.array(list(merged)) + 1] = list(merged.values())
    return np.asarray(table[name + 1])


def aligned(face: IntArray, name: IntArray, ids: Sequence[int]) -> IntArray:
    """The names of the faces ``ids``; of one that is not there nobody."""
    wanted = np.asarray(ids, np.int64)
    place = np.minimum(np.searchsorted(face, wanted), max(len(face) - 1, 0))
    return np.where(face[place] == wanted, name[place], NOBODY) if len(face) else np.full(len(wanted), NOBODY)


def forget_compared(project: Project) -> None:
    files.erase(_folder(project))


def _folder(project: Project) -> Path:
    return project.folder / files.RUNS / "compared"


def _within(progress: Progress, title: str) -> Progress:
    """Tells of a method's own stages under the method's name."""

    def tell(stage: str, done: int, total: int, value: float | None = None) -> None:
        progress(title, done, total, value)

    return tell


def _write(
    project: Project, method: str, seconds: float, version: int, face: IntArray, name: IntArray, confidence: FloatArray
) -> None:
    path = _folder(project) / f"{method}.npz"
    path.parent.mkdir(parents=True, exist_ok=True)
    arrays: dict[str, Any] = {"face": face, "name": name, "confidence": confidence}
    arrays |= {"at": np.array(now()), "seconds": np.array(seconds), "version": np.array(version)}
    whole_file(path, lambda file: np.savez(file, **arrays))
