"""Nearest neighbours against the full table of cosines."""

import numpy as np
import pytest

from core.solvers.identity.appearance import unit_length as unit
from core.solvers.identity.neighbours import nearest, nearest_by_index


def test_neighbours_of_many_faces_are_exact() -> None:
    """Enough faces for the lower bound; with identical faces, and a frame with more faces than neighbours."""
    rng = np.random.default_rng(2)
    faces = unit(rng.normal(size=(1500, 16))).astype(np.float32)
    faces[700:760] = faces[0]
    group = np.arange(1500) // 2
    group[:50] = 0
    index, cosine = nearest(faces, group, np.arange(1500), 4)
    table = faces @ faces.T
    table[group[:, None] == group] = -2
    np.testing.assert_allclose(cosine, np.sort(table, axis=1)[:, ::-1][:, :4], atol=1e-6)
    np.testing.assert_allclose(np.take_along_axis(table, index, 1), cosine, atol=1e-6)


@pytest.mark.parametrize("worth", [1.0, 0.0], ids=["by the index", "not worth it"])
def test_the_index_finds_99_percent_and_none_of_the_same_frame(worth: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.solvers.identity.neighbours.MAX_PROBED_SHARE", worth)
    rng = np.random.default_rng(3)
    person = rng.normal(size=(400, 64))
    who = rng.integers(500, size=6000)  # above 399: comes once
    drawn = np.where((who < 400)[:, None], person[np.minimum(who, 399)], rng.normal(size=(6000, 64)))
    faces = unit(drawn + 0.7 * rng.normal(size=drawn.shape)).astype(np.float32)
    group = np.sort(rng.integers(4000, size=6000))
    group[1000:1060] = group[1000]  # more than the index is asked for
    index, cosine = nearest_by_index(faces, group, 10, rng)
    exact = nearest(faces, group, np.arange(6000), 10)[1]
    assert (cosine >= exact[:, -1:] - 1e-6).mean() >= (0.99 if worth else 1)
    assert (cosine != exact).any() == (worth > 0)
    assert not (group[index] == group[:, None]).any()
    np.testing.assert_allclose(np.einsum("ij,ikj->ik", faces, faces[index]), cosine, atol=1e-5)
    assert (np.diff(cosine, axis=1) <= 0).all()
