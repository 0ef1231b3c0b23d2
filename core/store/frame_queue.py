"""The review queue: which frame a person should look at next, and why."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from core.errors import BadInput
from core.problem import BoolArray, FloatArray, IntArray
from core.store.decisions import ANSWERS, Decision
from core.store.now import CONFLICT, OPEN, UNKNOWN, Now

if TYPE_CHECKING:
    from core.project import Project

Order = Literal["help", "time", "person", "state"]
ORDERS = get_args(Order)
SURE = 0.95  # a face above this confidence is not worth a question of its own
LOOKED_BACK = 500  # decisions that count as recent
LATER = 1e9  # added to the rank of what can wait


@dataclass(frozen=True, eq=False)
class Queue:
    """Frames with faces, the next to look at first: open ones in the asked order, then skipped ones, then settled ones."""

    frame: IntArray
    face: IntArray  # the face that brings the frame up; -1 where nothing is open
    open: IntArray  # faces of the frame that nobody has answered yet, or on which people differ
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


def queue(project: Project, order: Order, who: str, person: str | None) -> Queue:
    """The queue of ``who``. ``person`` keeps the frames where somebody of that name ("" for nobody) is seen."""
    if order not in ORDERS:
        raise BadInput(f"there is no order {order!r}; choose one of {', '.join(ORDERS)}")
    now = project.now()
    frames, place = np.unique(now.frame, return_inverse=True)
    waiting = (now.state == OPEN) | (now.state == CONFLICT)
    rank = np.where(waiting, _helpfulness(project, now), np.inf)
    by_rank = np.lexsort((rank, place))
    first = by_rank[np.searchsorted(place[by_rank], np.arange(len(frames)))]
    many = np.bincount(place, waiting, minlength=len(frames)).astype(np.int64)
    skips = np.array([row[0] for row in project.database.rows("SELECT frame FROM skip WHERE who = ?", (who,))], np.int64)
    skipped = np.isin(frames, skips)
    key = _key(project, order, now, place, many, rank[first])
    ranked = np.argsort(np.lexsort((project.timeline().place[frames], key)))
    chosen = np.lexsort((ranked, skipped, many == 0))
    if person is not None:
        chosen = chosen[np.isin(chosen, place[now.name == _number(project, person)])]
    face = np.where(many > 0, now.face[first], -1)
    return Queue(frames[chosen], face[chosen], many[chosen], skipped[chosen], ranked[chosen])


def _key(project: Project, order: Order, now: Now, place: IntArray, many: IntArray, rank: FloatArray) -> FloatArray:
    """By frame, what it is sorted by."""
    if order == "help":
        return rank
    if order == "person":
        known = now.name >= 0
        alphabet = {name: k for k, name in enumerate(sorted(np.unique(now.name[known]).tolist(), key=project.log().text))}
        least = np.full(len(many), np.inf)
        np.minimum.at(least, place[known], [alphabet[name] for name in now.name[known].tolist()])
        return least
    if order == "state":
        return -np.bincount(place, now.state == CONFLICT, minlength=len(many)) * LATER - many
    return np.zeros(len(many))


def _number(project: Project, person: str) -> int:
    if not person:
        return -1
    number = project.log().find_name(person)
    return UNKNOWN - 1 if number is None else number


def _helpfulness(project: Project, now: Now) -> FloatArray:
    """By face, its place in the order in which answers help. Of a track only the best picture is asked about, and once."""
    solved = project.solved()
    rank = LATER / 10 + now.confidence * 1e6
    if solved is not None:
        rows = now.rows(solved.order)
        rank[rows] = np.arange(len(rows))
    tracks = now.track[(now.state != OPEN) & (now.track >= 0)]
    rank[np.isin(now.track, tracks) | ~now.best] += LATER
    rank[now.state == CONFLICT] = -1.0
    return np.asarray(rank)


def why(project: Project, face: int) -> str:
    """In a few words, why a face is asked about."""
    log, solved = project.log(), project.solved()
    if face in log.conflicts:
        return "people disagree here"
    row = None if solved is None else solved.row(face)
    if solved is None or row is None:
        return "not looked at yet"
    prediction = solved.prediction
    scores = prediction.scores
    rows = slice(*np.searchsorted(scores.face, [row, row + 1]))
    named = [(float(s), int(k)) for k, s in zip(scores.name[rows], scores.score[rows], strict=True)]
    if scores.nobody is not None:
        named.append((float(scores.nobody[row]), -1))
    best = [_called(project, int(solved.name_id[k])) if k >= 0 else "nobody" for _, k in sorted(named, reverse=True)[:2]]
    if prediction.confidence[row] >= SURE:
        return f"quite sure it is {best[0]}" if best else "quite sure"
    return f"{best[0]} or {best[1]}?" if len(best) > 1 else "unsure"


def _called(project: Project, name: int) -> str:
    return project.log().text(name)


def corrected_since(project: Project) -> int:
    """How many faces people said something about since the last run."""
    log, runs = project.log(), project.runs()
    version = runs[-1].version if runs else 0
    later = log.entries[bisect_right(log.entries, version, key=lambda entry: entry.id) :]
    spoken = ANSWERS | {"is not"}
    return len({entry.face for entry in later if entry.kind in spoken and log.in_force(entry)})


def frame_of(project: Project, entries: Sequence[Decision]) -> int | None:
    """The frame that a step is about; None if it is about several, or none."""
    current = project.now()
    rows = current.rows(np.array([entry.face for entry in entries if entry.face is not None], np.int64))
    frames = {*(entry.frame for entry in entries if entry.frame is not None), *current.frame[rows].tolist()}
    return frames.pop() if len(frames) == 1 else None


def recent_names(project: Project, who: str, many: int = 8) -> list[str]:
    """The names that ``who`` gave last, the latest first."""
    log = project.log()
    found: dict[str, None] = {}
    for entry in reversed(log.entries[-LOOKED_BACK:]):
        if entry.who == who and entry.name is not None and entry.kind in ("is", "confirm", "mention"):
            found.setdefault(log.text(entry.name))
            if len(found) == many:
                break
    return list(found)


def agreement(project: Project, one: str, other: str) -> tuple[int, float | None]:
    """On how many faces both answered, and Cohen's kappa there (None where it is not defined)."""
    log = project.log()
    first, second = log.last_word(one), log.last_word(other)
    both = sorted(first.keys() & second.keys())
    if not both:
        return 0, None
    a, b = np.array([first[face] for face in both]), np.array([second[face] for face in both])
    values = np.unique(np.r_[a, b])
    chance = float(sum(np.mean(a == value) * np.mean(b == value) for value in values))
    observed = float(np.mean(a == b))
    return len(both), None if chance == 1.0 else (observed - chance) / (1 - chance)
