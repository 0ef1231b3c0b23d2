"""The project that is shipped: what the first start shows, and what it promises."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from assets.demo.looks import CAST
from core.problem import NOBODY, Problem
from core.store.first_start import seed_demo
from core.store.project import Project
from tests.assets.demo.taken_in import check_review, distances

SHIPPED = Path(__file__).resolve().parents[3] / "assets" / "demo" / "project"
TWINS = ("Ingrid", "Johanna")
ALIKE = 0.996  # the cosine between the vectors of one face as two encoders wrote it, in the median


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Problem:
    place = seed_demo(tmp_path_factory.mktemp("projects"), SHIPPED)
    assert place is not None
    with Project.open(place) as project:
        return project.problem()[0]


def of_another_encoder(problem: Problem, seed: int) -> Problem:
    """The same film as another machine might have written it: every vector is a little different."""
    random = np.random.default_rng(seed)
    size = np.sqrt((1 / ALIKE**2 - 1) / problem.features.shape[1])
    features = problem.features + size * random.normal(size=problem.features.shape)
    return replace(problem, features=(features / np.linalg.norm(features, axis=1, keepdims=True)).astype(np.float32))


def test_the_twins_look_alike(shipped: Problem) -> None:
    assert shipped.truth is not None
    far, who = distances(shipped.features), np.array([shipped.names[k] if k != NOBODY else "" for k in shipped.truth])
    between = {pair: np.median(far[np.ix_(who == pair[0], who == pair[1])]) for pair in combinations(CAST, 2)}
    assert between[TWINS] < np.quantile(list(between.values()), 0.25)


@pytest.mark.parametrize("encoder", [None, 1], ids=["as it is shipped", "of another encoder"])
def test_the_first_run_names_most_faces_and_a_few_answers_mend_the_rest(shipped: Problem, encoder: int | None) -> None:
    problem = shipped if encoder is None else of_another_encoder(shipped, encoder)
    assert shipped.truth is not None
    check_review(problem, shipped.truth)
