"""What people decided: an append-only log, and the state that follows from it.

Nothing in the log is ever changed. An undo is an entry of its own that takes a whole *step* (what one click did) out of
force; a redo puts it back. An answer notes the entries it *replaces*, those its author could see: two answers that do
not know of each other both stand, and where they differ that is a conflict, shown as both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from core.problem import NOBODY
from core.store.decisions.current_names import CurrentNames
from core.store.decisions.entries import (
    ANSWERS,
    JUDGEMENTS,
    KINDS,
    NO_FACE,
    NOTHING_SAID,
    REMOVED,
    TAKEN_OUT,
    Answer,
    Change,
    Decision,
    Kind,
    Standing,
)

__all__ = ["ANSWERS", "KINDS", "NO_FACE", "REMOVED", "TAKEN_OUT", "Answer", "Change", "Decision", "Kind", "Log", "Standing"]


@dataclass
class _Steps:
    """One person's steps, for undo and redo."""

    done: list[str] = field(default_factory=list)
    undone: list[str] = field(default_factory=list)


class Log:
    """The log folded into a state, an entry at a time."""

    def __init__(self, names: dict[int, str]) -> None:
        self.version = 0  # the last entry folded in
        self.entries: list[Decision] = []
        self._names = CurrentNames(names, self.in_force)
        self.mentioned: dict[int, list[Decision]] = {}  # by frame
        self._by_face: dict[int, list[Decision]] = {}
        self._by_step: dict[str, list[Decision]] = {}
        self._steps: set[str] = set()  # all, undoing ones too
        self.about_persons: list[Decision] = []
        self._undone: set[str] = set()
        self._people: dict[str, _Steps] = {}
        self._standing: dict[int, Standing] = {}
        self._added: set[int] = set()  # faces that people added by a box
        self.names_changed = 0  # grows whenever a name may be called otherwise, or be merged with another,
        self.mentions_changed = 0  # and whenever a name is added to a frame, or taken back
        self._settled: set[int] = set()
        self._conflicts: set[int] = set()
        self._hidden: set[int] = set()

    # --- Folding ---

    def take(self, entries: Iterable[Decision]) -> None:
        """Folds new entries in."""
        touched: set[int] = set()
        for entry in entries:
            self.entries.append(entry)
            self.version = max(self.version, entry.id)
            self._steps.add(entry.step)
            if entry.kind in ("undo", "redo"):
                touched |= self._turn(entry)
                continue
            steps = self._people.setdefault(entry.who, _Steps())
            if entry.kind == TAKEN_OUT:  # what is gone cannot be brought back
                touched |= self._file(entry)
                continue
            if not steps.done or steps.done[-1] != entry.step:
                steps.done.append(entry.step)
                steps.undone.clear()
            self._by_step.setdefault(entry.step, []).append(entry)
            touched |= self._file(entry)
        for face in touched:
            self._settle(face)

    def _turn(self, entry: Decision) -> set[int]:
        steps = self._people.setdefault(entry.who, _Steps())
        step = entry.text
        if entry.kind == "undo":
            self._undone.add(step)
            if step in steps.done:
                steps.done.remove(step)
                steps.undone.append(step)
        else:
            self._undone.discard(step)
            if step in steps.undone:
                steps.undone.remove(step)
                steps.done.append(step)
        touched: set[int] = set()
        for turned in self._by_step.get(step, []):
            touched |= self._touches(turned)
        return touched

    def _file(self, entry: Decision) -> set[int]:
        if entry.face is not None:
            self._by_face.setdefault(entry.face, []).append(entry)
            if entry.kind == "face":
                self._added.add(entry.face)
        if entry.kind == "mention" and entry.frame is not None:
            self.mentioned.setdefault(entry.frame, []).append(entry)
        if entry.kind in ("rename", "merge", "split"):
            self._names.take(entry)
        if entry.kind in JUDGEMENTS:
            self.about_persons.append(entry)
        return self._touches(entry)

    def _touches(self, entry: Decision) -> set[int]:
        """The faces whose standing the entry changes."""
        if entry.kind in ("merge", "split", "rename"):
            self._names.forget()
            self.names_changed += 1
        if entry.kind == "mention":
            self.mentions_changed += 1
        if entry.kind in ("merge", "split"):
            return set(self._by_face)  # two answers that differed may now be one
        return set() if entry.face is None else {entry.face}

    def _settle(self, face: int) -> None:
        standing = self.standing_at(face, self.version)
        self._standing[face] = standing
        gone = any(entry.kind == TAKEN_OUT for entry in self._by_face[face])
        hidden = standing.settled and standing.answers[-1].name == NO_FACE
        if face in self._added and not gone:
            hidden |= not any(e.kind == "face" and self.in_force(e) for e in self._by_face[face])
        for faces, belongs in (
            (self._settled, standing.settled),
            (self._conflicts, standing.conflict),
            (self._hidden, hidden),
        ):
            faces.add(face) if belongs else faces.discard(face)

    # --- The state ---

    def in_force(self, entry: Decision) -> bool:
        return entry.step not in self._undone

    def standing(self, face: int) -> Standing:
        return self._standing.get(face, NOTHING_SAID)

    @property
    def settled(self) -> frozenset[int] | set[int]:
        """Faces on which people gave one answer."""
        return self._settled

    @property
    def conflicts(self) -> set[int]:
        """Faces on which people differ."""
        return self._conflicts

    @property
    def hidden(self) -> set[int]:
        """What is no face, or was added and then undone."""
        return self._hidden

    @property
    def answered(self) -> Sequence[int]:
        """All faces that people said anything about."""
        return [face for face, standing in self._standing.items() if standing.answers or standing.refused]

    def standing_at(self, face: int, version: int) -> Standing:
        """What stood on the face when the log was ``version`` long (undone steps are out whenever they were undone)."""
        entries = [e for e in self._by_face.get(face, []) if e.id <= version and self.in_force(e) and e.kind != "face"]
        if any(entry.kind == TAKEN_OUT for entry in entries):
            return NOTHING_SAID
        replaced = {uid for entry in entries for uid in entry.replaces}
        latest = {entry.who: entry for entry in entries if entry.kind in ANSWERS and entry.uid not in replaced}
        answers = tuple(
            Answer(self.value(entry), entry.kind, entry.who, entry.at, entry.uid)
            for entry in sorted(latest.values(), key=lambda entry: entry.id)
            if entry.kind != "open"
        )
        refused: set[int] = set()
        for entry in entries:
            if entry.kind == "open":
                refused.clear()
            elif entry.kind == "is not":
                refused.add(self.value(entry))
            elif entry.kind in ("is", "confirm"):
                refused.discard(self.value(entry))
        return Standing(answers, frozenset(refused))

    def value(self, entry: Decision) -> int:
        """The answer that an entry gives: a name's number, ``NOBODY`` or ``NO_FACE``."""
        if entry.kind == "not a face":
            return NO_FACE
        return NOBODY if entry.name is None else self.root(entry.name)

    def last_word(self, who: str) -> dict[int, int]:
        """For each face the last answer that ``who`` gave, whoever replaced it since: for comparing annotators."""
        said: dict[int, int] = {}
        for entry in self.entries:
            if entry.who == who and entry.face is not None and entry.kind in ANSWERS and self.in_force(entry):
                said[entry.face] = self.value(entry)
                if entry.kind == "open":
                    del said[entry.face]
        return said

    def answered_by(self, face: int) -> set[str]:
        """Everybody whose last word on a face is an answer, whoever replaced it since."""
        last = {e.who: e.kind for e in self._by_face.get(face, []) if e.kind in ANSWERS and self.in_force(e)}
        return {who for who, kind in last.items() if kind != "open"}

    def step_back(self, who: str) -> str | None:
        """The step that an undo by ``who`` takes back."""
        steps = self._people.get(who)
        return steps.done[-1] if steps and steps.done else None

    def step_forward(self, who: str) -> str | None:
        """The step that a redo by ``who`` brings back."""
        steps = self._people.get(who)
        return steps.undone[-1] if steps and steps.undone else None

    def knows(self, step: str) -> bool:
        """Whether the step is in the log, in force or not."""
        return step in self._steps

    def of_step(self, step: str) -> Sequence[Decision]:
        return self._by_step.get(step, [])

    def about(self, face: int) -> Sequence[Decision]:
        """All that was ever said of a face, undone or not."""
        return self._by_face.get(face, [])

    def said(self, entry: Decision) -> str:
        """An entry in words."""
        name = "" if entry.name is None else self.text(entry.name)
        face = f"face {entry.face}"
        both = " and ".join(f"face {one.face}" for one in self.of_step(entry.step) if one.kind in JUDGEMENTS)
        if entry.kind in ("undo", "redo"):
            return f"{entry.kind}: " + "; ".join(self.said(turned) for turned in self.of_step(entry.text)[:3])
        words = {
            "confirm": f"{face} is {name or 'nobody'}, as predicted",
            "is": f"{face} is {name}",
            "nobody": f"{face} is nobody",
            "ignore": f"{face} is a stranger, never to be asked about",
            "not a face": f"{face} is not a face",
            "open": f"{face} is open again",
            "is not": f"{face} is not {name}",
            "face": f"added {face} in frame {entry.frame}",
            "mention": f"added {name} to frame {entry.frame}",
            "rename": f"renamed {'' if entry.name is None else self.original[entry.name]} to {entry.text}",
            "take out": f"took {entry.text} out" if entry.text else f"{face} went with its source",
            "same person": f"{both} are one person",
            "two people": f"{both} are two people",
            "split": f"{'' if entry.name is None else self.original[entry.name]} is a person of their own again",
        }
        if entry.kind == "merge" and entry.name is not None and entry.other is not None:
            return f"{self.original[entry.name]} is {self.original[entry.other]}"
        return words[entry.kind]

    # --- Names: see ``CurrentNames`` ---

    @property
    def original(self) -> dict[int, str]:
        """The name table."""
        return self._names.original

    def root(self, name: int) -> int:
        return self._names.root(name)

    def text(self, name: int) -> str:
        return self._names.text(name)

    def merged(self) -> dict[int, int]:
        return self._names.merged()

    @property
    def removed(self) -> set[int]:
        return self._names.removed()

    def add_name(self, name: int, text: str) -> None:
        self._names.add(name, text)

    def find_name(self, text: str) -> int | None:
        return self._names.find(text)
