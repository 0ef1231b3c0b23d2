"""A table of who is on screen when: ``source,name,start,stop,faces,answer``, in seconds; the name is empty where
``answer`` is nobody or unknown."""

from __future__ import annotations

from pathlib import Path

from core.formats.files import whole_file
from core.formats.write.csv import cell
from core.formats.write.spans import Interval, intervals
from core.formats.write.text import number
from core.records import Labels

COLUMNS = ("source", "name", "start", "stop", "faces", "answer")


def write(labels: Labels, path: Path) -> None:
    """Writes one row an interval, ordered by source and start."""
    rows = [
        f"{cell(found.source.title)},{cell(found.name)},{number(found.start, 3)},{number(found.stop, 3)},"
        f"{found.faces},{_answer(found)}"
        for found in intervals(labels)
    ]
    text = "\n".join([",".join(COLUMNS), *rows, ""])
    whole_file(path, lambda file: file.write(text.encode()))


def _answer(found: Interval) -> str:
    return "unknown" if found.unknown else "name" if found.name else "nobody"
