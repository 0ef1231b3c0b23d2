"""Nearest neighbours against the full table of cosines."""

import numpy as np
import pytest

from core.problem import FloatArray, Problem
from core.solvers.mixture.neighbours import nearest, nearest_by_index, neighbour_graph, prepare, shared_mean, unit


def in_frames(features: FloatArray, faces_a_frame: int = 2, names: int = 20) -> Problem:
    """These faces, a few a frame, in turn under as many names."""
    frames = -(-len(features) // faces_a_frame)
    captions = [[f"N{k % names}"] for k in range(frames)]
    return Problem.build(features, np.arange(len(features)) // faces_a_frame, captions)


def test_prepare_gives_centred_unit_rows() -> None:
    rng = np.random.default_rng(0)
    problem = in_frames(rng.normal(5, 1, (40, 6)))
    rows = prepare(problem, 128)
    assert rows.shape == (40, 6)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, rtol=1e-5)
    assert np.linalg.norm(rows.mean(0)) < 0.2
    assert prepare(problem, 3).shape == (40, 3)


def test_prepare_gives_zeros_for_identical_faces() -> None:
    assert not prepare(in_frames(np.full((5, 3), 0.1, np.float32)), 128).any()


@pytest.mark.parametrize("faces_a_frame", [1, 2])
def test_shared_mean_is_what_different_people_share(faces_a_frame: int) -> None:
    """By the faces of one frame, or, where each stands alone, by the many names."""
    rng = np.random.default_rng(0)
    rows = unit(rng.normal(size=(400, 64)) + 4 * np.eye(64)[0])
    common = shared_mean(rows, in_frames(rows, faces_a_frame))
    assert rows[:, 0].mean() == pytest.approx(common[0], rel=0.1)


@pytest.mark.parametrize("names", [1, 20])
def test_shared_mean_leaves_out_a_frequent_person(names: int) -> None:
    """One person in every frame, with a different person each time: the mean is not shared."""
    rng = np.random.default_rng(0)
    person, others = 8 * np.eye(64)[0] + rng.normal(size=(200, 64)), 8 * rng.normal(size=(200, 64))
    rows = unit(np.stack([person, others], 1).reshape(400, 64))
    assert np.linalg.norm(rows.mean(0)) > 0.3
    assert np.linalg.norm(shared_mean(rows, in_frames(rows, names=names))) < 0.1


def test_shared_mean_is_zero_for_a_single_name() -> None:
    rng = np.random.default_rng(0)
    rows = unit(np.eye(64)[0] + 0.05 * rng.normal(size=(100, 64)))
    assert np.linalg.norm(shared_mean(rows, in_frames(rows, 1, names=1))) < 1e-6


def test_neighbours_are_the_nearest_faces_of_other_groups() -> None:
    rng = np.random.default_rng(1)
    faces, group = unit(rng.normal(size=(30, 5))), np.arange(30) // 2
    found = neighbour_graph(faces, group, 4, rng)
    cosine = (faces @ faces.T).astype(float)
    cosine[group[:, None] == group] = -2
    for face in range(30):
        np.testing.assert_allclose(found.cosine[face], np.sort(cosine[face])[::-1][:4], atol=1e-6)
        np.testing.assert_allclose(cosine[face, found.index[face]], found.cosine[face], atol=1e-6)
    assert found.weight.min() >= 0
    assert found.weight.max() <= 1


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
    monkeypatch.setattr("core.solvers.mixture.neighbours.MAX_PROBED_SHARE", worth)
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
