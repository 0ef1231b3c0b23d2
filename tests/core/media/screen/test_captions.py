"""What was read as captions: what it is worth, where it counts, and what is told of it."""

from core.media.screen.captions import ALONE, WITH_ROLE, OnScreen
from tests.core.media.screen.written import shown

TEXTS = [
    shown("Anna Berg", 1, 4, top=280),
    shown("Reporter", 1, 4, top=306),
    shown("Priya Raman", 300, 304),
    shown("Walter Keane", 600, 604, rolls=True),
]


def test_captions_of_a_film() -> None:
    read = OnScreen.of(TEXTS, (640, 360), None)
    assert [(line.kind, line.text, line.name, line.logodds) for line in read.lines()] == [
        ("screen", "Anna Berg", "Anna Berg", WITH_ROLE),
        ("screen", "Reporter", "", 0.0),
        ("screen", "Priya Raman", "Priya Raman", ALONE),
        ("credits", "Walter Keane", "Walter Keane", 0.0),
    ]
    assert read.names == ["Anna Berg", "Priya Raman", "Walter Keane"]
    assert read.during(2, 2) == (("Anna Berg", "Anna Berg"),)
    assert read.during(10, 20) == read.during(600, 604) == ()
    assert read.told() == ["4 texts on the screen, 2 names beside faces, 1 in the credits"]
    assert OnScreen().told() == []
