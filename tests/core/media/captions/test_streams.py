"""Subtitles inside a video."""

from fractions import Fraction
from pathlib import Path

import av
import pytest
from av.subtitles.subtitle import SubtitleSet

from core.errors import BadInput
from core.media.captions.lines import Line
from core.media.captions.sources import embedded_captions
from tests.core.media.captions.written import write

HEADER = b"[Script Info]\nScriptType: v4.00+\n\n[V4+ Styles]\nFormat: Name, Fontname\n\n"
Event = tuple[float, float, str, str]  # start, stop, name, text


def write_video(path: Path, codec: str, streams: list[tuple[str, list[Event]]]) -> Path:
    """A file with nothing but subtitle streams, each of a language."""
    with av.open(str(path), "w") as container:
        made = []
        for language, events in streams:
            stream = container.add_stream(codec)
            stream.codec_context.subtitle_header = HEADER
            stream.time_base = stream.codec_context.time_base = Fraction(1, 1000)
            stream.metadata["language"] = language
            made.append((stream, events))
        for stream, events in made:
            for number, (start, stop, name, text) in enumerate(events):
                length = round(1000 * (stop - start))
                shown = SubtitleSet.create(f"{number},0,Default,{name},0,0,0,,{text}".encode(), 0, length)
                packet = stream.codec_context.encode_subtitle(shown)
                packet.stream, packet.time_base = stream, Fraction(1, 1000)
                packet.pts = packet.dts = round(1000 * start)
                packet.duration = length
                container.mux(packet)
    return path


EVENTS: list[Event] = [(1.5, 2.5, "", "ROSS: {\\i1}Hi{\\i0},\\NRachel."), (4.0, 5.0, "", "- MONICA: No.\\N- JOEY: Yes.")]
SAID = [Line(1.5, 2.5, "Hi, Rachel.", "ROSS"), Line(4.0, 5.0, "No.\n- JOEY: Yes.", "MONICA")]


@pytest.mark.parametrize(("codec", "name"), [("srt", "a.mkv"), ("ass", "a.mkv"), ("mov_text", "a.mp4")])
def test_embedded_captions(tmp_path, codec, name):
    assert embedded_captions(write_video(tmp_path / name, codec, [("eng", EVENTS)])) == SAID


def test_embedded_ass_keeps_its_name_field(tmp_path):
    video = write_video(tmp_path / "a.mkv", "ass", [("eng", [(1.0, 2.0, "Ross", "Hi, you.")])])
    assert embedded_captions(video) == [Line(1.0, 2.0, "Hi, you.", "Ross")]


def test_english_is_chosen_of_several_languages(tmp_path):
    german: list[Event] = [(1.0, 2.0, "", "Hallo.")]
    assert embedded_captions(write_video(tmp_path / "a.mkv", "srt", [("ger", german), ("eng", EVENTS)])) == SAID


def test_no_embedded_captions_and_no_video(tmp_path):
    path = tmp_path / "a.mp4"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=5)
        stream.width, stream.height, stream.pix_fmt = 64, 64, "yuv420p"
        for _ in range(3):
            container.mux(stream.encode(av.VideoFrame(64, 64, "yuv420p")))
        container.mux(stream.encode())
    assert embedded_captions(path) == []
    with pytest.raises(BadInput, match="cannot be read"):
        embedded_captions(write(tmp_path, "no video", "b.mp4"))
    with pytest.raises(BadInput, match="there is no such file"):
        embedded_captions(tmp_path / "none.mp4")
    with pytest.raises(BadInput, match="this is a folder"):
        embedded_captions(tmp_path)
