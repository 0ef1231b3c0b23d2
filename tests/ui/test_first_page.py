"""The first page without a browser: it opens, says what it should, and takes any URL."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core import NOBODY
from ui.pages.first import answers, right
from ui.widgets.cartoon import CAST, head
from ui.widgets.film import Film
from ui.widgets.links import _said

APP = str(Path(__file__).resolve().parents[2] / "streamlit_app.py")


def opened(**url: str) -> AppTest:
    app = AppTest.from_file(APP, default_timeout=60)
    for key, value in url.items():
        app.query_params[key] = value
    return app.run()


def text(app: AppTest) -> str:
    return " ".join(str(element.proto) for element in app.get("html")) + " ".join(m.value for m in app.markdown)


def test_it_opens_and_shows_frame_and_score() -> None:
    app = opened()
    assert not app.exception
    film = Film.read()
    assert f"Frame 1 of {len(film.frames)}" in text(app)
    assert f"{right(film, answers(film, ()))} of {len(film.truth)}" in text(app)
    assert app.button(key="previous").disabled
    assert app.button(key="solve").disabled


def test_next_goes_into_the_url() -> None:
    app = opened(frame="3")
    app.button(key="next").click().run()
    assert not app.exception
    assert app.query_params["frame"] == "4"
    assert "Frame 4 of" in text(app)


@pytest.mark.parametrize("frame", ["0", "-1", "999999", "99999999999999999999", "x", "", "<script>", "²"])
def test_any_frame_in_the_url_opens(frame: str) -> None:
    assert not opened(frame=frame).exception


@pytest.mark.parametrize(
    "said", ["", "_", "x-y", "99999-1", "1-99", "1--1", "0-0_0-1_0-nobody", "<script>alert(1)</script>", "²-1"]
)
def test_any_corrections_in_the_url_open(said: str) -> None:
    assert not opened(said=said).exception


def test_what_was_said_counts_and_can_be_dropped() -> None:
    app = opened(said="0-4")
    assert "before your correction" in text(app)
    app.button(key="over").click().run()
    assert not app.exception
    assert "said" not in app.query_params
    assert "from the captions alone" in text(app)


def test_one_correction_helps_other_faces() -> None:
    film = Film.read()
    said = ((0, film.truth[0]),)
    alone, helped = answers(film, ()), answers(film, said)
    assert helped.name[0] == film.truth[0]
    assert alone.name[0] != film.truth[0]
    assert right(film, helped) > right(film, alone) + 1


def test_the_film_is_a_problem_with_all_its_captions() -> None:
    film = Film.read()
    problem = film.problem()
    assert problem.faces == len(film.truth)
    assert problem.candidates()[0] == ["Esme", "Finn"]
    assert np.array_equal(problem.truth, film.truth)
    for frame in film.frames:
        assert "".join(part for part, _ in film.caption_parts(frame)) == frame.caption


def test_names_are_found_as_whole_words_and_the_longest_first() -> None:
    film = Film.parse(
        '{"title": "t", "cast": ["Al", "Al (Jr.)"], "frames": '
        '[{"scene": "sea", "faces": ["Al", null], "caption": "Alan met Al (Jr.) and Al"}]}'
    )
    assert film.caption_parts(film.frames[0]) == [("Alan met ", False), ("Al (Jr.)", True), (" and ", False), ("Al", True)]


def test_everybody_has_a_look_and_every_moment_is_a_bit_different() -> None:
    assert len({head(person, 0) for person in range(len(CAST))}) == len(CAST)
    assert head(0, 1) != head(0, 2)
    assert head(0, 1) == head(0, 1)
    assert head(NOBODY, 1) not in {head(person, 1) for person in range(len(CAST))}


@pytest.mark.parametrize("state", [None, {}, {"said": None}, {"said": {"face": "0"}}, {"said": {"face": 0, "name": "Ada"}}])
def test_nonsense_from_the_browser_is_not_heard(state: object) -> None:
    assert _said(state) is None
