"""Persons as wholes: strangers who return, mixed persons apart, alike persons together, and which name each one bears.

*Members* is a sparse table (faces × persons) of how much each face belongs to each person; the names come first, in their
order, then the unnamed persons.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import vstack
from scipy.special import gammaln

from core.corrections import OPEN, Bound
from core.evidence import FAINT, Captions, Looks, Picture, Rates, caption_fit, one_person
from core.members import Sparse, beside, entries, size_of, sparse, table, times, value_at
from core.naming import ALIVE, CONFIRMED, Answers, hand_out_names
from core.problem import NOBODY, BoolArray, FloatArray, IntArray
from core.strangers import RETURNS, leaders

if TYPE_CHECKING:
    from core.rollcall import Settings
    from core.scoring import Scene

NAMELESS = 0.5  # that a face is nobody tells so much less of its person than a name does: extras look like others by chance
ELSEWHERE = 1.0  # nats that a second look of another named person costs
ALONE = 0.5  # other faces that make a person to look like
CELLS = 1 << 20  # persons compared with persons at once


@dataclass(frozen=True, eq=False)
class Crowd:
    """What persons are judged by: pictures, look-alikes, captions, and what people said."""

    picture: Picture
    alike: Sparse  # weights between look-alike faces
    captions: Captions
    common: float  # how often a visible person is named
    bound: Bound
    settings: Settings

    @staticmethod
    def of(scene: Scene, picture: Picture, rate: Rates) -> Crowd:
        return Crowd(picture, scene.alike.weight, scene.captions, rate.common, scene.bound, scene.settings)

    @property
    def names(self) -> int:
        return len(self.captions.mentions)

    def fit(self, hit: FloatArray, size: FloatArray, mentions: FloatArray) -> FloatArray:
        return caption_fit(hit, size, mentions, self.captions.groups, self.common, self.settings.fit_strength)

    def hits(self, members: Sparse) -> Sparse:
        """How many of each person's faces stand beside each name's mention (persons × names)."""
        return sparse(members.T @ self.captions.said)

    def answers(self, members: Sparse) -> Answers:
        """Answers about each person's faces: how many give each name (persons × names), and how many there are."""
        speaks, named = self._speaks(members), np.flatnonzero(self.bound.fixed >= 0)
        given = table(np.ones(len(named)), named, self.bound.fixed[named], (members.shape[0], self.names))
        return sparse(speaks.T @ given), size_of(speaks)

    def _speaks(self, members: Sparse) -> Sparse:
        """How much the answer about each answered face tells of each person (faces × persons).

        It tells of whom the face looks like, wherever the answer itself has put the face: if Ann's likeness is not Ann, the
        others who look so may not be either. And it speaks with no more nats than these log-odds: who was taken for one
        may be two, and the answer about the other one.
        """
        face, size, found = np.flatnonzero(self.bound.fixed != OPEN), size_of(members), sparse(members.shape)
        if not len(face):
            return found
        looks = Looks.of(self.picture, members, face)
        for start in range(0, len(face), height := max(CELLS // max(len(size), 1), 1)):
            part = face[start : start + height]
            own, odds = members[part].toarray(), self.settings.salt * looks.rows(slice(start, start + height))
            others = size - own
            score = np.where(others < ALONE, -np.inf, odds + np.log(np.maximum(others, ALONE)))
            top = score.max(1, initial=0.0)[:, None]  # 0: somebody new
            share = np.exp(score - top)
            share /= np.exp(-top) + share.sum(1, keepdims=True)
            weight = np.where(others < ALONE, own, share * np.clip(odds / CONFIRMED, 0.0, 1.0))
            weight[self.bound.fixed[part] == NOBODY] *= NAMELESS
            row, person = np.nonzero(weight > FAINT)
            found = sparse(found + table(weight[row, person], part[row], person, members.shape))
        return found


def look_at_persons(members: Sparse, new: FloatArray, crowd: Crowd, faces: BoolArray | None = None) -> Sparse:
    """Strangers in, mixed persons apart, alike persons together, names handed out anew.

    Where only some ``faces`` are in question, strangers are sought among those and their persons parted; the rest stay.
    """
    faces = np.ones(len(new), bool) if faces is None else faces
    strangers = leaders(crowd.picture, (new > 0.5) & faces, crowd.alike, crowd.settings.coherence)
    members = beside(times(1 - np.asarray(strangers.sum(1), np.float64), members), times(new, strangers))
    asked = size_of(members[faces]) > ALIVE
    members = unmentioned_apart(members, crowd, asked)
    members = mixed_apart(members, crowd, asked) if crowd.settings.part else members
    return hand_out_names(alike_together(members, crowd), crowd)


# --- Mixed persons apart -----------------------------------------------------------------------------------------------


def unmentioned_apart(members: Sparse, crowd: Crowd, asked: BoolArray) -> Sparse:
    """A name (if asked) whose unmentioned faces do not look like its mentioned ones holds two: the unmentioned leave."""
    names = members[:, : crowd.names]
    face, name, share = entries(names)
    on = share * (value_at(crowd.captions.said, face, name) > 0)
    off = share - on
    looks = Looks.of(crowd.picture, table(on[on > 0], face[on > 0], name[on > 0], names.shape)).at(face, name)

    def by_name(value: FloatArray) -> FloatArray:
        return np.bincount(name, value, minlength=crowd.names).astype(np.float64)

    many_on, many_off = by_name(on) + 1e-9, by_name(off) + 1e-9
    mean = by_name(on * looks) / many_on
    deviation = np.sqrt(np.maximum(by_name(on * looks.astype(np.float64) ** 2) / many_on - mean**2, 0))
    lag = (mean - by_name(off * looks) / many_off) / (deviation + 0.1 * np.abs(mean) + 0.5)
    mixed = (lag > crowd.settings.split) & (many_on > 2.5) & (many_off > 1.5) & asked[: crowd.names]
    if not mixed.any():
        return members
    unlike = (off > 0) & mixed[name] & (looks < (mean - crowd.settings.split * deviation)[name])
    leaving = table(off[unlike], face[unlike], name[unlike], names.shape)
    return beside(sparse(names - leaving), members[:, crowd.names :], leaving[:, mixed])


@dataclass(frozen=True, eq=False)
class Halves:
    """A person that is rather two: the faces that would leave, those that would stay, and the log-odds of that."""

    person: int
    leave: IntArray
    stay: IntArray
    gain: float


def mixed_apart(members: Sparse, crowd: Crowd, asked: BoolArray) -> Sparse:
    """Persons (if asked) that look like two are parted, where pictures, captions and answers together gain by it."""
    found = two_in_one(members, crowd, asked)
    halves = [_less_named(half, told, crowd) for half, told in zip(found, _against(members, found, crowd), strict=True)]
    gain = np.array([half.gain for half in halves]) + _elsewhere(members, halves, crowd)
    parted = [halves[place] for place in np.flatnonzero(gain > crowd.settings.coherence)]
    return _moved_out(members, [(half.person, half.leave) for half in parted])


def _moved_out(members: Sparse, parts: list[tuple[int, IntArray]]) -> Sparse:
    """Each part, some faces of a person, as a person of its own behind all others."""
    if not parts:
        return members
    many = [len(faces) for _, faces in parts]
    face, person = np.concatenate([faces for _, faces in parts]), np.repeat([k for k, _ in parts], many)
    share = members[face, person]
    leaving = table(share, face, np.repeat(np.arange(len(parts)), many), (members.shape[0], len(parts)))
    return beside(sparse(members - table(share, face, person, members.shape)), leaving)


def _against(members: Sparse, halves: list[Halves], crowd: Crowd) -> FloatArray:
    """How many answers speak against either half's bearing its person's name (halves × 2); none where it has no name."""
    against, (named,) = np.zeros((len(halves), 2)), np.nonzero([half.person < crowd.names for half in halves])
    if not len(named) or (crowd.bound.fixed == OPEN).all():
        return against
    name = np.array([halves[k].person for k in named])
    given, asked = crowd.answers(_moved_out(members, [(halves[k].person, halves[k].leave) for k in named]))
    for side, person in enumerate((members.shape[1] + np.arange(len(named)), name)):
        against[named, side] = asked[person] - 2 * value_at(given, person, name)
    return against


def _less_named(halves: Halves, against: FloatArray, crowd: Crowd) -> Halves:
    """From a name the half leaves that is mentioned less often; with what its captions and answers gain by that."""
    a, b, k = halves.leave, halves.stay, halves.person
    if k >= crowd.names:
        return halves
    hit_a, hit_b = (float(crowd.captions.said[half][:, [k]].sum()) for half in (a, b))
    against_a, against_b = against.tolist()
    if hit_a / len(a) + 0.1 * (len(a) > len(b)) - against_a > hit_b / len(b) + 0.1 * (len(b) > len(a)) - against_b:
        a, b, hit_a, hit_b, against_a = b, a, hit_b, hit_a, against_b
    hit, size = np.array([hit_b, hit_a + hit_b]), np.array([len(b), len(a) + len(b)], np.float64)
    without, with_both = crowd.fit(hit, size, crowd.captions.mentions[[k, k]])
    return Halves(k, a, b, halves.gain + float(without - with_both) + CONFIRMED * against_a)


def _elsewhere(members: Sparse, halves: list[Halves], crowd: Crowd) -> FloatArray:
    """What captions gain at most if the half that leaves is another named person, who comes in a second look.

    Two names that often stand together fit the captions of both: the half that looks otherwise may well be the other one.
    """
    gain, (named,) = np.zeros(len(halves)), np.nonzero([half.person < crowd.names for half in halves])
    if not len(named):
        return gain
    apart = _moved_out(members, [(halves[k].person, halves[k].leave) for k in named])
    size, hits, mentions = size_of(apart), crowd.hits(apart), crowd.captions.mentions
    half, name, hit = entries(hits[members.shape[1] :])
    able = (size[name] > RETURNS) & (name != np.array([halves[k].person for k in named])[half])
    half, name, hit = half[able], name[able], hit[able]
    held, own = value_at(hits, name, name), size[members.shape[1] + half]
    fit = crowd.fit(held + hit, size[name] + own, mentions[name]) - crowd.fit(held, size[name], mentions[name])
    np.maximum.at(gain, named[half], fit - ELSEWHERE)
    return gain


def two_in_one(members: Sparse, crowd: Crowd, asked: BoolArray) -> list[Halves]:
    """Persons whose faces are rather two persons: log P(two) + log P(this partition, Chinese restaurant) - log P(one).

    Being seen twice in a frame speaks against one person, as it does in ``assign.frame_marginals``.
    """
    picture, group, columns, found = crowd.picture, crowd.bound.group, members.tocsc(), []
    for person in np.flatnonzero(
        np.r_[asked, np.ones(columns.shape[1] - len(asked), bool)]
    ).tolist():  # those just parted too
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
    if len(y) <= y.shape[1]:
        side = np.linalg.eigh(centred @ centred.T)[1][:, -1] > 0
    else:
        side = centred @ np.linalg.eigh(centred.T @ centred)[1][:, -1] > 0
    for _ in range(4):
        if side.all() or not side.any():
            break
        a, b = y[side].mean(0), y[~side].mean(0)
        side = y @ (a - b) > 0.5 * (a @ a - b @ b)
    return np.asarray(side)


# --- Alike persons together --------------------------------------------------------------------------------------------


def alike_together(members: Sparse, crowd: Crowd) -> Sparse:
    """Unnamed persons join the person they look like, where pictures, captions and answers together gain by it."""
    for _ in range(3):
        whom = _whom_to_join(members, crowd)
        if (whom == np.arange(len(whom))).all():
            break
        members = sparse(members @ table(np.ones(len(whom)), np.arange(len(whom)), whom, (len(whom), len(whom))))
    return members


def _whom_to_join(members: Sparse, crowd: Crowd) -> IntArray:
    """For each person itself, or the person it joins; nobody takes part in two joins."""
    many, size = members.shape[1], size_of(members)
    mean, own = _alike(members, size, crowd)
    k, j, both = entries(sparse(mean.minimum(mean.T)))  # alike is who is so both ways
    floor = np.where(j < crowd.names, crowd.settings.alike, 0.0) * np.clip(np.minimum(own[k], own[j]), 0, None)
    alike = (k >= crowd.names) & (both > floor)
    gain = np.full(len(k), -np.inf)
    gain[alike] = size[k[alike]] * value_at(mean, k[alike], j[alike]) + _name_shared(members, k[alike], j[alike], crowd)
    most = np.full(many, -np.inf)
    np.maximum.at(most, k, both)
    order = np.lexsort((j, k, -most[k]))
    start = np.flatnonzero(np.r_[True, k[order][1:] != k[order][:-1]]) if len(k) else order
    whom, done = np.arange(many), size <= ALIVE
    for place in np.split(order, start[1:]):
        place = place[alike[place] & ~done[j[place]]]
        if not len(place) or done[k[place[0]]]:
            continue
        best = place[gain[place].argmax()]
        if gain[best] > 0:
            whom[k[best]] = j[best]
            done[[k[best], j[best]]] = True
    return whom


def _alike(members: Sparse, size: FloatArray, crowd: Crowd) -> tuple[Sparse, FloatArray]:
    """The mean log-odds of k's faces as j's where they are positive (persons × persons), two names apart; and as k's own."""
    many, alive, found = len(size), size > ALIVE, [sparse((0, len(size)))]
    own, rows = np.zeros(many, np.float32), Looks.of(crowd.picture, members).by_person(members)
    for start in range(0, many, height := max(CELLS // max(many, 1), 1)):
        part = np.arange(start, min(start + height, many))
        mean = rows(slice(start, start + height)) / np.maximum(size[part], 1e-9)[:, None].astype(np.float32)
        own[part] = mean[part - start, part]
        mean[part - start, part] = 0
        mean[part < crowd.names, : crowd.names] = 0
        found.append(sparse(np.where((mean > 0) & alive[part, None] & alive, mean, 0)))
    return sparse(vstack(found)), own


def _name_shared(members: Sparse, k: IntArray, j: IntArray, crowd: Crowd) -> FloatArray:
    """What captions and answers gain when person k joins j; nothing if j is no name."""
    gain, (named,) = np.zeros(len(k)), np.nonzero(j < crowd.names)
    k, c = k[named], j[named]
    size, hit, (given, asked) = size_of(members), crowd.hits(members), crowd.answers(members)
    hit_k, hit_c, mentions = value_at(hit, k, c), value_at(hit, c, c), crowd.captions.mentions[c]
    together = crowd.fit(hit_c + hit_k, size[c] + size[k], mentions) - crowd.fit(hit_c, size[c], mentions)
    gain[named] = together + CONFIRMED * (2 * value_at(given, k, c) - asked[k])
    return gain
