"""A head: skull, features, hair and what is worn, drawn once for each expression, then turned and lit."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from assets.demo import features, hair, worn
from assets.demo.canvas import (
    UNIT,
    Array,
    Light,
    Relief,
    Sheet,
    blob,
    blur,
    grid,
    lit,
    mask_of,
    mirrored,
    mix,
    puff,
    rgb,
    shade,
    smooth,
    turn,
    turned,
)
from assets.demo.features import Mien
from assets.demo.looks import Look


def outline(look: Look) -> list[tuple[float, float]]:
    c, j, chin, long = look.cheek, look.jaw, look.chin, look.length
    return mirrored(
        [
            (0.0, -1.5), (0.5, -1.42), (0.84 * c, -1.08), (0.98 * c, -0.55), (c, -0.05), (c * 0.98, 0.3),
            (j * 1.06, long * 0.52), (j * 0.92, long * 0.74), ((j + chin) * 0.5, long * 0.9), (chin * 0.6, long * 0.985),
            (0.0, long),
        ]
    )  # fmt: skip


def _dome(look: Look) -> Array:
    """How far the skull comes forward: by how near the outline is, whatever its shape."""
    edge = np.array(smooth(outline(look)), np.float32)
    angle = np.arctan2(edge[:, 1], edge[:, 0])
    order = np.argsort(angle)
    x, y = grid()
    reach = np.interp(np.arctan2(y, x), angle[order], np.hypot(edge[:, 0], edge[:, 1])[order], period=2 * np.pi)
    share = np.hypot(x, y) / reach
    return (0.95 * np.sqrt(np.clip(1 - np.clip(share, 0, 1) ** 2.2, 0, 1))).astype(np.float32)


def _skin(look: Look) -> Relief:
    skin = rgb(look.skin)
    relief = Relief()
    ears = Sheet()
    for side in (-1, 1):
        x = side * (look.cheek + 0.02)
        ears.oval(x, 0.1, 0.13, 0.24, shade(skin, 0.95))
        ears.oval(x + side * 0.02, 0.1, 0.07, 0.15, mix(skin, (150, 60, 50), 0.35), 0.7)
    colour, alpha = ears.finished()
    relief.lay(colour, alpha, puff(alpha, 0.05, 0.1), gloss=0.02)
    mask = mask_of(outline(look))
    flat = np.broadcast_to(np.array(skin, np.float32) / 255, (*mask.shape, 3))
    relief.lay(flat, mask, blur(_dome(look), 0.03), gloss=0.07)
    gap = look.eye_gap
    for side in (-1, 1):
        relief.height -= blob(side * gap * 0.95, -0.02, 0.2, 0.13) * 0.1  # sockets
        relief.height += blob(side * gap, -look.brow_high, 0.26, 0.08) * 0.05  # brow ridge
        relief.height += blob(side * 0.58, 0.42, 0.2, 0.18) * 0.06  # cheeks
        relief.tint(mix(skin, (214, 74, 66), 0.6), blob(side * 0.58, 0.46, 0.22, 0.17) * look.blush * mask * 0.8)
        relief.tint(mix(skin, (110, 50, 50), 0.5), blob(side * gap * 0.9, -0.1, 0.22, 0.12) * 0.28)
        relief.tint(mix(skin, (90, 40, 30), 0.6), blob(side * look.cheek * 0.98, 0.55, 0.16, 0.4) * 0.25 * mask)
    relief.height += blob(0, look.length * 0.9, 0.2, 0.12) * 0.07  # chin
    relief.tint(mix(skin, (140, 60, 50), 0.5), blob(0, look.length * 1.02, 0.5, 0.12) * 0.3 * mask)
    return relief


@lru_cache(maxsize=64)
def _hair(look: Look) -> tuple[Relief | None, Array, Array, Array]:
    """What hangs behind the head; and what lies on it: colour, opacity and height."""
    back, front = Sheet(), Sheet()
    hair.STYLES[look.style](look, back, front)
    behind = None
    colour, alpha = back.finished()
    if alpha.any():
        behind = Relief()
        behind.lay(colour, alpha, puff(alpha, 0.16, 0.35), gloss=0.03)
        behind.darken(blob(0, 0.3, 0.85, 0.95) * 0.45)  # the head's shadow
    colour, alpha = front.finished()
    return behind, colour, blur(alpha, 0.008), 0.12 + 0.75 * _dome(look) + puff(alpha, 0.12, 0.16)


@lru_cache(maxsize=64)
def _still(look: Look) -> Relief:
    """All of a face that no expression moves."""
    relief = _skin(look)
    if "freckles" in look.worn:
        features.freckles(relief, look)
    features.nose(relief, look)
    worn.beard(relief, look)
    if look.age:
        features.wrinkles(relief, look)
    return relief


@lru_cache(maxsize=256)
def _drawn(look: Look, mien: Mien) -> Relief:
    """The front of the head, facing us and unlit."""
    relief = _still(look).copy()
    features.mouth(relief, look, mien)
    features.eyes(relief, look, mien)
    features.brows(relief, look, mien)
    _, colour, alpha, height = _hair(look)
    relief.darken(np.roll(blur(alpha, 0.07), 5, 0) * (1 - alpha) * 0.38)
    relief.lay(colour, alpha, height, gloss=0.06)
    worn.glasses(relief, look)
    if "earrings" in look.worn:
        worn.earrings(relief, look)
    worn.hat(relief, look)
    return relief


@lru_cache(maxsize=256)
def _place(look: Look, yaw: float, pitch: float) -> Array:
    x, y = grid()
    depth = np.clip(1 - (x / 1.25) ** 2, 0, 1) * np.clip(1 - ((y + 0.05) / 1.9) ** 2, 0, 1)
    return turn(depth + blob(0, look.nose_long, 0.16, 0.2) * 0.22, yaw, pitch)


@lru_cache(maxsize=64)
def _behind(look: Look, light: Light) -> NDArray[np.uint8] | None:
    behind = _hair(look)[0]
    return None if behind is None else lit(behind, light)


@lru_cache(maxsize=256)
def head(look: Look, mien: Mien, yaw: float, pitch: float, light: Light) -> NDArray[np.uint8]:
    """The head as a picture with opacity. ``yaw`` to the right and ``pitch`` downwards, about -0.4 to 0.4."""
    whole = lit(turned(_drawn(look, mien), _place(look, yaw, pitch)), light)
    behind = _behind(look, light)
    return whole if behind is None else _over(whole, np.roll(behind, round(-yaw * 0.25 * UNIT), 1))


def _over(top: NDArray[np.uint8], below: NDArray[np.uint8]) -> NDArray[np.uint8]:
    a, b = top[..., 3:].astype(np.float32) / 255, below[..., 3:].astype(np.float32) / 255
    alpha = a + b * (1 - a)
    colour = (top[..., :3] * a + below[..., :3] * b * (1 - a)) / np.maximum(alpha, 1e-3)
    return np.concatenate([colour, alpha * 255], axis=2).astype(np.uint8)
