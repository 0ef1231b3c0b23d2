"""ASS and SSA: the name field, and what is no text."""

from core.media.captions.lines import Line
from core.media.captions.sources import read_captions
from tests.core.media.captions.written import write

ASS = """[Script Info]
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname
Style: Broken,Arial,not a size

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,{\\an8\\i1}Later{\\i0}\\Non.
Dialogue: 0,0:00:01.00,0:00:02.00,Default,Ross,0,0,0,,Hi, Rachel.
Dialogue: 1,0:00:01.00,0:00:02.00,Default,Ross,0,0,0,,{\\blur3}Hi, Rachel.
Comment: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,a remark
Dialogue: 0,0:00:05.00,0:00:06.00,Default,,0,0,0,,{\\p1}m 0 0 l 100 0 100 100{\\p0}
Dialogue: 0,nonsense
"""


def test_ass_takes_the_name_field_and_leaves_drawings_comments_and_layers_out(tmp_path):
    expected = [Line(1.0, 2.0, "Hi, Rachel.", "Ross"), Line(3.0, 4.0, "Later on.")]
    assert read_captions(write(tmp_path, ASS, "a.ass")) == expected
