"""Who is in a project: named people, strangers who return, who appears when and with whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.problem import IntArray
from core.store.decisions.log import Log
from core.store.reader import Reader
from core.store.runs.answers import LIKELY, Solved
from core.store.views import appearances
from core.store.views.appearances import Appearances, Together
from core.store.views.current_labels import OPEN, UNKNOWN, CurrentLabels

MOST = 0.9  # the share of faces that must be known for a project to be sure
DOUBT = 0.8  # a machine's answer below this confidence is doubtful


@dataclass(frozen=True, eq=False)
class Person:
    """A name, or somebody unnamed who returns (``name`` is ""), with the faces, the surest first."""

    name: str
    faces: IntArray
    settled: int
    doubtful: int = 0  # open faces of which the machine is not sure


@dataclass(frozen=True, eq=False)
class People:
    reader: Reader

    def named(self) -> list[Person]:
        """All names with their faces, the surest first; those with most faces come first, a name nobody bears last."""
        return _named(self.reader.current_labels(), self.reader.log(), self.reader.names())

    def names(self) -> list[str]:
        """All names, those with most faces first: the order of ``named``, without the faces."""
        labels, log = self.reader.current_labels(), self.reader.log()
        numbers, many = np.unique(labels.name[labels.name >= 0], return_counts=True)
        faces = dict.fromkeys(self.reader.names(), 0)
        faces |= {log.text(name): count for name, count in zip(numbers.tolist(), many.tolist(), strict=True)}
        return sorted(faces, key=lambda name: (-faces[name], name))

    def strangers(self) -> list[Person]:
        """Unnamed people who return, those with most faces first."""
        solved = self.reader.solved()
        return [] if solved is None else _strangers(self.reader.current_labels(), solved)

    def is_sure(self) -> bool:
        """Whether the last run knows nearly everybody, so that there is no group to name first."""
        labels = self.reader.current_labels()
        known = (labels.name != UNKNOWN) & (labels.confidence >= DOUBT)
        return len(labels.face) > 0 and float(known.mean()) >= MOST

    def appearances(self, source: int) -> Appearances:
        """Who appears when in a source."""
        return appearances.appearances(self.reader, source)

    def together(self) -> Together:
        """Who appears with whom."""
        return appearances.together(self.reader.current_labels(), self.reader.log())


def _named(labels: CurrentLabels, log: Log, names: Sequence[str]) -> list[Person]:
    order = np.lexsort((labels.face, -labels.confidence, labels.name))
    numbers, first = np.unique(labels.name[order], return_index=True)
    parts = dict(zip(numbers.tolist(), np.split(order, first[1:]), strict=True)) if len(order) else {}
    doubt = (labels.state == OPEN) & (labels.confidence < DOUBT)
    found = [
        Person(log.text(name), labels.face[rows], int((labels.state[rows] != OPEN).sum()), int(doubt[rows].sum()))
        for name, rows in parts.items()
        if name >= 0
    ]
    seen = {person.name for person in found}
    found += [Person(name, np.zeros(0, np.int64), 0) for name in names if name not in seen]
    return sorted(found, key=lambda person: (-len(person.faces), person.name))


def _strangers(labels: CurrentLabels, solved: Solved) -> list[Person]:
    """Clusters of open faces to which the last run gives no name, the largest first."""
    if solved.prediction.scores.evidence is None:
        return []
    persons = solved.prediction.scores.evidence.persons
    unnamed = persons[:, len(solved.name_id) :].tocoo()
    open_ = labels.face[(labels.state == OPEN) & (labels.name < 0)]
    belongs = (unnamed.data > LIKELY) & np.isin(solved.face[unnamed.coords[0]], open_)
    face, person, sure = solved.face[unnamed.coords[0]][belongs], unnamed.coords[1][belongs], unnamed.data[belongs]
    order = np.lexsort((face, -sure, person))
    kept, first = np.unique(person[order], return_index=True)
    parts = np.split(face[order], first[1:]) if len(kept) else []
    return sorted((Person("", part, 0) for part in parts if len(part) > 1), key=lambda p: -len(p.faces))
