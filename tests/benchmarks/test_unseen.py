"""Other problems of the same kinds: what is left out of them, and that the truth follows."""

from pathlib import Path

import numpy as np
import pytest

from benchmarks import unseen
from core import NOBODY, Problem
from core.evaluation.generate import films
from core.formats.write.npz import write_problem


@pytest.fixture
def whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Problem:
    """A film that stands in for one of the sets."""
    problem = films(films=1, groups=40, names=6, dimensions=16, seed=3)
    write_problem(problem, tmp_path / "film.npz")
    monkeypatch.setenv("ROLLCALL_TEST_DATA", str(tmp_path))
    unseen.shared.cache_clear()
    return problem


def who(problem: Problem) -> list[str]:
    return [problem.names[k] if k != NOBODY else "" for k in unseen.truth_of(problem).tolist()]


def test_a_share_of_the_frames_knows_whom_its_captions_name(whole: Problem) -> None:
    few = unseen.frames("film", 0.25, draw=5)
    assert few.groups == 10
    assert {name for caption in few.candidates() for name in caption} == set(few.names)
    face = [int(np.flatnonzero((whole.features == row).all(1))[0]) for row in few.features]
    before = who(whole)
    assert who(few) == [before[k] if before[k] in few.names else "" for k in face]


def test_one_name_leaves_everybody_else_nobody(whole: Problem) -> None:
    one = unseen.one_name("film", draw=0)
    (name,) = one.names
    assert who(one) == [name if person == name else "" for person in who(whole)]
    assert one.mentions == sum(caption.count(name) for caption in whole.candidates())


def test_other_frames_hold_every_named_face_once_and_nobody_twice(whole: Problem) -> None:
    mixed = unseen.regrouped("film", unnamed=0.5, size=4, draw=1)
    assert mixed.faces == sum(person != "" for person in who(whole))
    assert len(mixed.names) <= 3
    assert np.bincount(mixed.group).max() <= 4
    rows = {row.tobytes(): person for row, person in zip(whole.features, who(whole), strict=True)}
    seen = [(group, rows[row.tobytes()]) for group, row in zip(mixed.group.tolist(), mixed.features, strict=True)]
    assert len(set(seen)) == len(seen)
