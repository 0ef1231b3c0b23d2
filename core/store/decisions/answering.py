"""What a click means: the changes it makes, as one step."""

from __future__ import annotations

from collections.abc import Iterable

from core.errors import BadInput
from core.store.decisions.log import NO_FACE, Answer, Change, Log
from core.store.runs.answers import Solved
from core.store.views.current_labels import CurrentLabels
from core.store.views.graph import same_person


def answer_of(face: int, name: str) -> Change:
    """The face is this name, or nobody if the name is empty."""
    return Change("is", face=face, name=name) if name else Change("nobody", face=face)


def take_back(log: Log, face: int) -> list[Change]:
    """The face is open again; what it is not stays known."""
    return [Change("open", face=face), *(_refusals(log, face))]


def allow_again(log: Log, face: int, name: str) -> list[Change]:
    """The name is no longer refused; the face's answer and other refusals stay."""
    standing = log.standing(face)
    kept = [change for change in _refusals(log, face) if change.name != name]
    said = [] if standing.answer is None or standing.conflict else [_again(log, face, standing.answer)]
    return [Change("open", face=face), *kept, *said]


def strike(log: Log, face: int, name: str) -> list[Change]:
    """Of several answers that differ, one is wrong. Where that leaves one, it is the answer."""
    left = [other for other in log.standing(face).answers if _called(log, other) != name]
    if len({other.name for other in left}) == 1:
        return [_again(log, face, left[-1])]
    return [Change("is not", face=face, name=name)] if name else [Change("open", face=face)]


def spread(log: Log, face: int, others: Iterable[int]) -> list[Change]:
    """The face's answer for others, too."""
    standing = log.standing(face)
    if standing.answer is None or standing.conflict:
        raise BadInput("say who this face is first, then give the same answer to the others")
    return [_again(log, int(other), standing.answer) for other in others]


def ignore(labels: CurrentLabels, solved: Solved | None, face: int) -> list[Change]:
    """The face is a stranger, and so is everybody whom the last run takes for the same unnamed person."""
    row = None if solved is None else solved.row(face)
    unnamed = solved is not None and row is not None and solved.person[row] >= len(solved.name_id)
    others = same_person(labels, solved, face).tolist() if unnamed else []
    return [Change("ignore", face=number) for number in [face, *others]]


def _refusals(log: Log, face: int) -> list[Change]:
    return [Change("is not", face=face, name=log.text(name)) for name in sorted(log.standing(face).refused) if name >= 0]


def _called(log: Log, answer: Answer) -> str | None:
    return log.text(answer.name) if answer.name >= 0 else None if answer.name == NO_FACE else ""


def _again(log: Log, face: int, answer: Answer) -> Change:
    if answer.kind in ("ignore", "not a face"):
        return Change(answer.kind, face=face)
    name = log.text(answer.name) if answer.name >= 0 else ""
    return Change("confirm", face=face, name=name) if answer.kind == "confirm" else answer_of(face, name)
