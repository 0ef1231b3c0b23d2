"""One frame as people see it: its faces, its names, and the links between them, said and thought."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import BadInput
from core.problem import IntArray
from core.records import Face, Frame, Mention
from core.store.decisions.log import NO_FACE, Answer, Log
from core.store.reader import Reader
from core.store.runs.answers import Solved
from core.store.views.current_labels import CurrentLabels
from core.store.views.questions import persons

RUNNERS_UP = 3  # names shown beside the one that the machine chose
WORTH_SHOWING = 0.02  # a runner-up less probable than this is no help


@dataclass(frozen=True)
class Said:
    """What somebody said: a name, "" for nobody, None for no face at all; nobody may be a ``stranger`` to be ignored."""

    name: str | None
    who: str
    stranger: bool = False


@dataclass(frozen=True)
class Thought:
    """What the machine thinks: a name ("" for nobody), and how probable it is."""

    name: str
    confidence: float


@dataclass(frozen=True)
class FaceLinks:
    """A face with all its links. ``thought`` begins with the machine's answer; the rest are runners-up."""

    face: Face
    said: tuple[Said, ...]  # several where people differ
    refused: tuple[str, ...]
    thought: tuple[Thought, ...]
    track: int  # how many other open faces its track has
    person: int  # how many other open faces the last run takes for the same person


@dataclass(frozen=True)
class Graph:
    """``elsewhere`` are names that a link leads to though this frame's caption does not hold them."""

    frame: Frame
    mentions: tuple[Mention, ...]
    elsewhere: tuple[str, ...]
    faces: tuple[FaceLinks, ...]


def graph(reader: Reader, frame: int) -> Graph:
    """The frame with everything that is linked in it."""
    frames = reader.frames([frame])
    if not frames:
        raise BadInput(f"there is no frame {frame} in this project; choose one from the queue")
    log, solved, labels = reader.log(), reader.solved(), reader.current_labels()
    by_track = reader.by_track()
    mentions = reader.mentions([frame]).get(frame, ())
    faces = sorted(reader.faces(frame), key=lambda face: (face.box.left, face.id))
    tracks, persons = _others(labels, solved, [face.id for face in faces])
    linked = tuple(
        FaceLinks(face, _said(log, face.id, by_track), _refused(log, face.id), _thought(log, solved, face.id), track, person)
        for face, track, person in zip(faces, tracks, persons, strict=True)
    )
    here = {mention.name for mention in mentions}
    named = [said.name for links in linked for said in links.said]
    named += [thought.name for links in linked for thought in links.thought]
    elsewhere = tuple(dict.fromkeys(name for name in named if name and name not in here))
    return Graph(frames[0], mentions, elsewhere, linked)


def _said(log: Log, face: int, by_track: Mapping[int, Answer]) -> tuple[Said, ...]:
    def called(name: int) -> str | None:
        return log.text(name) if name >= 0 else None if name == NO_FACE else ""

    answers = log.standing(face).answers or ((by_track[face],) if face in by_track else ())
    return tuple(Said(called(answer.name), answer.who, answer.kind == "ignore") for answer in answers)


def _refused(log: Log, face: int) -> tuple[str, ...]:
    return tuple(log.text(name) for name in sorted(log.standing(face).refused) if name >= 0)


def _thought(log: Log, solved: Solved | None, face: int) -> tuple[Thought, ...]:
    row = None if solved is None else solved.row(face)
    if solved is None or row is None:
        return ()
    (answer, sure), *others = solved.ranked(row)
    shown = [(name, chance) for name, chance in others[:RUNNERS_UP] if chance >= WORTH_SHOWING]
    return tuple(Thought(log.text(name) if name >= 0 else "", chance) for name, chance in [(answer, sure), *shown])


# --- Faces that belong together ---


def _others(labels: CurrentLabels, solved: Solved | None, faces: Sequence[int]) -> tuple[list[int], list[int]]:
    """For each face, how many other open faces its track has, and its person."""
    rows = labels.rows(np.array(faces, np.int64))
    is_open, person = labels.waiting, persons(labels, solved)
    own = is_open[rows].astype(np.int64)

    def count(groups: IntArray) -> list[int]:
        sizes = np.bincount(groups[is_open & (groups >= 0)], minlength=int(groups.max(initial=-1)) + 2)
        return [int(many) for many in np.where(groups[rows] >= 0, sizes[groups[rows]] - own, 0)]

    return count(labels.track), count(person)


def same_track(labels: CurrentLabels, face: int) -> IntArray:
    """The other open faces of the face's track."""
    return _same(labels, labels.track, face)


def same_person(labels: CurrentLabels, solved: Solved | None, face: int) -> IntArray:
    """The other open faces that the last run takes for the same person, named or not."""
    return _same(labels, persons(labels, solved), face)


def _same(labels: CurrentLabels, groups: IntArray, face: int) -> IntArray:
    row = labels.rows(np.array([face]))
    if not len(row) or groups[row[0]] < 0:
        return np.zeros(0, np.int64)
    return np.asarray(labels.face[(groups == groups[row[0]]) & labels.waiting & (labels.face != face)])
