"""COCO: boxes in images, with the names as categories and the confidence as score."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from core.formats.files import whole_file
from core.formats.write.text import categories, category, clipped, has_box, picture_names, writable
from core.records import Labelled, LabelledFrame, Labels


def write(labels: Labels, path: Path) -> None:
    """Writes every face whose place in its frame is known; faces of nobody are in the category "nobody", those
    without an answer in "unknown"."""
    named = categories(labels)
    number = {name: k for k, name in enumerate(named, start=1)}
    document = {
        "info": {"description": writable(labels.title), "version": "1.0", "contributor": "Rollcall"},
        "licenses": [],
        "images": [_image(f, name) for f, name in zip(labels.frames, picture_names(labels), strict=True) if f.frame.width],
        "categories": [{"id": number[name], "name": title, "supercategory": "person"} for name, title in named.items()],
        "annotations": [
            _annotation(frame, face, number[category(face)])
            for frame in labels.frames
            for face in frame.faces
            if has_box(frame, face)
        ],
    }
    text = json.dumps(document, ensure_ascii=False)
    whole_file(path, lambda file: file.write(text.encode()))


def _image(frame: LabelledFrame, name: str) -> dict[str, Any]:
    image: dict[str, Any] = {
        "id": frame.frame.id + 1,  # from 1: pycocotools takes a 0 for "none"
        "file_name": name,
        "width": frame.frame.width,
        "height": frame.frame.height,
        "source": writable(frame.source.title),
        "caption": writable(frame.frame.caption),
    }
    return image if frame.frame.time is None else image | {"time": round(frame.frame.time, 3)}


def _annotation(frame: LabelledFrame, label: Labelled, category: int) -> dict[str, Any]:
    box = clipped(frame, label.face.box)
    width, height = box.right - box.left, box.bottom - box.top
    return {
        "id": label.face.id + 1,
        "image_id": frame.frame.id + 1,
        "category_id": category,
        "bbox": [round(box.left, 2), round(box.top, 2), round(width, 2), round(height, 2)],
        "area": round(width * height, 2),
        "iscrowd": 0,
        "segmentation": [],
        "score": round(label.confidence, 6),
        "state": label.state,
        "annotator": writable(label.annotator),
    }
