"""Reads tables of boxes in CSV: the one that Rollcall writes, and those of others with the usual names of columns."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Sequence

from core.errors import BadInput, shown
from core.formats.read.boxes import STATES, WANTED, FaceLabels, LabelledBox, checked, number_of, tidy
from core.formats.read.csv import uncell

TABLE = "CSV"
IMAGE = ("source", "image", "file", "filename", "file_name", "path", "picture")
NAME = ("name", "person", "label", "class", "identity")
AUTHOR = ("annotator", "author", "who")
EDGES = (("left", "top", "right", "bottom"), ("xmin", "ymin", "xmax", "ymax"), ("x1", "y1", "x2", "y2"))
SIDES = (("x", "y", "width", "height"), ("x", "y", "w", "h"), ("left", "top", "width", "height"))
LONGEST_CELL = 100_000  # characters; an open quotation mark makes one cell of all that follows
NO_NAMES = frozenset({"", "face", "person", "unknown"})


def parse(text: str) -> FaceLabels:
    """The boxes of a table."""
    first = text.lstrip("\n").split("\n", 1)[0]
    separator = max(",;\t", key=first.count)
    csv.field_size_limit(1 << 30)
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        header = [column.strip().lower() for column in next(reader, [])]
        return checked(_boxes(reader, _Columns(header)), TABLE)
    except csv.Error as error:
        raise BadInput(f"this is no readable table ({error}); save it as CSV again") from error


class _Columns:
    """Where a table has what is needed; refuses one that has not."""

    def __init__(self, header: Sequence[str]) -> None:
        self.place = {column: k for k, column in reversed(list(enumerate(header)))}
        self.image, self.name = self._one(IMAGE), self._one(NAME)
        self.author = self._one(AUTHOR)
        self.edges = next((some for some in EDGES if all(edge in self.place for edge in some)), None)
        self.sides = next((some for some in SIDES if all(side in self.place for side in some)), None)
        if not self.image or not self.name or not (self.edges or self.sides):
            found = ", ".join(shown(column)[:40] for column in header[:8] if column) or "nothing"
            raise BadInput(f"its first line has {found}; {WANTED}")

    def _one(self, names: Sequence[str]) -> str:
        return next((name for name in names if name in self.place), "")

    def cell(self, row: Sequence[str], column: str) -> str:
        place = self.place.get(column, -1)
        return row[place] if 0 <= place < len(row) else ""


def _boxes(rows: Iterator[list[str]], columns: _Columns) -> Iterator[LabelledBox | str]:
    for line, row in enumerate(rows, start=2):
        if not any(cell.strip() for cell in row):
            continue
        if max(map(len, row)) > LONGEST_CELL:
            raise csv.Error(f"row {line} has a cell of over {LONGEST_CELL} characters")
        name = tidy(uncell(columns.cell(row, columns.name)))
        answer, state = columns.cell(row, "answer").strip(), columns.cell(row, "state").strip()
        if answer == "unknown" or (not answer and name.casefold() in NO_NAMES):
            continue
        left, top, right, bottom = _edges(row, columns)
        time = columns.cell(row, "time").strip()
        yield LabelledBox(
            image=uncell(columns.cell(row, columns.image)),
            left=left,
            top=top,
            right=right,
            bottom=bottom,
            name="" if answer == "nobody" else name,
            nobody=answer == "nobody",
            author=uncell(columns.cell(row, columns.author)),
            state=state if state in STATES else "",
            time=number_of(time) if time and math.isfinite(number_of(time)) else None,
        )


def _edges(row: Sequence[str], columns: _Columns) -> tuple[float, float, float, float]:
    if columns.edges:
        left, top, right, bottom = (number_of(columns.cell(row, edge)) for edge in columns.edges)
        return left, top, right, bottom
    left, top, width, height = (number_of(columns.cell(row, side)) for side in columns.sides or ())
    return left, top, left + width, top + height
