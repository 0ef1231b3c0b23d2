"""Look-alikes against the whole table of cosines."""

import numpy as np

from core.lookalikes import look_alikes, prepare


def test_prepare_gives_unit_rows_around_their_mean() -> None:
    rng = np.random.default_rng(0)
    rows = prepare(rng.normal(5, 1, (40, 6)), 128)
    assert rows.shape == (40, 6)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, rtol=1e-5)
    assert prepare(rng.normal(5, 1, (40, 6)), 3).shape == (40, 3)


def test_prepare_sees_nothing_in_faces_that_are_all_the_same() -> None:
    assert not prepare(np.full((5, 3), 0.1, np.float32), 128).any()


def test_look_alikes_are_the_nearest_faces_of_other_groups() -> None:
    rng = np.random.default_rng(1)
    faces, group = prepare(rng.normal(size=(30, 5)), 128), np.arange(30) // 2
    found = look_alikes(faces, group, 4, rng)
    cosine = (faces @ faces.T).astype(float)
    cosine[group[:, None] == group] = -2
    for face in range(30):
        np.testing.assert_allclose(found.cosine[face], np.sort(cosine[face])[::-1][:4], atol=1e-6)
        np.testing.assert_allclose(cosine[face, found.index[face]], found.cosine[face], atol=1e-6)
    assert found.weight.min() >= 0
    assert found.weight.max() <= 1
