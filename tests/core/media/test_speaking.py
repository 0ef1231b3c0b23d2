"""Who speaks: a mouth that moves during a line speaks for its speaker, one that is still speaks against it."""

import numpy as np
import pytest

from core.media.captions.lines import Line
from core.media.speaking import LEAST, speaking, turns
from core.media.tracking import Tracked

STEP = 0.25
LINE = Line(1.0, 4.0, "Hello.", "Ross")


def face(open_mouth: bool, nods: bool = False, grain: int | None = None) -> np.ndarray:
    """A small grey face whose mouth is open or shut; one that nods is a few pixels lower. A film has grain."""
    pixels = np.random.default_rng(0).integers(90, 110, (40, 40)).astype(np.uint8)
    pixels[12:16, 10:15] = pixels[12:16, 25:30] = 30
    pixels[24 : 30 if open_mouth else 26, 15:25] = 20
    if grain is not None:
        pixels += np.random.default_rng(grain).integers(0, 4, pixels.shape).astype(np.uint8)
    return np.roll(pixels, 2, axis=0) if nods else pixels


def film(*speaks: bool, seconds: float = 5.0, side: float = 80.0, nods: bool = False, grain: bool = True) -> Tracked:
    """People side by side for some seconds; those who speak open and shut their mouths from 1 to 4."""
    times = np.arange(0, seconds, STEP)
    rows = [
        (k, t, face(moves and 1 <= t <= 4 and look % 2 == 0, nods and look % 2 == 0, 9 * look + k if grain else None))
        for look, t in enumerate(times)
        for k, moves in enumerate(speaks)
    ]
    number = np.array([k for k, _, _ in rows], np.int64)
    time = np.array([t for _, t, _ in rows])
    many = len(rows)
    return Tracked(
        place=np.round(time / STEP).astype(np.int64),
        index=number,
        number=number,
        time=time,
        until=np.zeros((many, 2)),
        box=np.tile([0.0, 0, side, side], (many, 1)),
        quality=np.ones(many),
        small=np.array([pixels for *_, pixels in rows], np.uint8).reshape(-1, 40, 40),
        vectors=np.eye(max(len(speaks), 1)),
        doubtful=np.zeros(len(speaks), bool),
    )


def test_of_two_in_view_the_one_whose_mouth_moves_speaks() -> None:
    found = speaking(film(True, False), [LINE], [["Ross"]])
    ((name, moving),), ((_, still),) = found[0], found[1]
    assert name == "Ross"
    assert moving > 0.5
    assert still < -0.5


def test_one_whose_mouth_is_still_is_not_the_speaker_who_is_off_screen() -> None:
    ((_, alone),) = speaking(film(False), [LINE], [["Ross"]])[0]
    assert LEAST < alone < -0.4


def test_two_who_both_move_their_mouths_tell_little() -> None:
    found = speaking(film(True, True), [LINE], [["Ross"]])
    assert abs(found[0][0][1]) < np.log(2)  # one of the two, or somebody off screen
    assert found[0][0][1] == pytest.approx(found[1][0][1])


def test_a_head_that_moves_as_a_whole_speaks_less_than_a_mouth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.media.speaking.MOST", 99.0)
    ((_, speaks),) = speaking(film(True), [LINE], [["Ross"]])[0]
    ((_, nods),) = speaking(film(False, nods=True), [LINE], [["Ross"]])[0]
    assert nods < speaks


def test_a_tiny_face_tells_nothing_and_a_small_one_little() -> None:
    assert speaking(film(True, side=15.0), [LINE], [["Ross"]]) == {}
    ((_, small),) = speaking(film(True, side=20.0), [LINE], [["Ross"]])[0]
    ((_, plain),) = speaking(film(True, side=40.0), [LINE], [["Ross"]])[0]
    assert 0 < small < plain / 2


def test_lines_of_one_speaker_add_up() -> None:
    first, second = Line(1.0, 2.4, "Hello.", "Ross"), Line(2.6, 4.0, "You!", "Ross")
    once = speaking(film(True, False), [first], [["Ross"]])[0][0][1]
    twice = speaking(film(True, False), [first, second], [["Ross"], ["Ross"]])[0][0][1]
    assert 1.5 * once < twice < 2.5 * once


@pytest.mark.parametrize(
    ("line", "names"),
    [
        (Line(1.0, 4.0, "It rains."), []),
        (Line(1.0, 4.0, "Hello!", "Ross and Rachel"), ["Ross", "Rachel"]),
        (Line(9.0, 12.0, "Hello!", "Ross"), ["Ross"]),
        (Line(1.0, 1.1, "Hm.", "Ross"), ["Ross"]),
    ],
    ids=["no speaker", "two speakers", "nobody in view", "too short"],
)
def test_lines_that_tell_nothing(line: Line, names: list[str]) -> None:
    assert speaking(film(True, False), [line], [names]) == {}


def test_a_film_without_tracks() -> None:
    assert speaking(film(), [LINE], [["Ross"]]) == {}


def test_a_picture_that_stands_still_tells_nothing_of_a_mouth() -> None:
    assert speaking(film(False, grain=False), [LINE], [["Ross"]]) == {}


def test_two_speakers_of_a_line_share_its_time_by_how_much_they_say() -> None:
    line = Line(2.0, 6.0, "Hi there!\n- RACHEL: Oh, it is you. Do come in.", "ROSS")
    (start, cut, one), (again, stop, other) = turns(line, ["Ross", "Rachel"])
    assert (start, stop, one, other) == (2.0, 6.0, "Ross", "Rachel")
    assert cut == again
    assert 2.8 < cut < 3.6  # of 35 characters 9 are his


def test_who_cannot_be_named_or_has_no_tag_takes_time_from_the_others() -> None:
    assert turns(Line(0.0, 4.0, "Hi.\n- ROSS: Hm.", "MAN"), ["", "Ross"]) == [(2.0, 4.0, "Ross")]
    assert turns(Line(0.0, 4.0, "Hi!\n- ROSS: Hi!"), ["Ross"]) == [(2.0, 4.0, "Ross")]
    assert (
        turns(Line(0.0, 4.0, "Hi!", "ROSS"), ["Ross"])
        == turns(Line(0.0, 4.0, "[Ross] Hi!"), ["Ross"])
        == [(0.0, 4.0, "Ross")]
    )


def test_who_speaks_at_once_has_no_turn() -> None:
    assert turns(Line(0.0, 4.0, "Hi!", "Ross and Rachel"), ["Ross", "Rachel"]) == []
    assert turns(Line(0.0, 4.0, "Hi!"), []) == []


def test_one_who_speaks_in_the_first_half_of_a_line_is_its_first_speaker() -> None:
    line = Line(1.0, 7.0, "This is what I say.\nMonica: That is what I say.", "Ross")  # the mouth moves from 1 to 4
    found = speaking(film(True, seconds=8.0), [line], [["Ross", "Monica"]])
    spoken = dict(found[0])
    assert spoken["Ross"] > 0.5
    assert spoken["Monica"] < -0.2
