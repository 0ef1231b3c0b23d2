"""A table of who is on screen when: ``source,name,start,stop,faces``, in seconds; an empty name is nobody."""

from __future__ import annotations

from pathlib import Path

from core.formats.files import whole_file
from core.formats.write.csv import cell
from core.formats.write.spans import intervals
from core.formats.write.text import number
from core.records import Labels

COLUMNS = ("source", "name", "start", "stop", "faces")


def write(labels: Labels, path: Path) -> None:
    """Writes one row an interval, ordered by source and start."""
    rows = [
        f"{cell(found.source.title)},{cell(found.name)},{number(found.start, 3)},{number(found.stop, 3)},{found.faces}"
        for found in intervals(labels)
    ]
    text = "\n".join([",".join(COLUMNS), *rows, ""])
    whole_file(path, lambda file: file.write(text.encode()))
