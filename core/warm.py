"""A rerun after corrections: it takes up where the last run from nothing ended, and asks anew only where something changed.

Each rerun begins with that same state, whatever reruns there were in between. So the same corrections give the same answer
in whichever order they came, what is undone is as if it had never been, and no error can grow from rerun to rerun.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.corrections import OPEN, Bound
from core.evidence import Picture, Rates
from core.lookalikes import LookAlikes
from core.members import size_of, sparse, table, times
from core.persons import Crowd, look_at_persons
from core.problem import NOBODY, FloatArray, IntArray, Problem
from core.progress import Progress
from core.scoring import Belief, Scene, Scores, in_frames, likeliest, obey

ROUNDS = 5  # at most
LOOKS = (0, 2)  # rounds after which persons are looked at as wholes
MOVED = 0.02  # a membership that changes by less stands still
FEW = 4000  # so few faces are asked all
SHARE = 0.03  # of all faces may have other answers than in the last run from nothing,
AT_LEAST = 5  # or so many


@dataclass(frozen=True, eq=False)
class View:
    """How one view of a run ended."""

    belief: Belief
    picture: Picture
    rate: Rates


@dataclass(frozen=True, eq=False)
class State:
    """How a run from nothing ended."""

    names: tuple[str, ...]
    bound: Bound
    faces: FloatArray
    alike: LookAlikes
    views: tuple[View, ...]
    code: FloatArray | None = None  # the faces as the autoencoder has them; not on disk


def changed(state: State, problem: Problem, bound: Bound) -> IntArray | None:
    """The faces about which people say something else than in the run that ``state`` is of; None if too much changed."""
    differ = _given(state.bound, state.names) != _given(bound, problem.names)
    differ[[face for face, _ in _refused(state.bound, state.names) ^ _refused(bound, problem.names)]] = True
    face = np.flatnonzero(differ)
    return face if few(len(face), problem) else None


def few(faces: int, problem: Problem) -> bool:
    """Whether other answers about so many faces are taken up by a rerun."""
    return faces <= max(AT_LEAST, SHARE * problem.faces)


def _given(bound: Bound, names: tuple[str, ...]) -> NDArray[Any]:
    """What was said of each face."""
    return np.array([*names, OPEN, NOBODY], dtype=object)[bound.fixed]


def _refused(bound: Bound, names: tuple[str, ...]) -> set[tuple[int, str]]:
    return {(key // len(names), names[key % len(names)]) for key in bound.refused.tolist()}


def rerun(
    scene: Scene, view: View, before: tuple[str, ...], names: tuple[str, ...], face: IntArray, progress: Progress
) -> View:
    """The view around other answers about ``face``: their frames, look-alikes and persons, and whoever moves with them."""
    start, picture, settings = carried_over(view.belief, before, names), view.picture, scene.settings
    belief, rate = obey(scene, start), view.rate
    asked = _affected(scene, start, belief, face)
    for turn in range(ROUNDS if len(face) else 0):  # if nobody said anything else, the answer is the same
        rate, last = scene.rates(belief), belief
        scores = Scores.of(scene, belief, picture, rate, settings.rounds)
        many = belief.members.shape[1]
        candidates = likeliest(scene, scores.rows, many, scores.new, asked)
        belief = _instead(belief, in_frames(scene, candidates, many, scores.new, rate, asked), asked)
        if settings.strangers and turn in LOOKS:
            crowd, inside = Crowd.of(scene, picture, rate), np.zeros(len(belief.new), bool)
            inside[np.union1d(face, _moved(start, belief, scene.names))] = True  # the others' persons were looked at
            belief = obey(scene, Belief.of(look_at_persons(belief.members, belief.new, crowd, inside)))
        progress("people", turn + 1, ROUNDS, belief.sure())
        moved = _moved(last, belief, scene.names)
        if turn > max(LOOKS) and not len(moved):
            break
        asked = np.union1d(asked, _affected(scene, last, belief, moved))
    return View(belief, picture, rate)


def carried_over(belief: Belief, before: tuple[str, ...], names: tuple[str, ...]) -> Belief:
    """A belief about the names of before in the columns of today's; a name that is gone is an unnamed person."""
    index = {name: k for k, name in enumerate(names)}
    gone = iter(range(len(names), len(names) + len(before)))
    place = [index[name] if name in index else next(gone) for name in before]
    unnamed, persons = len(names) + sum(name not in index for name in before), belief.members.shape[1]
    column = np.r_[place, np.arange(unnamed, unnamed + persons - len(place))].astype(np.int64)
    many = unnamed + persons - len(place)
    moves = table(np.ones(len(column)), np.arange(len(column)), column, (len(column), many))
    return Belief(sparse(belief.members @ moves), belief.new)


def _instead(belief: Belief, part: Belief, faces: IntArray) -> Belief:
    """The belief with that of some faces replaced."""
    stays = np.ones(len(belief.new))
    stays[faces] = 0
    return Belief(sparse(times(stays, belief.members) + part.members), np.where(stays > 0, belief.new, part.new))


def _moved(before: Belief, after: Belief, names: int) -> IntArray:
    """The faces whose names changed, or the chance of being somebody new."""
    differ = abs(before.members[:, :names] - after.members[:, :names]).max(axis=1).toarray() if names else 0.0
    return np.flatnonzero(np.maximum(differ, np.abs(before.new - after.new)) > MOVED)


def _affected(scene: Scene, before: Belief, after: Belief, face: IntArray) -> IntArray:
    """The faces that a change at ``face`` may move: their frames, their look-alikes, and their persons before and after."""
    n = len(scene.faces)
    if n <= FEW:
        return np.arange(n)
    hit = np.zeros(n, bool)
    hit[face] = True
    one = hit.astype(np.float32)
    near = (scene.alike.weight @ one > 0) | (scene.alike.weight.T @ one > 0)
    for belief in (before, after):
        touched = size_of(belief.members[face]) > MOVED
        near |= belief.members @ touched.astype(np.float32) > MOVED
    frames = np.zeros(int(scene.group.max()) + 1, bool)
    frames[scene.group[hit | near]] = True
    return np.flatnonzero(frames[scene.group])
