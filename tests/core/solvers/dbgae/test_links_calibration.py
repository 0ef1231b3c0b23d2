"""The distances at which faces count as alike."""

from dataclasses import replace

import numpy as np
import pytest

from core import Problem
from core.evaluation.generate import films
from core.solvers.dbgae.links import Distances, calibrate
from core.solvers.embeddings import FACENET_BARE
from core.solvers.neighbours import pair_distances
from tests.core.solvers.dbgae.on_a_line import linked, on_a_line


def test_the_papers_embedder_has_the_papers_distances() -> None:
    problem = films(films=1, groups=5, names=3)
    assert calibrate(replace(problem, embedder=FACENET_BARE)) == Distances(pair=0.95, neighbour=1.0)


def test_vectors_of_another_or_an_unknown_embedder_are_calibrated_whatever_their_size() -> None:
    problem = films(films=2, groups=60, names=8, dimensions=512, noise=0.3)
    found = calibrate(problem)
    assert found.neighbour < 0.9
    assert calibrate(replace(problem, embedder="another")) == found


def test_distances_grow_with_the_features() -> None:
    problem = films(films=3, groups=120, names=20, dimensions=32, noise=0.5)
    larger = Problem.build(problem.features * 7, problem.group, problem.candidates(), problem.names, problem.truth)
    once, seven = calibrate(problem), calibrate(larger)
    assert once.neighbour > 0
    assert seven.neighbour == pytest.approx(7 * once.neighbour, rel=1e-4)
    assert seven.pair == pytest.approx(7 * once.pair, rel=1e-4)


@pytest.mark.parametrize("scale", [1.0, 30.0])
def test_the_distance_found_tells_one_person_from_another(scale: float) -> None:
    problem = films(films=3, groups=200, names=20, dimensions=64, noise=0.4)
    assert problem.truth is not None
    features = problem.features * np.float32(scale)
    found = calibrate(Problem.build(features, problem.group, problem.candidates(), problem.names))
    left, right = np.triu_indices(problem.faces, k=1)
    distance = pair_distances(features, left, right)
    same = (problem.truth[left] == problem.truth[right]) & (problem.truth[left] >= 0)
    assert (distance[same] < found.neighbour).mean() > 0.4
    assert (distance[~same] < found.neighbour).mean() < 0.05
    assert found.pair == pytest.approx(0.95 * found.neighbour)


@pytest.mark.parametrize("candidates", [[[], []], [["A"], []], [["A", "B"], ["C"]]])
def test_tiny_problems_have_usable_distances(candidates: list[list[str]]) -> None:
    found = calibrate(on_a_line([0.0, 1.0, 5.0], [0, 1, 1], candidates))
    assert np.isfinite([found.pair, found.neighbour]).all()
    assert found.neighbour > 0


def test_one_picture_in_two_frames_is_linked() -> None:
    problem = on_a_line([2.0, 2.0, 5.0, 5.0], [0, 1, 2, 3], [["A", "B"], ["A"], ["A", "B"], ["B"]])
    _, found = linked(problem, distances=calibrate(problem))
    assert set(found.cross_face.tolist()) == {0, 1, 2, 3}
