"""Who is on screen when: frames become times, and times a table."""

import csv
from pathlib import Path

import pytest

from core.formats.write import intervals
from core.formats.write.spans import Interval, of_source, scenes
from core.formats.write.spans import intervals as found_in
from core.records import Labels
from tests.core.formats.made import HOSTILE, face, film, frame, hostile_film, source


def spans(labels: Labels) -> list[tuple[str, float, float, int]]:
    return [(found.name, found.start, found.stop, found.faces) for found in found_in(labels)]


def at(*moments: tuple[float, str] | tuple[float, str, int | None]) -> Labels:
    """A video with a frame at each moment: its time, who is in it, and its shot."""
    frames = [
        frame(k, [face(k, moment[1], frame=k)], time=moment[0], shot=moment[2] if len(moment) == 3 else None)
        for k, moment in enumerate(moments)
    ]
    return Labels("", tuple(frames))


def test_a_frame_stands_until_the_next_and_neighbours_are_joined() -> None:
    assert spans(at((0, "A"), (2, "A"), (4, "B"), (6, "A"))) == [("A", 0, 4, 2), ("B", 4, 6, 1), ("A", 6, 8, 1)]


def test_a_long_gap_is_not_bridged() -> None:
    assert spans(at((0, "A"), (1, "A"), (2, "A"), (50, "A"), (51, "A"))) == [("A", 0, 4, 3), ("A", 50, 52, 2)]


def test_a_cut_ends_the_time_half_way() -> None:
    assert spans(at((0, "A", 1), (2, "A", 1), (4, "A", 2), (6, "A", None))) == [("A", 0, 3, 2), ("A", 4, 8, 2)]


def test_several_faces_of_one_name_and_nobody_are_counted() -> None:
    assert spans(film([["A", "A", ""], ["A", ""], ["", ""]])) == [("", 0, 6, 4), ("A", 0, 4, 3)]


def test_one_frame_stands_for_a_second() -> None:
    assert spans(at((3, "A"))) == [("A", 3, 4, 1)]


def test_two_frames_of_one_moment_are_one() -> None:
    assert spans(at((0, "A"), (0, "B"), (2, "A"), (4, "C"))) == [("A", 0, 4, 2), ("B", 0, 2, 1), ("C", 4, 6, 1)]


def test_frames_in_any_order_and_pictures_among_them() -> None:
    labels = at((4, "B"), (0, "A"), (2, "A"))
    picture = frame(9, [face(9, "A", frame=9)], of=source(3, "pictures", "p"), path="a.jpg")
    assert spans(Labels("", (picture, *labels.frames))) == [("A", 0, 4, 2), ("B", 4, 6, 1)]


def test_each_video_has_its_own_times() -> None:
    videos = [source(0, title="a.mp4"), source(1, title="b.mp4")]
    frames = [frame(2 * v + k, [face(2 * v + k, "A")], of=videos[v], time=k * (v + 1.0)) for v in (0, 1) for k in (0, 1)]
    found = found_in(Labels("", tuple(frames)))
    assert [(f.source.title, f.start, f.stop) for f in found] == [("a.mp4", 0, 2), ("b.mp4", 0, 4)]
    assert [f.source.title for f in found_in(of_source(Labels("", tuple(frames)), 1))] == ["b.mp4"]


def test_scenes_do_not_overlap() -> None:
    film_ = source()
    found = [Interval(film_, "A", 0, 5, 1), Interval(film_, "B", 2, 3, 1), Interval(film_, "C", 7, 8, 1)]
    assert scenes(found) == [(0, 2, ("A",)), (2, 3, ("A", "B")), (3, 5, ("A",)), (7, 8, ("C",))]
    assert scenes([]) == []


def test_the_table(tmp_path: Path) -> None:
    intervals.write(film([["Ross", ""], ["Ross"]], every=1.5, title="=a, b.mp4"), tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text(encoding="utf-8") == (
        "source,name,start,stop,faces,answer\n"
        '"\'=a, b.mp4",,0,1.5,1,nobody\n'
        '"\'=a, b.mp4",Ross,0,3,2,name\n'
    )  # fmt: skip


def test_hostile_names_are_cells(tmp_path: Path) -> None:
    intervals.write(hostile_film(), tmp_path / "a.csv")
    with (tmp_path / "a.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(HOSTILE)
    assert not any(row[column].startswith(("=", "+", "-", "@")) for row in rows for column in ("source", "name"))


@pytest.mark.parametrize("every", [1 / 25, 1 / 3, 0.1])
def test_times_that_do_not_add_up_exactly_are_still_neighbours(every: float) -> None:
    found = spans(film([["A"]] * 50, every=every))
    assert len(found) == 1
    assert found[0][2] == pytest.approx(50 * every)
