"""SubRip (.srt): who is on screen when, as subtitles of one video for any player."""

from __future__ import annotations

from pathlib import Path

from core.formats.files import whole_file
from core.formats.write.spans import one_video, scenes
from core.formats.write.text import one_line
from core.formats.write.webvtt import clock
from core.records import Labels

# Players take <...> and {...} for markup, and the format has no way to say that they are not.
MARKUP = str.maketrans("<>{}", "‹›()")


def write(labels: Labels, path: Path) -> None:
    """Writes a numbered subtitle for each time in which the same people are in view, a name a line."""
    cues = [
        f"{place}\n{clock(start, ',')} --> {clock(stop, ',')}\n" + "\n".join(one_line(n).translate(MARKUP) for n in names)
        for place, (start, stop, names) in enumerate(scenes(one_video(labels, "an SRT file")), start=1)
    ]
    text = "\n\n".join(cues) + "\n"
    whole_file(path, lambda file: file.write(text.encode()))
