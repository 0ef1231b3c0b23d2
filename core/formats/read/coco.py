"""Reads COCO: boxes in images, with the names as categories or in the attributes of a box."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

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

NAMED = ("name", "person", "identity", "Name")  # attributes of a box in which programs keep who it is
KINDS = frozenset({"", "person", "face", "people", "none", "human"})  # what may be above a name


def is_one(document: Any) -> bool:
    return isinstance(document, dict) and isinstance(document.get("annotations"), list) and "images" in document


def parse(document: Any) -> FaceLabels:
    """The boxes of a parsed file."""
    return checked(_boxes(document), "COCO")


def _boxes(document: Any) -> Iterator[LabelledBox | str]:
    images = {_key(image.get("id")): image for image in entries(document.get("images"))}
    kinds = {_key(kind.get("id")): kind for kind in entries(document.get("categories"))}
    answer = answer_of(tidy(text_of(kind.get("name"))) for kind in kinds.values())
    for entry in entries(document["annotations"]):
        image = images.get(_key(entry.get("image_id")))
        kind = kinds.get(_key(entry.get("category_id")), {})
        attributes = fields(entry.get("attributes"))
        given = next((text_of(attributes.get(key)) for key in NAMED if text_of(attributes.get(key))), "")
        other = text_of(kind.get("supercategory")).casefold() not in KINDS | {text_of(kind.get("name")).casefold()}
        said = answer(given or ("" if other else text_of(kind.get("name"))), _state(entry))
        if said is None:
            continue
        if image is None:
            yield f"a box of {said[0] or 'nobody'} belongs to no image of the file"
            continue
        bbox = entry.get("bbox")
        edges = [number_of(edge) for edge in bbox] if isinstance(bbox, list) and len(bbox) == 4 else [float("nan")] * 4
        size = number_of(image.get("width")), number_of(image.get("height"))
        yield LabelledBox(
            image=_path(image),
            left=edges[0],
            top=edges[1],
            right=edges[0] + edges[2],
            bottom=edges[1] + edges[3],
            name=said[0],
            nobody=said[1],
            author=text_of(entry.get("annotator")),
            size=size if size[0] > 0 and size[1] > 0 else None,
            state=_state(entry),
            time=number_of(image["time"]) if "time" in image else None,
        )


def _key(value: Any) -> str:
    return str(value)


def _path(image: dict[str, Any]) -> str:
    """The picture; of a frame of a film, the film."""
    return text_of(image.get("source")) if "time" in image else text_of(image.get("file_name"))


def _state(entry: dict[str, Any]) -> str:
    """What Rollcall wrote; a box with nothing but a score is a program's."""
    state = text_of(entry.get("state"))
    if state in STATES:
        return state
    return "predicted" if "score" in entry and not text_of(entry.get("annotator")) else ""
