"""Reruns after corrections."""

from __future__ import annotations

import numpy as np
import pytest

from core import Correction, Problem, solve
from core.evaluation.generate import films
from core.problem import NOBODY
from core.solve import Solution, solve_from
from core.solvers.checkpoint import Checkpoint
from core.solvers.identity.warm_start import unpack


@pytest.fixture(scope="module")
def film() -> Problem:
    return films(films=2, groups=24, names=8, dimensions=32, noise=0.9, seed=4)


@pytest.fixture(scope="module")
def cold(film: Problem) -> Solution:
    return solve_from(None, film)


def told(film: Problem, faces: list[int]) -> list[Correction]:
    assert film.truth is not None
    name = film.truth[faces].tolist()
    return [
        Correction(face, "nobody") if k == NOBODY else Correction(face, "is", film.names[k])
        for face, k in zip(faces, name, strict=True)
    ]


def same(one: Solution, other: Solution) -> bool:
    equal = np.array_equal(one.prediction.name, other.prediction.name)
    return equal and np.allclose(one.prediction.confidence, other.prediction.confidence, atol=1e-9)


def test_a_rerun_without_new_answers_gives_the_same(film: Problem, cold: Solution) -> None:
    again = solve_from(cold.checkpoint, film)
    assert again.warm
    assert not cold.warm
    assert same(again, cold)


def test_a_rerun_is_what_a_cold_run_that_is_told_the_same_gives(film: Problem, cold: Solution) -> None:
    said = told(film, [3, 20, 35])
    warm, fresh = solve_from(cold.checkpoint, film, corrections=said), solve_from(None, film, corrections=said)
    assert warm.warm
    assert same(warm, fresh)
    assert [warm.prediction.label(c.face) or "" for c in said] == [c.name for c in said]


def test_the_order_of_answers_does_not_matter_and_an_undone_one_leaves_no_trace(film: Problem, cold: Solution) -> None:
    said = told(film, [5, 30])
    one = solve_from(cold.checkpoint, film, corrections=said[:1])
    both = solve_from(one.checkpoint, film, corrections=said)
    other = solve_from(solve_from(cold.checkpoint, film, corrections=said[1:]).checkpoint, film, corrections=said[::-1])
    assert both.warm
    assert other.warm
    assert same(both, other)
    assert same(solve_from(both.checkpoint, film), cold)


def test_many_new_answers_make_a_cold_run(film: Problem, cold: Solution) -> None:
    assert not solve_from(cold.checkpoint, film, corrections=told(film, list(range(0, film.faces, 5)))).warm


def test_a_new_name_and_a_name_that_is_gone(film: Problem, cold: Solution) -> None:
    one = solve_from(cold.checkpoint, film, corrections=[Correction(0, "is", "Zoe of nowhere")])
    assert one.warm
    assert one.prediction.label(0) == "Zoe of nowhere"
    assert "Zoe of nowhere" not in solve_from(one.checkpoint, film).prediction.names


def test_what_was_refused_is_not_answered(film: Problem, cold: Solution) -> None:
    face = int(np.flatnonzero(cold.prediction.name != NOBODY)[0])
    name = cold.prediction.label(face)
    assert name is not None
    again = solve_from(cold.checkpoint, film, corrections=[Correction(face, "is not", name)])
    assert again.warm
    assert again.prediction.label(face) != name


def test_arrays_of_another_format_are_not_taken(film: Problem, cold: Solution) -> None:
    assert cold.checkpoint is not None
    arrays = dict(cold.checkpoint.arrays)
    assert unpack(arrays) is not None
    assert unpack(arrays | {"format": np.array(-1)}) is None
    lacking = {key: value for key, value in arrays.items() if key != "unit"}
    assert unpack(lacking) is None
    assert not solve_from(Checkpoint(cold.checkpoint.key, lacking), film).warm


def test_a_whole_cluster_follows_an_answer_and_others_stay() -> None:
    """Somebody whom no caption names, and who is seen often, gets a name by one answer."""
    film = films(films=2, groups=90, names=14, dimensions=48, noise=0.5, seed=4)
    assert film.truth is not None
    names = np.bincount(film.truth[film.truth >= 0], minlength=len(film.names))
    name = film.names[int(names.argmax())]
    captions = [[n for n in caption if n != name] for caption in film.candidates()]
    unknown = Problem.build(film.features, film.group, captions)
    hers = np.flatnonzero(film.truth == names.argmax())
    assert len(hers) > 8
    after = solve(unknown, corrections=[Correction(int(hers[0]), "is", name)])
    assert np.mean([after.label(int(face)) == name for face in hers]) > 0.8
    others = np.setdiff1d(np.arange(film.faces), hers)
    assert np.mean([after.label(int(face)) != name for face in others]) > 0.97
