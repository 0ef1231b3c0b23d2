"""Methods side by side: each names the faces around what people said; the answers are kept beside the runs.

What Review shows stays as it is: that is the last run, whatever was compared since.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from core.errors import BadInput
from core.evaluation import metrics
from core.formats import whole_file
from core.formats.read.arrays import Arrays
from core.problem import NOBODY, FloatArray, IntArray, Problem
from core.progress import Progress, silent
from core.solve import METHODS, solve
from core.store import files
from core.store.decisions.log import Log
from core.store.reader import Reader
from core.store.runs.solving import question
from core.store.tables.database import timestamp

LAST = "last run"


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


def compared(folder: Path) -> list[Compared]:
    """What was compared, in the order of the methods' names; an answer that cannot be read is left out."""
    found = []
    for path in sorted(_folder(folder).glob("*.npz")):
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


@dataclass(frozen=True, eq=False)
class Comparison:
    """Methods on one project: ``compare`` asks them, ``judged`` and ``answers`` say what they answered."""

    reader: Reader

    def compare(self, methods: Sequence[str], seed: int = 0, progress: Progress = silent) -> list[Compared]:
        """Lets each method name the faces on the present corrections, and keeps the answers."""
        for method in methods:
            if method not in METHODS:
                raise BadInput(f"there is no method {method!r}; choose from {', '.join(METHODS)}")
        asked = question(self.reader)
        for number, method in enumerate(methods):
            title = f"{method} ({number + 1} of {len(methods)})"
            progress(title, 0, 1)
            began = perf_counter()
            prediction = solve(asked.problem, method, asked.corrections, seed, _within(progress, title))
            seconds = perf_counter() - began
            with self.reader.database.transaction():
                numbers = np.array([*(self.reader.logs.name_number(name) for name in prediction.names), NOBODY], np.int64)
            name = numbers[prediction.name]
            answer = Compared(method, timestamp(), seconds, asked.version, asked.face, name, prediction.confidence)
            _write(_folder(self.reader.folder) / f"{method}.npz", answer)
        return compared(self.reader.folder)

    def judged(self, problem: Problem, ids: Sequence[int]) -> list[Judged]:
        """All methods that were compared; ``problem`` is the project's, ``ids`` are the numbers of its faces."""
        log, solved = self.reader.log(), self.reader.solved()
        merged = log.merged()
        found = []
        for one in compared(self.reader.folder):
            name = _merged(one.name, merged)
            agreement = float("nan")
            if solved is not None:
                _, mine, theirs = np.intersect1d(one.face, solved.face, assume_unique=True, return_indices=True)
                agreement = float(np.mean(name[mine] == solved.name[theirs])) if len(mine) else float("nan")
            accuracy = f1 = None
            if problem.truth is not None:
                answer = _in_problem(log, problem, ids, one.face, name)
                accuracy, f1 = metrics.accuracy(answer, problem.truth), metrics.f1(answer, problem.truth)
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

    def answers(self, problem: Problem, ids: Sequence[int]) -> dict[str, IntArray]:
        """By method, who each face of the problem is: the last run (under ``LAST``), then what was compared.

        Names are indices of the problem; a name that the problem does not have is -2.
        """
        log, solved = self.reader.log(), self.reader.solved()
        merged, found = log.merged(), {}
        if solved is not None:
            found[LAST] = _in_problem(log, problem, ids, solved.face, solved.name)
        for one in compared(self.reader.folder):
            if one.method != "rollcall" or solved is None or solved.run.method != "rollcall":
                found[one.method] = _in_problem(log, problem, ids, one.face, _merged(one.name, merged))
        return found


def _in_problem(log: Log, problem: Problem, ids: Sequence[int], face: IntArray, name: IntArray) -> IntArray:
    """The answers about the faces ``ids`` as the problem's name indices; of a face that has none, nobody."""
    numbers = np.full(len(ids), NOBODY, np.int64)
    _, here, there = np.intersect1d(ids, face, assume_unique=True, return_indices=True)
    numbers[here] = name[there]
    index = {text: k for k, text in enumerate(problem.names)}
    table = np.full(max(log.original, default=-1) + 2, -2, np.int64)  # by the name's number plus one
    table[[number + 1 for number in log.original]] = [index.get(log.text(number), -2) for number in log.original]
    table[0] = NOBODY
    return np.asarray(table[numbers + 1])


def _merged(name: IntArray, merged: dict[int, int]) -> IntArray:
    """Numbers of names with those that were merged put into one."""
    if not merged:
        return name
    table = np.arange(-1, max(int(name.max(initial=-1)), *merged) + 1)
    table[np.array(list(merged)) + 1] = list(merged.values())
    return np.asarray(table[name + 1])


def forget_compared(folder: Path) -> None:
    files.erase(_folder(folder))


def _folder(folder: Path) -> Path:
    return folder / files.RUNS / "compared"


def _within(progress: Progress, title: str) -> Progress:
    """Tells of a method's own stages under the method's name."""

    def tell(stage: str, done: int, total: int, value: float | None = None) -> None:
        progress(title, done, total, value)

    return tell


def _write(path: Path, answer: Compared) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    arrays: dict[str, Any] = {"face": answer.face, "name": answer.name, "confidence": answer.confidence}
    arrays |= {"at": np.array(answer.at), "seconds": np.array(answer.seconds), "version": np.array(answer.version)}
    whole_file(path, lambda file: np.savez(file, **arrays))
