"""Label Studio: a task a frame, what people said as its annotation and what the machine thinks as its prediction.

Pictures are named as Label Studio's local storage serves them; ``config`` gives the labelling set-up that the tasks need.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.sax.saxutils import quoteattr

from core.formats.files import whole_file
from core.formats.write.text import categories, category, clipped, has_box, picture_names, writable, xml_text
from core.records import Labelled, LabelledFrame, Labels

SERVED = "/data/local-files/?d="  # where Label Studio looks for files of its local storage


def write(labels: Labels, path: Path) -> None:
    """Writes every frame with a face whose place in it is known; boxes are in percent of the frame."""
    named = categories(labels, xml_text)
    tasks = [
        task
        for frame, picture in zip(labels.frames, picture_names(labels), strict=True)
        if (task := _task(frame, picture, named))
    ]
    text = json.dumps(tasks, ensure_ascii=False)
    whole_file(path, lambda file: file.write(text.encode()))


def config(labels: Labels) -> str:
    """The labelling set-up to paste into Label Studio before the import."""
    values = "".join(f"    <Label value={quoteattr(title)}/>\n" for title in categories(labels, xml_text).values())
    return (
        '<View>\n  <Image name="image" value="$image"/>\n  <Text name="caption" value="$caption"/>\n'
        f'  <RectangleLabels name="name" toName="image">\n{values}  </RectangleLabels>\n</View>\n'
    )


def _task(frame: LabelledFrame, picture: str, named: dict[str | None, str]) -> dict[str, Any] | None:
    placed = [face for face in frame.faces if has_box(frame, face)]
    if not placed:
        return None
    answered = [face for face in placed if face.state != "predicted"]
    open_ = [face for face in placed if face.state == "predicted"]
    task: dict[str, Any] = {
        "id": frame.frame.id + 1,
        "data": {
            "image": SERVED + quote(picture),
            "caption": writable(frame.frame.caption),
            "source": writable(frame.source.title),
            "time": frame.frame.time,
        },
        "annotations": [],
        "predictions": [],
    }
    if answered:
        task["annotations"].append({"result": [_region(frame, face, named) for face in answered]})
    if open_:
        score = round(sum(face.confidence for face in open_) / len(open_), 6)
        regions = [_region(frame, face, named) for face in open_]
        task["predictions"].append({"model_version": "rollcall", "score": score, "result": regions})
    return task


def _region(frame: LabelledFrame, label: Labelled, named: dict[str | None, str]) -> dict[str, Any]:
    width, height = frame.frame.width, frame.frame.height
    box = clipped(frame, label.face.box)
    return {
        "id": f"face-{label.face.id}",
        "type": "rectanglelabels",
        "from_name": "name",
        "to_name": "image",
        "original_width": width,
        "original_height": height,
        "image_rotation": 0,
        "score": round(label.confidence, 6),
        "value": {
            "x": round(100 * box.left / width, 5),
            "y": round(100 * box.top / height, 5),
            "width": round(100 * (box.right - box.left) / width, 5),
            "height": round(100 * (box.bottom - box.top) / height, 5),
            "rotation": 0,
            "rectanglelabels": [named[category(label)]],
        },
        "meta": {"text": [f"{label.state} {writable(label.annotator)}".strip()]},
    }
