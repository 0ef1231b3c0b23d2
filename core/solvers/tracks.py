"""Tracks as instances: the faces of one track become one instance before a method runs, and share its scores afterwards.

The faces of a track are one person for certain. So a method that knows nothing of tracks is given one instance a track: the
mean of its faces' features, weighted by quality where it is known. A face in no track is an instance of its own.

A track passes through several groups, and an instance lies in one: among its groups the one through which most tracks pass
(of equals the first), so that people who are seen together stay together and compete for the names of one caption. That
group is given the mentions of all groups of its instances. Groups that no instance lies in keep their mentions and have
no faces.

A correction of one face holds for its whole track. Where people gave the faces of one track different answers, or
refused for one face what they gave to another, the track is split: each open face follows the face most like it among
those whose answer it may have.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import Concatenate, ParamSpec

import numpy as np

from core.arrays import join
from core.corrections import OPEN, Constraints
from core.prediction import Scores
from core.problem import NO_TRACK, FloatArray, IntArray, Problem
from core.solvers.method import Task
from core.solvers.neighbours import pair_cosines

P = ParamSpec("P")


def per_track(method: Callable[Concatenate[Task, P], Scores]) -> Callable[Concatenate[Task, P], Scores]:
    """The method on one instance a track."""

    @wraps(method)
    def on_instances(task: Task, /, *args: P.args, **options: P.kwargs) -> Scores:
        track = task.problem.track
        if track is None or len(np.unique(track[track != NO_TRACK])) == (track != NO_TRACK).sum():
            return method(task, *args, **options)  # no two faces share a track
        condensed = condense(task.problem, task.constraints)
        scores = method(replace(task, problem=condensed.problem, constraints=condensed.constraints), *args, **options)
        return expand(scores, condensed.instance)

    return on_instances


@dataclass(frozen=True, eq=False)
class Condensed:
    """A problem whose faces are instances, and the instance of each face."""

    problem: Problem
    constraints: Constraints
    instance: IntArray


def condense(problem: Problem, constraints: Constraints) -> Condensed:
    """One instance a track, or a part of a track where people's answers split it."""
    answer = _answers(problem, constraints)
    instance = _instances(problem, answer)
    fixed = np.full(instance.max() + 1, OPEN, dtype=np.int64)
    fixed[instance] = answer
    home = _home(problem, instance)
    key, source = _mentions(problem, instance, home)
    heard, first = np.unique(key, return_index=True)
    captioned = ~np.isin(problem.mention_keys(), constraints.injected)
    names = max(len(problem.names), 1)
    condensed = replace(
        problem,
        features=_means(problem, instance),
        group=home,
        mention_group=heard // names,
        mention_name=heard % names,
        mention_kind=None if problem.mention_kind is None else problem.mention_kind[source[first]],
        captions=None,
        truth=None,
        track=None,
        quality=None if problem.quality is None else _best(problem.quality, instance),
        evidence_face=instance[problem.evidence_face],
    )
    named = fixed >= 0
    return Condensed(
        condensed,
        Constraints(
            fixed=fixed,
            group=home,
            refused=_refused(problem, constraints, instance, fixed),
            taken=np.unique(home[named] * names + fixed[named]),
            injected=np.setdiff1d(heard, key[captioned[source]]),
            injected_names=constraints.injected_names,
            names=constraints.names,
        ),
        instance,
    )


def expand(scores: Scores, instance: IntArray) -> Scores:
    """The scores of instances as scores of their faces."""
    order = np.argsort(instance, kind="stable")
    which, place = join(instance[order], scores.face)
    face, name = order[place], scores.name[which]
    row = np.lexsort((name, face))
    return replace(
        scores,
        face=face[row],
        name=name[row],
        score=scores.score[which][row],
        nobody=None if scores.nobody is None else scores.nobody[instance],
    )


def _answers(problem: Problem, constraints: Constraints) -> IntArray:
    """What holds for each face: a person's answer to it, else to the face most like it in its track, else ``OPEN``."""
    track, answer = problem.track, constraints.fixed.copy()
    assert track is not None
    answered = np.flatnonzero((track != NO_TRACK) & (answer != OPEN))
    answered = answered[np.argsort(track[answered], kind="stable")]
    is_open = np.flatnonzero((track != NO_TRACK) & (answer == OPEN))
    which, place = join(track[answered], track[is_open])
    face, like = is_open[which], answered[place]
    may = (answer[like] < 0) | constraints.allows(face, answer[like])
    face, like = face[may], like[may]
    order = np.lexsort((like, -pair_cosines(problem.features, face, like), face))
    face, like = face[order], like[order]
    first = np.flatnonzero(np.r_[True, face[1:] != face[:-1]]) if len(face) else np.zeros(0, np.int64)
    answer[face[first]] = answer[like[first]]
    return answer


def _instances(problem: Problem, answer: IntArray) -> IntArray:
    """The instance of each face, numbered by their first faces: faces of one track for which one answer holds."""
    assert problem.track is not None
    alone = problem.track.max() + 1 + np.arange(problem.faces)
    key = np.where(problem.track == NO_TRACK, alone, problem.track) * (len(problem.names) + 2) + (answer - OPEN)
    _, first, place = np.unique(key, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[place]


def _means(problem: Problem, instance: IntArray) -> FloatArray:
    """Each instance's mean features at the mean length of its faces' features; a mean of length 0 gives way to one face."""
    from scipy.sparse import csr_array

    many, faces = np.bincount(instance), np.arange(problem.faces)
    weight = np.ones(problem.faces) if problem.quality is None else problem.quality
    weight = np.where(np.bincount(instance, weight)[instance] > 0, weight, 1.0)
    weight = weight / np.bincount(instance, weight)[instance]
    average = csr_array((weight.astype(np.float32), (instance, faces)), shape=(len(many), problem.faces))
    mean = np.asarray(average @ problem.features)
    length, due = np.linalg.norm(mean, axis=1), average @ np.linalg.norm(problem.features, axis=1)
    mean[many > 1] *= (due / np.maximum(length, 1e-12))[many > 1, None]
    lost = np.flatnonzero(length < 1e-6 * due)
    best = np.full(len(many), problem.faces)
    np.minimum.at(best, instance, faces)
    mean[lost] = problem.features[best[lost]]
    return mean


def _passes(problem: Problem, instance: IntArray) -> tuple[IntArray, IntArray]:
    """Every (instance, group) such that a face of the instance is in the group, ordered by both."""
    key = np.unique(instance * problem.groups + problem.group)
    return key // problem.groups, key % problem.groups


def _home(problem: Problem, instance: IntArray) -> IntArray:
    """Each instance's group: of those that it passes through the one through which most instances pass."""
    of, group = _passes(problem, instance)
    busy = np.bincount(group, minlength=problem.groups)
    order = np.lexsort((group, -busy[group], of))
    return group[order][np.r_[True, np.diff(of[order]) > 0]]


def _mentions(problem: Problem, instance: IntArray, home: IntArray) -> tuple[IntArray, IntArray]:
    """Keys of (group, name) with the mention that each comes from: all mentions there are, and at each instance's home
    those of all its groups."""
    of, group = _passes(problem, instance)
    which, mention = join(problem.mention_group, group)
    there = home[of[which]] * max(len(problem.names), 1) + problem.mention_name[mention]
    return np.r_[problem.mention_keys(), there], np.r_[np.arange(problem.mentions), mention]


def _best(quality: FloatArray, instance: IntArray) -> FloatArray:
    best = np.zeros(instance.max() + 1)
    np.maximum.at(best, instance, quality)
    return best


def _refused(problem: Problem, constraints: Constraints, instance: IntArray, fixed: IntArray) -> IntArray:
    """Keys of (instance, name) that are impossible: refused for one of its faces, or given to another instance in one of
    its groups."""
    names, spread = max(len(problem.names), 1), fixed[instance]
    named = spread >= 0
    taken = np.unique(problem.group[named] * names + spread[named])
    face, name = replace(constraints, fixed=spread, taken=taken).ruled_out()
    return np.unique(instance[face] * names + name)
