"""The texts of a film: each once, kept by content, and gone on with after a stop."""

from pathlib import Path

import numpy as np
import pytest

from core.errors import BadInput
from core.media.cache import Cache
from core.media.screen import texts
from core.media.screen.texts import Screen, cards, joined
from core.media.video.reader import Pixels, Timeline
from tests.core.media.screen.written import Told, ground, shown, with_text


def timeline(seconds: float) -> Timeline:
    times = np.arange(0, seconds, 0.25)
    return Timeline(np.arange(len(times)), times, np.ones(len(times), bool), np.zeros(0), seconds, 0, False)


def screen(folder: Path, seconds: float, reader: Told) -> Screen:
    whole = timeline(seconds)
    return Screen(Cache(folder, "x"), "film", whole, np.arange(len(whole.times)), reader)


def pictures(many: int) -> list[Pixels]:
    moving = [ground(1, k % 100 * 4) for k in range(many)]
    return [with_text(one, ("Anna Berg", 60, 280)) if k % 40 in range(8, 24) else one for k, one in enumerate(moving)]


def test_what_was_watched_is_kept_and_a_stopped_film_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "STRETCH", 10.0)
    reader, looks = Told(), pictures(110)
    first = screen(tmp_path, 27.5, reader)
    wanted = first.wanted()
    assert wanted == list(range(110))
    for place in wanted[:60]:  # stopped in the second stretch
        first.see(place, looks[place], wanted)
    again = screen(tmp_path, 27.5, reader)
    assert again.wanted() == list(range(40, 110))
    assert len(again.texts()) == 1
    wanted = again.wanted()
    for place in wanted:
        again.see(place, looks[place], wanted)
    again.end()
    many = len(reader.seen)
    last = screen(tmp_path, 27.5, reader)
    assert last.wanted() == []
    assert [round(text.start) for text in last.texts()] == [2, 12, 22]
    assert last.size == (640, 360)
    assert len(reader.seen) == many


def test_a_reader_that_is_not_there_is_told_and_nothing_is_lost(tmp_path: Path) -> None:
    class Missing(Told):
        def read(self, picture: Pixels) -> list[object]:  # type: ignore[override]
            raise BadInput("the weights that find text are not installed; run `make setup`")

    one = screen(tmp_path, 10.0, Missing())
    wanted = one.wanted()
    for place, picture in zip(wanted, pictures(40), strict=True):
        one.see(place, picture, wanted)
    one.end()
    assert "not installed" in one.wrong
    assert one.texts() == []
    assert one.wanted() == wanted


def test_readings_of_one_text_are_joined() -> None:
    found = joined(
        [shown("Anna Berg", 1, 2), shown("Anna Borg", 2.5, 4), shown("Priya Raman", 5, 6), shown("Anna Berg", 9, 10)]
    )
    assert [(text.text, text.start, text.stop) for text in found] == [
        ("Anna Berg", 0.5, 4.25),
        ("Priya Raman", 4.5, 6.25),
        ("Anna Berg", 8.5, 10.25),
    ]
    rolling = joined([shown("Walter Keane", k, k, top=300 - 60 * k, rolls=True) for k in range(5)])
    assert [(text.start, text.stop) for text in rolling] == [(0, 4.25)]


def test_lines_that_stand_together_are_one_card() -> None:
    name, role, far = shown("Anna Berg", top=280), shown("Reporter", top=306), shown("LIVE", top=20)
    later = shown("Priya Raman", 10, 12, top=306)
    assert [[text.text for text in card] for card in cards([name, role, far, later])] == [
        ["LIVE"],
        ["Anna Berg", "Reporter"],
        ["Priya Raman"],
    ]
