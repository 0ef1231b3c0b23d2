"""Captions from files and videos: formats, markup, times, speakers, and what is refused."""

from fractions import Fraction
from pathlib import Path

import av
import pytest
from av.subtitles.subtitle import SubtitleSet
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput
from core.media.captions import Line, caption_at, embedded_captions, read_captions

SRT = "1\n00:00:01,000 --> 00:00:02,500\nROSS: Hi.\n\n2\n00:00:03,000 --> 00:00:04,000\nHello.\n"


def write(folder: Path, text: str, name: str = "captions.srt", encoding: str = "utf-8") -> Path:
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


def one(folder: Path, text: str) -> Line:
    """The single line of an SRT file with this text."""
    (line,) = read_captions(write(folder, f"1\n00:00:01,000 --> 00:00:02,000\n{text}\n"))
    return line


def test_srt(tmp_path):
    assert read_captions(write(tmp_path, SRT)) == [Line(1.0, 2.5, "Hi.", "ROSS"), Line(3.0, 4.0, "Hello.")]


@pytest.mark.parametrize("ends", ["\r\n", "\r"])
def test_line_ends_of_other_systems(tmp_path, ends):
    assert read_captions(write(tmp_path, SRT.replace("\n", ends))) == read_captions(write(tmp_path, SRT, "plain.srt"))


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("utf-8", "Zoë öffnet die Tür."),
        ("utf-8-sig", "Zoë öffnet die Tür."),
        ("utf-16", "Zoë öffnet die Tür."),
        ("utf-16-le", "Zoë öffnet die Tür."),
        ("utf-16-be", "Анна открывает дверь."),
        ("latin-1", "Zoë öffnet die Tür."),
        ("cp1252", "L’été dernier, Chloé était à l’hôtel…"),
        ("cp1250", "Łukasz idzie do domu. Cześć, Wałęsa!"),
        ("cp1251", "Анна открывает дверь. Привет, Борис!"),
        ("koi8-r", "Анна открывает дверь. Привет, Борис!"),
        ("cp1253", "Η Άννα ανοίγει την πόρτα."),
        ("cp1255", "דוד נכנס לחדר."),
        ("cp1256", "دخل أحمد الغرفة. مرحبا"),
        ("shift_jis", "太郎は部屋に入る。「こんにちは、花子さん」"),
        ("gb18030", "张伟走进房间。你好，李娜！"),
        ("big5", "張偉走進房間。你好，李娜！"),
        ("euc_kr", "철수가 방에 들어온다. 안녕, 영희야!"),
    ],
)
def test_usual_encodings(tmp_path, encoding, text):
    path = write(tmp_path, SRT.replace("Hello.", text), encoding=encoding)
    assert read_captions(path)[1].text == text


def test_one_spoilt_byte_does_not_change_the_encoding(tmp_path):
    path = tmp_path / "spoilt.srt"
    path.write_bytes(
        SRT.replace("Hello.", "Zoë, Chloé, René, André, Noël, Anaïs, Hélène, Jérôme, Lénaïc!").encode() + b"\xff\n"
    )
    assert "Zoë, Chloé" in read_captions(path)[1].text


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


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<i>Soft</i> <font color='#fff'>words</font>", "Soft words"),
        ("{\\an8}Up here", "Up here"),
        ("Fish &amp; chips &lt;3&nbsp;you", "Fish & chips <3 you"),
        ("♪ La la la ♪", "La la la"),
        ("[door slams]", "[door slams]"),
        ("A long sentence that\nwas only wrapped.", "A long sentence that was only wrapped."),
        ("- Who?\n- Me.", "- Who?\n- Me."),
    ],
)
def test_markup_goes_and_words_stay(tmp_path, markup, text):
    assert one(tmp_path, markup) == Line(1.0, 2.0, text)


@pytest.mark.parametrize(
    ("text", "speaker", "rest"),
    [
        ("ROSS: Hi.", "ROSS", "Hi."),
        ("- Ross: Hi.", "Ross", "Hi."),
        (">> ROSS GELLER: Hi.", "ROSS GELLER", "Hi."),
        ("Dr. Green: Hi.", "Dr. Green", "Hi."),
        ("<i>McCOY (on phone):</i> Hi.", "McCOY", "Hi."),
        ("[Ross]: Hi.", "Ross", "Hi."),
        ("Fireman No. 1: Hi.", "Fireman No. 1", "Hi."),
        ("Vincent van Gogh: Hi.", "Vincent van Gogh", "Hi."),
        ("Ross and Rachel: Hi.", "Ross and Rachel", "Hi."),
        ("太郎：こんにちは", "太郎", "こんにちは"),
        ("Chandler: !", "Chandler", "!"),
        ("- ROSS: Hi.\n- RACHEL: Hello.", "ROSS", "Hi.\n- RACHEL: Hello."),
    ],
)
def test_speaker_tags(tmp_path, text, speaker, rest):
    assert one(tmp_path, text) == Line(1.0, 2.0, rest, speaker)


@pytest.mark.parametrize(
    "text",
    [
        "Note: it is locked.",
        "Remember this: run.",
        "12:30 is too late.",
        "At 12:30 we go.",
        "PREVIOUSLY ON: The Office",
        "Warning: high voltage",
        "It's called: Get Up.",
        "See https://example.org",
        "Listen to me. Ross: he lies.",
        "What I mean is: no.",
    ],
)
def test_no_speaker_tags(tmp_path, text):
    assert one(tmp_path, text) == Line(1.0, 2.0, text)


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


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("00:01:02.500 Ross enters.\n00:01:04 He sits.", [(62.5, 64.0, "Ross enters."), (64.0, 68.0, "He sits.")]),
        ("[00:01:02] Ross enters.\n[00:02:00] He sits.", [(62.0, 66.0, "Ross enters."), (120.0, 124.0, "He sits.")]),
        ("00:01:02 - 00:01:05: Ross enters.", [(62.0, 65.0, "Ross enters.")]),
        ("start\tstop\ttext\n00:01:02\t00:01:05\tRoss enters.", [(62.0, 65.0, "Ross enters.")]),
        ("62.5\t65\tRoss enters.", [(62.5, 65.0, "Ross enters.")]),
        ('00:01:02.5,00:01:05,"Ross, alone, enters."', [(62.5, 65.0, "Ross, alone, enters.")]),
        ("1:02 Ross enters.\n1:05 – 1:07 He sits.", [(62.0, 65.0, "Ross enters."), (65.0, 67.0, "He sits.")]),
        ("00:01:02:10 Ross enters.", [(62.4, 66.4, "Ross enters.")]),
        ("A title\n\n00:01:02\nRoss enters\nthe cafe.\n", [(62.0, 66.0, "Ross enters the cafe.")]),
        ("00:01:02 They meet at\n12:30 sharp.", [(62.0, 66.0, "They meet at 12:30 sharp.")]),
    ],
)
def test_audio_description(tmp_path, text, lines):
    assert read_captions(write(tmp_path, text, "described.txt")) == [Line(*line) for line in lines]


def test_caption_at_keeps_order_and_speakers():
    lines = [Line(0, 2, "Hi.", "ROSS"), Line(1, 3, "A door slams."), Line(6, 7, "Bye.", "RACHEL")]
    assert caption_at(lines, 1.5, 1.5, 0.0) == "ROSS: Hi.\nA door slams."
    assert caption_at(lines, 4.0, 4.5, 0.0) == ""
    assert caption_at(lines, 4.0, 4.5, 1.5) == "A door slams.\nRACHEL: Bye."
    assert caption_at([Line(0, 1, "", "ROSS")], 0, 1, 0) == "ROSS:"


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


HEADER = ASS.split("[Events]")[0].replace("Style: Broken,Arial,not a size\n", "").encode()
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


def test_a_real_scene(data):
    lines = read_captions(data / "clip" / "scene_a.srt")
    assert len(lines) == 12
    assert {line.speaker for line in lines} == {"Monica", "Rachel", "Phoebe", "Chandler", "Joey", "Ross"}
    assert lines[5].text == "Well, Joey, I wrote a little song today. It's called: Get Up."
