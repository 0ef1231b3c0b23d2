"""Nearest neighbours against the full table of cosines."""

import numpy as np
import pytest

from core.problem import FloatArray, IntArray
from core.solvers.identity.appearance import unit_length as unit
from core.solvers.identity.neighbours import neighbours_of


def expected(faces: FloatArray, group: IntArray, many: int) -> FloatArray:
    """The greatest cosines with faces of other groups."""
    table = faces @ faces.T
    table[group[:, None] == group] = -2
    return np.sort(table, axis=1)[:, ::-1][:, :many]


def test_neighbours_of_many_faces_are_exact() -> None:
    """With identical faces, and a frame with more faces than neighbours."""
    rng = np.random.default_rng(2)
    faces = unit(rng.normal(size=(1500, 16))).astype(np.float32)
    faces[700:760] = faces[0]
    group = np.arange(1500) // 2
    group[:50] = 0
    index, cosine = neighbours_of(faces, group, 4)
    np.testing.assert_allclose(cosine, expected(faces, group, 4), atol=1e-6)
    np.testing.assert_allclose(np.einsum("ij,ikj->ik", faces, faces[index]), cosine, atol=1e-6)
    assert not (group[index] == group[:, None]).any()


def test_who_has_no_neighbour_is_told_so() -> None:
    faces = unit(np.random.default_rng(3).normal(size=(5, 4))).astype(np.float32)
    index, cosine = neighbours_of(faces, np.array([0, 0, 0, 0, 1]), 3)
    assert (cosine[:4, 0] > -2).all()
    assert (cosine[:4, 1:] == -2).all()
    assert sorted(index[4].tolist()) == sorted(np.argsort(-(faces[:4] @ faces[4]))[:3].tolist())
    assert (neighbours_of(faces, np.zeros(5, np.int64), 2)[1] == -2).all()


def test_the_index_finds_who_returns_and_none_of_the_same_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.solvers.identity.neighbours.MAX_EXACT", 1000)
    rng = np.random.default_rng(3)
    person = rng.normal(size=(400, 64))
    who = rng.integers(500, size=6000)  # above 399: comes once
    drawn = np.where((who < 400)[:, None], person[np.minimum(who, 399)], rng.normal(size=(6000, 64)))
    faces = unit(drawn + 0.7 * rng.normal(size=drawn.shape)).astype(np.float32)
    group = np.sort(rng.integers(4000, size=6000))
    group[1000:1060] = group[1000]  # more than the index is asked for at first
    index, cosine = neighbours_of(faces, group, 10)
    exact = expected(faces, group, 10)
    returns = who < 400
    assert (cosine[returns] >= exact[returns, -1:] - 1e-6).mean() >= 0.98
    assert np.isclose(cosine[returns, 0], exact[returns, 0], atol=1e-5).mean() >= 0.99
    assert not (group[index] == group[:, None]).any()
    np.testing.assert_allclose(np.einsum("ij,ikj->ik", faces, faces[index]), cosine, atol=1e-5)
    assert (np.diff(cosine, axis=1) <= 0).all()
