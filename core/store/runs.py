"""Runs as files: the answer, the names considered and the evidence, for drawing links, explaining and comparing.

Names are kept as numbers of the project's name table, so a rename shows everywhere and a removed name is nowhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from core.errors import BadInput
from core.formats import whole_file
from core.formats.arrays import Arrays
from core.prediction import Evidence, Prediction, Scores
from core.problem import IntArray

LIKELY = 0.5  # the chance above which two faces count as one person


@dataclass(frozen=True)
class Run:
    """One run of a method, as the log of runs has it."""

    id: int
    method: str
    settings: str
    seed: int
    at: str
    seconds: float
    faces: int
    answered: int  # faces that people had answered by then
    version: int  # of the log of decisions that the run took as fixed
    accuracy: float | None  # where the truth is known


@dataclass(frozen=True, eq=False)
class Solved:
    """A run's answer. Row ``i`` of the prediction is the face ``face[i]``; its names are ``name_id``, in their order."""

    run: Run
    face: IntArray
    name_id: IntArray
    prediction: Prediction
    order: IntArray  # faces (their numbers) by how much an answer helps, the most helpful first

    def row(self, face: int) -> int | None:
        """The prediction's row of a face, or None if the run did not know it."""
        place = int(np.searchsorted(self.face, face))
        return place if place < len(self.face) and self.face[place] == face else None

    @cached_property
    def person(self) -> IntArray:
        """By row, the person that it most probably shows, named ones first; -1 where that is open."""
        found = np.full(len(self.face), -1, np.int64)
        if self.prediction.scores.evidence is not None:
            persons = self.prediction.scores.evidence.persons.tocoo()
            likely = persons.data > LIKELY
            found[persons.coords[0][likely]] = persons.coords[1][likely]
        return found


@dataclass(frozen=True)
class Changed:
    """A face whose name two runs see differently. Names are numbers of the name table, or ``NOBODY``."""

    face: int
    before: int
    after: int
    confidence_before: float
    confidence_after: float


def write(path: Path, face: IntArray, name_id: IntArray, prediction: Prediction, order: IntArray) -> None:
    scores = prediction.scores
    arrays: dict[str, Any] = {"face": face, "name_id": name_id, "order": order}
    arrays |= {"name": prediction.name, "confidence": prediction.confidence}
    arrays |= {"score_face": scores.face, "score_name": scores.name, "score": scores.score}
    if scores.nobody is not None:
        arrays["nobody"] = scores.nobody
    if scores.evidence is not None:
        persons = scores.evidence.persons
        arrays |= {"person_value": persons.data, "person_column": persons.indices, "person_row": persons.indptr}
        arrays["persons"] = np.array(persons.shape)
        arrays |= {"neighbours": scores.evidence.neighbours, "cosine": scores.evidence.cosine}
    path.parent.mkdir(parents=True, exist_ok=True)
    whole_file(path, lambda file: np.savez(file, **arrays))


def read(path: Path, run: Run, texts: dict[int, str]) -> Solved:
    """The run in ``path``, its names called as they are now."""
    try:
        with Arrays(path) as archive:
            arrays: dict[str, Any] = dict(archive)
        evidence = None
        if "persons" in arrays:
            table = (arrays["person_value"], arrays["person_column"], arrays["person_row"])
            persons = csr_array(table, shape=tuple(arrays["persons"].tolist()))
            persons.check_format(full_check=True)  # else a damaged table would lead out of its own memory
            evidence = Evidence(persons, arrays["neighbours"], arrays["cosine"])
        scores = Scores(arrays["score_face"], arrays["score_name"], arrays["score"], arrays.get("nobody"), evidence)
        names = tuple(texts.get(int(name), "") for name in arrays["name_id"])
        prediction = Prediction(names, arrays["name"], arrays["confidence"], scores)
        found = Solved(run, arrays["face"], arrays["name_id"], prediction, arrays["order"])
        _check(found)
    except Exception as error:  # a damaged file may fail in any way inside zipfile, NumPy or SciPy
        raise BadInput(f"{path}: the answer of this run is lost or damaged; run again") from error
    return found


def _check(solved: Solved) -> None:
    """Refuses an answer whose parts do not fit each other."""
    faces, names, scores = len(solved.face), len(solved.name_id), solved.prediction.scores
    places = (solved.prediction.name, -1, names), (scores.face, 0, faces), (scores.name, 0, names)
    for index, least, end in (*places, (solved.face, 0, 1 << 62), (solved.order, 0, 1 << 62)):
        if index.ndim != 1 or index.dtype.kind != "i" or (index.size and not least <= index.min() <= index.max() < end):
            raise ValueError("a number points outside of its table")
    rows = [solved.prediction.name, solved.prediction.confidence]
    rows += [part for part in (scores.nobody,) if part is not None]
    if scores.evidence is not None:
        evidence = scores.evidence
        rows += [evidence.neighbours, evidence.cosine]
        if evidence.persons.shape[0] != faces or evidence.neighbours.shape != evidence.cosine.shape:
            raise ValueError("the evidence is not about these faces")
        if evidence.neighbours.size and not -1 <= evidence.neighbours.min() <= evidence.neighbours.max() < faces:
            raise ValueError("a neighbour is no face")
    if {len(part) for part in rows} != {faces} or len({len(part) for part in (scores.face, scores.name, scores.score)}) != 1:
        raise ValueError("the tables differ in length")
    if (np.diff(solved.face) <= 0).any() or len(np.unique(solved.name_id)) != names:
        raise ValueError("a face or a name is there twice")
    if any(part.dtype.kind != "f" for part in (solved.prediction.confidence, scores.score)):
        raise ValueError("what should be numbers is not")


def compare(before: Solved, after: Solved, root: dict[int, int]) -> list[Changed]:
    """The faces of both runs that got another name, the surest change first. ``root``: what merged names became."""
    _, old, new = np.intersect1d(before.face, after.face, assume_unique=True, return_indices=True)
    was, now = named(before, root)[old], named(after, root)[new]
    sure_was, sure_now = before.prediction.confidence[old], after.prediction.confidence[new]
    differ = np.flatnonzero(was != now)
    differ = differ[np.argsort(-sure_now[differ], kind="stable")]
    return [
        Changed(int(after.face[new[k]]), int(was[k]), int(now[k]), float(sure_was[k]), float(sure_now[k])) for k in differ
    ]


def named(solved: Solved, root: dict[int, int]) -> IntArray:
    """Each face's name as a number of the name table, or ``NOBODY``."""
    ids = np.array([root.get(int(name), int(name)) for name in solved.name_id] + [-1], np.int64)
    return np.asarray(ids[solved.prediction.name])
