"""One frame as people see it: its faces, its names, and the links between them, said and thought."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.errors import BadInput
from core.problem import BoolArray, IntArray
from core.records import Face, Frame, Mention
from core.store.decisions import NO_FACE, Log
from core.store.now import CONFLICT, OPEN, Now
from core.store.runs import Solved

if TYPE_CHECKING:
    from core.project import Project

RUNNERS_UP = 3  # names shown beside the one that the machine chose
WORTH_SHOWING = 0.02  # a runner-up less probable than this is no help


@dataclass(frozen=True)
class Said:
    """What somebody said: a name, "" for nobody, None for no face at all."""

    name: str | None
    who: str


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


def graph(project: Project, frame: int) -> Graph:
    """The frame with everything that is linked in it."""
    frames = project.frames([frame])
    if not frames:
        raise BadInput(f"there is no frame {frame} in this project; choose one from the queue")
    log, solved, now = project.log(), project.solved(), project.now()
    mentions = project.mentions(frame)
    faces = sorted(project.faces(frame), key=lambda face: (face.box.left, face.id))
    tracks, persons = _others(now, solved, [face.id for face in faces])
    linked = tuple(
        FaceLinks(face, _said(log, face.id), _refused(log, face.id), _thought(log, solved, face.id), track, person)
        for face, track, person in zip(faces, tracks, persons, strict=True)
    )
    here = {mention.name for mention in mentions}
    named = [said.name for links in linked for said in links.said]
    named += [thought.name for links in linked for thought in links.thought]
    elsewhere = tuple(dict.fromkeys(name for name in named if name and name not in here))
    return Graph(frames[0], mentions, elsewhere, linked)


def _said(log: Log, face: int) -> tuple[Said, ...]:
    def called(name: int) -> str | None:
        return log.text(name) if name >= 0 else None if name == NO_FACE else ""

    return tuple(Said(called(answer.name), answer.who) for answer in log.standing(face).answers)


def _refused(log: Log, face: int) -> tuple[str, ...]:
    return tuple(log.text(name) for name in sorted(log.standing(face).refused) if name >= 0)


def _thought(log: Log, solved: Solved | None, face: int) -> tuple[Thought, ...]:
    row = None if solved is None else solved.row(face)
    if solved is None or row is None:
        return ()
    prediction = solved.prediction
    scores, chosen = prediction.scores, int(prediction.name[row])
    rows = slice(*np.searchsorted(scores.face, [row, row + 1]))
    pairs = list(zip(scores.name[rows].tolist(), scores.score[rows].tolist(), strict=True))
    if scores.nobody is not None:
        pairs.append((-1, float(scores.nobody[row])))

    def called(name: int) -> str:
        return log.text(int(solved.name_id[name])) if name >= 0 else ""

    best = Thought(called(chosen), float(prediction.confidence[row]))
    others: dict[str, float] = {}
    for name, score in pairs:  # merged names are one
        others[called(name)] = max(score, others.get(called(name), 0.0))
    others.pop(best.name, None)
    ranked = sorted(others.items(), key=lambda pair: (-pair[1], pair[0]))[:RUNNERS_UP]
    return (best, *(Thought(name, score) for name, score in ranked if score >= WORTH_SHOWING))


# --- Faces that belong together ---


def waiting(now: Now) -> BoolArray:
    """Which faces nobody has settled."""
    return np.asarray((now.state == OPEN) | (now.state == CONFLICT))


def _others(now: Now, solved: Solved | None, faces: Sequence[int]) -> tuple[list[int], list[int]]:
    """For each face, how many other open faces its track has, and its person."""
    rows = now.rows(np.array(faces, np.int64))
    is_open, person = waiting(now), _persons(now, solved)
    own = is_open[rows].astype(np.int64)

    def count(groups: IntArray) -> list[int]:
        sizes = np.bincount(groups[is_open & (groups >= 0)], minlength=int(groups.max(initial=-1)) + 2)
        return [int(many) for many in np.where(groups[rows] >= 0, sizes[groups[rows]] - own, 0)]

    return count(now.track), count(person)


def _persons(now: Now, solved: Solved | None) -> IntArray:
    """By row of ``now``, the person that the last run takes the face for; -1 where it is unsure."""
    person = np.full(len(now.face), -1, np.int64)
    if solved is not None and len(now.face):
        place = np.minimum(np.searchsorted(now.face, solved.face), len(now.face) - 1)
        there = now.face[place] == solved.face
        person[place[there]] = solved.person[there]
    return person


def same_track(project: Project, face: int) -> IntArray:
    """The other open faces of the face's track."""
    now = project.now()
    return _same(now, now.track, face)


def same_person(project: Project, face: int) -> IntArray:
    """The other open faces that the last run takes for the same person, named or not."""
    now = project.now()
    return _same(now, _persons(now, project.solved()), face)


def _same(now: Now, groups: IntArray, face: int) -> IntArray:
    row = now.rows(np.array([face]))
    if not len(row) or groups[row[0]] < 0:
        return np.zeros(0, np.int64)
    return np.asarray(now.face[(groups == groups[row[0]]) & waiting(now) & (now.face != face)])
