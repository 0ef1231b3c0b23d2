"""The log writer: a decision is checked, numbered, and noted with the answers that it replaces."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from typing import Literal

from core.errors import BadInput, shown
from core.problem import NOBODY, check_writable
from core.store.decisions.entries import JUDGEMENTS
from core.store.decisions.log import ANSWERS, KINDS, TAKEN_OUT, Change, Decision, Log
from core.store.decisions.log_reader import LogReader
from core.store.tables import decision_table
from core.store.tables.database import Database, missing, timestamp
from core.store.tables.decision_table import Row

LONGEST = 200  # characters of a name that people type
NEEDS_FACE = ANSWERS | {"is not", "face", *JUDGEMENTS}
NEEDS_NAME = frozenset({"is", "is not", "mention", "rename", "merge", "split"})


def decide(logs: LogReader, who: str, changes: Sequence[Change], seen: int | None = None, step: str | None = None) -> str:
    """Writes one step, all of its changes or none, unless it was written before; gives its number.

    ``seen`` is the version of the log that the person looked at (None: the latest): an answer of somebody else that
    came later is not replaced but stands beside this one. ``step`` is the step's own number, where it has one
    already: what is asked for twice is done once.
    """
    who = who.strip()
    if not who or not changes:
        raise BadInput("a decision needs somebody who decides and something decided; type your name first")
    check_writable(who)
    step = step or uuid.uuid4().hex
    with logs.database.transaction():
        log = logs.log()
        if log.knows(step):
            return step
        _check_places(logs.database, changes)
        _check_judgement(changes)
        rows = [_row(logs, log, who, step, change, log.version if seen is None else seen) for change in changes]
        decision_table.insert(logs.database, rows)
    return step


def turn(logs: LogReader, who: str, way: Literal["undo", "redo"], as_step: str | None = None) -> Sequence[Decision]:
    """Takes back, or brings back, the last step of ``who``; gives what it was.

    Gives nothing if there is no such step, or if this very undo or redo, ``as_step``, was written before.
    """
    with logs.database.transaction():
        log = logs.log()
        if as_step is not None and log.knows(as_step):
            return ()
        step = log.step_back(who) if way == "undo" else log.step_forward(who)
        if step is None:
            return ()
        entries, own = log.of_step(step), as_step or uuid.uuid4().hex
        row: Row = (uuid.uuid4().hex, own, timestamp(), who, way, None, None, None, None, step, "[]")
        decision_table.insert(logs.database, [row])
    return entries


def _check_places(database: Database, changes: Sequence[Change]) -> None:
    """Refuses faces and frames that are not there."""
    for table, asked in (("face", {c.face for c in changes}), ("frame", {c.frame for c in changes})):
        gone = missing(database, table, [number for number in asked if number is not None])
        if gone:
            raise BadInput(f"{database.path.parent}: there is no {table} {min(gone)}; reload the project")


def _check_judgement(changes: Sequence[Change]) -> None:
    """One person or two people: that is said of two faces, one word a step."""
    said = [change for change in changes if change.kind in JUDGEMENTS]
    if said and not (len(said) == 2 and len({change.kind for change in said}) == 1 and said[0].face != said[1].face):
        raise BadInput(f"to decide {said[0].kind!r} two different faces are needed, no more and no less")


def _row(logs: LogReader, log: Log, who: str, step: str, change: Change, seen: int) -> Row:
    if change.kind not in KINDS or change.kind in ("undo", "redo"):
        raise BadInput(f"{shown(change.kind)} is nothing that can be decided")
    if change.kind in NEEDS_FACE and change.face is None:
        raise BadInput(f"to decide {change.kind!r} a face is needed")
    if change.kind == "mention" and change.frame is None:
        raise BadInput("to add a name a frame is needed")
    name, other, text = _number(logs, log, change), None, ""
    if change.kind == "rename":
        text = _tidy(change.other)
        taken = log.find_name(text)
        if taken is not None and taken != name and log.text(taken) == text:
            raise BadInput(f"there is somebody called {shown(text)} already; merge the two instead")
    if change.kind == TAKEN_OUT:
        text = change.other
    if change.kind == "merge":
        other = logs.name_number(_tidy(change.other))
        if other == name:
            raise BadInput(f"{shown(change.name)} and {shown(change.other)} are one person already")
    replaces = _replaces(log, who, change, name, seen) if change.face is not None else []
    uid = uuid.uuid4().hex
    return (uid, step, timestamp(), who, change.kind, change.face, change.frame, name, other, text, json.dumps(replaces))


def _number(logs: LogReader, log: Log, change: Change) -> int | None:
    """The number of the name, a new one if there is none. ``log`` is up to date: within the step nobody else writes."""
    if change.kind == "split":
        return _split(log, change)
    if change.kind in NEEDS_NAME or (change.kind == "confirm" and change.name):
        name = _tidy(change.name)
        found = log.find_name(name)
        return logs.name_number(name) if found is None else found
    return None


def _split(log: Log, change: Change) -> int:
    """The merged name that is to stand for itself again: ``other``, or the one merged last into ``name``."""
    root = log.find_name(change.name)
    inside = [name for name, now in log.merged().items() if now == root or log.original[name] == change.name]
    if change.other:
        inside = [name for name in inside if log.original[name] == change.other]
    if not inside:
        raise BadInput(f"{shown(change.name)} was not merged with another name, so there is nothing to split")
    return inside[-1]


def _tidy(text: str) -> str:
    text = " ".join(text.split())
    if not text:
        raise BadInput("a name is needed; an empty name means nobody")
    if len(text) > LONGEST:
        raise BadInput(f"the name {shown(text[:20])}… has {len(text)} characters; {LONGEST} are the most")
    check_writable(text)
    return text


def _replaces(log: Log, who: str, change: Change, name: int | None, seen: int) -> list[str]:
    """The answers in force that this change makes void: those its author saw, and all of their own."""
    if change.face is None or change.kind not in NEEDS_FACE or change.kind in JUDGEMENTS:
        return []
    standing = log.standing_at(change.face, log.version)
    visible = {answer.uid for answer in log.standing_at(change.face, seen).answers}
    mine = [answer for answer in standing.answers if answer.who == who or answer.uid in visible]
    if change.kind == "is not":
        mine = [answer for answer in mine if answer.name == (NOBODY if name is None else log.root(name))]
    return [answer.uid for answer in mine]
