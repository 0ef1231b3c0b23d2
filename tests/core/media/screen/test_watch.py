"""A film is watched for writing: it is read when it is new and stands, once, and no more than may be read."""

import numpy as np

from core.media.screen.watch import FIRST, SHARE, Shown, Watch
from core.media.video.reader import Pixels
from tests.core.media.films import noisy
from tests.core.media.screen.written import HIGH, WIDE, Told, ground, with_text


def watched(pictures: list[Pixels], reader: Told) -> list[Shown]:
    watch = Watch(reader)
    for k, picture in enumerate(pictures):
        watch.see(k / 4, picture)
    return watch.texts


def test_a_text_that_stands_before_a_moving_street_is_read_once() -> None:
    reader = Told()
    pictures = [ground(1, 4 * k) for k in range(30)]
    pictures[8:20] = [with_text(picture, ("Anna Berg", 60, 280)) for picture in pictures[8:20]]
    (text,) = watched(pictures, reader)
    assert len(reader.seen) == 1
    assert 2.0 <= text.start <= 3.25
    assert 4.5 <= text.stop <= 5.0
    assert reader.seen[0].shape[0] < HIGH / 3  # only where it stands


def test_another_text_in_the_same_place_is_read_anew() -> None:
    reader = Told()
    texts = ["Anna Berg"] * 10 + ["Marcus Oyelaran"] * 10
    watched([with_text(ground(1, 4 * k), (text, 60, 280)) for k, text in enumerate(texts)], reader)
    assert len(reader.seen) == 2


def test_where_nothing_is_written_nothing_is_read() -> None:
    reader = Told()
    watched([ground(2, 4 * k) for k in range(20)], reader)
    watched([np.full((HIGH, WIDE, 3), 200, np.uint8)] * 8, reader)
    watched([noisy(k, HIGH // 16 * 16, WIDE) for k in range(12)], reader)  # nothing of it stands
    assert not reader.seen


def test_a_pattern_that_is_no_text_is_looked_at_ever_more_rarely() -> None:
    reader = Told(texts=())
    stripes = np.zeros((HIGH, WIDE, 3), np.uint8)
    stripes[280:330, 100:400] = np.where(np.arange(300) // 3 % 2, 255, 0)[None, :, None]
    pictures = [np.roll(stripes, k // 3, axis=1) for k in range(60)]  # it creeps, so that it is new again and again
    watched(pictures, reader)
    assert 1 <= len(reader.seen) <= 6


def test_credits_that_roll_are_read_from_time_to_time() -> None:
    reader = Told(texts=("Walter Keane", "Monica Sharp"))
    black = np.zeros((HIGH, WIDE, 3), np.uint8)
    rows = [(f"Somebody Number {k}", 200, 40 * k) for k in range(20)]
    pictures = [with_text(black, *((text, x, y + 300 - 11 * k) for text, x, y in rows)) for k in range(40)]
    texts = watched(pictures, reader)
    assert 3 <= len(reader.seen) <= 10
    assert all(text.rolls for text in texts)


def test_however_much_is_written_only_so_much_is_read() -> None:
    reader = Told(texts=())
    pictures = []
    for k in range(80):  # a page of print, another one every second
        lines = [(f"{k // 4} words and words and more words of page", 20, 10 + 30 * row) for row in range(11)]
        pictures.append(with_text(np.zeros((HIGH, WIDE, 3), np.uint8), *lines))
    watched(pictures, reader)
    read = sum(seen.size / 3 for seen in reader.seen) / (HIGH * WIDE)
    assert 0.5 < read <= FIRST + 80 * SHARE


def test_absurd_pictures_do_no_harm() -> None:
    reader = Told()
    for size in ((1, 1), (8, 3000), (3000, 8), (17, 31)):
        watched([np.zeros((*size, 3), np.uint8)] * 4, reader)
    sizes = [np.zeros((HIGH, WIDE, 3), np.uint8)] * 4 + [np.zeros((HIGH // 2, WIDE // 2, 3), np.uint8)] * 4
    watched(sizes, reader)
    assert not reader.seen
