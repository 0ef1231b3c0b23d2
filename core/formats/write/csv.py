"""A table of all faces, one row each, for spreadsheets and scripts.

A spreadsheet runs a cell that begins like a formula, so such a text gets an apostrophe in front; the reader takes it off.
"""

from __future__ import annotations

import re
from pathlib import Path

from core.formats.files import whole_file
from core.formats.write.text import number, where_from, writable
from core.prediction import Prediction
from core.records import Labelled, LabelledFrame, Labels

COLUMNS = (
    *("source", "time", "face", "left", "top", "right", "bottom", "name", "confidence", "state", "annotator"),
    *("frame", "caption", "track"),
)

FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")  # the wide ones too: spreadsheets in East Asian languages take them


def write(labels: Labels, path: Path) -> None:
    """Writes one row a face; an empty name is nobody."""
    rows = [_row(frame, face) for frame in labels.frames for face in frame.faces]
    text = "\n".join([",".join(COLUMNS), *rows, ""])
    whole_file(path, lambda file: file.write(text.encode()))


def prediction_csv(prediction: Prediction) -> str:
    """``face,name,confidence``, one row a face in their order; an empty name is nobody."""
    names = [_quoted(prediction.label(face) or "") for face in range(len(prediction.name))]
    rows = [f"{face},{name},{c:.6f}\n" for face, (name, c) in enumerate(zip(names, prediction.confidence, strict=True))]
    return "face,name,confidence\n" + "".join(rows)


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
        )
    )


def _quoted(field: str) -> str:
    """A CSV field; the csv module would leave a lone carriage return bare, at which readers end the row."""
    return '"' + field.replace('"', '""') + '"' if set(field) & set(',"\r\n') else field
