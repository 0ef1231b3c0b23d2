"""Vectors in the space of the model: what is taken from them, and what is estimated of them."""

from __future__ import annotations

import numpy as np
import pytest

from core.problem import FloatArray, Problem
from core.solvers.identity.appearance import Spectrum, centred, fit_plda, principal, prior_spectrum, unit_length
from core.solvers.identity.config import DEFAULTS


def in_frames(features: FloatArray, faces_a_frame: int = 2, names: int = 20) -> Problem:
    """These faces, a few a frame, in turn under as many names."""
    frames = -(-len(features) // faces_a_frame)
    captions = [[f"N{k % names}"] for k in range(frames)]
    return Problem.build(features, np.arange(len(features)) // faces_a_frame, captions)


def taken(problem: Problem) -> FloatArray:
    """What centring takes from every face."""
    rows = unit_length(problem.features.astype(np.float64))
    return np.asarray((rows - centred(problem, np.ones(problem.faces))).mean(0))


@pytest.mark.parametrize("faces_a_frame", [1, 2])
def test_what_different_people_share_is_taken_away(faces_a_frame: int) -> None:
    """By the faces of one frame, or, where each stands alone, by the many names."""
    rng = np.random.default_rng(0)
    rows = unit_length(rng.normal(size=(400, 64)) + 4 * np.eye(64)[0])
    assert taken(in_frames(rows, faces_a_frame))[0] == pytest.approx(rows[:, 0].mean(), rel=0.1)


def test_a_frequent_person_stays() -> None:
    """One person in every frame, with a different person each time: the mean is not shared."""
    rng = np.random.default_rng(0)
    person, others = 8 * np.eye(64)[0] + rng.normal(size=(200, 64)), 8 * rng.normal(size=(200, 64))
    rows = unit_length(np.stack([person, others], 1).reshape(400, 64))
    assert np.linalg.norm(rows.mean(0)) > 0.3
    assert np.linalg.norm(taken(in_frames(rows))) < 0.1


def test_cosines_are_those_of_the_rows_as_long_as_all_directions_are_kept() -> None:
    rng = np.random.default_rng(1)
    for many in (5, 40):
        rows = unit_length(rng.normal(size=(many, 12)))
        x = principal(rows, 12)
        assert x.shape == (many, 12)
        np.testing.assert_allclose(x @ x.T, rows @ rows.T, atol=1e-9)


def people(persons: int, faces: int, cosine: float, d: int, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    who = np.repeat(np.arange(persons), faces)
    mean, noise = rng.normal(size=(persons, d)), rng.normal(size=(len(who), d))
    return unit_length(np.sqrt(cosine) * mean[who] + np.sqrt(1 - cosine) * noise), who


def test_the_cosines_of_pairs_tell_how_alike_one_person_is() -> None:
    rng = np.random.default_rng(2)
    rows, who = people(20, 10, 0.6, 50, rng)
    problem = Problem.build(rows, np.arange(200), [[f"N{k}"] for k in who])
    found = prior_spectrum(problem, rows, 128, rng)
    assert found.cosine == pytest.approx(0.6, abs=0.11)
    assert found.directions == pytest.approx(50, rel=0.15)
    assert 0.02 < found.share < 0.12  # 9 of 199 pairs
    assert found.within + found.between == pytest.approx(1 / found.dimensions)


def test_more_alike_is_more_probably_one_person() -> None:
    spectrum = Spectrum(cosine=0.5, share=0.1, directions=50)
    chance = spectrum.same_person(np.linspace(-0.2, 1, 30))
    assert (np.diff(chance) > 0).all()
    even = 0.25 + np.log(9) / 25  # where both densities, weighted by their shares, are equal
    assert spectrum.same_person(np.array([even])) == pytest.approx(0.5)


def test_scatters_follow_many_persons_and_stay_at_the_prior_for_few() -> None:
    rng = np.random.default_rng(3)
    spectrum = Spectrum(cosine=0.3, share=0.05, directions=10)
    prior = spectrum.between / spectrum.within
    few, _ = people(2, 2, 0.8, 10, rng)
    assert fit_plda(few, np.array([0, 0, 1, 1]), spectrum, DEFAULTS).psi.mean() == pytest.approx(prior, rel=0.5)
    assert fit_plda(few, None, spectrum, DEFAULTS).psi == pytest.approx(np.full(10, prior))
    many, who = people(300, 8, 0.8, 10, rng)
    space = fit_plda(many, who, spectrum, DEFAULTS)
    assert space.psi.mean() == pytest.approx(4, rel=0.2)  # .8 / .2
    within = space.y - np.array([space.y[who == k].mean(0) for k in range(300)])[who]
    assert np.cov(within.T) * 8 / 7 == pytest.approx(np.eye(10), abs=0.1)
