"""Cards of all names, and strips of the faces of unnamed people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from ui.widgets.component import component, heard, whole

SORTS = {"faces": "Most faces first", "name": "By name", "doubtful": "Doubtful first"}


@dataclass(frozen=True)
class Card:
    name: str
    picture: str
    faces: int
    settled: int
    doubtful: int


@dataclass(frozen=True)
class Look:
    """What of the names is shown: those that hold ``search``, in an order, a page of them."""

    search: str = ""
    sort: str = "faces"
    page: int = 0


@dataclass(frozen=True)
class Cards:
    cards: Sequence[Card]
    look: Look
    found: int
    pages: int
    others: Sequence[tuple[str, str, int]]  # (what, words, faces): faces without a name
    theme: str


def cards(view: Cards, key: str, on_look: Callable[[Look], None], on_open: Callable[[str, bool], None]) -> None:
    """Shows the cards. ``on_open`` hears a name, or one of ``others`` and True."""

    def look() -> None:
        said = heard(key, "look")
        search, sort = said.get("search"), said.get("sort")
        on_look(
            Look(
                search if isinstance(search, str) else "",
                sort if sort in SORTS else "faces",
                max(0, whole(said.get("page")) or 0),
            )
        )

    def opened() -> None:
        said = heard(key, "open")
        if isinstance(said.get("name"), str):
            on_open(said["name"], bool(said.get("other")))

    data = asdict(view) | {"sorts": list(SORTS.items())}
    component("cards")(key=key, data=data, on_look_change=look, on_open_change=opened)


@dataclass(frozen=True)
class Strip:
    """Somebody unnamed: all their faces, and crops of the first ones."""

    faces: Sequence[int]
    pictures: Sequence[str]
    words: str  # when they are seen


@dataclass(frozen=True)
class Strips:
    strips: Sequence[Strip]
    left: int  # more of them than shown
    names: Sequence[str]
    version: int
    undo: bool
    redo: bool
    message: str
    theme: str


@dataclass(frozen=True)
class Naming:
    """All faces of an unnamed person: to be named, to be ignored everywhere, or ("undo", "redo") what was done before."""

    action: str
    faces: tuple[int, ...]
    name: str
    version: int | None


def strips(view: Strips, key: str, on_say: Callable[[Naming], None], on_open: Callable[[int], None]) -> None:
    """Shows unnamed people. ``on_open`` hears the first face of the one who is to be looked at more closely."""

    def say() -> None:
        said = heard(key, "say")
        faces = [number for number in map(whole, said.get("faces") or ()) if number is not None]
        name = said.get("name")
        if said.get("action") in ("name", "ignore", "undo", "redo"):
            on_say(Naming(said["action"], tuple(faces), name if isinstance(name, str) else "", whole(said.get("version"))))

    def opened() -> None:
        face = whole(heard(key, "open").get("face"))
        if face is not None:
            on_open(face)

    component("strips")(key=key, data=asdict(view), on_say_change=say, on_open_change=opened)
