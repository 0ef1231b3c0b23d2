"""Runs' answers: a file a run with the prediction, its evidence and the order in which to ask about faces.

A file holds names as numbers of the project's name table, so a rename shows everywhere and a removed name is nowhere.
What is read has the names as they are called now, merged ones as one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from core.arrays import find
from core.errors import BadInput
from core.formats import whole_file
from core.formats.read.arrays import Arrays
from core.prediction import Evidence, Prediction, Scores
from core.problem import NOBODY, FloatArray, IntArray
from core.store.decisions.log import Log
from core.store.tables.run_table import Run

LIKELY = 0.5  # the chance above which two faces count as one person
UNKNOWN = -2  # beside a name's number and ``NOBODY``: there is no answer yet


@dataclass(frozen=True)
class Counts:
    """How many faces there are, how many have a name, and of how many nobody knows yet who they are."""

    faces: int
    named: int
    unknown: int

    @property
    def nobody(self) -> int:
        return self.faces - self.named - self.unknown

    def text(self) -> str:
        """
        >>> Counts(78, 41, 30).text(), Counts(2, 2, 0).text()
        ('named 41 of 78 faces; 30 unknown: name a group to go on', 'named 2 of 2 faces')
        """
        rest = f"; {self.unknown:,} unknown: name a group to go on" if self.unknown else ""
        return f"named {self.named:,} of {self.faces:,} face{'' if self.faces == 1 else 's'}{rest}"


@dataclass(frozen=True, eq=False)
class Solved:
    """A run's answer. Row ``i`` of the prediction is the face ``face[i]``; its names have the numbers ``name_id``."""

    run: Run
    face: IntArray
    name_id: IntArray
    prediction: Prediction
    order: IntArray  # faces (their numbers) by how much an answer helps, the most helpful first

    def row(self, face: int) -> int | None:
        """The prediction's row of a face, or None if the run did not know it."""
        place = int(find(self.face, np.array(face)))
        return place if place >= 0 else None

    @cached_property
    def name(self) -> IntArray:
        """By row, the number of the name that the face got, or ``NOBODY``."""
        return np.asarray(np.r_[self.name_id, NOBODY][self.prediction.name])

    @cached_property
    def given(self) -> IntArray:
        """By row, the number of the name that was given, ``NOBODY`` or ``UNKNOWN``."""
        return np.where(self.prediction.unknown, UNKNOWN, self.name)

    @cached_property
    def counts(self) -> Counts:
        """What the run came to."""
        named, unknown = int((self.given >= 0).sum()), int(self.prediction.unknown.sum())
        return Counts(len(self.face), named, unknown)

    def ranked(self, row: int) -> list[tuple[int, float]]:
        """The names considered for a row as numbers of the name table, or ``NOBODY``; see ``Prediction.ranked``."""
        return [(int(self.name_id[k]) if k != NOBODY else NOBODY, chance) for k, chance in self.prediction.ranked(row)]

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
    """A face whose name two runs see differently. Names are numbers of the name table, ``NOBODY`` or ``UNKNOWN``."""

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


def read(path: Path, run: Run) -> Solved:
    """The run in ``path`` as it was written; the prediction's names have no texts yet."""
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
        prediction = Prediction(("",) * len(arrays["name_id"]), arrays["name"], arrays["confidence"], scores)
        found = Solved(run, arrays["face"], arrays["name_id"], prediction, arrays["order"])
        _check(found)
    except Exception as error:  # a damaged file may fail in any way inside zipfile, NumPy or SciPy
        raise BadInput(f"{path}: the answer of this run is lost or damaged; run again") from error
    return found


def write_prediction(path: Path, prediction: Prediction) -> None:
    """Writes a prediction that belongs to no run yet; its names go beside the file."""
    nothing = np.zeros(0, np.int64)
    write(path, np.arange(len(prediction.name)), np.arange(len(prediction.names)), prediction, nothing)


def read_prediction(path: Path, names: Sequence[str]) -> Prediction:
    """The prediction that ``write_prediction`` wrote, with its names."""
    no_run = Run(0, "", "{}", 0, "", 0.0, 0, 0, 0, None)
    found = read(path, no_run).prediction
    if len(found.names) != len(names):
        raise BadInput(f"{path}: {len(names)} names are given for {len(found.names)}; run again")
    return replace(found, names=tuple(names))


def in_current_names(solved: Solved, log: Log) -> Solved:
    """The answer with its names called as they are now; what merged names scored adds up."""
    roots = np.array([log.root(int(name)) for name in solved.name_id], np.int64)
    _, first, index = np.unique(roots, return_index=True, return_inverse=True)
    index, kept = np.argsort(np.argsort(first))[index], roots[np.sort(first)]  # merged ones stand where the first stood
    prediction = solved.prediction
    if len(kept) < len(roots):
        prediction = replace(
            prediction,
            name=np.r_[index, NOBODY][prediction.name],
            confidence=_merged_confidence(prediction, index),
            scores=_merged_scores(prediction.scores, index, len(kept)),
        )
    names = tuple(log.text(int(name)) for name in kept)
    return replace(solved, name_id=kept, prediction=replace(prediction, names=names))


def _merged_confidence(prediction: Prediction, index: IntArray) -> FloatArray:
    """How sure each answer is, with the probabilities of names that are now the same."""
    scores, answer = prediction.scores, prediction.name[prediction.scores.face]
    joined = (answer != NOBODY) & (answer != scores.name) & (np.r_[index, NOBODY][answer] == index[scores.name])
    gain = np.where(joined, prediction.probabilities[0], 0.0)
    return np.asarray(prediction.confidence + np.bincount(scores.face, gain, minlength=len(prediction.name)))


def _merged_scores(scores: Scores, index: IntArray, names: int) -> Scores:
    """The scores of names that are numbered anew: ``index`` gives for each name its new number below ``names``."""
    key, place = np.unique(scores.face * names + index[scores.name], return_inverse=True)
    score = np.bincount(place, scores.score, minlength=len(key)).astype(np.float64)  # a count where there is no score
    evidence = scores.evidence
    if evidence is not None:
        unnamed = evidence.persons.shape[1] - len(index)
        column = np.r_[index, names + np.arange(unnamed)]
        merge = csr_array((np.ones(len(column), np.float32), (np.arange(len(column)), column)))
        evidence = replace(evidence, persons=csr_array(evidence.persons @ merge))
    return replace(scores, face=key // names, name=key % names, score=score, evidence=evidence)


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
        if evidence.persons.shape[0] != faces or evidence.persons.shape[1] < names:
            raise ValueError("the evidence is not about these faces and names")
        if evidence.neighbours.shape != evidence.cosine.shape:
            raise ValueError("look-alikes and how alike they are differ in number")
        if evidence.neighbours.size and not -1 <= evidence.neighbours.min() <= evidence.neighbours.max() < faces:
            raise ValueError("a neighbour is no face")
    if {len(part) for part in rows} != {faces} or len({len(part) for part in (scores.face, scores.name, scores.score)}) != 1:
        raise ValueError("the tables differ in length")
    if (np.diff(scores.face) < 0).any():
        raise ValueError("the scores are not in the faces' order")
    if (np.diff(solved.face) <= 0).any() or len(np.unique(solved.name_id)) != names:
        raise ValueError("a face or a name is there twice")
    if any(part.dtype.kind != "f" for part in (solved.prediction.confidence, scores.score)):
        raise ValueError("what should be numbers is not")


def compare(before: Solved, after: Solved) -> list[Changed]:
    """The faces of both runs that got another answer, the surest change first."""
    _, old, new = np.intersect1d(before.face, after.face, assume_unique=True, return_indices=True)
    was, now = before.given[old], after.given[new]
    sure_was, sure_now = before.prediction.confidence[old], after.prediction.confidence[new]
    differ = np.flatnonzero(was != now)
    differ = differ[np.argsort(-sure_now[differ], kind="stable")]
    return [
        Changed(int(after.face[new[k]]), int(was[k]), int(now[k]), float(sure_was[k]), float(sure_now[k])) for k in differ
    ]
