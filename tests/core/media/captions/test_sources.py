"""Captions of films: each format is told by its text, and what is none is refused."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput
from core.media.captions.sources import FORMATS, read_captions
from tests.core.media.captions.scenes import scenes, subtitles
from tests.core.media.captions.written import SRT


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (SRT, "SRT"),
        ("\n WEBVTT\n\n00:01.000 --> 00:02.000\nHi.\n", "VTT"),
        ("[Script Info]\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,Hi.\n", "ASS"),
        ("00:00:01 Ross enters.\n", "a text with a time on each line"),
    ],
)
def test_a_format_is_told_by_the_text(text: str, kind: str) -> None:
    assert next(one.kind for one in FORMATS if one.recognises(text)) == kind


def test_no_two_formats_share_a_suffix() -> None:
    suffixes = [suffix for one in FORMATS for suffix in one.suffixes]
    assert len(set(suffixes)) == len(suffixes) > 0


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("none.srt", None, "there is no such file"),
        ("empty.srt", b"", "the file is empty"),
        ("blank.srt", b"\xef\xbb\xbf \r\n\n", "the file is empty"),
        ("picture.srt", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9, "not a captions file"),
        ("noise.srt", bytes(range(1, 256)) * 20, "not a captions file"),
        ("prose.txt", b"It was a dark and stormy night.\nNothing happened.\n", "no line of this file has a time"),
        ("no text.srt", b"1\n00:00:01,000 --> 00:00:02,000\n\n", "no line of this file has a time and a text"),
    ],
)
def test_refuses_in_one_sentence(tmp_path, name, content, says):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadInput, match=says) as error:
        read_captions(path)
    assert str(error.value).startswith(f"{path}: ")
    assert "\n" not in str(error.value)


def test_refuses_a_folder_and_a_huge_file(tmp_path):
    with pytest.raises(BadInput, match="this is a folder, not a captions file"):
        read_captions(tmp_path)
    huge = tmp_path / "huge.srt"
    with huge.open("wb") as file:
        file.truncate(50_000_001)
    with pytest.raises(BadInput, match="larger than 50 MB"):
        read_captions(huge)


@given(st.one_of(st.binary(max_size=300), st.text(max_size=200).map(lambda t: f"00:00:01 --> 00:00:02\n{t}".encode())))
def test_any_bytes_are_lines_or_bad_input(tmp_path_factory, content):
    path = tmp_path_factory.getbasetemp() / "any.srt"
    path.write_bytes(content)
    try:
        lines = read_captions(path)
    except BadInput:
        return
    assert lines == sorted(lines, key=lambda line: (line.start, line.stop))
    assert all(0 <= line.start < line.stop and (line.text or line.speaker) for line in lines)


@scenes
def test_a_scene(path: Path | None, many: int, speakers: set[str], short: tuple[str, str], tmp_path: Path) -> None:
    lines = read_captions(subtitles(path, tmp_path))
    assert len(lines) == many
    assert {line.speaker for line in lines} == speakers
    assert lines[5].text.endswith("I wrote a little song today. It's called: Get Up.")
