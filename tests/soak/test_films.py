"""Films that are long or full in one way, in small. The large ones are in ``make soak``."""

from tests.core.media.pretended import pretended_finder
from tests.soak.films import crowd, cut, still, taken_in


def test_a_still_a_crowd_and_many_cuts_are_taken_in() -> None:
    assert taken_in(still(12), pretended_finder()).tracks == 1
    assert taken_in(crowd(25, seconds=1), pretended_finder()).tracks == 1
    assert 25 <= taken_in(cut(30), pretended_finder()).tracks <= 30
