"""Groups of look-alikes whom nobody has named yet: who they may be, how long they are seen, and which may be one person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.arrays import find, join
from core.errors import BadInput
from core.problem import BoolArray, FloatArray, IntArray
from core.store.decisions.entries import JUDGEMENTS
from core.store.decisions.log import Change, Log
from core.store.decisions.persons import judged, strays
from core.store.library.asking import KnownPeople
from core.store.library.likeness import Likely
from core.store.reader import Reader
from core.store.tables import name_table, track_table
from core.store.views.current_labels import CurrentLabels
from core.store.views.questions import answered_since, persons

SHOWN = 24  # groups at a time
NAMES = 7  # offered for a group: those for which something speaks, then those that captions name most
WORTH = 0.02  # below this probability only captions speak for a name
COMPARED = 40  # groups among which those are sought that may be one person
LOOKED_AT = 60  # faces of a group that are compared
PAIRS = 3  # suggested at a time
ALIKE = 0.45  # the least cosine of two groups that may be one person
CAPTIONS = 0.1  # what a caption weighs beside the run's probability where names are ordered


@dataclass(frozen=True)
class Suggestion:
    """A name, how many of a group's captions hold it, how probable the last run finds it; and why else it is suggested."""

    name: str
    captions: int
    chance: float
    reason: str = ""


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


@dataclass(frozen=True)
class Pair:
    """Two groups that may be one person: the faces that stand for them; or a group and a ``name``."""

    one: int
    other: int
    name: str
    likeness: float


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
        self.reader, self.library = reader, library
        self._mentions: tuple[object, IntArray, IntArray] | None = None

    def overview(self, most: int = SHOWN) -> Overview:
        """The largest groups first, by how long they are seen, then by faces."""
        labels, log = self.reader.current_labels(), self.reader.log()
        seconds = self._seconds(labels)
        parts = _parts(labels, self._units(labels, log))
        lasts = _each_once(seconds, labels.track, parts)
        sizes = [(time, len(rows)) for time, rows in zip(lasts.tolist(), parts, strict=True)]
        order = sorted(range(len(parts)), key=lambda k: (-sizes[k][0], -sizes[k][1], int(parts[k][0])))
        shown = [parts[k] for k in order[:most]]
        names = self._suggestions(labels, log, shown)
        groups = tuple(
            Group(labels.face[rows], len(np.unique(labels.frame[rows])), sizes[k][0], tuple(suggested))
            for rows, k, suggested in zip(shown, order, names, strict=False)
        )
        known = self._known(labels, log, seconds)
        return Overview(groups, len(parts) - len(shown), known, self._pairs(labels, groups[:COMPARED], known))

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

    def _seconds(self, labels: CurrentLabels) -> FloatArray:
        """By row, how long its track is in view."""
        spans = track_table.spans(self.reader.database)
        lasts = np.zeros(int(labels.track.max(initial=-1)) + 2)
        for track, (start, stop) in spans.items():
            if track < len(lasts) - 1:
                lasts[track] = stop - start
        return np.asarray(lasts[labels.track])

    # --- Who they may be ---

    def _mentioned(self, log: Log) -> tuple[IntArray, IntArray]:
        """All names in captions as (frame, number of the name), by frame."""
        state = (log.mentions_changed, log.names_changed, name_table.mentions_state(self.reader.database))
        if self._mentions is None or self._mentions[0] != state:
            number = {log.text(name): log.root(name) for name in log.original}
            pairs = [(f, number[m.name]) for f, some in sorted(self.reader.mentions().items()) for m in some]
            frame, name = np.array(pairs, np.int64).reshape(-1, 2).T
            self._mentions = (state, frame, name)
        return self._mentions[1:]

    def _suggestions(self, labels: CurrentLabels, log: Log, parts: Sequence[IntArray]) -> list[list[Suggestion]]:
        """For each group the names that may be its, the likeliest first."""
        solved = self.reader.solved()
        frame, name = self._mentioned(log)
        group = np.full(len(labels.face), -1, np.int64)
        for k, rows in enumerate(parts):
            group[rows] = k
        chance: dict[int, dict[int, float]] = {}
        if solved is not None:
            place = find(labels.face, solved.face)
            of = np.where(place >= 0, group[place], -1)[solved.prediction.scores.face]
            here = of >= 0
            wide = int(solved.name_id.max(initial=0)) + 1
            keys, at = np.unique(of[here] * wide + solved.name_id[solved.prediction.scores.name[here]], return_inverse=True)
            sums = np.bincount(at, solved.prediction.probabilities[0][here], minlength=len(keys))
            for key, value in zip(keys.tolist(), sums.tolist(), strict=True):
                chance.setdefault(key // wide, {})[key % wide] = value
        usual = [n for n, _ in Counter(name.tolist()).most_common(NAMES)]
        named = np.flatnonzero(~labels.waiting & (labels.name >= 0))
        removed, found = log.removed, []
        known = self.library.ask([labels.face[rows] for rows in parts])
        for k, rows in enumerate(parts):
            frames = np.unique(labels.frame[rows])
            names, many = np.unique(name[join(frame, frames)[1]], return_counts=True)
            captions = dict(zip(names.tolist(), many.tolist(), strict=True))
            refused = log.standing(int(labels.face[rows[0]])).refused
            likely = {n: value / len(rows) for n, value in chance.get(k, {}).items()}
            beside = named[find(frames, labels.frame[named]) >= 0]
            out = {*refused, *removed, *labels.name[beside].tolist()}  # who is seen beside is somebody else
            every = [n for n in {**captions, **likely} if captions.get(n) or likely.get(n, 0.0) >= WORTH]
            every.sort(key=lambda n: (-likely.get(n, 0.0) - CAPTIONS * captions.get(n, 0) / len(frames), log.text(n)))
            kept = [n for n in dict.fromkeys([*every, *usual]) if n not in out][:NAMES]
            suggested = [Suggestion(log.text(n), captions.get(n, 0), likely.get(n, 0.0)) for n in kept]
            found.append(_with_known(suggested, known[k], {log.text(n) for n in out}))
        return found

    def _known(self, labels: CurrentLabels, log: Log, seconds: FloatArray) -> tuple[Known, ...]:
        settled = np.flatnonzero(~labels.waiting & (labels.name >= 0))
        parts = _parts(labels, np.where(np.isin(np.arange(len(labels.face)), settled), labels.name, -1))
        found = [
            Known(log.text(int(labels.name[rows[0]])), labels.face[rows], _once(seconds, labels.track, rows))
            for rows in parts
        ]
        return tuple(sorted(found, key=lambda one: (-one.seconds, -len(one.faces), one.name)))

    # --- Which may be one person ---

    def _pairs(self, labels: CurrentLabels, groups: Sequence[Group], known: Sequence[Known]) -> tuple[Pair, ...]:
        faces = [one.faces for one in groups] + [one.faces for one in known[:COMPARED]]
        if len(groups) == 0 or len(faces) < 2:
            return ()
        centre, typical = _centres(self.reader.embeddings(), [some[:LOOKED_AT] for some in faces])
        frames = [set(labels.frame[labels.rows(some)].tolist()) for some in faces]
        apart = [set(pair) for pair in judged(self.reader.log()).apart]
        members = [set(some.tolist()) for some in faces]
        likeness = np.triu(centre @ centre.T, 1)[: len(groups)]
        found: list[Pair] = []
        for at in np.argsort(-likeness, axis=None).tolist():
            one, other = divmod(at, len(faces))
            if likeness[one, other] < max(ALIKE, typical) or len(found) == PAIRS:
                break
            keys = int(faces[one].min()), int(faces[other].min())
            met = frames[one] & frames[other] or any(p & members[one] and p & members[other] for p in apart)
            if not met and not any(keys[0] in (pair.one, pair.other) for pair in found):
                name = "" if other < len(groups) else known[other - len(groups)].name
                found.append(Pair(*keys, name, float(likeness[one, other])))
        return tuple(found)


def _with_known(suggested: list[Suggestion], known: Likely | None, out: Collection[str]) -> list[Suggestion]:
    """The names for a group, before them the one by which the library knows it."""
    if known is None or not known.sure or known.name in out:
        return suggested
    same = next((one for one in suggested if one.name == known.name), Suggestion(known.name, 0, 0.0))
    return [replace(same, reason=known.reason), *(one for one in suggested if one is not same)][:NAMES]


def _parts(labels: CurrentLabels, unit: IntArray) -> list[IntArray]:
    """The rows of each unit, the best picture of each track first; what has the unit -1 is left out."""
    rows = np.flatnonzero(unit >= 0)
    if not len(rows):
        return []
    order = rows[np.lexsort((labels.face[rows], -labels.shows[rows], ~labels.best[rows], unit[rows]))]
    edges = np.flatnonzero(np.diff(unit[order])) + 1
    return list(np.split(order, edges))


def _each_once(seconds: FloatArray, track: IntArray, parts: Sequence[IntArray]) -> FloatArray:
    """The same for many groups of rows."""
    rows = np.concatenate([*parts, np.zeros(0, np.int64)])
    part = np.repeat(np.arange(len(parts)), [len(rows) for rows in parts])
    tracked = np.flatnonzero(track[rows] >= 0)
    _, first = np.unique(part[tracked] * (int(track.max(initial=0)) + 1) + track[rows[tracked]], return_index=True)
    return np.asarray(np.bincount(part[tracked[first]], seconds[rows[tracked[first]]], minlength=len(parts)), np.float64)


def _once(seconds: FloatArray, track: IntArray, rows: IntArray) -> float:
    """The seconds of the rows' tracks, each counted once."""
    tracked: BoolArray = track[rows] >= 0
    _, first = np.unique(track[rows[tracked]], return_index=True)
    return float(seconds[rows[tracked][first]].sum())


def _centres(vectors: FloatArray, faces: Sequence[IntArray]) -> tuple[FloatArray, float]:
    """The mean direction of each group, and how alike a face usually is to the rest of its group."""
    centre, own = np.zeros((len(faces), vectors.shape[1])), []
    for k, some in enumerate(faces):
        rows = np.asarray(vectors[some], np.float64)
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
        total = rows.sum(0)
        centre[k] = total / max(float(np.linalg.norm(total)), 1e-12)
        if len(rows) > 1:
            rest = total - rows
            own += ((rows * rest).sum(1) / np.maximum(np.linalg.norm(rest, axis=1), 1e-12)).tolist()
    return centre, float(np.quantile(own, 0.25)) if own else 0.0
