"""Distances and near pairs against plain computations."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import arrays
from core.solvers.neighbours import find_neighbours, pair_cosines, pair_distances


def brute_force(features: np.ndarray, radius: float) -> set[tuple[int, int]]:
    wide = features.astype(np.float64)
    distance = np.sqrt(((wide[:, None] - wide[None]) ** 2).sum(axis=2))
    left, right = np.nonzero(np.triu(distance <= radius, k=1))
    return set(zip(left.tolist(), right.tolist(), strict=True))


@given(
    points=st.lists(st.tuples(st.integers(-6, 6), st.integers(-6, 6)), min_size=1, max_size=30),
    radius=st.sampled_from([1.0, 2.0, 5.0, 10.0, 4.999999, 5.000001, 0.5]),
    cells=st.integers(1, 40),
)
def test_neighbours_are_those_of_the_distance_matrix(points: list[tuple[int, int]], radius: float, cells: int) -> None:
    """Whole numbers lie at exactly 1, 5 or 10 often; the chunks cut the matrix at every place."""
    features = np.array(points, dtype=np.float32)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrays, "CELLS", cells)
        near = find_neighbours(features, radius)
    pairs = list(zip(near.left.tolist(), near.right.tolist(), strict=True))
    assert len(set(pairs)) == len(pairs)
    assert set(pairs) == brute_force(features, radius)
    expected = [np.hypot(*(features[a] - features[b])) for a, b in pairs]
    np.testing.assert_allclose(near.distance, expected, rtol=1e-7)


@pytest.mark.parametrize(("offset", "dimensions"), [(0, 512), (100, 64), (1000, 16), (0.001, 4)])
def test_neighbours_are_exact_far_from_the_origin_too(offset: float, dimensions: int) -> None:
    rng = np.random.default_rng(0)
    features = (offset + rng.normal(size=(50, dimensions))).astype(np.float32)
    gap = np.sort(pair_distances(features, *np.triu_indices(50, k=1)))
    for radius in (gap[0], gap[len(gap) // 2], gap[-2]):
        near = find_neighbours(features, float(radius))
        assert set(zip(near.left.tolist(), near.right.tolist(), strict=True)) == brute_force(features, float(radius))
        assert near.distance.max() == radius


def test_pair_distances_are_exact_in_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "CELLS", 5)
    features = np.array([[0, 0], [3, 4], [6, 8]], dtype=np.float32)
    left, right = np.array([0, 0, 1, 2]), np.array([1, 2, 2, 2])
    assert pair_distances(features, left, right).tolist() == [5, 10, 5, 0]


def test_pair_cosines_are_exact_in_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "CELLS", 5)
    features = np.array([[1, 0], [0, 3], [2, 2], [-5, 0]], dtype=np.float32)
    left, right = np.array([0, 0, 0, 1, 2]), np.array([1, 2, 3, 2, 2])
    root = np.sqrt(0.5)
    np.testing.assert_allclose(pair_cosines(features, left, right), [0, root, -1, root, 1], atol=1e-6)
