"""A table of all faces, one row each, for spreadsheets and scripts.

A spreadsheet runs a cell that begins like a formula, so such a text gets an apostrophe in front, which ``read`` takes off.
"""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from core.errors import BadInput
from core.formats import quoted, whole_file
from core.formats.text import number, where_from, writable
from core.records import Box, Labelled, LabelledFrame, Labels, State

COLUMNS = (
    *("source", "time", "face", "left", "top", "right", "bottom", "name", "confidence", "state", "annotator"),
    *("frame", "caption", "track"),
)

_FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")  # the wide ones too: spreadsheets in East Asian languages take them


@dataclass(frozen=True)
class Row:
    """A face as the table tells it."""

    source: str
    time: float | None
    face: int
    box: Box
    name: str
    confidence: float
    state: State
    annotator: str
    frame: int | None = None
    caption: str = ""
    track: int | None = None


def write(labels: Labels, path: Path) -> None:
    """Writes one row a face; an empty name is nobody."""
    rows = [_row(frame, face) for frame in labels.frames for face in frame.faces]
    text = "\n".join([",".join(COLUMNS), *rows, ""])
    whole_file(path, lambda file: file.write(text.encode()))


def read(path: Path) -> list[Row]:
    """The rows of a table that ``write`` made, or of any that has its first columns."""
    try:
        text = path.read_bytes().decode("utf-8-sig")  # not read_text, which would change line ends within cells
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}); check the path") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: this is not UTF-8; save the table as CSV UTF-8") from error
    csv.field_size_limit(1 << 30)
    table = csv.DictReader(io.StringIO(text, newline=""))
    try:
        missing = [column for column in COLUMNS[:11] if column not in (table.fieldnames or ())]
        if missing:
            raise BadInput(f"{path}: the column {missing[0]!r} is missing; the first columns are {','.join(COLUMNS[:11])}")
        return [_read_row(row, f"{path}: row {place}") for place, row in enumerate(table, start=2)]
    except csv.Error as error:
        raise BadInput(f"{path}: this is no readable table ({error}); save it as CSV again") from error


def cell(text: str) -> str:
    """A text as a cell that no spreadsheet runs.

    >>> cell("=cmd|' /C calc'!A0"), cell("Zoë, Ross")
    ("'=cmd|' /C calc'!A0", '"Zoë, Ross"')
    """
    text = writable(text)
    return quoted(f"'{text}" if _FORMULA.match(text) else text)


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


def _read_row(row: dict[str, str | None], where: str) -> Row:
    fields = {column: value or "" for column, value in row.items()}
    state: State | None = next((s for s in get_args(State) if s == fields["state"]), None)
    if state is None:
        raise BadInput(f"{where} has the state {fields['state']!r}; it must be predicted, confirmed or corrected")
    try:
        left, top, right, bottom = (float(fields[edge]) for edge in ("left", "top", "right", "bottom"))
        return Row(
            source=_uncell(fields["source"]),
            time=float(fields["time"]) if fields["time"] else None,
            face=int(fields["face"]),
            box=Box(left, top, right, bottom),
            name=_uncell(fields["name"]),
            confidence=float(fields["confidence"]),
            state=state,
            annotator=_uncell(fields["annotator"]),
            frame=int(fields["frame"]) if fields.get("frame") else None,
            caption=_uncell(fields.get("caption", "")),
            track=int(fields["track"]) if fields.get("track") else None,
        )
    except ValueError as error:
        raise BadInput(f"{where} has something else where a number must be ({error}); mend it") from error


def _uncell(text: str) -> str:
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text
