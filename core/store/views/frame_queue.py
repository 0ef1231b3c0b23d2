"""The review queue: which frame a person should look at next, and why."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from core.arrays import starts
from core.errors import BadInput
from core.evaluation.agreement import cohen_kappa
from core.prediction import UNKNOWN as LEAST
from core.problem import NOBODY, BoolArray, FloatArray, IntArray
from core.store.decisions.entries import JUDGEMENTS
from core.store.decisions.log import ANSWERS, Decision, Log
from core.store.reader import Reader
from core.store.runs.answers import Solved
from core.store.views.current_labels import CONFLICT, UNKNOWN, CurrentLabels
from core.store.views.questions import SURE, follows, in_question, to_ask, worth_asking

Order = Literal["help", "time", "person", "state"]
ORDERS = get_args(Order)
LOOKED_BACK = 500  # decisions that count as recent
LATER = 1e9  # added to the rank of what can wait


@dataclass(frozen=True, eq=False)
class Queue:
    """Frames with faces, the next to look at first: open ones in the asked order, then skipped ones, then settled ones."""

    frame: IntArray
    face: IntArray  # the face that brings the frame up; -1 where nothing is open
    open: IntArray  # faces of the frame that are to be answered, or on which people differ
    skipped: BoolArray
    place: IntArray  # in the asked order alone, whatever is settled or skipped

    @property
    def left(self) -> int:
        """How many frames still have an open face."""
        return int((self.open > 0).sum())

    def after(self, frame: int) -> int | None:
        """The open frame that follows ``frame``, from the start again behind the last; None if nothing is open."""
        waiting = (self.open > 0) & (self.frame != frame)
        if not waiting.any():
            return None
        here = np.flatnonzero(self.frame == frame)
        later = waiting & ~self.skipped & (self.place > (self.place[here[0]] if len(here) else -1))
        if later.any():
            return int(self.frame[later][np.argmin(self.place[later])])
        return int(self.frame[waiting][0])

    def ahead(self, frame: int, passed: Iterable[int], many: int) -> list[int]:
        """The open frames that follow ``frame``, the most helpful first, without those that somebody ``passed`` already.

        ``after`` goes on from the frame's place. That will do where an answer leaves the place as it is, as in time. Where
        frames are ordered by doubt, an answer moves its frame behind others that nobody has seen yet.
        """
        waiting = (self.open > 0) & ~self.skipped & ~np.isin(self.frame, [frame, *passed])
        found: list[int] = self.frame[waiting][np.argsort(self.place[waiting])][:many].tolist()
        return found


def queue(
    reader: Reader, skips: IntArray, order: Order, person: str | None, unknown: bool = False, every: bool = False
) -> Queue:
    """The queue of somebody who put the frames ``skips`` off.

    Where one asks for what helps, it ends with what is in doubt; in any other order, of one person, or with ``every`` it
    goes on until all faces are answered. ``person`` keeps the frames where somebody of that name ("" for nobody, or with
    ``unknown`` for no answer) is seen.
    """
    if order not in ORDERS:
        raise BadInput(f"there is no order {order!r}; choose one of {', '.join(ORDERS)}")
    labels, log = reader.current_labels(), reader.log()
    frames, place = np.unique(labels.frame, return_inverse=True)
    solved, helps = reader.solved(), order == "help" and person is None and not every
    is_open = to_ask(labels, log, solved) if helps else labels.waiting
    rank = np.where(labels.waiting, _helpfulness(labels, log, solved) + np.where(is_open, 0.0, 2 * LATER), np.inf)
    by_rank = np.lexsort((rank, place))
    first = by_rank[starts(place[by_rank], len(frames))[:-1]]
    many = np.bincount(place, is_open, minlength=len(frames)).astype(np.int64)
    skipped = np.isin(frames, skips)
    key = _key(log, order, labels, place, many, rank[first])
    ranked = np.argsort(np.lexsort((reader.timeline().place[frames], key)))
    chosen = np.lexsort((ranked, skipped, many == 0))
    if person is not None:
        chosen = chosen[np.isin(chosen, place[labels.name == (UNKNOWN if unknown else _number(log, person))])]
    face = np.where(many > 0, labels.face[first], -1)
    return Queue(frames[chosen], face[chosen], many[chosen], skipped[chosen], ranked[chosen])


def _key(log: Log, order: Order, labels: CurrentLabels, place: IntArray, many: IntArray, rank: FloatArray) -> FloatArray:
    """By frame, what it is sorted by."""
    if order == "help":
        return rank
    if order == "person":
        known = labels.name >= 0
        alphabet = {name: k for k, name in enumerate(sorted(np.unique(labels.name[known]).tolist(), key=log.text))}
        least = np.full(len(many), np.inf)
        np.minimum.at(least, place[known], [alphabet[name] for name in labels.name[known].tolist()])
        return least
    if order == "state":
        return -np.bincount(place, labels.state == CONFLICT, minlength=len(many)) * LATER - many
    return np.zeros(len(many))


def _number(log: Log, person: str) -> int:
    if not person:
        return NOBODY
    number = log.find_name(person)
    return UNKNOWN - 1 if number is None else number


def _helpfulness(labels: CurrentLabels, log: Log, solved: Solved | None) -> FloatArray:
    """By face, its place in the order in which answers help: questions, then other doubts, then what follows by itself."""
    rank = LATER / 10 + labels.confidence * 1e6
    rank[follows(labels, log, solved) | ~labels.best] += LATER
    rows = worth_asking(labels, log, solved)
    rank[rows] = np.arange(len(rows))
    rank[labels.state == CONFLICT] = -1.0
    return np.asarray(rank)


def why(log: Log, solved: Solved | None, face: int) -> str:
    """In a few words, why a face is asked about."""
    if face in log.conflicts:
        return "People disagree here"
    row = None if solved is None else solved.row(face)
    if solved is None or row is None:
        return "Not looked at yet"
    (answer, sure), *others = solved.ranked(row)
    best, *next_best = ["nobody" if name == NOBODY else log.text(name) for name in (answer, *(name for name, _ in others))]
    if sure >= SURE:
        return f"Quite sure it is {best}"
    if sure < LEAST:
        names = in_question(log, solved, face)
        return f"Who is this: {' or '.join(names[:2])}?" if names else "Who is this?"
    first = "Nobody" if answer == NOBODY else best
    return f"{first} or {next_best[0]}?" if next_best else "Unsure"


def corrected_since(log: Log, version: int) -> int:
    """How many faces people said something about since the log had a version."""
    later = log.entries[bisect_right(log.entries, version, key=lambda entry: entry.id) :]
    spoken = ANSWERS | {"is not", *JUDGEMENTS}
    return len({entry.face for entry in later if entry.kind in spoken and log.in_force(entry)})


def frame_of(labels: CurrentLabels, entries: Sequence[Decision]) -> int | None:
    """The frame that a step is about; None if it is about several, or none."""
    rows = labels.rows(np.array([entry.face for entry in entries if entry.face is not None], np.int64))
    frames = {*(entry.frame for entry in entries if entry.frame is not None), *labels.frame[rows].tolist()}
    return frames.pop() if len(frames) == 1 else None


def recent_names(log: Log, who: str, many: int = 8) -> list[str]:
    """The names that ``who`` gave last, the latest first."""
    found: dict[str, None] = {}
    for entry in reversed(log.entries[-LOOKED_BACK:]):
        if entry.who == who and entry.name is not None and entry.kind in ("is", "confirm", "mention"):
            found.setdefault(log.text(entry.name))
            if len(found) == many:
                break
    return list(found)


def agreement(log: Log, one: str, other: str) -> tuple[int, float | None]:
    """On how many faces both answered, and Cohen's kappa there (None where it is not defined)."""
    first, second = log.last_word(one), log.last_word(other)
    both = sorted(first.keys() & second.keys())
    if not both:
        return 0, None
    a, b = np.array([first[face] for face in both]), np.array([second[face] for face in both])
    return len(both), cohen_kappa(a, b)
