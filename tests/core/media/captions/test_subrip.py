"""SRT: lines, line ends, times as people write them."""

import pytest

from core.media.captions.lines import Line
from core.media.captions.sources import read_captions
from tests.core.media.captions.written import SRT, write


def test_srt(tmp_path):
    assert read_captions(write(tmp_path, SRT)) == [Line(1.0, 2.5, "Hi.", "ROSS"), Line(3.0, 4.0, "Hello.")]


@pytest.mark.parametrize("ends", ["\r\n", "\r"])
def test_line_ends_of_other_systems(tmp_path, ends):
    assert read_captions(write(tmp_path, SRT.replace("\n", ends))) == read_captions(write(tmp_path, SRT, "plain.srt"))


def test_times_as_people_write_them(tmp_path):
    text = (
        "1\n01:00:05 --> 01:00:06\nno fraction\n\n2\n0:0:1.5 --> 0:0:2.25\na dot\n\n"
        "3\n-00:00:02,000 --> 00:00:01,000\nbegins before zero\n\n4\n-00:00:03,000 --> -00:00:02,000\nnever\n\n"
        "5\n00:00:10,000 --> 00:00:10,000\nno length\n\n6\n00:00:12,000 --> 00:00:11,000\nbackwards\n\n"
        "7\n00:00:13,000 --> 00:00:14,000\n\n8\n00:00:15,000 --> 00:00:16,000\n<i> </i>\n"
    )
    assert read_captions(write(tmp_path, text)) == [
        Line(0.0, 1.0, "begins before zero"),
        Line(1.5, 2.25, "a dot"),
        Line(10.0, 12.0, "no length"),
        Line(12.0, 13.0, "backwards"),
        Line(3605.0, 3606.0, "no fraction"),
    ]
