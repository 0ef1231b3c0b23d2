"""Groups of look-alikes as cards: named with a click or a key, merged by dragging, with what each click settled."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import streamlit as st

from ui.widgets.component import component, whole

HAVE = "groups_have"  # marks of the pictures that the browser said it has
KINDS = frozenset({"name", "ignore", "no face", "join", "apart", "undo", "redo", "run", "review", "open", "frame"})
CLIENT = re.compile(r"[0-9a-z]{1,40}")


@dataclass(frozen=True)
class Offer:
    """A name that a group may have, and what speaks for it."""

    name: str
    words: str
    brief: str  # the same in a word
    key: int  # the number that gives it, 0: none
    sure: bool = False  # enough to be taken with others at once
    best: bool = False  # the first, for which something speaks: Enter takes it


@dataclass(frozen=True)
class Card:
    """A group: its faces, the crops of the first ones, how long it is seen, and names to choose from."""

    key: int
    faces: Sequence[int]
    crops: Sequence[str]  # as everywhere here, the mark of a picture
    words: str
    seconds: float
    offers: Sequence[Offer]


@dataclass(frozen=True)
class Portrait:
    """Somebody who has a name already."""

    name: str
    picture: str
    words: str
    faces: Sequence[int]  # the first one stands for the person


@dataclass(frozen=True)
class SamePerson:
    """Two groups that may be one person; ``name`` where the other has one."""

    one: int
    other: int
    name: str
    crops: tuple[Sequence[str], Sequence[str]]


@dataclass(frozen=True)
class Met:
    """A frame that shows both of two groups that somebody called one person."""

    frame: int
    picture: str
    words: str


@dataclass(frozen=True)
class View:
    pictures: Mapping[str, str]  # by mark, without those that the browser has
    cards: Sequence[Card]
    portraits: Mapping[str, str]  # of names that are offered; those that no face bears yet are left out
    left: int
    known: Sequence[Portrait]
    pairs: Sequence[SamePerson]
    names: Sequence[str]  # all, recently used ones first
    counts: str
    since: int  # faces answered since the last run
    running: str  # what goes on; "" where nothing does
    version: int
    undo: bool
    redo: bool
    message: str
    met: Sequence[Met]
    project: str
    ack: Mapping[str, int]  # by loaded page, the last event that was applied
    theme: str


@dataclass(frozen=True)
class Said:
    """What somebody did: ``number`` counts up for each loaded page (``client``)."""

    client: str
    number: int
    kind: str
    faces: tuple[int, ...]
    without: tuple[int, ...]
    name: str
    one: int
    other: int
    seen: int

    @property
    def step(self) -> str:
        """What the decision is called in the log: an event that comes again is known by it."""
        return f"{self.client}-g{self.number}"


def groups(view: View, key: str, on_events: Callable[[Sequence[Said]], None]) -> None:
    """Shows the cards. The same events come again until ``ack`` holds them."""

    def hear() -> None:
        sent = st.session_state.get(key)
        st.session_state[HAVE] = heard_pictures(sent)
        on_events(heard_events(sent))

    component("groups")(key=key, data=asdict(view), on_events_change=hear)


def there_already() -> frozenset[str]:
    """The marks of pictures that need not be sent with the answer to this event."""
    found: frozenset[str] = st.session_state.pop(HAVE, frozenset())
    return found


def heard_pictures(state: Any) -> frozenset[str]:
    """The marks of the pictures that the browser says it has, whatever it sent."""
    sent = state.get("events") if isinstance(state, Mapping) else None
    marks = sent.get("have") if isinstance(sent, Mapping) else None
    return frozenset(mark for mark in marks if isinstance(mark, str)) if isinstance(marks, list) else frozenset()


def heard_events(state: Any) -> list[Said]:
    """The events in what the browser sent, whatever it is, in the order in which they were made."""
    sent = state.get("events") if isinstance(state, Mapping) else None
    made = sent.get("made") if isinstance(sent, Mapping) else None
    found = [_event(item) for item in made] if isinstance(made, list) else []
    return sorted((one for one in found if one is not None), key=lambda one: one.number)


def _event(item: Any) -> Said | None:
    if not isinstance(item, Mapping):
        return None
    client, kind, name = item.get("client"), item.get("kind"), item.get("name", "")
    number, seen = whole(item.get("number")), whole(item.get("seen"))
    one, other = (whole(item.get(which, -1)) for which in ("one", "other"))
    if not isinstance(client, str) or not CLIENT.fullmatch(client) or kind not in KINDS or not isinstance(name, str):
        return None
    if number is None or seen is None or one is None or other is None:
        return None
    return Said(client, number, kind, _faces(item.get("faces")), _faces(item.get("without")), name, one, other, seen)


def _faces(value: Any) -> tuple[int, ...]:
    return tuple(face for face in map(whole, value) if face is not None) if isinstance(value, list) else ()
