"""Who a group of look-alikes may be: names that captions, the last run, its looks and the people library speak for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.arrays import find, join
from core.problem import IntArray
from core.store.decisions.log import Log
from core.store.library.asking import KnownPeople
from core.store.library.likeness import Likely
from core.store.reader import Reader
from core.store.runs.answers import Solved
from core.store.tables import name_table
from core.store.views.current_labels import CurrentLabels
from core.store.views.group_looks import Looks

NAMES = 7  # offered for a group: those for which something speaks, then those that captions name most
WORTH = 0.02  # below this probability only captions speak for a name
CAPTIONS = 0.1  # what a caption weighs beside the run's probability where names are ordered
SURE = 0.95  # a name that the run finds so probable is taken without a look at each face
LIKELY = 0.5  # a group that has a name with this probability stands for how its bearer looks


@dataclass(frozen=True)
class Suggestion:
    """A name, how many of a group's captions hold it, how probable the last run finds it; and why else it is suggested.

    One that is ``sure`` can be taken with many others at once.
    """

    name: str
    captions: int
    chance: float
    reason: str = ""
    sure: bool = False

    @property
    def founded(self) -> bool:
        """Whether anything speaks for it but that the name is a usual one."""
        return bool(self.captions or self.reason) or self.chance >= WORTH


class GroupNames:
    """Suggests names for groups; what captions say is kept until it changes."""

    def __init__(self, reader: Reader, library: KnownPeople) -> None:
        self.reader, self.library = reader, library
        self._mentions: tuple[object, IntArray, IntArray, list[int]] | None = None

    def of(self, labels: CurrentLabels, log: Log, parts: Sequence[IntArray], looks: Looks) -> list[list[Suggestion]]:
        """For each group, given by its rows, the names that may be its, the likeliest first."""
        frame, name, usual = self._mentioned(log)
        chances = _chances(self.reader.solved(), labels, parts)
        removed = log.removed
        named = np.flatnonzero(~labels.waiting & (labels.name >= 0))
        known = self.library.ask([labels.face[rows] for rows in parts])
        bears = [max(chance, key=lambda n: chance[n], default=-1) for chance in chances]
        bears = [n if n >= 0 and chance[n] >= LIKELY else -1 for n, chance in zip(bears, chances, strict=True)]
        found = []
        for k, rows in enumerate(parts):
            frames = np.unique(labels.frame[rows])
            names, many = np.unique(name[join(frame, frames)[1]], return_counts=True)
            captions = dict(zip(names.tolist(), many.tolist(), strict=True))
            refused = log.standing(int(labels.face[rows[0]])).refused
            beside = named[find(frames, labels.frame[named]) >= 0]
            out = {*refused, *removed, *labels.name[beside].tolist()}  # who is seen beside is somebody else
            likely = chances[k]
            every = [n for n in {**captions, **likely} if captions.get(n) or likely.get(n, 0.0) >= WORTH]
            every.sort(key=lambda n: (-likely.get(n, 0.0) - CAPTIONS * captions.get(n, 0) / len(frames), log.text(n)))
            alike = [n for n in looks.like(k, bears) if n not in out]
            kept = [n for n in dict.fromkeys([*alike, *every, *usual]) if n not in out][:NAMES]
            suggested = [_suggestion(log, n, captions, likely, n in alike) for n in kept]
            found.append(_with_known(suggested, known[k], {log.text(n) for n in out}))
        return found

    def _mentioned(self, log: Log) -> tuple[IntArray, IntArray, list[int]]:
        """All names in captions as (frame, number of the name), by frame; and those that are mentioned most."""
        state = (log.mentions_changed, log.names_changed, name_table.mentions_state(self.reader.database))
        if self._mentions is None or self._mentions[0] != state:
            number = {log.text(name): log.root(name) for name in log.original}
            pairs = [(f, number[m.name]) for f, some in sorted(self.reader.mentions().items()) for m in some]
            frame, name = np.array(pairs, np.int64).reshape(-1, 2).T
            usual = [n for n, _ in Counter(name.tolist()).most_common(NAMES)]
            self._mentions = (state, frame, name, usual)
        return self._mentions[1:]


def _chances(solved: Solved | None, labels: CurrentLabels, parts: Sequence[IntArray]) -> list[dict[int, float]]:
    """For each group how probable the last run finds each name, as the mean of its faces."""
    chances: list[dict[int, float]] = [{} for _ in parts]
    if solved is None:
        return chances
    group = np.full(len(labels.face) + 1, -1, np.int64)  # the last one: for a face that is not shown
    for k, rows in enumerate(parts):
        group[rows] = k
    of = group[find(labels.face, solved.face)][solved.prediction.scores.face]
    here = of >= 0
    wide = int(solved.name_id.max(initial=0)) + 1
    keys, at = np.unique(of[here] * wide + solved.name_id[solved.prediction.scores.name[here]], return_inverse=True)
    sums = np.bincount(at, solved.prediction.probabilities[0][here], minlength=len(keys))
    for key, value in zip(keys.tolist(), sums.tolist(), strict=True):
        chances[key // wide][key % wide] = value / len(parts[key // wide])
    return chances


def _suggestion(log: Log, name: int, captions: Mapping[int, int], likely: Mapping[int, float], alike: bool) -> Suggestion:
    chance, text = likely.get(name, 0.0), log.text(name)
    return Suggestion(text, captions.get(name, 0), chance, f"looks like {text}" if alike else "", chance >= SURE)


def _with_known(suggested: list[Suggestion], known: Likely | None, out: Collection[str]) -> list[Suggestion]:
    """The names for a group, before them the one by which the library knows it."""
    if known is None or not known.sure or known.name in out:
        return suggested
    same = next((one for one in suggested if one.name == known.name), Suggestion(known.name, 0, 0.0))
    first = replace(same, reason=known.reason, sure=True)
    return [first, *(one for one in suggested if one is not same)][:NAMES]
