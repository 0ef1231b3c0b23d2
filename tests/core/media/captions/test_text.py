"""Text files in whichever encoding."""

import pytest

from core.media.captions.sources import read_captions
from tests.core.media.captions.written import SRT, write


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
