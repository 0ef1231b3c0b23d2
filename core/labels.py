"""Which name each face bears, once it is settled who is one person.

Names go to persons one to one, with doubt (``label_marginals``, ``doubted``). Pictures alone part what belongs together,
though: a person may come in a second look, so that it was found as two persons (``second_looks``), or in a single face so
unusual that it passes for somebody new (``unusual_faces``). What pictures say of these cannot be taken at its word. All that
is used of it is the order: the person meant is the r-th nearest with the chance ``1/(r (r + 1))``, and the captions decide.
"""

from __future__ import annotations

import numpy as np

from core.assign import one_to_one_marginals
from core.corrections import OPEN
from core.evidence import Looks, Rates
from core.members import Sparse, entries, size_of, sparse, table, times, value_at
from core.naming import CONFIRMED, NO_GAIN, Answers, NameGains
from core.persons import CELLS, Crowd
from core.problem import FloatArray, IntArray
from core.strangers import RETURNS

FAINT_NAME = 1e-4  # a smaller chance that a person bears a name is not listed
NEWNESS = 0.01  # chance of being somebody new from which a face may be an unusual one
NEAREST = 24  # persons whom an unusual face may be
RIVAL = 0.1  # chance that a person bears the wrong one of two names that all of its captions hold
ROUNDS = 20  # until the share of unusual faces has settled


def named_faces(members: Sparse, crowd: Crowd, rate: Rates) -> tuple[Sparse, FloatArray]:
    """Faces × names, and how much of each face is named: ``sum_k q_ik r_kc`` with r the chance that person k bears name c.

    What is faint in r counts but is not listed. Persons of a single face keep the name they have.
    """
    persons, names = np.flatnonzero(size_of(members) > RETURNS), members[:, : crowd.names]
    if not len(persons) or not crowd.names:
        return names, np.asarray(names.sum(1), np.float64)
    chosen = members[:, persons]
    answers = crowd.answers(chosen)
    bears = doubted(label_marginals(members, persons, crowd, answers), chosen, crowd, answers[0])
    keeps = np.setdiff1d(np.arange(crowd.names), persons)
    kept = table(np.ones(len(keeps)), keeps, keeps, (crowd.names, crowd.names))
    single = sparse(names @ kept)
    total = np.asarray(chosen @ bears.sum(1) + single.sum(1), np.float64)
    listed = sparse(np.where(bears > FAINT_NAME, bears, 0))
    posterior = sparse(chosen @ listed + single)
    if crowd.settings.unusual:
        more = unusual_faces(members, persons, listed, crowd, rate)
        posterior, total = sparse(posterior + more), total + np.asarray(more.sum(1), np.float64)
    return posterior, total


def label_marginals(members: Sparse, persons: IntArray, crowd: Crowd, answers: Answers) -> FloatArray:
    """The chance that each of ``persons`` bears each name: handed out one to one, and second looks bear their first's."""
    gain, names = NameGains.of(members, persons, crowd, answers).everywhere(), crowd.names
    if not crowd.settings.unusual:
        return one_to_one_marginals(_tempered(gain, crowd))
    both = one_to_one_marginals(_tempered(np.hstack([gain, second_looks(members, persons, crowd, answers)]), crowd))
    bears, second = both[:, :names], both[:, names:][:, persons[persons < names]]
    holder = np.flatnonzero(persons < names)
    first = bears / np.maximum(1 - both[:, names:].sum(1, keepdims=True), 1e-9)  # of who is no second look
    return np.asarray(bears + second @ first[holder])


def doubted(bears: FloatArray, chosen: Sparse, crowd: Crowd, given: Sparse) -> FloatArray:
    """The same with the doubt that a name deserves which the captions hardly ever hold without a certain other one.

    Captions of one scene repeat each other: many of them are no more evidence than one. A name c is told from another one,
    d, by the captions of its person's faces that hold c and not d. The fewer these are (``apart``), the more often a whole
    person bears the wrong one of two names; answers that give the person c speak against that.
    """
    person, name = np.arange(len(bears)), bears.argmax(1)
    face, k, share = entries(chosen)
    beside_c = table(share * value_at(crowd.captions.said, face, name[k]), k, face, chosen.shape[::-1])
    k, d, together = entries(sparse(beside_c @ crowd.captions.said))
    rival, most = np.full(len(bears), -1), np.zeros(len(bears))
    other = d != name[k]
    np.maximum.at(most, k[other], together[other])
    first = other & (together == most[k])
    rival[k[first]] = d[first]
    apart = np.maximum(np.asarray(beside_c.sum(1), np.float64) - most, 0)
    least = RIVAL / (1 + apart) ** 2 * np.exp(-CONFIRMED * value_at(given, person, name))
    likely = bears[person, name]
    moved = np.where(likely > 0.5, np.maximum(least - (1 - likely), 0), 0)
    bears[person, name] -= moved
    known = np.flatnonzero(rival >= 0)
    bears[known, rival[known]] += moved[known]
    return bears


def _tempered(gain: FloatArray, crowd: Crowd) -> FloatArray:
    return np.asarray(np.clip(crowd.settings.label_salt * gain, NO_GAIN, -NO_GAIN))


# --- A person found as two ---------------------------------------------------------------------------------------------


def second_looks(members: Sparse, persons: IntArray, crowd: Crowd, answers: Answers) -> FloatArray:
    """What ``persons`` gain by being a second look of each name's holder over staying unnamed (persons × names).

    Beside a frame's mention of c, c's holder in that frame explains it; and being there twice speaks against one person.
    """
    chosen, said, mentions = members[:, persons], crowd.captions.said, crowd.captions.mentions
    size, many = size_of(members), size_of(chosen)
    there = _in_frame(members, crowd)[:, : crowd.names]
    explained = sparse(chosen.T @ sparse(said.multiply(there.minimum(said))))
    k, c, hit = entries(crowd.hits(chosen))
    able = (size[c] > RETURNS) & (persons[k] != c)
    k, c, hit = k[able], c[able], hit[able]
    shared = value_at(sparse(chosen.T @ there), k, c)
    held = value_at(crowd.hits(members), c, c)
    fresh, alone = np.maximum(hit - value_at(explained, k, c), 0), np.maximum(many[k] - shared, 0)
    fit = crowd.fit(held + fresh, size[c] + alone, mentions[c]) - crowd.fit(held, size[c], mentions[c])
    rank = _place_among(chosen, k, np.searchsorted(persons, c), crowd)
    named = int((persons < crowd.names).sum())
    prior = np.log(crowd.settings.second_look * (named + 1) / (len(persons) - named + 1)) - np.log(rank * (rank + 1))
    confirmed = CONFIRMED * (2 * value_at(answers[0], k, c) - answers[1][k])
    gain = np.full((len(persons), crowd.names), NO_GAIN)
    gain[k, c] = fit + prior + confirmed + np.log(max(crowd.settings.twice, 1e-9)) * shared
    return gain


def _in_frame(members: Sparse, crowd: Crowd) -> Sparse:
    """How much of each person is in each face's frame (faces × persons)."""
    group = crowd.bound.group
    frames = table(np.ones(len(group)), group, np.arange(len(group)), (int(group.max()) + 1, len(group)))
    return sparse(sparse(frames @ members)[group])


def _place_among(members: Sparse, k: IntArray, j: IntArray, crowd: Crowd) -> FloatArray:
    """Person j's place, from 1, among those whom person k's faces look like; pairs are ordered by k."""
    many, rank = members.shape[1], np.ones(len(k))
    rows = Looks.of(crowd.picture, members).by_person(members)
    height = max(CELLS // many, 1)
    for start in range(0, many, height):
        alike = rows(slice(start, start + height))
        own = np.arange(len(alike))
        alike[own, start + own] = -np.inf
        first, last = np.searchsorted(k, [start, start + height])
        for begin in range(first, last, height):
            pair = slice(begin, min(begin + height, last))
            row = alike[k[pair] - start]
            rank[pair] += (row > row[np.arange(len(row)), j[pair]][:, None]).sum(1)
    return rank


# --- A person in an unusual face ---------------------------------------------------------------------------------------


def unusual_faces(members: Sparse, persons: IntArray, bears: Sparse, crowd: Crowd, rate: Rates) -> Sparse:
    """What is to be added to faces × names because faces that pass for new may be known persons, looking unusual.

    A face is that with the odds ``w sum_k 1/(r_k (r_k + 1)) P(caption | k) / P(caption | new)`` against ``1 - w``, its
    frame's other persons left out; w, the share of such faces among the new, is what makes all their captions likeliest.
    """
    new = np.where(crowd.bound.fixed == OPEN, np.maximum(1 - np.asarray(members.sum(1), np.float64), 0), 0)
    face = np.flatnonzero(new > NEWNESS)
    person = _nearest(members[:, persons], face, crowd)
    row = np.repeat(np.arange(len(face)), person.shape[1])
    place = np.tile(np.arange(1, person.shape[1] + 1), len(face))
    chosen = members[:, persons]
    there = value_at(_in_frame(chosen, crowd), face[row], person.ravel()) - value_at(chosen, face[row], person.ravel())
    seen = np.clip(there, 0, 1) * (1 - crowd.settings.twice)
    near = table((1 - seen) / (place * (place + 1)), row, person.ravel(), (len(face), len(persons)))
    said, off = crowd.captions.said[face], np.exp(rate.unsaid * crowd.settings.absence)
    named = sparse(near @ bears)
    unsaid = sparse(named.multiply(off))
    named = sparse(unsaid + named.multiply(said).multiply(np.exp(rate.said) - off))
    unnamed = np.asarray(near.sum(1) - (near @ bears).sum(1), np.float64)
    odds = np.asarray(named.sum(1), np.float64) + np.maximum(unnamed, 0)
    share = _share_of_unusual(odds, new[face])
    weight = np.zeros(len(new))
    weight[face] = new[face] * share / (share * odds + 1 - share)
    spread = table(np.ones(len(face)), face, np.arange(len(face)), (len(new), len(face)))
    return times(weight, sparse(spread @ named))


def _nearest(members: Sparse, face: IntArray, crowd: Crowd) -> IntArray:
    """The persons whom each of these faces looks like most, nearest first."""
    many = members.shape[1]
    looks, width = Looks.of(crowd.picture, members), min(NEAREST, many)
    person = np.zeros((len(face), width), np.int64)
    for start in range(0, len(face), height := max(CELLS // many, 1)):
        part = slice(start, start + height)
        alike = -looks.rows(face[part])
        best = np.argpartition(alike, width - 1, axis=1)[:, :width]
        order = np.argsort(np.take_along_axis(alike, best, 1), axis=1, kind="stable")
        person[part] = np.take_along_axis(best, order, 1)
    return person


def _share_of_unusual(odds: FloatArray, weight: FloatArray) -> float:
    """The share w for which ``prod (w odds + 1 - w)`` is greatest, each factor to its weight; a little drawn to a half."""
    share = 0.5
    for _ in range(ROUNDS):
        unusual = share * odds / (share * odds + 1 - share)
        share = float((weight @ unusual + 0.5) / (weight.sum() + 1))
    return share
