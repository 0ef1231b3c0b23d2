"""Leave-one-out kernel ridge against ridge regression without each face."""

from __future__ import annotations

import numpy as np
import pytest

from core.problem import FloatArray, IntArray
from core.solvers.mixture.kernel_ridge import (
    JITTER,
    NEIGHBOUR_PRIOR_POWER,
    RIDGE,
    SMOOTHING,
    _kernel,
    _leave_one_out,
    _neighbour_average,
    leave_one_out_ridge,
    nystrom_features,
)
from core.solvers.mixture.neighbours import NeighbourGraph, neighbour_graph
from core.solvers.mixture.sparse_tables import Sparse, coo, from_coo, sparse


def two_people(faces: int = 40, noise: float = 0.4, seed: int = 0) -> tuple[FloatArray, IntArray]:
    rng = np.random.default_rng(seed)
    who = np.arange(faces) % 2
    return (np.array([[2.0, 0, 0], [0, 2, 0]])[who] + rng.normal(0, noise, (faces, 3))).astype(np.float32), who


def apart(faces: FloatArray, many: int = 10) -> NeighbourGraph:
    """Who looks like whom, each face in a group of its own."""
    return neighbour_graph(faces, np.arange(len(faces)), many, np.random.default_rng(0))


def made(faces: FloatArray, links: Sparse) -> FloatArray:
    return leave_one_out_ridge(nystrom_features(faces), apart(faces), links).toarray()


def test_leave_one_out_equals_refitting_without_the_face() -> None:
    """Face i's links, by ridge regression on all others: solved anew for each."""
    rng = np.random.default_rng(1)
    faces, n = rng.normal(size=(25, 4)).astype(np.float32), 25
    links = rng.dirichlet([1.0, 1.0, 1.0], n)
    face, name = np.repeat(np.arange(n), 3), np.tile(np.arange(3), n)
    found = _leave_one_out(nystrom_features(faces), sparse(links), face, name, links.ravel()).reshape(n, 3)
    alike = _kernel(faces, faces).astype(np.float64)
    for i in range(n):
        rest = np.delete(np.arange(n), i)
        weight = np.linalg.solve(
            alike[rest].T @ alike[rest] + RIDGE * alike + JITTER * np.eye(n), alike[rest].T @ links[rest]
        )
        np.testing.assert_allclose(found[i], alike[i] @ weight, atol=2e-3)


def test_a_wrong_name_is_corrected_and_row_sums_are_kept() -> None:
    faces, who = two_people()
    links = np.eye(2)[who] * 0.8 + 0.1
    links[0] = [0.1, 0.7]  # face 0 looks like the first person; a fifth of it is nobody
    found = made(faces, sparse(links))
    assert found[0].argmax() == 0
    np.testing.assert_allclose(found.sum(1), links.sum(1), atol=1e-6)
    assert (found[2:].argmax(1) == who[2:]).all()


def test_a_name_of_a_single_face_is_kept() -> None:
    faces, who = two_people()
    links = np.c_[np.eye(2)[who], np.zeros(len(who))]
    links[3] = [0.0, 0.3, 0.7]
    found = made(faces, sparse(links))
    assert found[3].tolist() == pytest.approx([0, 0.3, 0.7])


@pytest.mark.parametrize("same", [0, 10, 40])
def test_identical_faces_give_finite_results(same: int) -> None:
    faces, who = two_people(noise=1e-4)
    faces[:same] = faces[0]
    found = made(faces, sparse(np.eye(2)[who] * 0.6 + 0.2))
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found.sum(1), 1, atol=1e-6)


def test_neighbour_average_by_hand() -> None:
    """By hand: face 0 has two look-alikes, .7 Ada and .1 Ada on average .4; face 1 has none in another group."""
    links = np.array([[0.5, 0.5], [0.2, 0.8], [0.7, 0.3], [0.1, 0.9]])
    index, cosine = np.array([[2, 3], [0, 0], [3, 0], [2, 0]]), np.array([[0.9, 0.8], [-2, -2], [0.9, 0.8], [0.9, 0.8]])
    alike = NeighbourGraph.from_reach((0.0, 1.0), index, cosine.astype(np.float32))
    found = _neighbour_average(alike, sparse(links), *coo(sparse(links))).reshape(4, 2)
    ada, ben = (0.4 + SMOOTHING) * 0.5**NEIGHBOUR_PRIOR_POWER, (0.6 + SMOOTHING) * 0.5**NEIGHBOUR_PRIOR_POWER
    np.testing.assert_allclose(found[0], [ada / (ada + ben), ben / (ada + ben)], rtol=1e-6)
    np.testing.assert_allclose(found[1], links[1], rtol=1e-6)
    np.testing.assert_allclose(found.sum(1), 1, rtol=1e-6)


def test_landmarks_approximate_all_faces(monkeypatch: pytest.MonkeyPatch) -> None:
    faces, who = two_people(300)
    links = sparse(np.eye(2)[who] * 0.5 + 0.25)
    exact = made(faces, links)
    monkeypatch.setattr("core.solvers.mixture.kernel_ridge.LANDMARKS", 60)
    monkeypatch.setattr("core.solvers.mixture.kernel_ridge.CELLS", 600)  # a few faces at a time
    features = nystrom_features(faces)
    assert features.shape == (300, 60)
    np.testing.assert_allclose(leave_one_out_ridge(features, apart(faces), links).toarray(), exact, atol=0.02)


def test_empty_and_single_tables() -> None:
    faces, _ = two_people(6)
    nothing = from_coo(np.zeros(0), np.zeros(0, np.int64), np.zeros(0, np.int64), (6, 2))
    assert not made(faces, nothing).any()
    assert made(faces[:1], sparse(np.ones((1, 1)))).tolist() == [[1.0]]
