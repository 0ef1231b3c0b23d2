"""WebVTT: voices, cues, and what is no text."""

from core.media.captions.lines import Line
from core.media.captions.sources import read_captions
from tests.core.media.captions.written import write


def test_vtt_leaves_notes_styles_and_cue_names_out(tmp_path):
    text = (
        "WEBVTT - a title\nKind: captions\n\nNOTE\nnothing to see 00:00:01.000\n\nSTYLE\n::cue { color: red }\n\n"
        "intro-1\n00:01.000 --> 00:02.000 align:start position:10%\n<v Ross>Hi, <c.yellow>you</c> <00:00:01.500>there.\n\n"
        "second\n00:00:03.000 --> 00:00:04.000\n<v.loud Rachel Green>Hello.</v>\n<v Joey>Hey &amp; hi.</v>\n"
    )
    assert read_captions(write(tmp_path, text, "a.vtt")) == [
        Line(1.0, 2.0, "Hi, you there.", "Ross"),
        Line(3.0, 4.0, "Hello.\nJoey: Hey & hi.", "Rachel Green"),
    ]
