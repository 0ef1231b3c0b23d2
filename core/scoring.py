"""One round of the default solver: what a face's picture, its caption and its frame say about who it is.

A face's scores for all persons are worked out a few faces at a time; what is kept of them are its few likely persons.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.assign import frame_marginals
from core.corrections import OPEN, Bound
from core.evidence import Captions, Looks, Picture, Rates, rates
from core.lookalikes import LookAlikes, look_alikes, pick, prepare
from core.members import Sparse, entries, size_of, sparse, table, times, value_at
from core.problem import NOBODY, BoolArray, FloatArray, IntArray, Problem
from core.strangers import RETURNS

if TYPE_CHECKING:
    from core.rollcall import Settings

NEVER = -80.0  # the score of what people ruled out
FLOOR = -60.0  # the score of what is possible, at least
SURE = 30.0  # pictures say no more than this for or against a face's being known
UNLIKELY = 12.0  # nats by which a person may lag behind the likeliest and still be considered, were it alone in its frame
CELLS = 1 << 20  # scores worked out at once


@dataclass(frozen=True, eq=False)
class Scene:
    """What a run is given, and what never changes in it."""

    faces: FloatArray
    group: IntArray
    captions: Captions
    alike: LookAlikes
    bound: Bound
    ruled_out: Sparse  # faces × names, of open faces
    settings: Settings

    @property
    def names(self) -> int:
        return len(self.captions.mentions)

    @staticmethod
    def build(problem: Problem, bound: Bound, seed: int, settings: Settings) -> Scene:
        faces = prepare(problem, settings.dimensions)
        alike = look_alikes(faces, problem.group, settings.neighbours, np.random.default_rng(seed))
        return Scene.around(problem, bound, faces, alike, settings)

    @staticmethod
    def around(problem: Problem, bound: Bound, faces: FloatArray, alike: LookAlikes, settings: Settings) -> Scene:
        face, name = bound.ruled_out()
        ruled_out = table(np.ones(len(face)), face, name, (len(faces), len(problem.names)))
        return Scene(faces, problem.group, Captions.of(problem, bound), alike, bound, ruled_out, settings)

    def views(self) -> list[Scene]:
        """The scene as each view sees it: by the leading directions of all faces. Who looks like whom is the same in all."""
        many = [max(round(share * self.faces.shape[1]), 1) for share in self.settings.views]
        return [replace(self, faces=np.ascontiguousarray(self.faces[:, :kept])) for kept in dict.fromkeys(many)]

    def rates(self, belief: Belief) -> Rates:
        return rates(belief.members[:, : self.names], self.captions, self.settings.rho_strength)


@dataclass(frozen=True, eq=False)
class Belief:
    """The answer so far: ``members`` (faces × persons) and the chance that a face is somebody ``new``; rows sum to 1."""

    members: Sparse
    new: FloatArray

    @staticmethod
    def of(members: Sparse) -> Belief:
        """Whatever the members leave is new."""
        return Belief(members, np.maximum(1 - np.asarray(members.sum(1), np.float64), 0))

    def sure(self) -> float:
        """How sure the answer is, on average."""
        likely = self.members.max(axis=1).toarray() if self.members.shape[1] else np.zeros(len(self.new))
        return float(np.maximum(likely, self.new).mean())


def trusted(belief: Belief, tail: float) -> Sparse:
    """The members by which the scatter is counted: a face counts whole for whom it would be, unless it is clearly new."""
    return times(1 / np.maximum(1 - belief.new + belief.new * np.exp(-tail), 1e-9), belief.members)


# --- Scores ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Scores:
    """What the log-odds of each face's being each person, and of its being somebody new and unnamed, are made of."""

    scene: Scene
    looks: Looks
    rate: Rates
    salt: float
    prior: FloatArray  # by person
    seen: BoolArray  # by person: whether it has faces
    lonely: Sparse  # faces × persons: 1 where nobody else is that person, so that the picture cannot tell
    newcomers: float  # the share of faces that are seen nowhere else
    unseen: float  # the score of a name that has no other face
    new: float  # the score of being somebody new

    @staticmethod
    def of(scene: Scene, belief: Belief, picture: Picture, rate: Rates, turn: int) -> Scores:
        settings, members = scene.settings, belief.members
        size = size_of(members)
        face, person, share = entries(members)
        alone = size[person] - share < 0.5
        face, person, share = face[alone], person[alone], share[alone]
        newcomers, first = 0.05, 0.3
        if turn:
            newcomers, first = _newcomers(belief, face, share, float(share[person < scene.names].sum()))
        return Scores(
            scene=scene,
            looks=Looks.of(picture, members),
            rate=rate,
            salt=settings.salt_first + (settings.salt - settings.salt_first) * min(1.0, turn / settings.cool),
            prior=_prior(scene, size),
            seen=size >= 0.5,
            lonely=table(np.ones(len(face)), face, person, members.shape),
            newcomers=newcomers,
            unseen=float(np.log(first / max(int((size[: scene.names] < RETURNS).sum()), 1))),
            new=float(np.log(1 - first)),
        )

    def rows(self, face: IntArray) -> FloatArray:
        """The scores of a few faces (faces × persons)."""
        score, names = self.looks.rows(face), self.scene.names
        score *= self.salt
        score += self.prior
        lonely = self.lonely[face].tocoo().coords
        score[:, ~self.seen] = -np.inf
        score[lonely] = -np.inf
        score += _known(score, self.newcomers)[:, None]
        score[:, :names][:, ~self.seen[:names]] = self.unseen
        score[lonely[0][lonely[1] < names], lonely[1][lonely[1] < names]] = self.unseen
        self._add_captions(score, face)
        return np.maximum(score, FLOOR, out=score)

    def at(self, face: IntArray, person: IntArray) -> FloatArray:
        """The scores of single pairs, ordered by face, as if a face could be nobody but the persons it is paired with."""
        scene, names = self.scene, self.scene.names
        score = self.looks.at(face, person) * np.float32(self.salt) + self.prior[person]
        alone = ~self.seen[person] | (value_at(self.lonely, face, person) > 0)
        score[alone] = -np.inf
        start = np.flatnonzero(np.r_[True, face[1:] != face[:-1]])
        many = np.diff(np.r_[start, len(face)])
        top = np.repeat(np.maximum(np.maximum.reduceat(score, start), -300), many)
        total = np.log(np.repeat(np.add.reduceat(np.exp(score - top), start), many) + 1e-30)
        score += _bounded(np.maximum(top + total, -300), self.newcomers)
        named = person < names
        score[alone & named] = self.unseen
        unsaid, name = self.rate.unsaid * scene.settings.absence, person[named]
        heard = value_at(scene.captions.said, face[named], name)
        score[named] += (unsaid[name] + heard * (self.rate.said - unsaid)[name]).astype(np.float32)
        np.maximum(score, FLOOR, out=score)
        fixed = scene.bound.fixed[face]
        score[(fixed == NOBODY) & named] = NEVER
        score[named] = np.where(value_at(scene.ruled_out, face[named], name) > 0, NEVER, score[named])
        return np.where(fixed >= 0, np.where(fixed == person, SURE, NEVER), score)

    def _add_captions(self, score: FloatArray, face: IntArray) -> None:
        """What each face's caption says by the names it holds and by those it leaves out, added in place."""
        unsaid = self.rate.unsaid * self.scene.settings.absence
        score[:, : self.scene.names] += unsaid.astype(np.float32)
        row, name = self.scene.captions.said[face].tocoo().coords
        score[row, name] += (self.rate.said - unsaid)[name].astype(np.float32)


def _newcomers(belief: Belief, face: IntArray, share: FloatArray, named: float) -> tuple[float, float]:
    """The share of faces that are seen nowhere else, and the share of names among those."""
    n = len(belief.new)
    known = 1 - belief.new - np.bincount(face, share, minlength=n)
    total = named + belief.new.sum()
    return float(np.clip(1 - known.mean(), 1 / n, 0.9)), float((named + 0.1 * total + 1) / (1.2 * total + 2))


def _prior(scene: Scene, size: FloatArray) -> FloatArray:
    """log of how many faces a person has; a name at most ``name_cap`` for each mention, so that none grows into a crowd."""
    given = scene.bound.fixed[scene.bound.fixed >= 0]
    cap = np.full(len(size), np.inf)
    cap[: scene.names] = scene.settings.name_cap * scene.captions.mentions + np.bincount(given, minlength=scene.names)
    cap[: scene.names][scene.captions.unheard] = np.inf
    prior = np.log((np.minimum(size, cap) + 0.5) / (len(scene.faces) + 0.5 * scene.names))
    return np.asarray(prior, np.float32)


def _known(score: FloatArray, new: float) -> FloatArray:
    """What to add so that a face's scores sum to its odds of being known: ``log sum_k exp(score_ik) - log new``, bounded."""
    top = np.maximum(score.max(1, initial=-np.inf), -300)
    return _bounded(np.maximum(top + np.log(np.exp(score - top[:, None]).sum(1) + 1e-30), -300), new)


def _bounded(total: FloatArray, new: float) -> FloatArray:
    return np.asarray(np.clip(total - np.log(new), -SURE, SURE) - total, np.float32)


# --- From scores to a belief -------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Candidates:
    """The few persons that each face may be, and their scores; a score of minus infinity is no person."""

    person: IntArray
    score: FloatArray

    def scored(self, scores: Scores) -> Candidates:
        """The same persons with other scores."""
        row, slot = np.nonzero(self.score > -np.inf)
        score = np.full_like(self.score, -np.inf)
        if len(row):
            score[row, slot] = scores.at(row, self.person[row, slot])
        return Candidates(self.person, score)

    def without(self, gone: BoolArray) -> Candidates:
        """The same without these persons, the others counted anew."""
        left = np.cumsum(~gone) - 1
        return Candidates(left[self.person], np.where(gone[self.person], -np.inf, self.score).astype(np.float32))


def in_frames(
    scene: Scene,
    candidates: Candidates,
    many: int,
    new: float,
    rate: Rates | None = None,
    faces: IntArray | None = None,
) -> Belief:
    """The belief that the scores of candidates among ``many`` persons give, each person once in a frame, and what people
    said held. Of other than the given ``faces`` (whole frames; all, if not given) nothing is believed.

    One caption speaks to all faces of its frame, but a person needs to be heard of once: who is seen a second time gains
    nothing by the caption (whose ``rate`` is given) any more.
    """
    n, person = len(scene.faces), candidates.person
    faces = np.arange(n) if faces is None else faces
    nobody = np.full(len(faces), new)
    again = np.full(person.shape, scene.settings.twice)
    if rate is not None and scene.settings.twice < 1:
        again = np.minimum(again * np.exp(-_heard(scene, faces, person, rate)), 1)
    chance, rest = frame_marginals(candidates.score, nobody, person, scene.group[faces], again)
    keep = chance > 1e-4
    unknown = np.zeros(n)
    unknown[faces] = rest
    members = table(chance[keep], faces[np.nonzero(keep)[0]], person[keep], (n, many))
    return obey(scene, Belief(members, unknown), faces)


def _heard(scene: Scene, face: IntArray, person: IntArray, rate: Rates) -> FloatArray:
    """What each face's caption says of its candidates, by holding their names or leaving them out (faces × candidates)."""
    heard, (row, slot) = np.zeros(person.shape), np.nonzero(person < scene.names)
    name, unsaid = person[row, slot], rate.unsaid * scene.settings.absence
    heard[row, slot] = unsaid[name] + value_at(scene.captions.said, face[row], name) * (rate.said - unsaid)[name]
    return heard


def likeliest(
    scene: Scene, rows: Callable[[IntArray], FloatArray], many: int, new: float, faces: IntArray | None = None
) -> Candidates:
    """The likely ones of ``many`` persons for each of ``faces`` (all, if not given); ``rows`` gives the scores of a few."""
    faces = np.arange(len(scene.faces)) if faces is None else faces
    width = min(scene.settings.candidates, many)
    person, score = np.zeros((len(faces), width), np.int64), np.full((len(faces), width), -np.inf, np.float32)
    lag = UNLIKELY - np.log(max(scene.settings.twice, 1e-9))
    height = max(CELLS // max(many, 1), 1)
    for start in range(0, len(faces), height):
        part = slice(start, start + height)
        block = rows(faces[part])
        _hold(scene, faces[part], block)
        pick(block, np.maximum(block.max(1, initial=-np.inf), new) - lag, person[part], score[part])
    return Candidates(person, score)


def _hold(scene: Scene, face: IntArray, score: FloatArray) -> None:
    """What people said, put into a few faces' scores."""
    fixed = scene.bound.fixed[face]
    score[scene.ruled_out[face].tocoo().coords] = NEVER
    score[fixed == NOBODY, : scene.names] = NEVER
    named = np.flatnonzero(fixed >= 0)
    score[named] = NEVER
    score[named, fixed[named]] = SURE


def obey(scene: Scene, belief: Belief, faces: IntArray | None = None) -> Belief:
    """What people said (of these faces; of all, if not given) is never overruled: given names are certain, what is ruled
    out has no chance."""
    members, asked = belief.members, np.ones(len(belief.new), bool)
    if faces is not None:
        asked = np.isin(np.arange(len(asked)), faces)
    fixed = np.where(asked, scene.bound.fixed, OPEN)
    ruled_face, ruled_name, _ = entries(scene.ruled_out)
    touched = fixed != OPEN
    touched[ruled_face] |= asked[ruled_face]
    if not touched.any():
        return belief
    many, (face, person, share) = members.shape[1], entries(members)
    ruled = np.isin(face * many + person, ruled_face * many + ruled_name)
    stays = ((fixed[face] == OPEN) & ~ruled) | ((fixed[face] == NOBODY) & (person >= scene.names))
    members = table(share[stays], face[stays], person[stays], members.shape)
    new = np.where(fixed >= 0, 0.0, belief.new)
    total = np.asarray(members.sum(1), np.float64) + new
    lost = touched & (total < 1e-9)
    total = np.where(touched & ~lost, total, 1.0)
    named = np.flatnonzero(fixed >= 0)
    given = table(np.ones(len(named)), named, fixed[named], members.shape)
    return Belief(sparse(times(1 / total, members) + given), np.where(lost & (fixed < 0), 1.0, new / total))


def passers_by(members: Sparse, names: int) -> BoolArray:
    """Which persons are neither names nor unnamed ones who return."""
    return np.asarray((size_of(members) < RETURNS) & (np.arange(members.shape[1]) >= names))
