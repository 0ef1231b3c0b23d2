"""What is measured of films, by hand."""

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.film_scores import caption_bound, found_and_false, neighbour, purity_and_pieces
from benchmarks.film_truth import Film, Truth, most, scored
from benchmarks.films import Told, page
from core.problem import Problem
from core.records import Box, Track


@pytest.fixture
def truth(tmp_path: Path) -> Truth:
    """Ada from 0 to 1 on the left, somebody unknown on the right."""
    rows = [[time, 0, 0, 100, 100] for time in (0.0, 0.5, 1.0)]
    other = [[0.5, 300, 0, 400, 100]]
    listed = [{"name": "Ada", "known": True, "faces": rows}, {"name": None, "known": False, "faces": other}]
    path = tmp_path / "film.truth.json"
    path.write_text(json.dumps(listed))
    return Truth(Film("film", tmp_path / "film.mp4", tmp_path / "film.srt", path))


def track(number: int, left: float, *times: float) -> Track:
    boxes = tuple((time, Box(left, 0, left + 100, 100)) for time in times)
    return Track(number, 1, times[0], times[-1], boxes)


def test_faces_are_counted_at_two_moments_a_second(truth: Truth) -> None:
    faces = scored([track(0, 10, 0.0, 0.5), track(1, 600, 0.5)], truth)
    assert faces.name == ["Ada", "Ada", None]
    assert found_and_false(faces, truth, 1.5) == (4, 2, 1)


def test_a_track_of_one_person_is_pure_and_one_in_two_pieces_counts_two(truth: Truth) -> None:
    assert purity_and_pieces(scored([track(0, 0, 0.0, 0.5), track(1, 5, 1.0)], truth)) == (1.0, 2.0)
    assert most(["Ada", None, "Ada", ""]) == "Ada"
    assert most([None]) is None


def test_the_nearest_neighbour_of_another_shot() -> None:
    vectors = np.array([[1.0, 0], [0.9, 0.1], [0, 1.0], [1.0, 0]])
    found = neighbour(vectors, np.array([0, 1, 0, 0]), ["Ada", "Ada", "Bruno", None], np.array([3.0, 1, 1, 9]))
    assert found == 1.0


@pytest.mark.parametrize(
    ("captions", "expected"),
    [([["Ada"], ["Bruno"]], 1.0), ([["Bruno"], ["Ada"]], 0.0), ([["Ada", "Bruno"]] * 2, 0.5)],
    ids=["they tell", "they mislead", "they tell nothing"],
)
def test_what_captions_alone_can_tell(captions: list[list[str]], expected: float) -> None:
    problem = Problem.build(np.eye(2), [0, 1], captions, names=["Ada", "Bruno"])
    assert caption_bound(problem, np.array([0, 1]), np.ones(2)) == pytest.approx(expected, abs=0.25)


def test_the_table_has_a_row_a_film_and_names_its_commit() -> None:
    told = Told(
        film="film", without="", seconds=20.4, faces=10, found=9, false=1, tracks=3, purity=1.0, pieces=1.25,
        neighbour=float("nan"), bound=0.5, bound_near=0.4, right_faces=0.5, right_time=0.75, unknown_time=0.0,
        nobody_sure=0.0, named_right=1.0, error=0.1, sure_right=1.0, people=3, answers=-1,
    )  # fmt: skip
    head, _, row, _, stamp = page([told], "rollcall").splitlines()
    assert head.count("|") == row.count("|")
    assert "| film | – | 20 | 9 of 10 | 1 | 1.00 | 1.25 | – | .50 |" in row
    assert row.endswith("| – (3) |")
    assert stamp.startswith("Method `rollcall`. Commit `")
