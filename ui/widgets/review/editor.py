"""The link editor: a frame with its caption, faces left, names right, and the links between them, made with click or key.

One component draws the whole review page, so that what a click changes is drawn before Python has answered. What people
did arrives as events; see ``loop.js`` for why none gets lost.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from ui.widgets.component import script, styles, whole

HERE = Path(__file__).parent
# in the order in which they count
STYLES = ("review", "frame", "board", "face", "links", "search", "side", "help", "narrow")
CLIENT = re.compile(r"[0-9a-z]{1,40}")


@dataclass(frozen=True)
class Event:
    """Something a person did: ``number`` counts up for each ``client`` (one loaded page)."""

    client: str
    number: int
    kind: str
    frame: int
    seen: int  # the version of the log that was on screen
    face: int = -1
    name: str = ""
    to: int | None = None  # the frame that the page shows from then on
    answers: tuple[tuple[int, str], ...] = ()  # of the faces that a whole frame's confirmation means
    box: tuple[float, float, float, float] | None = None  # as shares of the picture's size
    share: float = 0.0  # of the film, to jump to

    @property
    def step(self) -> str:
        """What the decision is called in the log: an event that comes again, even after a restart, is known by it."""
        return f"{self.client}-{self.number}"


def link_editor(data: Mapping[str, Any], key: str, on_events: Callable[[Sequence[Event]], None]) -> None:
    """Shows the page. ``on_events`` hears what people did; the same events come again until ``data["ack"]`` holds them."""

    def hear() -> None:
        on_events(heard(st.session_state.get(key)))

    _component()(key=key, data=data, on_events_change=hear)


def heard(state: Any) -> list[Event]:
    """The events in what the browser sent, whatever it is, in the order in which they were made."""
    sent = state.get("events") if isinstance(state, Mapping) else None
    found = [_event(item) for item in sent] if isinstance(sent, list) else []
    return sorted((event for event in found if event is not None), key=lambda event: event.number)


def _event(item: Any) -> Event | None:
    if not isinstance(item, Mapping):
        return None
    numbers: list[Any] = [item.get(what) for what in ("number", "frame", "seen")]
    texts: list[Any] = [item.get("client"), item.get("kind"), item.get("name", "")]
    to, face, share = item.get("to"), item.get("face", -1), item.get("share", 0.0)
    counted = all(_whole(value) for value in (*numbers, face)) and (to is None or _whole(to))
    if not counted or not all(isinstance(text, str) for text in texts) or not isinstance(share, int | float):
        return None
    number, frame, seen = numbers
    client, kind, name = texts
    if not CLIENT.fullmatch(client):
        return None
    answers, box = _answers(item.get("answers", [])), _box(item.get("box"))
    if answers is None:
        return None
    return Event(client, number, kind, frame, seen, face, name, to, answers, box, min(max(float(share), 0.0), 1.0))


def _whole(value: Any) -> bool:
    return whole(value) is not None


def _answers(value: Any) -> tuple[tuple[int, str], ...] | None:
    pairs = [tuple(pair) for pair in value if isinstance(pair, list | tuple)] if isinstance(value, list | tuple) else None
    if pairs is None or any(len(p) != 2 or not _whole(p[0]) or not isinstance(p[1], str) for p in pairs):
        return None
    return tuple((face, name) for face, name in pairs)


def _box(value: Any) -> tuple[float, float, float, float] | None:
    if not isinstance(value, list | tuple) or len(value) != 4 or not all(isinstance(edge, int | float) for edge in value):
        return None
    left, top, right, bottom = (min(max(float(edge), 0.0), 1.0) for edge in value)
    return (left, top, right, bottom) if left < right and top < bottom else None


@st.cache_resource(show_spinner=False)
def _component() -> Any:
    return st.components.v2.component(
        "rollcall_review",
        html='<div class="review"></div>',
        css=styles(*(HERE / f"{name}.css" for name in STYLES)),
        js=script(HERE / "review.js"),
    )
