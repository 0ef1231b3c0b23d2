"""What was heard and read leaves as subtitles and as a table; hostile texts stay texts."""

import csv
from pathlib import Path

import pysubs2
import pytest

from core.errors import BadInput
from core.formats.write.exports import export, unfit
from core.records import Box, Labels, SourceLine
from tests.core.formats.made import HOSTILE, face, frame, source


def line(number: int, start: float, text: str, kind: str = "speech", name: str = "", of: int = 0) -> SourceLine:
    box = None if kind == "speech" else Box(10, 300, 200, 330.5)
    return SourceLine(number, of, kind, start, start + 1.5, text, box, name, 3.5 if name else 0.0, 0.93)  # type: ignore[arg-type]


def labels(*lines: SourceLine) -> Labels:
    return Labels("t", (frame(0, [face(0, "Ross")], time=1.0, of=source(0, "video", "film.mp4")),), lines=lines)


def test_subtitles(tmp_path: Path) -> None:
    said = labels(line(0, 4.0, "Where is <i>Anna</i>?"), line(1, 1.0, "Anna Berg", "screen", "Anna Berg"))
    export(said, "captions", tmp_path / "a.srt")
    events = [(event.start, event.end, event.plaintext) for event in pysubs2.load(str(tmp_path / "a.srt"))]
    assert events == [(1000, 2500, "[Anna Berg]"), (4000, 5500, "Where is ‹i›Anna‹/i›?")]


def test_a_table_with_places(tmp_path: Path) -> None:
    export(labels(line(1, 1.0, "Anna Berg", "screen", "Anna Berg"), line(2, 9.0, "Hi.")), "texts", tmp_path / "a.csv")
    first, second = csv.DictReader((tmp_path / "a.csv").open(newline=""))
    assert first == {
        "source": "film.mp4", "start": "1", "stop": "2.5", "kind": "screen", "text": "Anna Berg", "name": "Anna Berg",
        "score": "0.93", "left": "10", "top": "300", "right": "200", "bottom": "330.5",
    }  # fmt: skip
    assert (second["kind"], second["left"]) == ("speech", "")


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_texts(tmp_path: Path, text: str) -> None:
    export(labels(line(0, 1.0, text, "screen", text), line(1, 3.0, "After.")), "captions", tmp_path / "a.srt")
    export(labels(line(0, 1.0, text, "screen", text)), "texts", tmp_path / "a.csv")
    assert pysubs2.load(str(tmp_path / "a.srt"))[-1].plaintext == "After."
    rows = list(csv.reader((tmp_path / "a.csv").open(newline="", encoding="utf-8")))
    assert len(rows) == 2
    assert not rows[1][4].startswith(("=", "+", "-", "@"))


def test_without_any_it_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="nothing was heard"):
        export(labels(), "captions", tmp_path / "a.srt")
    assert "nothing was heard" in unfit(labels(), "texts")
