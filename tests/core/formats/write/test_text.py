"""Names made fit for a file."""

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.formats.write.text import (
    categories,
    clipped,
    distinct,
    has_box,
    number,
    one_line,
    picture_names,
    writable,
    xml_text,
)
from core.records import Box, Labels
from tests.core.formats.made import album, face, film, frame, source

ANY = st.text(st.characters(codec=None, exclude_categories=()))  # half characters and control characters too


@given(text=ANY)
def test_any_text_becomes_writable_xml_and_one_line(text: str) -> None:
    writable(text).encode()
    element = ET.Element("a", {"b": xml_text(text)})
    element.text = xml_text(text)
    back = ET.fromstring(ET.tostring(element, encoding="utf-8"))
    assert (back.get("b"), back.text or "") == (xml_text(text), xml_text(text))
    line = one_line(text)
    assert line
    assert line.splitlines() == [line]
    line.encode()


def test_texts_that_can_be_written_are_left_alone() -> None:
    for text in ("Zoë", "a\tb\n", "😀", "]]>", ""):
        assert writable(text) == text == xml_text(text)


def test_names_that_become_the_same_are_told_apart() -> None:
    assert distinct(["a", "A", "a (2)", "b"], str.lower) == {"a": "a", "A": "a (2)", "a (2)": "a (2) (2)", "b": "b"}
    assert distinct(["a"], str.lower, taken=["a"]) == {"a": "a (2)"}


def test_nobody_is_a_category_of_its_own() -> None:
    assert categories(film([["A", ""], ["nobody", "A"]])) == {"": "nobody (2)", "A": "A", "nobody": "nobody"}


def test_pictures_are_called_by_path_and_frames_by_time() -> None:
    video = frame(3, time=2.5)
    problem = frame(4, of=source(1, "problem", "p.npz"))
    labels = Labels("", (*album(["A"], ["x/y.jpg"]).frames, video, problem))
    assert picture_names(labels) == ["x/y.jpg", "film.mp4/000003_2.500.jpg", "p.npz/000004.jpg"]


@pytest.mark.parametrize(
    ("box", "known"),
    [
        (Box(0, 0, 640, 480), True),
        (Box(-5, -5, 1, 1), True),
        (Box(0, 0, 0, 0), False),
        (Box(10, 10, 5, 20), False),
        (Box(640, 0, 700, 50), False),
        (Box(-20, 0, 0, 50), False),
    ],
)
def test_a_box_is_known_where_a_part_of_it_is_in_the_frame(box: Box, known: bool) -> None:
    shown = frame(0, [face(0, box=box)])
    assert has_box(shown, shown.faces[0]) is known
    assert not has_box(frame(0, size=(0, 0)), shown.faces[0])


def test_boxes_are_cut_at_the_edge() -> None:
    assert clipped(frame(0), Box(-1, 2, 700, 481)) == Box(0, 2, 640, 480)


@pytest.mark.parametrize(("value", "digits", "text"), [(0.0, 2, "0"), (10.0, 0, "10"), (100.0, 2, "100"), (-1.5, 1, "-1.5")])
def test_numbers_are_short(value: float, digits: int, text: str) -> None:
    assert number(value, digits) == text
