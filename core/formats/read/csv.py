"""The table of all faces that ``core.formats.write.csv`` makes, read back."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from core.errors import BadInput
from core.formats.write.csv import COLUMNS, FORMULA
from core.records import Box, State


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


def _read_row(row: dict[str, str | None], where: str) -> Row:
    fields = {column: value or "" for column, value in row.items()}
    state: State | None = next((s for s in get_args(State) if s == fields["state"]), None)
    if state is None:
        raise BadInput(f"{where} has the state {fields['state']!r}; it must be predicted, confirmed or corrected")
    try:
        left, top, right, bottom = (float(fields[edge]) for edge in ("left", "top", "right", "bottom"))
        return Row(
            source=uncell(fields["source"]),
            time=float(fields["time"]) if fields["time"] else None,
            face=int(fields["face"]),
            box=Box(left, top, right, bottom),
            name=uncell(fields["name"]),
            confidence=float(fields["confidence"]),
            state=state,
            annotator=uncell(fields["annotator"]),
            frame=int(fields["frame"]) if fields.get("frame") else None,
            caption=uncell(fields.get("caption", "")),
            track=int(fields["track"]) if fields.get("track") else None,
        )
    except ValueError as error:
        raise BadInput(f"{where} has something else where a number must be ({error}); mend it") from error


def uncell(text: str) -> str:
    """What a cell said before it was made safe for spreadsheets."""
    return text[1:] if text.startswith("'") and FORMULA.match(text) else text
