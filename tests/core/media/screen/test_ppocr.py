"""The reader: lines of a picture, their places, and nothing where nothing is written."""

import numpy as np
import pytest

from core.media.screen.ppocr import PpOcr
from core.media.screen.registry import READER, READERS
from tests.core.media.screen.written import ground, with_text


@pytest.fixture(scope="module")
def reader() -> PpOcr:
    return PpOcr()


def test_lines_are_read_where_they_stand(reader: PpOcr) -> None:
    picture = with_text(ground(3), ("Anna Berg", 60, 270), ("Chief Economist, Harbour Bank", 60, 304))
    first, second = reader.read(picture[250:350])
    assert [first.text, second.text] == ["Anna Berg", "Chief Economist, Harbour Bank"]
    assert first.score > 0.9
    assert 50 <= first.box.left <= 64
    assert 15 <= first.box.top <= 24
    assert first.box.bottom <= second.box.top + 12


def test_nothing_is_read_where_nothing_is_written(reader: PpOcr) -> None:
    assert [line for line in reader.read(ground(4)) if line.score > 0.7] == []
    for size in ((1, 1), (3, 700), (40, 40)):
        assert list(reader.read(np.zeros((*size, 3), np.uint8))) == []


def test_it_is_the_one_that_is_used() -> None:
    assert READERS[READER] is PpOcr
