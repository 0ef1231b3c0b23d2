"""Who speaks: a mouth that moves during a line speaks for its speaker, one that is still speaks against it."""

import numpy as np
import pytest

from core.media.captions.lines import Line
from core.media.speaking import LEAST, speaking
from core.media.tracking import Tracked

STEP = 0.25
LINE = Line(1.0, 4.0, "Hello.", "Ross")


def face(open_mouth: bool) -> np.ndarray:
    """A small grey face whose mouth is open or shut."""
    pixels = np.random.default_rng(0).integers(90, 110, (40, 40)).astype(np.uint8)
    pixels[12:16, 10:15] = pixels[12:16, 25:30] = 30
    pixels[24 : 30 if open_mouth else 26, 15:25] = 20
    return pixels


def film(*speaks: bool, seconds: float = 5.0) -> Tracked:
    """People side by side for some seconds; those who speak open and shut their mouths from 1 to 4."""
    times = np.arange(0, seconds, STEP)
    rows = [
        (k, t, face(open_mouth=moves and 1 <= t <= 4 and round(t / STEP) % 2 == 0))
        for t in times
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
        box=np.zeros((many, 4)),
        quality=np.ones(many),
        small=np.array([pixels for *_, pixels in rows], np.uint8).reshape(-1, 40, 40),
        vectors=np.eye(max(len(speaks), 1)),
    )


def test_of_two_in_view_the_one_whose_mouth_moves_speaks() -> None:
    found = speaking(film(True, False), [LINE], [["Ross"]])
    ((name, moving),), ((_, still),) = found[0], found[1]
    assert name == "Ross"
    assert moving > 0.5
    assert still < -0.5


def test_one_whose_mouth_is_still_is_not_the_speaker_who_is_off_screen() -> None:
    ((_, alone),) = speaking(film(False), [LINE], [["Ross"]])[0]
    assert alone == pytest.approx(LEAST)


def test_two_who_both_move_their_mouths_tell_little() -> None:
    found = speaking(film(True, True), [LINE], [["Ross"]])
    assert abs(found[0][0][1]) < 0.5
    assert found[0][0][1] == pytest.approx(found[1][0][1])


def test_lines_of_one_speaker_add_up() -> None:
    first, second = Line(1.0, 2.4, "Hello.", "Ross"), Line(2.6, 4.0, "You!", "Ross")
    once = speaking(film(True, False), [first], [["Ross"]])[0][0][1]
    twice = speaking(film(True, False), [first, second], [["Ross"], ["Ross"]])[0][0][1]
    assert twice == pytest.approx(2 * once, rel=0.2)


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
