"""WebVTT and SubRip, as pysubs2 reads them."""

import html
from pathlib import Path
from types import ModuleType

import pysubs2
import pytest
from hypothesis import given

from core.errors import BadInput
from core.formats.write import srt, webvtt
from core.formats.write.text import one_line
from core.records import Labels
from tests.core.formats.made import HOSTILE, NAMES, face, film, frame, hostile_film, source

FORMATS = pytest.mark.parametrize(("module", "suffix"), [(webvtt, "vtt"), (srt, "srt")])
MARKUP = str.maketrans("<>{}", "‹›()")


def read(module: ModuleType, suffix: str, labels: Labels, folder: Path) -> list[tuple[int, int, str]]:
    """(start, stop, text) in milliseconds."""
    path = folder / f"a.{suffix}"
    module.write(labels, path)
    subtitles = pysubs2.load(str(path), encoding="utf-8", format_=suffix)
    unescape = html.unescape if module is webvtt else str
    return [(line.start, line.end, unescape(line.text)) for line in subtitles]


def shown(module: ModuleType, name: str) -> str:
    return one_line(name) if module is webvtt else one_line(name).translate(MARKUP)


@FORMATS
def test_each_time_tells_who_is_in_view(tmp_path: Path, module: ModuleType, suffix: str) -> None:
    labels = film([["Ross", "Rachel"], ["Ross", ""], ["", ""], ["Ross"]])
    assert read(module, suffix, labels, tmp_path) == [
        (0, 2000, "Rachel\\NRoss"),
        (2000, 4000, "Ross"),
        (6000, 8000, "Ross"),
    ]


def test_the_files_look_as_they_should(tmp_path: Path) -> None:
    labels = film([["A & <b>"], ["B"]], every=3723.5)
    webvtt.write(labels, tmp_path / "a.vtt")
    assert (tmp_path / "a.vtt").read_text(encoding="utf-8") == (
        "WEBVTT\n\n00:00:00.000 --> 01:02:03.500\nA &amp; &lt;b&gt;\n\n01:02:03.500 --> 02:04:07.000\nB\n"
    )
    srt.write(labels, tmp_path / "a.srt")
    assert (tmp_path / "a.srt").read_text(encoding="utf-8") == (
        "1\n00:00:00,000 --> 01:02:03,500\nA & ‹b›\n\n2\n01:02:03,500 --> 02:04:07,000\nB\n"
    )


@FORMATS
def test_hostile_names_come_back_on_one_line(tmp_path: Path, module: ModuleType, suffix: str) -> None:
    found = read(module, suffix, hostile_film(), tmp_path)
    assert len(found) == len(HOSTILE) - 1
    assert [text for _, _, text in found[:-1]] == [shown(module, name) for name in HOSTILE[:-2]]


@FORMATS
@given(name=NAMES)
def test_any_name_leaves_the_times_whole(
    tmp_path_factory: pytest.TempPathFactory, module: ModuleType, suffix: str, name: str
) -> None:
    found = read(module, suffix, film([[name], [], ["B"]]), tmp_path_factory.mktemp(suffix))
    assert [(start, stop) for start, stop, _ in found] == [(0, 2000), (4000, 6000)]
    assert found[1][2] == "B"


@FORMATS
def test_two_videos_are_refused(tmp_path: Path, module: ModuleType, suffix: str) -> None:
    videos = [source(k, title=f"{k}.mp4") for k in range(4)]
    labels = Labels("", tuple(frame(k, [face(k, "A", frame=k)], of=video, time=0.0) for k, video in enumerate(videos)))
    with pytest.raises(BadInput, match=r"4 videos have named faces \(0.mp4, 1.mp4, 2.mp4, \.\.\.\)"):
        module.write(labels, tmp_path / f"a.{suffix}")
