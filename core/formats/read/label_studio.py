"""Reads Label Studio's JSON: tasks with annotations of people and predictions of programs, edges in percent."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from core.formats.read.boxes import (
    STATES,
    FaceLabels,
    LabelledBox,
    answer_of,
    checked,
    entries,
    fields,
    number_of,
    text_of,
    tidy,
)

PROGRAM = "Label Studio"
UPLOADED = re.compile(r"^[0-9a-f]{8}-")  # what Label Studio puts before the name of an uploaded file
NAMED = ("rectanglelabels", "labels", "choices", "text")  # where a region's name may stand


def is_one(document: Any) -> bool:
    some = entries(document)[:20]
    return any("data" in task and ("annotations" in task or "predictions" in task) for task in some) or any(
        "image" in task and isinstance(task.get("label"), list) for task in some
    )


def parse(document: Any) -> FaceLabels:
    """The boxes of a parsed file."""
    return checked(_boxes(entries(document)), PROGRAM)


def _boxes(tasks: list[dict[str, Any]]) -> Iterator[LabelledBox | str]:
    regions = [region for task in tasks for region in _regions(task)]
    answer = answer_of(tidy(name) for _, _, name, _, _ in regions)
    for task, value, name, author, state in regions:
        said = answer(name, state)
        if said is None:
            continue
        data = fields(task.get("data", task))
        time = data.get("time")
        left, top = number_of(value.get("x")), number_of(value.get("y"))
        yield LabelledBox(
            image=text_of(data.get("source")) if time is not None else picture_of(text_of(data.get("image"))),
            left=left,
            top=top,
            right=left + number_of(value.get("width")),
            bottom=top + number_of(value.get("height")),
            name=said[0],
            nobody=said[1],
            author=author,
            size=(100.0, 100.0) if not number_of(value.get("rotation")) > 0 else (math.nan, 1.0),
            state=state,
            time=None if time is None else number_of(time),
        )


def _regions(task: dict[str, Any]) -> Iterator[tuple[dict[str, Any], dict[str, Any], str, str, str]]:
    """All regions of a task: (task, rectangle, name, author, state)."""
    for value in entries(task.get("label")):  # the short form of the export
        yield task, value, _named([value]), _author(task.get("annotator")), ""
    for annotation in entries(task.get("annotations")):
        if annotation.get("was_cancelled") is not True:
            author = _author(annotation.get("completed_by")) or text_of(annotation.get("created_username"))
            yield from _of(task, annotation, author, "")
    for prediction in entries(task.get("predictions")):
        yield from _of(task, prediction, text_of(prediction.get("model_version")), "predicted")


def _of(
    task: dict[str, Any], answer: dict[str, Any], author: str, state: str
) -> Iterator[tuple[dict[str, Any], dict[str, Any], str, str, str]]:
    by_region: dict[str, list[dict[str, Any]]] = {}
    for result in entries(answer.get("result")):
        by_region.setdefault(str(result.get("id")), []).append(result)
    for results in by_region.values():
        values = [value for result in results if isinstance(value := result.get("value"), dict)]
        rectangle = next((value for value in values if "width" in value and "x" in value), None)
        if rectangle is not None:
            said, who = _noted(results)
            yield task, rectangle, _named(values), who or author, state or said


def _named(values: list[dict[str, Any]]) -> str:
    for key in NAMED:
        for value in values:
            texts = value.get(key)
            first = texts[0] if isinstance(texts, list) and texts else texts
            if text_of(first):
                return text_of(first)
    return ""


def _noted(results: list[dict[str, Any]]) -> tuple[str, str]:
    """State and author as Rollcall notes them with a region: "confirmed Ann"."""
    for result in results:
        meta = result.get("meta")
        texts = meta.get("text") if isinstance(meta, dict) else None
        first = text_of(texts[0]) if isinstance(texts, list) and texts else ""
        state, _, author = first.partition(" ")
        if state in STATES:
            return state, author
    return "", ""


def _author(value: Any) -> str:
    if isinstance(value, dict):
        return text_of(value.get("email")) or text_of(value.get("username"))
    return text_of(value) or (f"annotator {value}" if isinstance(value, int) and not isinstance(value, bool) else "")


def picture_of(address: str) -> str:
    """The picture's path in an address as Label Studio gives it.

    >>> picture_of("/data/local-files/?d=a%20b/1.jpg"), picture_of("/data/upload/3/0a1b2c3d-me.jpg")
    ('a b/1.jpg', 'me.jpg')
    """
    try:
        parts = urlsplit(address)
    except ValueError:
        return address
    if "local-files" in parts.path:
        return parse_qs(parts.query).get("d", [""])[0]
    path = unquote(parts.path)
    if "/upload/" in path:
        return UPLOADED.sub("", path.rsplit("/", 1)[-1])
    return path.rsplit("/", 1)[-1] if parts.scheme else path.lstrip("/")
