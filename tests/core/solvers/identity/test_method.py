"""The default method on few faces, of our own embedder and of others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core import Correction, Problem, solve
from core.media.faces.registry import EMBEDDERS
from core.solvers.embeddings import FACENET
from core.solvers.identity.prior import PRIORS, offline_prior

KNOWN = FACENET


def people(rng: np.random.Generator, person: list[int]) -> np.ndarray:
    """Vectors of these persons, as the scatters that were learned offline let expect them."""
    prior = offline_prior(KNOWN, 512)
    assert prior is not None
    directions, within, between = (np.asarray(part, dtype=np.float64) for part in prior)
    half = [np.linalg.cholesky(scatter + 1e-9 * np.eye(len(scatter))) for scatter in (within, between)]
    means = rng.normal(size=(max(person) + 1, len(within))) @ half[1].T
    rows = means[person] + 0.7 * rng.normal(size=(len(person), len(within))) @ half[0].T
    common = np.zeros(512)
    common[0] = 1.0  # what all faces share
    return (rows @ directions.T + common).astype(np.float32)


def test_there_is_a_prior_for_the_embedder_of_films_and_pictures() -> None:
    assert EMBEDDERS
    for kind in EMBEDDERS:
        assert (PRIORS / f"{kind}.npz").is_file()
    assert offline_prior(KNOWN, 512) is not None
    assert offline_prior(KNOWN, 128) is None
    assert offline_prior("../" + KNOWN, 512) is None


@pytest.mark.parametrize("seed", range(3))
def test_four_faces_whose_captions_say_who_is_who_are_named_so(seed: int) -> None:
    rng = np.random.default_rng(seed)
    problem = Problem.build(people(rng, [0, 1, 0, 1]), [0, 1, 2, 2], [["Ada"], ["Bruno"], ["Ada", "Bruno"]], embedder=KNOWN)
    assert [solve(problem).label(face) for face in range(4)] == ["Ada", "Bruno", "Ada", "Bruno"]


def test_one_answer_names_its_whole_person() -> None:
    rng = np.random.default_rng(3)
    person = [0, 1] * 6
    captions = [["Ada", "Bruno"]] * 9 + [["Ada"], ["Ada", "Bruno"], ["Ada"]]
    problem = Problem.build(people(rng, person), np.arange(12), captions, embedder=KNOWN)
    found = solve(problem, corrections=[Correction(0, "is", "Bruno")])
    assert [found.label(face) for face in range(12)] == ["Bruno", "Ada"] * 6


def test_sixty_strangers_with_names_in_the_captions_are_not_all_nobody() -> None:
    """Six persons in thirty frames, two of three captions say who is there: the estimate must not run away."""
    rng = np.random.default_rng(5)
    person = [k for g in range(30) for k in ((g % 6), (g + 1 + g // 6) % 6)]
    group = np.repeat(np.arange(30), 2)
    names = [f"name {k}" for k in range(6)]
    captions = [[names[person[2 * g]], names[person[2 * g + 1]]] if g % 3 else [] for g in range(30)]
    problem = Problem.build(people(rng, person), group, captions, names=names, truth=person, embedder=KNOWN)
    assert np.mean(solve(problem).name == person) > 0.8
    assert np.mean(solve(replace(problem, embedder="")).name == person) > 0.3


def test_five_faces_of_an_unknown_embedder_are_named_as_they_look() -> None:
    """The scatter between persons cannot be told from so few: its prior must hold, or captions alone decide."""
    problem = Problem.build(
        [[9, 1, 0], [0, 9, 1], [9, 0, 1], [1, 0, 9], [0, 9, 0]], [0, 0, 1, 1, 2], [["Ann", "Bob"], ["Ann", "Cy"], ["Bob"]]
    )
    assert [solve(problem).label(face) for face in range(5)] == ["Ann", "Bob", "Ann", "Cy", "Bob"]
