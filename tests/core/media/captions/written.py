"""Caption files for tests."""

from pathlib import Path

from core.media.captions.lines import Line
from core.media.captions.sources import read_captions

SRT = "1\n00:00:01,000 --> 00:00:02,500\nROSS: Hi.\n\n2\n00:00:03,000 --> 00:00:04,000\nHello.\n"


def write(folder: Path, text: str, name: str = "captions.srt", encoding: str = "utf-8") -> Path:
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


def one(folder: Path, text: str) -> Line:
    """The single line of an SRT file with this text."""
    (line,) = read_captions(write(folder, f"1\n00:00:01,000 --> 00:00:02,000\n{text}\n"))
    return line
