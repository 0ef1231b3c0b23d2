"""Which name each person bears: names handed out one to one, by the captions of all frames and by what people said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.assign import one_to_one
from core.members import Sparse, beside, entries, size_of, sparse, table, value_at
from core.problem import FloatArray, IntArray
from core.strangers import RETURNS

if TYPE_CHECKING:
    from core.persons import Crowd

CONFIRMED = 12.0  # nats by which one answer of a person speaks, at most, for or against its whole person's name
NO_GAIN = -500.0  # the log-odds of what cannot be
ALIVE = 0.8  # faces that make a person

Answers = tuple[Sparse, FloatArray]  # how many give each name (persons × names), and how many there are, by person


def hand_out_names(members: Sparse, crowd: Crowd) -> Sparse:
    """Names to persons, one to one, by all their captions; persons left without one stay as unnamed if they return."""
    size, names = size_of(members), crowd.names
    live = np.flatnonzero(size > ALIVE)
    bears = np.full(len(size), -1)
    if len(live) and names:
        bears[live] = one_to_one(*NameGains.of(members, live, crowd).positive(), len(live))
    named = np.flatnonzero(bears >= 0)
    place = table(np.ones(len(named)), named, bears[named], (len(size), names))
    return beside(sparse(members @ place), members[:, (bears < 0) & (size > RETURNS)])


@dataclass(frozen=True, eq=False)
class NameGains:
    """What persons gain by each name over staying unnamed; how readily one stays so, comes from how many do.

    Most names never stand beside most persons. What a person gains by such a name depends on nothing but how often it is
    mentioned, so only the other pairs are listed.
    """

    row: IntArray  # the pairs that are listed, by row, then name
    name: IntArray
    gain: FloatArray
    beside_none: FloatArray  # persons × distinct numbers of mentions
    kind: IntArray  # by name, which of those

    @staticmethod
    def of(members: Sparse, persons: IntArray, crowd: Crowd, answers: Answers | None = None) -> NameGains:
        """Of these ``persons``; ``answers`` about them, if they are known already."""
        chosen = members[:, persons]
        count, kind = np.unique(crowd.captions.mentions, return_inverse=True)
        named = int((persons < crowd.names).sum())
        free = max(int((crowd.captions.mentions > 0).sum()) - named, 0) + 1
        unnamed = np.log((len(persons) - named + 1) / (named + 1) * free)
        size, hit, (given, asked) = size_of(chosen), crowd.hits(chosen), answers or crowd.answers(chosen)
        row, name, _ = entries(sparse(hit + given))
        fit = crowd.fit(value_at(hit, row, name), size[row], crowd.captions.mentions[name])
        gain = fit - unnamed + CONFIRMED * (2 * value_at(given, row, name) - asked[row])
        rest = crowd.fit(np.zeros(1), size[:, None], count) - unnamed - CONFIRMED * asked[:, None]
        rest[:, count == 0] = NO_GAIN  # nobody bears a name that neither captions nor people ever say
        return NameGains(row, name, gain, rest, kind)

    def everywhere(self) -> FloatArray:
        """All of them (persons × names)."""
        gain = self.beside_none[:, self.kind]
        gain[self.row, self.name] = self.gain
        return np.asarray(gain)

    def positive(self) -> tuple[IntArray, IntArray, FloatArray]:
        """The pairs that gain: persons, names, gains."""
        row, kind = np.nonzero(self.beside_none > 0)
        order = np.argsort(self.kind, kind="stable")
        many = np.bincount(self.kind, minlength=self.beside_none.shape[1])
        offset = np.arange(many[kind].sum()) - np.repeat(np.cumsum(many[kind]) - many[kind], many[kind])
        name = order[np.repeat((np.cumsum(many) - many)[kind], many[kind]) + offset]
        row, gain = np.repeat(row, many[kind]), np.repeat(self.beside_none[row, kind], many[kind])
        other = ~np.isin(row * len(self.kind) + name, self.row * len(self.kind) + self.name)
        mine = self.gain > 0
        found = np.r_[self.row[mine], row[other]], np.r_[self.name[mine], name[other]]
        return *found, np.r_[self.gain[mine], gain[other]]
