"""One frame's link editor: the shot and its caption, faces left, names right, and the links between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import streamlit as st

HERE = Path(__file__).parent
NAME = "rollcall_links"


@dataclass(frozen=True)
class Link:
    """A link from a face to a name (or nobody): ``said`` by a person, or else thought by the machine."""

    face: int
    name: int
    confidence: float
    said: bool
    best: bool  # False: a runner-up, drawn faintly


@dataclass(frozen=True)
class Face:
    face: int
    picture: str  # SVG markup by our own code; everything else is data and reaches the page as text only


@dataclass(frozen=True)
class Name:
    name: int
    text: str
    here: bool  # whether this frame's caption holds it


@dataclass(frozen=True)
class FrameView:
    shot: str
    caption: Sequence[tuple[str, bool]]
    faces: Sequence[Face]
    names: Sequence[Name]
    links: Sequence[Link]
    cast: Sequence[tuple[str, str]]  # (name, picture)
    cast_note: str


def link_editor(view: FrameView, key: str, on_said: Callable[[int, int | None], None]) -> None:
    """Shows the frame. ``on_said`` hears (face, name) for every link a person makes, (face, None) for one taken back."""

    def hear() -> None:
        said = _said(st.session_state.get(key))
        if said is not None:
            on_said(*said)

    _component()(key=key, data=asdict(view), on_said_change=hear)


def _said(state: Any) -> tuple[int, int | None] | None:
    said = state.get("said") if isinstance(state, Mapping) else None
    if not isinstance(said, Mapping) or not isinstance(said.get("face"), int):
        return None
    name = said.get("name")
    return (said["face"], name) if name is None or isinstance(name, int) else None


@st.cache_resource(show_spinner=False)
def _component() -> Any:
    return st.components.v2.component(
        NAME,
        html='<div class="frame"></div>',
        css=(HERE / "links.css").read_text(encoding="utf-8"),
        js=(HERE / "links.js").read_text(encoding="utf-8"),
    )
