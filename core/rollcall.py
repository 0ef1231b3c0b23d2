"""The default solver: a posterior over *persons*, that is the names, the unnamed persons who return, and somebody new.

One round, all of it estimated from the answer so far:

- pictures: does a face look like person k's other faces, or like somebody new (``evidence.picture_evidence``);
- captions: is k named beside it, and does that tell anything (``evidence.rates``);
- frames: a person is seen once in a frame, softly (``assign.frame_marginals``).

Every few rounds persons are looked at as wholes (``persons.look_at_persons``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from core.assign import frame_marginals
from core.corrections import OPEN, Bound
from core.evidence import (
    Captions,
    LookAlikes,
    Picture,
    Rates,
    Sparse,
    beside,
    look_alikes,
    picture_evidence,
    prepare,
    rates,
    see,
    size_of,
    sparse,
    table,
    times,
)
from core.persons import Crowd, label_posterior, look_at_persons
from core.problem import NOBODY, FloatArray, IntArray, Problem
from core.progress import Progress
from core.strangers import RETURNS, leaders

NEVER = -80.0  # the score of what people ruled out
FLOOR = -60.0  # the score of what is possible, at least
SURE = 30.0  # pictures say no more than this for or against a face's being known


@dataclass(frozen=True)
class Settings:
    """One set of values for all problems."""

    rounds: int = 24
    looks: tuple[int, ...] = (3, 7, 11, 15, 19)  # rounds after which persons are looked at as wholes
    neighbours: int = 10  # look-alikes a face is linked to
    dimensions: int = 128  # principal directions kept
    candidates: int = 24  # persons considered for a face
    salt_first: float = 0.8  # a picture's log-odds are taken times this at first,
    salt: float = 0.6  # times this in the end (a person's faces are not independent),
    cool: float = 12.0  # after so many rounds
    twice: float = 0.02  # how readily a person is seen twice in one frame
    rho_strength: float = 30.0  # faces' worth of belief that a name's rho is the common one
    fit_strength: float = 8.0  # the same when whole persons are judged
    scatter_prior: float = 0.3  # pull of the scatter within persons towards a plain one; 1 learns nothing
    tail: float = 2.5  # nats by which "new" must win before a face stops counting for the scatter
    name_cap: float = 1.5  # a name's prior is at most so many faces for each of its mentions
    coherence: float = 3.0  # log-odds a new stranger needs against being different people
    alike: float = 0.3  # how alike, of their own coherence, a stranger and a name must be to merge
    label_salt: float = 1.2  # trust in the captions' verdict on whole persons
    split: float = 1.5  # standard deviations at which unmentioned faces are no longer the mentioned person
    absence: bool = True  # a caption speaks by what it leaves out, too
    strangers: bool = True  # unnamed persons who return compete with the names
    part: bool = True  # persons that look like two are parted
    labels: bool = True  # confidence counts how sure a whole person's name is


DEFAULTS = Settings()
WITHOUT: dict[str, dict[str, Any]] = {  # what each part is worth is seen by taking it out
    "absence": {"absence": False},
    "exclusivity": {"twice": 1.0},
    "strangers": {"strangers": False},
    "parting": {"part": False},
    "learning": {"scatter_prior": 1.0},
    "labels": {"labels": False},
}


@dataclass(frozen=True, eq=False)
class Posterior:
    """Who is who, as probabilities, and what explains them."""

    names: FloatArray  # faces × names
    nobody: FloatArray  # faces; names and nobody sum to 1
    persons: Sparse  # faces × persons: the names first, then unnamed persons who return
    neighbours: IntArray  # faces × look-alikes in other groups, nearest first
    cosine: FloatArray  # how alike those are
    rho: FloatArray  # by name: how often a visible person is named
    beta: FloatArray  # by name: how often an absent one is


@dataclass(frozen=True, eq=False)
class Scene:
    """What a run is given, and what never changes in it."""

    faces: FloatArray
    group: IntArray
    captions: Captions
    alike: LookAlikes
    bound: Bound
    ruled_out: tuple[IntArray, IntArray]  # (face, name) pairs of open faces
    settings: Settings

    @property
    def names(self) -> int:
        return len(self.captions.mentions)

    @staticmethod
    def build(problem: Problem, bound: Bound, seed: int, settings: Settings) -> Scene:
        faces = prepare(problem.features, settings.dimensions)
        alike = look_alikes(faces, problem.group, settings.neighbours, np.random.default_rng(seed))
        return Scene(faces, problem.group, Captions.of(problem), alike, bound, bound.ruled_out(), settings)

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


def rollcall(problem: Problem, bound: Bound, seed: int, progress: Progress, settings: Settings = DEFAULTS) -> Posterior:
    """Names the faces of ``problem`` around what people said."""
    scene = Scene.build(problem, bound, seed, settings)
    belief = first_guess(scene)
    if not scene.faces.any():  # all faces are the same: captions alone speak, and would only talk themselves into certainty
        return _posterior(scene, belief, scene.rates(belief), belief.members[:, : scene.names])
    picture = see(scene.faces, belief.members, settings.scatter_prior, scene.alike.typical)
    if settings.strangers:
        belief = first_strangers(scene, belief, picture)
    for turn in range(settings.rounds):
        if turn < 8 or turn % 3 == 0:
            picture = see(scene.faces, trusted(belief, settings.tail), settings.scatter_prior, scene.alike.typical)
        rate = scene.rates(belief)
        belief = in_frames(scene, *person_scores(scene, belief, picture, rate, turn))
        crowd = Crowd(picture, scene.alike.weight, scene.captions, rate.common, bound, settings)
        if settings.strangers and turn in settings.looks:
            belief = obey(scene, Belief.of(look_at_persons(belief.members, belief.new, crowd)))
        elif turn % 3 == 2:
            belief = Belief.of(without_passers_by(belief.members, scene.names))
        progress("people", turn + 1, settings.rounds, belief.sure())
    named = sparse(label_posterior(belief.members, crowd)) if settings.labels else belief.members[:, : scene.names]
    return _posterior(scene, belief, rate, named)


def _posterior(scene: Scene, belief: Belief, rate: Rates, named: Sparse) -> Posterior:
    """The answer, with what people said held once more: a whole person's label may have moved a face."""
    answer = obey(scene, Belief.of(named))
    total = np.asarray(answer.members.sum(1), np.float64) + answer.new
    return Posterior(
        names=(answer.members.toarray() / total[:, None]).astype(np.float32),
        nobody=(answer.new / total).astype(np.float32),
        persons=belief.members,
        neighbours=scene.alike.index,
        cosine=scene.alike.cosine,
        rho=rate.rho,
        beta=rate.beta,
    )


# --- How it begins -----------------------------------------------------------------------------------------------------


def first_guess(scene: Scene, rho: float = 0.7, new: float = 0.1) -> Belief:
    """Captions alone: the mean of what a face's own caption (within-group) and its look-alikes' (cross-group) say.

    ``x_ic = 1/2 (E_ic + sum_j w_ij E_jc) + log p_c`` with E the log-odds that a caption with or without c gives.
    """
    n, said = len(scene.faces), scene.captions.said
    if not scene.names:
        return Belief(sparse((n, 0)), np.ones(n))
    beta = np.clip(size_of(said) / n, 1 / n, 0.9)
    on, off = np.log(rho / beta), np.log((1 - rho) / (1 - np.minimum(beta, rho)))
    alike = scene.alike.weight
    heard = (said + alike @ said).toarray() * (on - off) + (1 + np.asarray(alike.sum(1)))[:, None] * off
    return in_frames(scene, 0.5 * heard + np.log(beta / beta.sum()), np.log(new))


def first_strangers(scene: Scene, belief: Belief, picture: Picture) -> Belief:
    """Persons among the faces that the captions do not explain; they are believed by four fifths."""
    found = leaders(picture, belief.new > 0.5, scene.alike.weight, scene.settings.coherence)
    inside = 0.8 * np.asarray(found.sum(1), np.float64)
    return Belief(beside(times(1 - inside, belief.members), 0.8 * found), belief.new * (1 - inside))


# --- One round ---------------------------------------------------------------------------------------------------------


def trusted(belief: Belief, tail: float) -> Sparse:
    """The members by which the scatter is counted: a face counts whole for whom it would be, unless it is clearly new."""
    return times(1 / np.maximum(1 - belief.new + belief.new * np.exp(-tail), 1e-9), belief.members)


def person_scores(scene: Scene, belief: Belief, picture: Picture, rate: Rates, turn: int) -> tuple[FloatArray, float]:
    """Log-odds of each face's being each person (faces × persons), and of its being somebody new and unnamed."""
    settings, members = scene.settings, belief.members
    size = size_of(members)
    pairs = members.tocoo()
    alone = size[pairs.coords[1]] - pairs.data < 0.5  # nobody else is that person: the picture cannot tell
    face, person = (place[alone].astype(np.int64) for place in pairs.coords)
    share = pairs.data[alone]
    new, first = 0.05, 0.3
    if turn:
        new, first = _newcomers(belief, face, share, float(share[person < scene.names].sum()))
    salt = settings.salt_first + (settings.salt - settings.salt_first) * min(1.0, turn / settings.cool)
    score = salt * picture_evidence(picture, members) + _prior(scene, size)
    score[:, size < 0.5] = -np.inf
    score[face, person] = -np.inf
    score += _known(score, new)[:, None]
    unseen = np.log(first / max(int((size[: scene.names] < RETURNS).sum()), 1))
    score[:, : scene.names][:, size[: scene.names] < 0.5] = unseen
    score[face[person < scene.names], person[person < scene.names]] = unseen
    _add_captions(score, scene, rate)
    return np.maximum(score, FLOOR), float(np.log(1 - first))


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
    prior = np.log((np.minimum(size, cap) + 0.5) / (len(scene.faces) + 0.5 * scene.names))
    return np.asarray(prior, np.float32)


def _known(score: FloatArray, new: float) -> FloatArray:
    """What to add so that a face's scores sum to its odds of being known: ``log sum_k exp(score_ik) - log new``, bounded."""
    top = np.maximum(score.max(1, initial=-np.inf), -300)
    total = np.maximum(top + np.log(np.exp(score - top[:, None]).sum(1) + 1e-30), -300)
    return np.asarray(np.clip(total - np.log(new), -SURE, SURE) - total, np.float32)


def _add_captions(score: FloatArray, scene: Scene, rate: Rates) -> None:
    """What each face's caption says by the names it holds and by those it leaves out, added in place."""
    unsaid = rate.unsaid * scene.settings.absence
    score[:, : scene.names] += unsaid.astype(np.float32)
    said = scene.captions.said.tocoo()
    face, name = said.coords
    score[face, name] += (rate.said - unsaid)[name].astype(np.float32)


def in_frames(scene: Scene, score: FloatArray, new: float) -> Belief:
    """The belief that scores give, each person once in a frame, and what people said held."""
    fixed, (n, many) = scene.bound.fixed, score.shape
    score[scene.ruled_out] = NEVER
    score[fixed == NOBODY, : scene.names] = NEVER
    named = np.flatnonzero(fixed >= 0)
    score[named] = NEVER
    score[named, fixed[named]] = SURE
    best = np.tile(np.arange(many), (n, 1))
    if many > scene.settings.candidates:
        best = np.argpartition(-score, scene.settings.candidates - 1, axis=1)[:, : scene.settings.candidates]
    chance, rest = frame_marginals(
        np.take_along_axis(score, best, 1), np.full(n, new), best, scene.group, scene.settings.twice
    )
    keep = chance > 1e-4
    return obey(scene, Belief(table(chance[keep], np.nonzero(keep)[0], best[keep], (n, many)), rest))


def obey(scene: Scene, belief: Belief) -> Belief:
    """What people said is never overruled: given names are certain, what is ruled out has no chance."""
    fixed, members, (ruled_face, ruled_name) = scene.bound.fixed, belief.members, scene.ruled_out
    if (fixed == OPEN).all() and not len(ruled_face):
        return belief
    many, pairs = members.shape[1], members.tocoo()
    face, person = (place.astype(np.int64) for place in pairs.coords)
    ruled = np.isin(face * many + person, ruled_face * many + ruled_name)
    stays = ((fixed[face] == OPEN) & ~ruled) | ((fixed[face] == NOBODY) & (person >= scene.names))
    members = table(pairs.data[stays], face[stays], person[stays], members.shape)
    new = np.where(fixed >= 0, 0.0, belief.new)
    total = np.asarray(members.sum(1), np.float64) + new
    lost = total < 1e-9
    total = np.where(lost, 1.0, total)
    named = np.flatnonzero(fixed >= 0)
    given = table(np.ones(len(named)), named, fixed[named], members.shape)
    return Belief(sparse(times(1 / total, members) + given), np.where(lost & (fixed < 0), 1.0, new / total))


def without_passers_by(members: Sparse, names: int) -> Sparse:
    """The names, and the unnamed persons who return."""
    stay = (size_of(members) >= RETURNS) | (np.arange(members.shape[1]) < names)
    return members[:, stay]
