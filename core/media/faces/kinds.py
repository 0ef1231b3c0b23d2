"""What a detector and an embedder are. ``registry.py`` lists those there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.media.faces.known_file import KnownFile
from core.problem import FloatArray

Picture = NDArray[np.uint8]  # height × width × 3, red, green, blue


@dataclass(frozen=True, eq=False)
class Detections:
    """The faces of one picture: ``boxes`` (left, top, right, bottom), ``scores``, ``landmarks`` (5 × (x, y))."""

    boxes: FloatArray
    scores: FloatArray
    landmarks: FloatArray


NO_FACE = Detections(np.zeros((0, 4), np.float32), np.zeros(0, np.float32), np.zeros((0, 5, 2), np.float32))


class Detector(Protocol):
    """Finds faces in a picture."""

    kind: str
    sure: float  # below this score, what it found is often no face ...
    least: float  # ... but down to this one it is, in a track whose best face is sure
    weights: tuple[KnownFile, ...]

    def detect(self, picture: Picture) -> Detections:
        """All faces in a picture, whatever their score. Must bear several threads at once."""


class Embedder(Protocol):
    """Turns faces into embeddings. Those of two kinds are never compared: the kind is written into every project."""

    kind: str
    replaces: tuple[str, ...]  # kinds of earlier versions: their faces can be found again
    dimension: int
    weights: tuple[KnownFile, ...]

    def embed(self, crops: Sequence[Picture]) -> FloatArray:
        """One row of unit length a crop; a crop is 160 × 160 × 3, red, green, blue. Must bear several threads at once."""
