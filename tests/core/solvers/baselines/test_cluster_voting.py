"""Cluster Voting on a case counted by hand."""

from pathlib import Path

import numpy as np

from core.solvers.baselines import cluster_voting
from core.solvers.dbgae.links import calibrate
from tests.core.solvers.baselines.many_faces import faces_of, read
from tests.core.solvers.baselines.test_pair_clustering import five_faces


def test_votes_by_hand() -> None:
    confidence = cluster_voting.fit(*five_faces(), distance=1.0).confidence
    # faces 0, 1, 2 and 4 are one cluster with 1, 3 and 1 votes; half a vote more for the names of one's own caption
    expected = [[1.5, 3.5, 1], [1, 3.5, 1], [1, 3.5, 1.5], [1.5, 0, 1.5], [1, 3, 1]]
    np.testing.assert_allclose(confidence, expected / np.sum(expected, axis=1, keepdims=True))


def test_a_face_without_caption_takes_its_clusters_name() -> None:
    features, candidates = five_faces()
    assert cluster_voting.fit(features, candidates, 1.0).confidence[4].argmax() == 1
    assert not cluster_voting.fit(features, candidates, 0.01).confidence[4].any()


def test_a_name_outside_the_caption_wins_by_majority() -> None:
    features = np.ones((3, 2), dtype=np.float32)
    candidates = np.array([[1, 0], [0, 1], [0, 1]], dtype=bool)
    assert cluster_voting.fit(features, candidates, 0.5).confidence.argmax(axis=1).tolist() == [1, 1, 1]


def test_equal_votes_go_to_the_own_caption_then_to_the_first_name() -> None:
    features = np.ones((3, 2), dtype=np.float32)
    candidates = np.array([[1, 0], [0, 1], [0, 0]], dtype=bool)
    assert cluster_voting.fit(features, candidates, 0.5).confidence.argmax(axis=1).tolist() == [0, 1, 0]


@faces_of
def test_same_as_dbscan_on_many_faces(path: Path | None) -> None:
    from sklearn.cluster import DBSCAN

    faces = read(path, noise=0.5)
    candidates, distance = faces.candidates, calibrate(faces.problem).neighbour
    answer = cluster_voting.fit(faces.features, candidates, distance).confidence.argmax(axis=1)
    cluster = DBSCAN(eps=distance, min_samples=2).fit_predict(faces.features)
    assert len(np.unique(cluster)) > 10  # else there would be little to compare
    for face, own in enumerate(cluster):
        members = [face] if own < 0 else np.flatnonzero(cluster == own)
        votes = candidates[members].sum(axis=0)
        best = np.flatnonzero(votes == votes.max())
        expected = [name for name in best if candidates[face, name]] or list(best)
        assert answer[face] == expected[0]
