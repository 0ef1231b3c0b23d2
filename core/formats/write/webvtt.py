"""WebVTT: who is on screen when, as subtitles of one video for a web page."""

from __future__ import annotations

from pathlib import Path

from core.formats.files import whole_file
from core.formats.write.spans import one_video, scenes
from core.formats.write.text import one_line
from core.records import Labels


def write(labels: Labels, path: Path) -> None:
    """Writes a cue for each time in which the same people are in view, a name a line."""
    cues = [
        f"{clock(start, '.')} --> {clock(stop, '.')}\n" + "\n".join(_escaped(name) for name in names)
        for start, stop, names in scenes(one_video(labels, "a WebVTT file"))
    ]
    text = "\n\n".join(["WEBVTT", *cues]) + "\n"
    whole_file(path, lambda file: file.write(text.encode()))


def clock(seconds: float, point: str) -> str:
    """
    >>> clock(3723.5, "."), clock(0.9996, ",")
    ('01:02:03.500', '00:00:01,000')
    """
    milliseconds = round(max(seconds, 0.0) * 1000)
    minutes, rest = divmod(milliseconds, 60_000)
    return f"{minutes // 60:02d}:{minutes % 60:02d}:{rest // 1000:02d}{point}{rest % 1000:03d}"


def _escaped(name: str) -> str:
    return one_line(name).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
