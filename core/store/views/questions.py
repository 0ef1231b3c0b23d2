"""What to ask next: the face whose answer settles most, one for each person whom the last run sees."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

import numpy as np

from core.problem import NOBODY, BoolArray, FloatArray, IntArray
from core.store.decisions.log import ANSWERS, Log
from core.store.runs.answers import Solved
from core.store.views.current_labels import CONFLICT, OPEN, UNKNOWN, CurrentLabels

SURE = 0.95  # a face above this confidence is not worth a question of its own
WORTH_ASKING = 0.02  # a name less probable than this is not in question
NAMES = 4  # in question at most
GOAL = 0.99  # the share of right faces that counts as done


@dataclass(frozen=True)
class Question:
    """The face to answer, its frame and track (-1: none), the names in question, and how many faces an answer settles."""

    face: int
    frame: int
    track: int
    asks: tuple[str, ...]
    settles: int


def persons(labels: CurrentLabels, solved: Solved | None) -> IntArray:
    """By row of the labels, the person that the last run takes the face for; -1 where it is unsure."""
    person = np.full(len(labels.face), -1, np.int64)
    if solved is not None:
        _, here, there = np.intersect1d(labels.face, solved.face, assume_unique=True, return_indices=True)
        person[here] = solved.person[there]
    return person


def answered_since(log: Log, version: int) -> set[int]:
    """The faces that people answered since the log had a version."""
    later = log.entries[bisect_right(log.entries, version, key=lambda entry: entry.id) :]
    return {entry.face for entry in later if entry.face is not None and entry.kind in ANSWERS} & log.settled


def follows(labels: CurrentLabels, log: Log, solved: Solved | None) -> BoolArray:
    """By row, whether the next run will answer: of the face's track, or of its person, a face was answered."""
    settled = (labels.state != OPEN) & (labels.state != CONFLICT)
    in_track = np.isin(labels.track, labels.track[settled & (labels.track >= 0)])
    if solved is None:
        return np.asarray(in_track & ~settled)
    since = np.isin(labels.face, list(answered_since(log, solved.run.version)))
    person = persons(labels, solved)
    in_person = np.isin(person, person[since & (person >= 0)])
    return np.asarray((in_track | in_person) & ~settled)


def doubtful(labels: CurrentLabels, log: Log, solved: Solved | None) -> BoolArray:
    """By row, whether an answer would help: people differ, or it is neither certain nor follows by itself."""
    unsure = (labels.name == UNKNOWN) | (labels.confidence < SURE) | _unnamed(labels, solved)
    asked = labels.waiting & unsure & ~follows(labels, log, solved)
    return np.asarray(asked | (labels.state == CONFLICT))


def to_ask(labels: CurrentLabels, log: Log, solved: Solved | None) -> BoolArray:
    """By row, whether a person is still asked: everything open, and behind the finish line only what is in doubt.

    A run that has heard all answers sets the line: until then it is a guess that others follow from them.
    """
    heard = solved is not None and not answered_since(log, solved.run.version)
    return doubtful(labels, log, solved) if heard and not answers_left(labels, log, solved) else labels.waiting


def worth_asking(labels: CurrentLabels, log: Log, solved: Solved | None) -> IntArray:
    """The rows to ask about, the most helpful first: one a person and a track, none that is certain or follows by itself."""
    rows = labels.rows(solved.order) if solved is not None else np.flatnonzero(labels.waiting)
    rest = np.setdiff1d(np.flatnonzero(labels.waiting), rows)
    rows = np.r_[rows, rest[np.argsort(labels.confidence[rest], kind="stable")]]
    asked = doubtful(labels, log, solved)
    differ = np.flatnonzero(labels.state == CONFLICT)
    rows = np.r_[differ, rows[asked[rows] & (labels.state[rows] == OPEN)]]
    rows = _best_of_track(labels, rows)
    rows = rows[np.sort(np.unique(_unit(labels, solved)[rows], return_index=True)[1])]
    first = labels.state[rows] == CONFLICT
    return np.asarray(rows[np.lexsort((-_doubt(labels, solved)[rows], ~first))])


def _doubt(labels: CurrentLabels, solved: Solved | None) -> FloatArray:
    """By row, how many faces an answer is expected to put right: the doubts about all that it settles."""
    _, unit = np.unique(_unit(labels, solved), return_inverse=True)
    return np.asarray(np.bincount(unit, np.where(labels.waiting, 1.0 - labels.confidence, 0.0))[unit])


def _unnamed(labels: CurrentLabels, solved: Solved | None) -> BoolArray:
    """By row, whether it is somebody who returns, whom no caption names and of whom nobody has said anything yet.

    However sure the run is that it is nobody it knows, a person may know better, and one answer settles all of them.
    """
    person = persons(labels, solved)
    if solved is None:
        return np.zeros(len(person), bool)
    many = np.bincount(person[person >= 0], minlength=int(person.max(initial=0)) + 2)
    answered = np.isin(person, person[~labels.waiting & (person >= 0)])
    return np.asarray((labels.name == NOBODY) & (person >= len(solved.name_id)) & (many[person] > 1) & ~answered)


def _best_of_track(labels: CurrentLabels, rows: IntArray) -> IntArray:
    """The rows, each replaced by the best open picture of its track; of a track only the first."""
    best = np.arange(len(labels.face))
    chosen = np.flatnonzero(labels.best & labels.waiting & (labels.track >= 0))
    by_track = np.full(int(labels.track.max(initial=-1)) + 2, -1, np.int64)
    by_track[labels.track[chosen]] = chosen
    there = (labels.track >= 0) & (by_track[labels.track] >= 0)
    best[there] = by_track[labels.track[there]]
    found = best[rows]
    return np.asarray(found[np.sort(np.unique(found, return_index=True)[1])])


def questions(labels: CurrentLabels, log: Log, solved: Solved | None) -> list[Question]:
    """All of them, best first."""
    rows, settles = worth_asking(labels, log, solved), _settles(labels, solved)
    return [
        Question(
            int(labels.face[row]),
            int(labels.frame[row]),
            int(labels.track[row]),
            in_question(log, solved, int(labels.face[row])),
            int(settles[row]),
        )
        for row in rows.tolist()
    ]


def in_question(log: Log, solved: Solved | None, face: int) -> tuple[str, ...]:
    """The names that a face may have, the likeliest first; nobody is no name."""
    row = None if solved is None else solved.row(face)
    if solved is None or row is None:
        return ()
    refused = log.standing(face).refused
    likely = [name for name, chance in solved.ranked(row) if chance >= WORTH_ASKING]
    return tuple(log.text(name) for name in likely if name != NOBODY and name not in refused)[:NAMES]


def answers_left(labels: CurrentLabels, log: Log, solved: Solved | None) -> int:
    """About how many answers are missing until nearly all faces are right, if one settles a whole person or track."""
    doubt = np.where(labels.waiting & ~follows(labels, log, solved), 1.0 - labels.confidence, 0.0)
    left = float(doubt.sum()) - (1.0 - GOAL) * len(doubt)
    if left <= 0:
        return 0
    _, unit = np.unique(_unit(labels, solved), return_inverse=True)
    settled = np.cumsum(np.sort(np.bincount(unit, doubt))[::-1])
    return min(int(np.searchsorted(settled, left)) + 1, int((doubt > 0).sum()))


def _settles(labels: CurrentLabels, solved: Solved | None) -> IntArray:
    """By row, how many open faces an answer settles: those of its person, its track, or itself."""
    _, unit = np.unique(_unit(labels, solved), return_inverse=True)
    doubtful, all_ = (np.bincount(unit, labels.waiting & (labels.confidence < level))[unit] for level in (SURE, np.inf))
    return np.maximum(np.where(doubtful > 0, doubtful, all_), 1).astype(np.int64)


def _unit(labels: CurrentLabels, solved: Solved | None) -> IntArray:
    """By row, the number of what one answer settles."""
    person, rows = persons(labels, solved), np.arange(len(labels.face))
    person[np.isin(person, person[~labels.waiting & (person >= 0)])] = -1  # of these the rest are doubts of their own
    tracks = int(labels.track.max(initial=-1)) + 1
    by_track = np.where(labels.track >= 0, -1 - labels.track, -1 - tracks - rows)
    return np.where(person >= 0, person, by_track)
