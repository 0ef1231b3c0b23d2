"""The news programme that names on the screen are measured on: two of them, with nothing in common."""

import numpy as np
import pytest
from PIL import ImageFont

from benchmarks import news
from benchmarks.news import RATE, SHOT, pictures
from benchmarks.programmes import PROGRAMMES, TESTING, TUNING, name_of
from benchmarks.screen import line, starts


def test_what_is_told_was_not_tuned_on() -> None:
    for programme in PROGRAMMES.values():
        assert len(programme.people) == 30
        assert len(set(programme.fonts)) == 8
    first, second = ({word for name, _ in one.people for word in name.split()} for one in (TUNING, TESTING))
    assert not first & second
    assert not set(TUNING.fonts) & set(TESTING.fonts)
    assert not set(TUNING.others) & set(TESTING.others)
    assert name_of("Dr. Helen Whitcombe") == "Helen Whitcombe"


def test_a_person_stands_above_a_name_and_then_credits_roll(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(news, "font", lambda name, size: ImageFont.load_default(max(4, size)))
    drawn = [np.asarray(picture) for picture in pictures(TUNING, 72, people=1)]
    assert len(drawn) == round(SHOT * RATE) + round(9.0 * RATE)
    assert drawn[0].shape == (72, 128, 3)
    assert (drawn[30] != drawn[3]).any()
    assert drawn[-1].mean() < 30
    assert starts(TUNING, 4) == [0.0, 5.0, 10.0, 17.5]


def test_what_is_printed() -> None:
    told = {"people": 2, "found": 1, "missed": ["Anna Berg"], "false": ["Aking Ne"], "names": 2, "linked": 1}
    told |= {"linked_right": 1, "faces": 3, "faces_right": 2, "credits": 0, "crew": 6}
    said = line("testing", 360, told | {"faces_processor": 10.0, "read_processor": 2.5})
    assert "found 1 of 2, false 1 of 2 names" in said
    assert "(0.25)" in said
    assert said.endswith("missed Anna Berg; false Aking Ne")
