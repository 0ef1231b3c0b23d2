"""Aligned crops put landmarks where the template has them, whatever the turn, size and place of a face."""

import numpy as np
import pytest
from numpy.typing import NDArray

from core.media.faces.crop import SIDE, TEMPLATE, WIDER, _similarities, crops

FloatArray = NDArray[np.float64]


def dotted(points: FloatArray, side: int, radius: float) -> NDArray[np.uint8]:
    """A dark picture with a bright dot on each point."""
    y, x = np.mgrid[:side, :side]
    distance = np.min([np.hypot(x - px, y - py) for px, py in points], axis=0)
    return np.repeat((255 * np.exp(-((distance / radius) ** 2)))[..., None], 3, axis=2).astype(np.uint8)


def placed(turn: float, scale: float, shift: float) -> FloatArray:
    """The template turned, scaled and moved."""
    rotation = scale * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return np.asarray((TEMPLATE - SIDE / 2) @ rotation.T + shift)


def around(points: FloatArray) -> FloatArray:
    return np.concatenate([points.min(axis=0), points.max(axis=0)])[None] + np.array([-0.5, -0.5, 0.5, 0.5]) * np.ptp(points)


@pytest.mark.parametrize(("turn", "scale"), [(0.0, 1.0), (0.5, 0.4), (-0.8, 1.7), (0.3, 3.4)])
def test_landmarks_come_to_lie_on_the_template(turn: float, scale: float) -> None:
    points = placed(turn, scale, 400.0)
    (crop,) = crops(dotted(points, 800, 6 * scale), around(points), points[None])
    assert crop.shape == (SIDE, SIDE, 3)
    for x, y in TEMPLATE:
        here = crop[round(y) - 4 : round(y) + 5, round(x) - 4 : round(x) + 5, 0]
        assert here.max() > 200
        assert np.abs(np.array(np.unravel_index(here.argmax(), here.shape)) - 4).max() <= 2


def test_the_transform_is_the_least_squares_one() -> None:
    random = np.random.default_rng(0)
    points = placed(0.2, 0.7, 90.0) + random.normal(0, 2, (5, 2))
    moves, stray = _similarities(points[None])
    x, y = points[:, 0], points[:, 1]
    one, zero = np.ones(5), np.zeros(5)
    system = np.concatenate([np.stack([x, -y, one, zero], axis=1), np.stack([y, x, zero, one], axis=1)])
    a, b, across, down = np.linalg.lstsq(system, TEMPLATE.T.ravel(), rcond=None)[0]
    np.testing.assert_allclose(moves[0], [[a, -b, across], [b, a, down]], atol=1e-9)
    assert 0 < stray[0] < 0.03


@pytest.mark.parametrize("wrong", ["missing", "in one point", "scattered", "of another face"])
def test_a_wider_square_where_landmarks_do_not_fit(wrong: str) -> None:
    box = np.array([[100.0, 110.0, 150.0, 170.0]])
    landmarks = {
        "missing": np.full((5, 2), np.nan),
        "in one point": np.full((5, 2), 125.0),
        "scattered": np.array([[100.0, 110], [101, 170], [150, 111], [120, 112], [149, 169]]),
        "of another face": placed(0.0, 3.0, 140.0),
    }[wrong]
    picture = np.zeros((300, 300, 3), np.uint8)
    picture[:, 125:] = 255
    picture[140:, :, 1] = 99
    side = round(60 * (1 + WIDER))
    (crop,) = crops(picture, box, landmarks[None])
    edge = np.abs(np.diff(crop[10, :, 0].astype(int))).argmax()
    assert abs(edge - SIDE / 2) <= 2 * SIDE / side
    assert crop[:70, :, 1].min() == 0
    assert (crop[90:, :, 1] == 99).all()


def test_faces_at_the_edge_and_none_at_all() -> None:
    picture = np.full((50, 60, 3), 77, np.uint8)
    boxes, landmarks = np.array([[-20.0, -20, 20, 20], [40, 30, 70, 70]]), np.full((2, 5, 2), np.nan)
    assert all((crop == 77).all() for crop in crops(picture, boxes, landmarks))
    assert crops(picture, boxes[:0], landmarks[:0]) == []
