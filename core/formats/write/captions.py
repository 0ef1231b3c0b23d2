"""Captions that were read off the screen or heard: as subtitles of one video (SubRip), and as a table with their places."""

from __future__ import annotations

from pathlib import Path

from core.errors import BadInput
from core.formats.files import whole_file
from core.formats.write.csv import cell
from core.formats.write.srt import MARKUP
from core.formats.write.text import number, one_line
from core.formats.write.webvtt import clock
from core.records import Labels, SourceLine

COLUMNS = ("source", "start", "stop", "kind", "text", "name", "score", "left", "top", "right", "bottom")


def write(labels: Labels, path: Path) -> None:
    """Writes a numbered subtitle for each caption: what is said, and in brackets what stands on the screen."""
    lines = _left(labels)
    if len({line.source for line in lines}) > 1:
        raise BadInput("a captions file is about one video, and these captions are of several; choose one of them")
    cues = [
        f"{place}\n{clock(line.start, ',')} --> {clock(line.stop, ',')}\n{_text(line)}"
        for place, line in enumerate(sorted(lines, key=lambda line: (line.start, line.stop)), start=1)
    ]
    text = "\n\n".join(cues) + "\n"
    whole_file(path, lambda file: file.write(text.encode()))


def _text(line: SourceLine) -> str:
    rows = [one_line(row).translate(MARKUP) for row in line.text.split("\n") if row.strip()]
    shown = "\n".join(rows)
    return f"[{shown}]" if line.kind in ("screen", "credits") else shown


def write_table(labels: Labels, path: Path) -> None:
    """Writes one row a caption, with its kind, whom it names, and where it stood."""
    titles = {frame.source.id: frame.source.title for frame in labels.frames}
    rows = [",".join(COLUMNS)]
    for line in _left(labels):
        box = line.box
        edges = ("",) * 4 if box is None else [number(edge, 2) for edge in (box.left, box.top, box.right, box.bottom)]
        times = (number(line.start, 3), number(line.stop, 3))
        texts = (line.kind, cell(line.text), cell(line.name), number(line.score, 3))
        rows.append(",".join((cell(titles[line.source]), *times, *texts, *edges)))
    text = "\r\n".join(rows) + "\r\n"
    whole_file(path, lambda file: file.write(text.encode()))


def _left(labels: Labels) -> list[SourceLine]:
    """The captions of the sources that are written."""
    sources = {frame.source.id for frame in labels.frames}
    return [line for line in labels.lines if line.source in sources]
