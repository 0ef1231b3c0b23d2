"""Boxes around faces with names, as label files hold them, and what their readers share."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from core.errors import BadInput, shown
from core.problem import check_writable

MOST = 1_000_000  # boxes of a file
LONGEST_NAME = 10_000  # characters; more is no name but a broken file
WANTED = "give COCO, Label Studio or CVAT for images (1.1), or a CSV table with image, left, top, right, bottom and name"
# what detectors call any face or person; it is nobody's name
CLASSES = frozenset({"", *["face", "faces", "person", "people", "human", "head", "pedestrian", "object", "unknown"]})
NOBODY = re.compile(r"nobody(?: \(\d+\))*")
UNKNOWN = re.compile(r"unknown(?: \(\d+\))*")
STATES = ("predicted", "confirmed", "corrected")


@dataclass(frozen=True)
class LabelledBox:
    """A face in a picture, or in a film at a time. Edges are measured in a picture of ``size``; None: in its pixels.

    ``author`` is "" where the file names none; ``state`` is what Rollcall wrote, or "predicted" for what a program only
    thought.
    """

    image: str
    left: float
    top: float
    right: float
    bottom: float
    name: str
    author: str
    size: tuple[float, float] | None = None
    nobody: bool = False
    state: str = ""
    time: float | None = None


@dataclass(frozen=True)
class FaceLabels:
    """What a label file holds: the program it is for, boxes with an answer, and what was left out and why."""

    program: str
    boxes: tuple[LabelledBox, ...]
    troubles: tuple[str, ...] = ()


def checked(boxes: Iterable[LabelledBox | str], program: str) -> FaceLabels:
    """The boxes that make sense; texts among them are troubles."""
    kept: list[LabelledBox] = []
    troubles: list[str] = []
    for one in boxes:
        if isinstance(one, str):
            troubles.append(one)
        elif wrong := _wrong(one):
            troubles.append(wrong)
        else:
            kept.append(replace(one, name=tidy(one.name), author=tidy(one.author)))
        if len(kept) > MOST:
            raise BadInput(f"it holds more than {MOST:,} boxes; split it")
    return FaceLabels(program, tuple(kept), tuple(troubles))


def _wrong(one: LabelledBox) -> str:
    """Why a box cannot be used; "" where it can."""
    called = f"{shown(one.image)[:80]}: the box of {shown(one.name)[:60] or 'nobody'}"
    edges = (one.left, one.top, one.right, one.bottom, *(one.size or ()))
    if not all(map(math.isfinite, edges)) or max(map(abs, edges)) > 1e9:
        return f"{called} has edges that are no numbers of pixels"
    if one.right <= one.left or one.bottom <= one.top:
        return f"{called} has no area"
    if one.right <= 0 or one.bottom <= 0:
        return f"{called} lies nowhere in the picture"
    if one.size is not None and (min(one.size) <= 0 or one.left >= one.size[0] or one.top >= one.size[1]):
        return f"{called} lies nowhere in the picture"
    if len(one.name) > LONGEST_NAME:
        return f"{called} has a name of more than {LONGEST_NAME} characters"
    if "\0" in one.name + one.author:
        return f"{called} has a name with a zero byte in it"
    try:
        check_writable(one.name)
        check_writable(one.author)
    except BadInput as error:
        return f"{called}: {error}"
    return ""


def tidy(text: str) -> str:
    return " ".join(text.split())


def answer_of(titles: Iterable[str]) -> Callable[[str, str], tuple[str, bool] | None]:
    """What tells the answer of a label and its state: (name, is nobody), or None where it is none.

    Where somebody is called nobody, Rollcall calls nobody "nobody (2)": the longest such title of a file means nobody.
    """
    listed = list(titles)
    nobody = max(filter(NOBODY.fullmatch, listed), key=len, default="nobody")
    unknown = max(filter(UNKNOWN.fullmatch, listed), key=len, default="unknown")

    def answer(title: str, state: str) -> tuple[str, bool] | None:
        title = tidy(title)
        if title == nobody:
            return "", True
        if title and state in STATES[1:]:  # whom people confirmed has a name, whatever it is
            return title, False
        if title == unknown or (title.casefold() in CLASSES and title != "unknown"):
            return None
        return (title, False) if title else None

    return answer


def fields(value: Any) -> dict[str, Any]:
    """An object, or an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def text_of(value: Any) -> str:
    """A text, or "" for anything else."""
    return value if isinstance(value, str) else ""


def number_of(value: Any) -> float:
    """A number, or not-a-number for anything else."""
    if isinstance(value, bool):
        return math.nan
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def entries(value: Any) -> list[dict[str, Any]]:
    """The objects in a list; whatever else is in it is left out."""
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []
