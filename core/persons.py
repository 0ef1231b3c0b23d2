"""Persons as wholes: strangers who return, mixed persons apart, alike persons together, and which name each one bears.

*Members* is a sparse table (faces × persons) of how much each face belongs to each person; the names come first, in their
order, then the unnamed persons.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import gammaln

from core.assign import one_to_one, one_to_one_marginals
from core.corrections import OPEN, Bound
from core.evidence import (
    Captions,
    Picture,
    Sparse,
    beside,
    caption_fit,
    one_person,
    picture_evidence,
    size_of,
    sparse,
    table,
    times,
)
from core.problem import BoolArray, FloatArray, IntArray
from core.strangers import RETURNS, leaders

if TYPE_CHECKING:
    from core.rollcall import Settings

CONFIRMED = 12.0  # nats by which one answer of a person speaks for or against its whole person's name
ALIVE = 0.8  # faces that make a person


@dataclass(frozen=True, eq=False)
class Crowd:
    """What persons are judged by: pictures, look-alikes, captions, and what people said."""

    picture: Picture
    alike: Sparse  # weights between look-alike faces
    captions: Captions
    common: float  # how often a visible person is named
    bound: Bound
    settings: Settings

    @property
    def names(self) -> int:
        return len(self.captions.mentions)

    def fit(self, hit: FloatArray, size: FloatArray, mentions: FloatArray) -> FloatArray:
        return caption_fit(hit, size, mentions, self.captions.groups, self.common, self.settings.fit_strength)

    def hits(self, members: Sparse) -> FloatArray:
        """How many of each person's faces stand beside each name's mention (persons × names)."""
        return np.asarray((members.T @ self.captions.said).toarray(), np.float64)

    def answers(self, members: Sparse) -> FloatArray:
        """What answers about a person's faces say for or against each name (persons × names)."""
        face = np.flatnonzero(self.bound.fixed != OPEN)
        named = np.flatnonzero(self.bound.fixed >= 0)
        given = table(np.ones(len(named)), named, self.bound.fixed[named], (members.shape[0], self.names))
        return np.asarray(CONFIRMED * (2 * (members.T @ given).toarray() - size_of(members[face])[:, None]))


def look_at_persons(members: Sparse, new: FloatArray, crowd: Crowd) -> Sparse:
    """Strangers in, mixed persons apart, alike persons together, names handed out anew."""
    strangers = leaders(crowd.picture, new > 0.5, crowd.alike, crowd.settings.coherence)
    members = beside(times(1 - np.asarray(strangers.sum(1), np.float64), members), times(new, strangers))
    members = unmentioned_apart(members, crowd)
    members = mixed_apart(members, crowd) if crowd.settings.part else members
    return hand_out_names(alike_together(members, crowd), crowd)


# --- Mixed persons apart -----------------------------------------------------------------------------------------------


def unmentioned_apart(members: Sparse, crowd: Crowd) -> Sparse:
    """A name whose unmentioned faces do not look like its mentioned ones holds two persons: the unmentioned leave."""
    names = members[:, : crowd.names]
    on = sparse(names.multiply(crowd.captions.said))
    off = sparse(names - on)
    evidence = picture_evidence(crowd.picture, on)
    many_on, many_off = size_of(on) + 1e-9, size_of(off) + 1e-9
    mean = size_of(on.multiply(evidence)) / many_on
    deviation = np.sqrt(np.maximum(size_of(on.multiply(evidence**2)) / many_on - mean**2, 0))
    lag = (mean - size_of(off.multiply(evidence)) / many_off) / (deviation + 0.1 * np.abs(mean) + 0.5)
    mixed = (lag > crowd.settings.split) & (many_on > 2.5) & (many_off > 1.5)
    if not mixed.any():
        return members
    unlike = mixed & (evidence < mean - crowd.settings.split * deviation)
    leaving = sparse(off.multiply(unlike))
    return beside(sparse(names - leaving), members[:, crowd.names :], leaving[:, mixed])


@dataclass(frozen=True, eq=False)
class Halves:
    """A person that is rather two: the faces of each half, and half the log-odds of two persons against one."""

    person: int
    left: IntArray
    right: IntArray
    gain: float


def mixed_apart(members: Sparse, crowd: Crowd) -> Sparse:
    """Persons that look like two are parted; from a name goes the half that is mentioned less often."""
    halves = two_in_one(members, crowd)
    parts = [(half.person, face) for half in halves if len(face := _leaves(half, crowd))]
    if not parts:
        return members
    person, face = np.repeat([k for k, _ in parts], [len(f) for _, f in parts]), np.concatenate([f for _, f in parts])
    share = members[face, person]
    _, place = np.unique(person, return_inverse=True)
    leaving = table(share, face, place, (members.shape[0], len(parts)))
    return beside(sparse(members - table(share, face, person, members.shape)), leaving)


def _leaves(halves: Halves, crowd: Crowd) -> IntArray:
    """The faces of the half that leaves; none if the captions would rather have both stay."""
    a, b, k = halves.left, halves.right, halves.person
    if k >= crowd.names:
        return a if halves.gain > crowd.settings.coherence else a[:0]
    hit_a, hit_b = (float(crowd.captions.said[half][:, [k]].sum()) for half in (a, b))
    if hit_a / len(a) + 0.1 * (len(a) > len(b)) > hit_b / len(b) + 0.1 * (len(b) > len(a)):
        a, b, hit_a, hit_b = b, a, hit_b, hit_a
    hit, size = np.array([hit_b, hit_a + hit_b]), np.array([len(b), len(a) + len(b)], np.float64)
    without, with_both = crowd.fit(hit, size, crowd.captions.mentions[[k, k]])
    return a if halves.gain + without - with_both > crowd.settings.coherence else a[:0]


def two_in_one(members: Sparse, crowd: Crowd) -> list[Halves]:
    """Persons whose faces are rather two persons: log P(two) + log P(this partition, Chinese restaurant) - log P(one).

    Being seen twice in a frame speaks against one person, as it does in ``assign.frame_marginals``.
    """
    picture, group, columns, found = crowd.picture, crowd.bound.group, members.tocsc(), []
    for person in range(columns.shape[1]):
        span = slice(columns.indptr[person], columns.indptr[person + 1])
        face = columns.indices[span][columns.data[span] > 0.5].astype(np.int64)
        if len(face) < 3:
            continue
        y = picture.y[face].astype(np.float64)
        side = _halve(y, picture.psi)
        left, n = int(side.sum()), len(face)
        if left in (0, n):
            continue
        total = np.stack([y[side].sum(0), y[~side].sum(0), y.sum(0)])
        value = one_person(np.array([left, n - left, n], np.float64), total, picture.psi)
        twice = len(np.unique(group[face[side]])) + len(np.unique(group[face[~side]])) - len(np.unique(group[face]))
        other = gammaln(left) + gammaln(n - left) - gammaln(n) - twice * np.log(max(crowd.settings.twice, 1e-9))
        looks = value[0] + value[1] - value[2]
        if looks + other > crowd.settings.coherence:
            found.append(Halves(person, face[side], face[~side], float(0.5 * looks + other)))
    return found


def _halve(y: FloatArray, psi: FloatArray) -> BoolArray:
    """The faces cut in two along their main direction, then each given to the nearer half, four times."""
    centred = (y - y.mean(0)) * np.sqrt(psi / (1 + psi))
    if len(y) <= 400:
        axis = np.linalg.svd(centred, full_matrices=False)[2][0]
    else:
        axis = np.linalg.eigh(centred.T @ centred)[1][:, -1]
    side = centred @ axis > 0
    for _ in range(4):
        if side.all() or not side.any():
            break
        a, b = y[side].mean(0), y[~side].mean(0)
        side = y @ (a - b) > 0.5 * (a @ a - b @ b)
    return np.asarray(side)


# --- Alike persons together, and names ---------------------------------------------------------------------------------


def alike_together(members: Sparse, crowd: Crowd) -> Sparse:
    """Unnamed persons join the person they look like, where pictures, captions and answers together gain by it."""
    evidence = picture_evidence(crowd.picture, members)
    for _ in range(3):
        whom = _whom_to_join(members, evidence, crowd)
        moved = np.flatnonzero(whom != np.arange(len(whom)))
        if not len(moved):
            break
        members = sparse(members @ table(np.ones(len(whom)), np.arange(len(whom)), whom, (len(whom), len(whom))))
        grown = np.unique(whom[moved])
        evidence[:, grown] = picture_evidence(crowd.picture, members[:, grown])
    return members


def _whom_to_join(members: Sparse, evidence: FloatArray, crowd: Crowd) -> IntArray:
    """For each person itself, or the person it joins; nobody takes part in two joins."""
    many, names = members.shape[1], crowd.names
    size, hit, answers = size_of(members), crowd.hits(members), crowd.answers(members)
    mentions = crowd.captions.mentions
    mean = (members.T @ evidence) / np.maximum(size, 1e-9)[:, None]  # log-odds of k's faces as j's
    both = np.minimum(mean, mean.T)
    both[size <= ALIVE] = both[:, size <= ALIVE] = -np.inf
    both[:names, :names] = -np.inf
    np.fill_diagonal(both, -np.inf)
    own = np.diag(mean)
    whom, done = np.arange(many), size <= ALIVE
    for k in names + np.argsort(-both[names:].max(1, initial=-np.inf), kind="stable"):
        floor = np.where(np.arange(many) < names, crowd.settings.alike, 0.0) * np.clip(np.minimum(own[k], own), 0, None)
        join = np.flatnonzero((both[k] > floor) & ~done)
        if done[k] or not len(join):
            continue
        gain = size[k] * mean[k, join]
        c = join[join < names]
        together = crowd.fit(hit[c, c] + hit[k, c], size[c] + size[k], mentions[c])
        gain[join < names] += together - crowd.fit(hit[c, c], size[c], mentions[c]) + answers[k, c]
        if gain.max() > 0:
            whom[k] = join[gain.argmax()]
            done[[k, whom[k]]] = True
    return whom


def hand_out_names(members: Sparse, crowd: Crowd) -> Sparse:
    """Names to persons, one to one, by all their captions; persons left without one stay as unnamed if they return."""
    size, names = size_of(members), crowd.names
    live = np.flatnonzero(size > ALIVE)
    bears = np.full(len(size), -1)
    if len(live) and names:
        bears[live] = one_to_one(_name_gain(members, live, crowd))
    named = np.flatnonzero(bears >= 0)
    place = table(np.ones(len(named)), named, bears[named], (len(size), names))
    return beside(sparse(members @ place), members[:, (bears < 0) & (size > RETURNS)])


def _name_gain(members: Sparse, persons: IntArray, crowd: Crowd) -> FloatArray:
    """What ``persons`` gain by each name over staying unnamed; how readily one stays so, comes from how many do."""
    mentions, named = crowd.captions.mentions, int((persons < crowd.names).sum())
    free = max(int((mentions > 0).sum()) - named, 0) + 1
    chosen = members[:, persons]
    fit = crowd.fit(crowd.hits(chosen), size_of(chosen)[:, None], mentions)
    return np.asarray(fit - np.log((len(persons) - named + 1) / (named + 1) * free) + crowd.answers(chosen))


def label_posterior(members: Sparse, crowd: Crowd) -> FloatArray:
    """Faces × names when it is uncertain which person bears which name: ``sum_k q_ik r_kc``.

    r are the marginals of handing the names out one to one. Persons of a single face keep the name they have.
    """
    persons = np.flatnonzero(size_of(members) > RETURNS)
    names: FloatArray = members[:, : crowd.names].toarray()
    if not len(persons) or not crowd.names:
        return names
    bears = one_to_one_marginals(np.clip(crowd.settings.label_salt * _name_gain(members, persons, crowd), -500.0, 500.0))
    posterior = np.asarray(members[:, persons] @ bears)
    single = np.setdiff1d(np.arange(crowd.names), persons)
    posterior[:, single] += names[:, single]
    return posterior
