"""The film with boxes, names and captions on the picture: follows tracks, loops the shot; a click on a box answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from ui.widgets.component import component, heard, whole


@dataclass(frozen=True)
class Followed:
    """A track: where its face is at which time (shares of the picture), who it is, and whether a person said so."""

    face: int  # an answer to it counts for the whole track
    start: float  # when it comes into view, and goes again: at a cut it does so at once
    stop: float
    boxes: Sequence[tuple[float, float, float, float, float]]  # time, left, top, right, bottom
    name: str
    words: str  # the name, nobody, or a question
    said: bool


@dataclass(frozen=True)
class Line:
    """A caption, from when to when."""

    start: float
    stop: float
    text: str


@dataclass(frozen=True)
class Film:
    tracks: Sequence[Followed]
    lines: Sequence[Line]
    start: float  # of the shot
    stop: float
    names: Sequence[str]
    theme: str


def overlay(film: Film, key: str, on_answer: Callable[[int, str], None]) -> None:
    """Lays boxes over the player above it in the same dialog. ``on_answer`` hears a face and a name ("" for nobody)."""

    def answered() -> None:
        said = heard(key, "answer")
        face, name = whole(said.get("face")), said.get("name")
        if face is not None and isinstance(name, str):
            on_answer(face, name)

    component("play")(key=key, data=asdict(film), on_answer_change=answered)
