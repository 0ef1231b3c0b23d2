"""What the log of decisions is made of: what a person wants, an entry, and what follows from the entries for a face."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Kind = Literal[
    "confirm",  # the face is who the machine says: a name, or nobody
    "is",  # the face is this name
    "nobody",  # the face is nobody whom a caption names
    "ignore",  # the same, and this stranger need never be asked about again
    "not a face",
    "open",  # an answer is taken back
    "is not",  # the face is not this name
    "face",  # a missed face was added by a box
    "mention",  # a name was added to a frame
    "rename",
    "merge",  # two names are one person
    "split",  # ... and are not, after all
    "same person",  # two faces, each with an entry in one step, are one person, whoever that is
    "two people",  # ... and are not
    "take out",  # a source was taken out, and with it this face
    "undo",
    "redo",
]
KINDS = get_args(Kind)
TAKEN_OUT: Literal["take out"] = "take out"
JUDGEMENTS: tuple[Literal["same person"], Literal["two people"]] = ("same person", "two people")
ANSWERS = frozenset({"confirm", "is", "nobody", "ignore", "not a face", "open"})
NO_FACE = -3  # the value of "not a face", beside ``NOBODY``
REMOVED = "(removed)"  # how the name of a removed person begins


@dataclass(frozen=True)
class Change:
    """What a person wants: names are texts here, as people see them. ``confirm`` without a name confirms nobody."""

    kind: Kind
    face: int | None = None
    frame: int | None = None
    name: str = ""
    other: str = ""  # merge: the name it becomes; rename: the new text


@dataclass(frozen=True)
class Decision:
    """An entry of the log. ``name`` and ``other`` are numbers of the name table."""

    id: int
    uid: str
    step: str  # entries of one click share it
    at: str
    who: str
    kind: Kind
    face: int | None
    frame: int | None
    name: int | None
    other: int | None
    text: str  # rename: the new text; undo and redo: the step
    replaces: tuple[str, ...]


@dataclass(frozen=True)
class Answer:
    """Somebody's word on a face: a name's number, ``NOBODY`` or ``NO_FACE``."""

    name: int
    kind: Kind
    who: str
    at: str
    uid: str


@dataclass(frozen=True)
class Standing:
    """What is known about a face by people: the answers in force (several that differ are a conflict) and refused names."""

    answers: tuple[Answer, ...] = ()
    refused: frozenset[int] = frozenset()

    @property
    def conflict(self) -> bool:
        return len({answer.name for answer in self.answers}) > 1

    @property
    def answer(self) -> Answer | None:
        """The latest answer."""
        return self.answers[-1] if self.answers else None

    @property
    def settled(self) -> bool:
        return bool(self.answers) and not self.conflict


NOTHING_SAID = Standing()
