"""The grid of faces: many crops, selected by click, range or key, and one action on all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import streamlit as st

from ui.widgets.component import component, heard, whole

Kind = Literal["name", "nobody", "unknown", "stranger"]
State = Literal["open", "confirmed", "corrected", "conflict"]
SIZE = 60  # faces on one page
SORTS = ("Surest first", "Doubtful first", "In order of frames")
FILTERS = ("All", "Open", "Settled")
HAVE = "faces_have"  # faces whose pictures the browser said it has
ACTIONS = frozenset({"confirm", "not", "move", "nobody", "not a face", "open", "undo", "redo"})


@dataclass(frozen=True)
class Tile:
    """One face as the grid shows it."""

    face: int
    picture: str  # "" where the browser has it already
    sure: int  # percent
    state: State
    who: str  # who said so
    where: str
    mark: str


@dataclass(frozen=True)
class Look:
    """Which of the faces are shown, in which order."""

    kept: str = FILTERS[0]
    sort: str = SORTS[0]


@dataclass(frozen=True)
class Grid:
    """A page of faces, and the numbers of all faces of all pages, in order."""

    whose: str  # another grid has another selection
    kind: Kind
    title: str
    ids: Sequence[int]
    sure: Sequence[int]
    said: Sequence[int]  # 1 where a person has answered
    look: Look
    page: int
    counts: str
    shown: Sequence[Tile]
    names: Sequence[str]  # to move to, recently used ones first
    version: int
    undo: bool
    redo: bool
    message: str
    empty: str
    theme: str

    @property
    def pages(self) -> int:
        return max(1, -(-len(self.ids) // SIZE))


@dataclass(frozen=True)
class Act:
    """What somebody wants done with the selected faces; ``version`` of the log is what they looked at."""

    action: str
    faces: tuple[int, ...]
    name: str
    version: int | None


def face_grid(
    grid: Grid,
    key: str,
    on_act: Callable[[Act], None],
    on_look: Callable[[Look, int], None],
    on_open: Callable[[int], None],
) -> None:
    """Shows the grid. The callbacks hear of actions, of other faces or another page to show, and of a frame to open."""

    def act() -> None:
        said = _noted("act")
        faces = [number for number in map(whole, said.get("faces") or ()) if number is not None]
        name = said.get("name")
        if said.get("action") in ACTIONS:
            on_act(Act(said["action"], tuple(faces), name if isinstance(name, str) else "", whole(said.get("version"))))

    def look() -> None:
        said = _noted("look")
        if said.get("kept") in FILTERS and said.get("sort") in SORTS:
            on_look(Look(said["kept"], said["sort"]), max(0, whole(said.get("page")) or 0))

    def opened() -> None:
        face = whole(heard(key, "open").get("face"))
        if face is not None:
            on_open(face)

    def _noted(event: str) -> Mapping[str, Any]:
        said = heard(key, event)
        st.session_state[HAVE] = frozenset(face for face in map(whole, said.get("have") or ()) if face is not None)
        return said

    data = vars(grid) | vars(grid.look) | {"size": SIZE, "pages": grid.pages, "sorts": SORTS, "filters": FILTERS}
    data |= {"look": None, "shown": [vars(tile) for tile in grid.shown]}
    component("faces")(key=key, data=data, on_act_change=act, on_look_change=look, on_open_change=opened)


def there_already() -> frozenset[int]:
    """The faces whose pictures need not be sent with the answer to this event."""
    found: frozenset[int] = st.session_state.pop(HAVE, frozenset())
    return found
