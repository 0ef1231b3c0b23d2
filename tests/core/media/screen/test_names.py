"""Lower thirds and credits name people; headlines, places, firms and what runs by do not."""

import pytest

from core.media.names.cast import Cast
from core.media.screen.names import Read, understood
from core.media.screen.watch import Shown
from core.records import Box
from tests.core.media.screen.written import shown

SIZE = (640, 360)
CAST = Cast({"Anna Berg": ("Anna Berg",), "Will": ("Will",), "Marcus Oyelaran": ("Marcus Oyelaran", "Marc")})


def read(*texts: Shown, cast: Cast | None = None) -> list[Read]:
    return understood(texts, SIZE, cast)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Anna Berg", "Anna Berg"),
        ("MARCUS OYELARAN", "Marcus Oyelaran"),
        ("Dr. Helen Whitcombe", "Helen Whitcombe"),
        ("Anna Berg, Reporter", "Anna Berg"),
        ("Peter van der Meer | Pilot", "Peter van der Meer"),
        ("RUTH O'CONNELL", "Ruth O'Connell"),
        ("Directed by Walter Keane", "Walter Keane"),
        ("MathieuGirard", "Mathieu Girard"),
        ("Zofia Wilk.", "Zofia Wilk"),
    ],
)
def test_names(text: str, name: str) -> None:
    assert [one.name for one in read(shown(text))] == [name]


@pytest.mark.parametrize(
    "text",
    ["BREAKING NEWS", "Central Bank", "North Sea", "Prime Minister", "New York Stock Exchange", "Reporter",
     "Marine biologist",
     "Storm reaches the coast", "Port of Arden", "20:15", "anna berg", "Subscribe now", "", "FaceTime", "YouTube",
     "MacDonald"],
)  # fmt: skip
def test_what_names_nobody(text: str) -> None:
    assert [one.name for one in read(shown(text))] == [""]


def test_what_is_cut_off_is_left_out_and_what_is_hardly_read_names_nobody() -> None:
    assert read(shown("Anna Berg", cut=True)) == []
    assert read(Shown(0, 1, "Anna Berg", shown("x").box, 0.6))[0].name == ""


def test_a_role_below_makes_it_a_lower_third() -> None:
    first, second = read(shown("Anna Berg", top=280), shown("Reporter", top=306))
    assert (first.name, first.role, second.name) == ("Anna Berg", True, "")
    assert not read(shown("Anna Berg"))[0].role


def test_what_stands_smaller_below_a_name_is_a_role_however_it_was_read() -> None:
    below = Box(40, 306, 240, 320)
    name, misread = Shown(1, 4, "Jack Thornton", Box(40, 280, 240, 302), 0.95), Shown(1, 4, "Fire Brigd", below, 0.95)
    assert [one.name for one in read(misread)] == ["Fire Brigd"]  # alone it could be a name
    assert [(one.name, one.role) for one in read(name, misread)] == [("Jack Thornton", True), ("", False)]
    second = Shown(1, 4, "Priya Raman", Box(40, 306, 240, 328), 0.95)
    assert [one.name for one in read(name, second)] == ["Jack Thornton", "Priya Raman"]


def test_credits_are_told_from_lower_thirds() -> None:
    found = read(
        shown("Anna Berg", 1, 4, top=280),
        shown("Reporter", 1, 4, top=306),
        shown("Priya Raman", 20, 24),
        shown("Directed by Walter Keane", 30, 34, top=100),
        shown("Monica Sharp", 40, 41, rolls=True),
        shown("Priya Raman", 200, 204),
    )
    kinds = {(one.name, one.kind) for one in found if one.name}
    assert kinds == {
        ("Anna Berg", "screen"),
        ("Priya Raman", "credits"),  # a lone name near a credit is one
        ("Walter Keane", "credits"),
        ("Monica Sharp", "credits"),
        ("Priya Raman", "screen"),
    }


def test_with_a_cast_list_only_its_people_count_and_a_wrong_letter_does_no_harm() -> None:
    texts = ("Anna Borg", "MARC", "Priya Raman", "Marcus 0yelaran", "Will we see")
    assert [read(shown(text), cast=CAST)[0].name for text in texts] == [
        "Anna Berg",
        "Marcus Oyelaran",
        "",
        "Marcus Oyelaran",
        "",
    ]


def test_two_readings_of_one_name_are_one() -> None:
    found = read(shown("Marcus Oyelaran", 1, 4), shown("Marcus Oyelaran", 20, 24), shown("Marcus Oyelarann", 40, 44))
    assert {one.name for one in found} == {"Marcus Oyelaran"}


def test_subtitles_in_the_picture_are_captions_and_no_names() -> None:
    said = [shown("Where were you last night, Anna?", k, k + 2, top=320, left=175) for k in range(0, 18, 3)]
    assert [one.kind for one in read(*said)] == ["subtitles"] * 6
    assert [one.kind for one in read(*said[:3])] == ["screen"] * 3
