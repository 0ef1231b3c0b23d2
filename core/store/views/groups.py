"""Groups of look-alikes whom nobody has named yet: who they may be, how long they are seen, and which may be one person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import BadInput
from core.problem import BoolArray, FloatArray, IntArray
from core.store.decisions.entries import JUDGEMENTS
from core.store.decisions.log import Change, Log
from core.store.decisions.persons import judged, strays
from core.store.library.asking import KnownPeople
from core.store.reader import Reader
from core.store.tables import track_table
from core.store.views.current_labels import CurrentLabels
from core.store.views.group_looks import Looks, Pair, looks, outsiders
from core.store.views.group_names import LIKELY, GroupNames, Suggestion
from core.store.views.questions import answered_since, persons

SHOWN = 24  # groups at a time
COMPARED = 40  # groups, and named people, whose looks are compared


@dataclass(frozen=True, eq=False)
class Group:
    """Faces that look like one person, the best picture of each track first."""

    faces: IntArray
    frames: int
    seconds: float  # in view; 0 where there are no tracks
    suggestions: tuple[Suggestion, ...]

    @property
    def key(self) -> int:
        """The face that stands for the group."""
        return int(self.faces.min())


@dataclass(frozen=True, eq=False)
class Known:
    """A person who has a name by people's word, with the faces."""

    name: str
    faces: IntArray
    seconds: float


@dataclass(frozen=True, eq=False)
class Overview:
    """The largest groups, how many more there are, who has a name already, and which may be one person."""

    groups: tuple[Group, ...]
    left: int
    known: tuple[Known, ...]
    pairs: tuple[Pair, ...]


class Groups:
    """What the page of groups asks of a project."""

    def __init__(self, reader: Reader, library: KnownPeople) -> None:
        self.reader, self.names = reader, GroupNames(reader, library)
        self._outside: tuple[object, IntArray] | None = None

    def overview(self, most: int = SHOWN) -> Overview:
        """The largest groups first, by how long they are seen, then by faces."""
        labels, log = self.reader.current_labels(), self.reader.log()
        seconds = self._seconds(labels)
        shown, lasts, left = _largest(labels, self._units(labels, log), seconds, most)
        known = self._known(labels, log, seconds)
        looks = self._looks(labels, log, shown, known[:COMPARED])
        names = self.names.of(labels, log, shown, looks)
        groups = tuple(
            Group(labels.face[rows], len(np.unique(labels.frame[rows])), time, tuple(suggested))
            for rows, time, suggested in zip(shown, lasts, names, strict=True)
        )
        apart = [set(pair) for pair in judged(log).apart]
        return Overview(groups, left, known, looks.pairs([one.name for one in known[:COMPARED]], apart))

    def are_doubtful(self) -> bool:
        """Whether some group looks like somebody else than the run says, so that a person should look at the groups."""
        first = [group.suggestions[0] for group in self.overview().groups if group.suggestions]
        return any(one.reason and one.chance < LIKELY for one in first)

    def judge(self, one: int, other: int, same: bool, name: str = "") -> list[Change]:
        """Two groups, each given by its key, are one person or two: one step.

        ``other`` may be a face of somebody called ``name``: then no face of the group ``one`` is that person.
        """
        faces = {group.key: group.faces.tolist() for group in self.overview().groups}
        if one not in faces or not (name or other in faces):
            raise BadInput("these groups have changed meanwhile; look at them again")
        kind = JUDGEMENTS[0 if same else 1]
        refused = [Change("is not", face=face, name=name) for face in faces[one]] if name and not same else []
        return [Change(kind, face=faces[one][0]), Change(kind, face=other if name else faces[other][0]), *refused]

    def name(self, faces: Sequence[int], name: str, without: Sequence[int] = ()) -> list[Change]:
        """All faces are this name, and those ``without`` are not: one step."""
        labels, number = self.reader.current_labels(), self.reader.log().find_name(name)
        place = dict(zip(labels.face.tolist(), labels.name.tolist(), strict=True))
        same = {face for face in faces if number is not None and place.get(face) == number}
        said = [Change("confirm" if face in same else "is", face=face, name=name) for face in faces]
        return said + [Change("is not", face=face, name=name) for face in without]

    def seconds(self, faces: Sequence[int]) -> float:
        """How long the tracks of these faces are in view."""
        labels = self.reader.current_labels()
        return _once(self._seconds(labels), labels.track, labels.rows(np.array(faces, np.int64)))

    def together(self, one: Sequence[int], other: Sequence[int]) -> list[int]:
        """The frames that show a face of both: they cannot be one person there."""
        labels = self.reader.current_labels()
        frames = [set(labels.frame[labels.rows(np.array(faces, np.int64))].tolist()) for faces in (one, other)]
        return sorted(frames[0] & frames[1])

    # --- Who belongs together ---

    def _units(self, labels: CurrentLabels, log: Log) -> IntArray:
        """By row, the group's number; -1 where the face needs no answer."""
        solved = self.reader.solved()
        rows = np.arange(len(labels.face))
        person = persons(labels, solved)
        if solved is not None:  # who was left out of a group that has a name since stands alone
            since = np.isin(labels.face, list(answered_since(log, solved.run.version)))
            refused = np.isin(labels.face, list(strays(log, {f for f in log.answered if log.standing(f).refused})))
            person[refused & np.isin(person, person[since & (person >= 0)])] = -1
        first = int(person.max(initial=-1)) + 1
        tracks = int(labels.track.max(initial=-1)) + 1
        unit = np.where(person >= 0, person, np.where(labels.track >= 0, first + labels.track, first + tracks + rows))
        outside = np.isin(labels.face, self._outsiders(labels, person))  # each track, or face, by itself
        unit[outside] = np.where(labels.track >= 0, unit.max(initial=0) + 1 + labels.track, first + tracks + rows)[outside]
        settled_track = np.isin(labels.track, labels.track[~labels.waiting & (labels.track >= 0)])
        return self._judge_units(labels, log, np.where(labels.waiting & ~settled_track, unit, -1))

    def _judge_units(self, labels: CurrentLabels, log: Log, unit: IntArray) -> IntArray:
        """The units with what people said of them: one person is one unit, and two people are two."""
        said, unit = judged(log), unit.copy()
        for pair in said.same:
            here = labels.rows(np.array(pair))
            if len(here) == 2 and (unit[here] >= 0).all():
                unit[unit == unit[here[1]]] = unit[here[0]]
        for pair in said.apart:
            here = labels.rows(np.array(pair))
            if len(here) == 2 and unit[here[0]] == unit[here[1]] >= 0:
                track = labels.track[here[1]]
                unit[(labels.track == track) & (unit >= 0) if track >= 0 else here[1]] = unit.max() + 1
        return unit

    def _outsiders(self, labels: CurrentLabels, person: IntArray) -> IntArray:
        """The faces of the largest persons that look like another of them; found once a run."""
        solved = self.reader.solved()
        state = None if solved is None else (solved.run.id, len(labels.face))
        if self._outside is None or self._outside[0] != state:
            sizes = np.bincount(person[person >= 0])
            largest = np.argsort(-sizes, kind="stable")[:COMPARED]
            rows = np.flatnonzero(np.isin(person, largest[sizes[largest] > 1]))
            _, group = np.unique(person[rows], return_inverse=True)
            vectors = self.reader.embeddings()[labels.face[rows]]
            found = outsiders(vectors, group, labels.track[rows], labels.frame[rows])
            self._outside = (state, labels.face[rows[found]])
        return self._outside[1]

    def _looks(self, labels: CurrentLabels, log: Log, parts: Sequence[IntArray], known: Sequence[Known]) -> Looks:
        faces = [labels.face[rows] for rows in parts] + [one.faces for one in known]
        frames = [set(labels.frame[labels.rows(some)].tolist()) for some in faces]
        names = [log.find_name(one.name) for one in known]
        return looks(self.reader.embeddings(), faces, frames, [-1 if name is None else name for name in names])

    def _seconds(self, labels: CurrentLabels) -> FloatArray:
        """By row, how long its track is in view."""
        spans = track_table.spans(self.reader.database)
        lasts = np.zeros(int(labels.track.max(initial=-1)) + 2)
        for track, (start, stop) in spans.items():
            if track < len(lasts) - 1:
                lasts[track] = stop - start
        return np.asarray(lasts[labels.track])

    def _known(self, labels: CurrentLabels, log: Log, seconds: FloatArray) -> tuple[Known, ...]:
        settled = np.flatnonzero(~labels.waiting & (labels.name >= 0))
        parts = _parts(labels, np.where(np.isin(np.arange(len(labels.face)), settled), labels.name, -1))
        found = [
            Known(log.text(int(labels.name[rows[0]])), labels.face[rows], _once(seconds, labels.track, rows))
            for rows in parts
        ]
        return tuple(sorted(found, key=lambda one: (-one.seconds, -len(one.faces), one.name)))


def _parts(labels: CurrentLabels, unit: IntArray) -> list[IntArray]:
    """The rows of each unit, the best picture of each track first; what has the unit -1 is left out."""
    rows = np.flatnonzero(unit >= 0)
    if not len(rows):
        return []
    order = rows[np.lexsort((labels.face[rows], -labels.shows[rows], ~labels.best[rows], unit[rows]))]
    edges = np.flatnonzero(np.diff(unit[order])) + 1
    return list(np.split(order, edges))


def _largest(
    labels: CurrentLabels, unit: IntArray, seconds: FloatArray, most: int
) -> tuple[list[IntArray], list[float], int]:
    """The rows of the ``most`` units that are seen longest, then have most faces; how long each is seen; how many remain."""
    rows = np.flatnonzero(unit >= 0)
    units, first, at = np.unique(unit[rows], return_index=True, return_inverse=True)
    tracked = np.flatnonzero(labels.track[rows] >= 0)
    track = labels.track[rows[tracked]]
    _, once = np.unique(at[tracked] * (int(track.max(initial=0)) + 1) + track, return_index=True)
    lasts = np.bincount(at[tracked[once]], seconds[rows[tracked[once]]], minlength=len(units))
    order = np.lexsort((first, -np.bincount(at, minlength=len(units)), -lasts))[:most]
    shown = [_parts(labels, np.where(unit == units[k], unit, -1))[0] for k in order.tolist()]
    return shown, lasts[order].tolist(), len(units) - len(shown)


def _once(seconds: FloatArray, track: IntArray, rows: IntArray) -> float:
    """The seconds of the rows' tracks, each counted once."""
    tracked: BoolArray = track[rows] >= 0
    _, first = np.unique(track[rows[tracked]], return_index=True)
    return float(seconds[rows[tracked][first]].sum())
