"""Pair Clustering on a case counted by hand."""

from pathlib import Path

import numpy as np
import pytest

from core.problem import BoolArray, FloatArray
from core.solvers.baselines import pair_clustering
from core.solvers.dbgae.links import calibrate
from tests.core.solvers.baselines.many_faces import faces_of, read


def five_faces() -> tuple[FloatArray, BoolArray]:
    """Faces 0, 1, 2 look alike, 1 and 2 only through 0; face 3 is far off; face 4 is near them but has no caption."""
    features = np.array([[0.0, 1], [0.9, 1], [-0.9, 1], [50, 1], [0.1, 1]], dtype=np.float32)
    candidates = np.array([[1, 1, 0], [0, 1, 0], [0, 1, 1], [1, 0, 1], [0, 0, 0]], dtype=bool)
    return features, candidates


def test_counts_by_hand() -> None:
    confidence = pair_clustering.fit(*five_faces(), distance=1.0).confidence
    # name 1 chains faces 0, 1 and 2 into one cluster of three; all other pairs are alone and count 1
    expected = [[1 / 4, 3 / 4, 0], [0, 1, 0], [0, 3 / 4, 1 / 4], [1 / 2, 0, 1 / 2], [0, 0, 0]]
    np.testing.assert_allclose(confidence, expected)


def test_the_distance_itself_is_near() -> None:
    features = np.array([[0.0, 1], [1.0, 1]], dtype=np.float32)
    candidates = np.array([[1, 1], [0, 1]], dtype=bool)
    assert pair_clustering.fit(features, candidates, 1.0).confidence[0].tolist() == pytest.approx([1 / 3, 2 / 3])
    assert pair_clustering.fit(features, candidates, 0.999).confidence[0].tolist() == [0.5, 0.5]


def plain_shares(features: FloatArray, candidates: BoolArray, distance: float) -> FloatArray:
    from sklearn.cluster import DBSCAN

    count = np.zeros(candidates.shape)
    for name in range(candidates.shape[1]):
        faces = np.flatnonzero(candidates[:, name])
        cluster = DBSCAN(eps=distance, min_samples=2).fit_predict(features[faces])
        for face, own in zip(faces, cluster, strict=True):
            count[face, name] = 1 if own < 0 else (cluster == own).sum()
    total = count.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(count, total, out=np.zeros_like(count), where=total > 0))


def test_same_as_dbscan_for_each_name() -> None:
    rng = np.random.default_rng(3)
    features = rng.normal(size=(120, 3)).astype(np.float32)
    candidates = rng.random((120, 6)) < 0.4
    confidence = pair_clustering.fit(features, candidates, 0.6).confidence
    np.testing.assert_allclose(confidence, plain_shares(features, candidates, 0.6))
    assert not confidence[~candidates].any()


@faces_of
def test_same_as_dbscan_on_many_faces(path: Path | None) -> None:
    faces = read(path, noise=0.5)
    distance = calibrate(faces.problem).neighbour
    confidence = pair_clustering.fit(faces.features, faces.candidates, distance).confidence
    np.testing.assert_allclose(confidence, plain_shares(faces.features, faces.candidates, distance))
