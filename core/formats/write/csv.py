"""A table of all faces, one row each, for spreadsheets and scripts.

A spreadsheet runs a cell that begins like a formula, so such a text gets an apostrophe in front; the reader takes it off.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from core.formats.files import whole_file
from core.formats.write.text import number, where_from, writable
from core.prediction import Prediction, kind_of_answer
from core.records import Labelled, LabelledFrame, Labels

COLUMNS = (
    *("source", "time", "face", "left", "top", "right", "bottom", "name", "confidence", "state", "annotator"),
    *("frame", "caption", "track", "answer"),
)

FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")  # the wide ones too: spreadsheets in East Asian languages take them


def write(labels: Labels, path: Path) -> None:
    """Writes one row a face; the name is empty where ``answer`` is nobody or unknown."""
    rows = [_row(frame, face) for frame in labels.frames for face in frame.faces]
    text = "\n".join([",".join(COLUMNS), *rows, ""])
    whole_file(path, lambda file: file.write(text.encode()))


def prediction_csv(prediction: Prediction) -> str:
    """``face,name,confidence,answer``, one row a face in their order; an empty name is nobody.

    ``name`` and ``confidence`` are those of the best answer, also where ``answer`` is unknown.
    """
    names = [prediction.label(face) or "" for face in range(len(prediction.name))]
    rows = [
        f"{face},{_quoted(name)},{sure:.6f},{kind_of_answer(name, sure)}\n"
        for face, (name, sure) in enumerate(zip(names, prediction.confidence.tolist(), strict=True))
    ]
    return "face,name,confidence,answer\n" + "".join(rows)


def prediction_json(prediction: Prediction) -> str:
    """The same as a list of objects."""
    names = [prediction.label(face) or "" for face in range(len(prediction.name))]
    rows = [
        {"face": face, "name": name, "confidence": round(sure, 6), "answer": kind_of_answer(name, sure)}
        for face, (name, sure) in enumerate(zip(names, prediction.confidence.tolist(), strict=True))
    ]
    return json.dumps(rows, indent=1) + "\n"


def cell(text: str) -> str:
    """A text as a cell that no spreadsheet runs.

    >>> cell("=cmd|' /C calc'!A0"), cell("Zoë, Ross")
    ("'=cmd|' /C calc'!A0", '"Zoë, Ross"')
    """
    text = writable(text)
    return _quoted(f"'{text}" if FORMULA.match(text) else text)


def _row(frame: LabelledFrame, label: Labelled) -> str:
    face, box, time = label.face, label.face.box, frame.frame.time
    return ",".join(
        (
            cell(where_from(frame)),
            "" if time is None else number(time, 3),
            str(face.id),
            *(number(edge, 2) for edge in (box.left, box.top, box.right, box.bottom)),
            cell(label.name),
            f"{label.confidence:.6f}",
            label.state,
            cell(label.annotator),
            str(face.frame),
            cell(frame.frame.caption),
            "" if face.track is None else str(face.track),
            label.answer,
        )
    )


def _quoted(field: str) -> str:
    """A CSV field; the csv module would leave a lone carriage return bare, at which readers end the row."""
    return '"' + field.replace('"', '""') + '"' if set(field) & set(',"\r\n') else field
