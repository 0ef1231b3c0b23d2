"""A name on the screen means the one face in view, or the faces in their order; and nobody where it is unclear."""

from core.records import Box, SourceLine, Track
from core.store.runs.screen_evidence import LESS, screen_evidence


def line(name: str, start: float = 10.0, left: float = 60.0, source: int = 1, logodds: float = 3.5) -> SourceLine:
    box = Box(left, 280, left + 150, 304)
    return SourceLine(0, source, "screen", start, start + 4, name, box, name, logodds, 0.99)


def track(number: int, start: float, stop: float, left: float = 200.0, side: float = 80.0, source: int = 1) -> Track:
    boxes = tuple((start + k * 0.5, Box(left, 100, left + side, 100 + side)) for k in range(int((stop - start) / 0.5)))
    return Track(number, source, start, stop, boxes)


def test_the_one_face_in_view_is_meant() -> None:
    tracks = [track(1, 8, 15), track(2, 15, 20), track(3, 8, 15, source=2)]
    assert screen_evidence([line("Anna Berg")], tracks, ()) == {(1, "Anna Berg"): 3.5}


def test_a_doubtful_face_does_not_count() -> None:
    tracks = [track(1, 8, 15), track(2, 8, 15, left=400)]
    assert screen_evidence([line("Anna Berg")], tracks, {2}) == {(1, "Anna Berg"): 3.5}


def test_two_faces_alike_mean_nobody_and_a_much_larger_one_means_itself() -> None:
    assert screen_evidence([line("Anna Berg")], [track(1, 8, 15), track(2, 8, 15, left=400)], ()) == {}
    large = track(2, 8, 15, left=400, side=200)
    assert screen_evidence([line("Anna Berg")], [track(1, 8, 15), large], ()) == {(2, "Anna Berg"): 3.5 * LESS}


def test_names_side_by_side_mean_the_faces_in_their_order() -> None:
    names = [line("Anna Berg", left=40), line("Priya Raman", left=380)]
    tracks = [track(7, 8, 15, left=420), track(8, 8, 15, left=80)]
    assert screen_evidence(names, tracks, ()) == {(8, "Anna Berg"): 3.5 * LESS, (7, "Priya Raman"): 3.5 * LESS}
    assert screen_evidence([names[0], line("Priya Raman", left=60)], tracks, ()) == {}  # one above the other


def test_a_name_that_comes_back_counts_once() -> None:
    tracks = [track(1, 8, 40)]
    assert screen_evidence([line("Anna Berg"), line("Anna Berg", 30.0)], tracks, ()) == {(1, "Anna Berg"): 3.5}


def test_credits_and_empty_shots_mean_nobody() -> None:
    assert screen_evidence([line("Anna Berg", logodds=0.0)], [track(1, 8, 15)], ()) == {}
    assert screen_evidence([line("Anna Berg")], [track(1, 20, 25)], ()) == {}
