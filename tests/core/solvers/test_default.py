"""Which model a problem gets from the default method."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core import Problem, solve
from core.solvers import default
from core.solvers.default import knows_faces_of

OURS = "facenet-vggface2-aligned"


def scene(embedder: str, dimensions: int = 512) -> Problem:
    """Twelve faces of two people in six frames, each of whom half of the captions name."""
    rng = np.random.default_rng(0)
    people = rng.normal(size=(2, dimensions))
    features = np.repeat(people[None], 6, 0).reshape(12, dimensions) + 0.3 * rng.normal(size=(12, dimensions))
    captions = [["Ann"], ["Bob"], ["Ann", "Bob"]] * 2
    return Problem.build(features, np.repeat(np.arange(6), 2), captions, embedder=embedder)


def test_faces_of_an_embedder_with_a_prior_get_the_identity_model() -> None:
    problem = scene(OURS)
    assert knows_faces_of(problem)
    ours, next_one = solve(problem), solve(problem, "rollcall-next")
    assert ours.name.tolist() == next_one.name.tolist()
    assert ours.confidence.tolist() == next_one.confidence.tolist()


@pytest.mark.parametrize("problem", [scene(""), scene("another"), scene("../" + OURS), scene(OURS, 64)])
def test_others_get_the_mixture(problem: Problem) -> None:
    assert not knows_faces_of(problem)
    assert solve(problem).name.tolist() == solve(replace(problem, embedder="")).name.tolist()


def test_many_faces_get_the_mixture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(default, "MOST_FACES", 11)
    assert not knows_faces_of(scene(OURS))
