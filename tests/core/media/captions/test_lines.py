"""Lines: markup goes, speakers are told, captions are found by their time."""

import pytest

from core.media.captions.lines import Line, caption_at
from tests.core.media.captions.written import one


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


def test_caption_at_keeps_order_and_speakers():
    lines = [Line(0, 2, "Hi.", "ROSS"), Line(1, 3, "A door slams."), Line(6, 7, "Bye.", "RACHEL")]
    assert caption_at(lines, 1.5, 1.5, 0.0) == "ROSS: Hi.\nA door slams."
    assert caption_at(lines, 4.0, 4.5, 0.0) == ""
    assert caption_at(lines, 4.0, 4.5, 1.5) == "A door slams.\nRACHEL: Bye."
    assert caption_at([Line(0, 1, "", "ROSS")], 0, 1, 0) == "ROSS:"
