"""Faces drawn by arithmetic, the same on every machine, that MTCNN takes for faces."""

import numpy as np
from numpy.typing import NDArray

SIDE = 160


def drawn_face(seed: int) -> NDArray[np.uint8]:
    """Somebody: hair, skin lit from one side, eyes, brows, nose and mouth. 160 × 160 × 3."""
    random = np.random.default_rng(seed)
    y, x = (np.mgrid[:SIDE, :SIDE] + 0.5) / SIDE * 2 - 1

    def oval(cx: float, cy: float, rx: float, ry: float, soft: float = 0.06) -> NDArray[np.float64]:
        distance = np.hypot((x - cx) / rx, (y - cy) / ry)
        return np.clip((1 - distance) / soft, 0, 1)[..., None]

    skin = np.array([random.uniform(150, 235), 0, 0])
    skin[1:] = skin[0] * random.uniform(0.66, 0.82), skin[0] * random.uniform(0.5, 0.66)
    hair, dark = random.uniform(15, 110, 3), np.array([28.0, 20, 22])
    width, apart, eyes = random.uniform(0.58, 0.72), random.uniform(0.26, 0.33), random.uniform(-0.16, -0.06)
    light = 1 + 0.22 * x[..., None] * random.choice([-1, 1]) - 0.12 * np.abs(y[..., None])

    picture = np.full((SIDE, SIDE, 3), random.uniform(90, 180, 3))

    def paint(colour: NDArray[np.float64], mask: NDArray[np.float64], strength: float = 1.0) -> None:
        picture[:] = picture * (1 - mask * strength) + colour * mask * strength

    paint(hair, oval(0, -0.12, width + 0.14, 0.92))
    paint(skin * 0.8, oval(0, 0.95, 0.34, 0.5))
    paint(skin * light, oval(0, 0.08, width, 0.82))
    paint(hair, oval(0, -0.85, width, random.uniform(0.28, 0.42)))
    for side in (-1, 1):
        paint(skin * 0.72, oval(side * apart, eyes, 0.2, 0.13, 0.8), 0.7)
        paint(np.array([238.0, 236, 232]), oval(side * apart, eyes, 0.135, 0.062, 0.2))
        paint(dark, oval(side * apart, eyes, 0.06, 0.064, 0.25))
        paint(hair * 0.7, oval(side * apart, eyes - 0.16, 0.19, 0.04, 0.4))
        paint(skin * 0.62, oval(side * 0.07, 0.27, 0.05, 0.035, 0.7), 0.8)
    paint(skin * 1.12, oval(0, 0.1, 0.06, 0.2, 0.9), 0.6)
    paint(skin * 0.7, oval(0, 0.3, 0.16, 0.05, 0.9), 0.5)
    paint(np.array([random.uniform(130, 190), 70.0, 75]), oval(0, 0.5, random.uniform(0.2, 0.29), 0.075, 0.3))
    paint(dark, oval(0, 0.495, 0.22, 0.012, 0.6), 0.8)
    return np.clip(np.round(picture), 0, 255).astype(np.uint8)


def drawn_picture(*seeds: int, side: int = SIDE) -> NDArray[np.uint8]:
    """Several drawn people side by side, with a border around them."""
    row = np.concatenate([drawn_face(seed) for seed in seeds], axis=1)
    return np.pad(row, ((side // 2, side // 2), (side // 2, side // 2), (0, 0)), constant_values=128)
