"""Who annotates what: frames given to people, how far they are, where they differ, and how far they agree over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import BadInput
from core.evaluation.agreement import cohen_kappa
from core.problem import NOBODY
from core.records import Face
from core.store.add_source import ROLLCALL
from core.store.decisions.entries import ANSWERS, NO_FACE
from core.store.decisions.log import Log
from core.store.reader import Reader
from core.store.tables import assignment_table

LONGEST = 200  # characters of somebody's name


@dataclass(frozen=True)
class Member:
    """Somebody's share: frames given, those of them that are blind and doubled, and those whose faces all have an answer."""

    who: str
    frames: int
    double: int
    done: int
    answers: int  # faces that they ever answered


@dataclass(frozen=True)
class Said:
    """One person's answer: a name, "" for nobody, None for no face."""

    who: str
    name: str | None
    at: str


@dataclass(frozen=True)
class Difference:
    """A face on which people differ."""

    face: Face
    answers: tuple[Said, ...]


@dataclass(frozen=True)
class Day:
    """How two people agreed until the end of a day: on all faces that both had answered, each without seeing the other."""

    day: str
    faces: int
    same: int
    kappa: float | None


@dataclass(frozen=True, eq=False)
class Team:
    reader: Reader

    # --- Giving frames ---

    def frames(self, source: int | None = None, person: str | None = None, only_open: bool = True) -> list[int]:
        """Frames with faces: of a source, of a person who is seen or named in them, with an open face; in order of time."""
        labels, log = self.reader.current_labels(), self.reader.log()
        chosen = labels.waiting if only_open else np.ones(len(labels.face), bool)
        frames = set(labels.frame[chosen].tolist())
        if person is not None:
            number = log.find_name(person)
            if number is None:
                raise BadInput(f"there is nobody called {person!r} in this project; check the spelling")
            seen = set(labels.frame[labels.name == number].tolist())
            named = {frame for frame, some in self.reader.mentions().items() if any(m.name == person for m in some)}
            frames &= seen | named
        if source is not None:
            frames &= {frame.id for frame in self.reader.frames() if frame.source == source}
        place = self.reader.timeline().place
        return sorted(frames, key=lambda frame: int(place[frame]))

    def assign(self, giver: str, frames: Sequence[int], people: Sequence[str], double: float = 0.0, seed: int = 0) -> int:
        """Deals frames out evenly; a share of them, drawn by lot, goes to two people, who do not see each other's answers.

        Frames that somebody has already are not given again. Gives how many were dealt out.
        """
        people = list(dict.fromkeys(" ".join(who.split())[:LONGEST] for who in people if who.strip()))
        if not people:
            raise BadInput("nobody is named to give frames to; type at least one name")
        if not 0 <= double <= 1:
            raise BadInput(f"a share of {double:g} cannot be doubled; give from 0 to 1")
        if double and len(people) < 2:
            raise BadInput("two people are needed for answers to be given twice; name another one")
        taken = {one.frame for one in assignment_table.read(self.reader.database)}
        free = [frame for frame in frames if frame not in taken]
        lot = np.random.default_rng(seed)
        twice = set(lot.permutation(len(free))[: round(double * len(free))].tolist())
        first = lot.permutation(len(people)).tolist()
        rows: list[tuple[int, str, bool]] = []
        for k, frame in enumerate(free):
            one = first[k % len(people)]
            rows.append((frame, people[one], k in twice))
            if k in twice:
                others = [other for other in range(len(people)) if other != one]
                rows.append((frame, people[others[k // len(people) % len(others)]], True))
        with self.reader.database.transaction():
            assignment_table.insert(self.reader.database, giver, rows)
        return len(free)

    def take_back(self, who: str) -> None:
        """Takes back all that ``who`` was given; what they answered stays."""
        assignment_table.remove(self.reader.database, who)

    def is_blind(self, who: str) -> bool:
        """Whether ``who`` has frames of which they must not see others' answers."""
        return any(one.blind and one.who == who for one in assignment_table.read(self.reader.database))

    # --- How far they are ---

    def members(self) -> list[Member]:
        """Everybody who has frames or answered something."""
        log, labels = self.reader.log(), self.reader.current_labels()
        by_frame: dict[int, list[int]] = {}
        for face, frame in zip(labels.face.tolist(), labels.frame.tolist(), strict=True):
            by_frame.setdefault(frame, []).append(face)
        given: dict[str, list[assignment_table.Assignment]] = {}
        for one in assignment_table.read(self.reader.database):
            given.setdefault(one.who, []).append(one)
        people = sorted({*given, *(entry.who for entry in log.entries)} - {ROLLCALL})
        found = []
        for who in people:
            said = log.last_word(who)
            own = given.get(who, [])
            done = sum(all(_is_done(log, face, said, one.blind) for face in by_frame.get(one.frame, ())) for one in own)
            found.append(Member(who, len(own), sum(one.blind for one in own), done, len(said)))
        return found

    # --- Where they differ ---

    def differences(self) -> list[Difference]:
        """The faces on which people differ, with who said what, the oldest first."""
        log = self.reader.log()
        faces = self.reader.faces(ids=sorted(log.conflicts)) if log.conflicts else []
        found = [
            Difference(face, tuple(Said(a.who, _called(log, a.name), a.at) for a in log.standing(face.id).answers))
            for face in faces
        ]
        return sorted(found, key=lambda one: (one.answers[-1].at, one.face.id))

    def over_time(self, one: str, other: str) -> list[Day]:
        """By day, how far two people agree on what both have answered by then, each without knowing the other's answer."""
        log = self.reader.log()
        first, second = independent(log, one), independent(log, other)
        both = sorted((max(first[face][1], second[face][1])[:10], face) for face in first.keys() & second.keys())
        days = sorted({day for day, _ in both})
        found = []
        for day in days:
            faces = [face for at, face in both if at <= day]
            a, b = (np.array([said[face][0] for face in faces]) for said in (first, second))
            found.append(Day(day, len(faces), int((a == b).sum()), cohen_kappa(a, b)))
        return found


def independent(log: Log, who: str) -> dict[int, tuple[int, str]]:
    """By face the last answer of ``who`` that replaced nobody else's, and when it was given."""
    author = {entry.uid: entry.who for entry in log.entries}
    said: dict[int, tuple[int, str]] = {}
    for entry in log.entries:
        if entry.who != who or entry.face is None or entry.kind not in ANSWERS or not log.in_force(entry):
            continue
        if any(author.get(uid, who) != who for uid in entry.replaces):
            continue
        if entry.kind == "open":
            said.pop(entry.face, None)
        else:
            said[entry.face] = (log.value(entry), entry.at)
    return said


def _is_done(log: Log, face: int, said: Mapping[int, int], blind: bool) -> bool:
    return face in said if blind else bool(log.standing(face).answers)


def _called(log: Log, name: int) -> str | None:
    return log.text(name) if name >= 0 else "" if name == NOBODY else None if name == NO_FACE else ""
