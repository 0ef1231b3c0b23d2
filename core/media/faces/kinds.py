"""What a detector and an embedder are, and a face that was found. ``registry.py`` lists the networks there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.media.faces.known_file import KnownFile
from core.problem import FloatArray
from core.records import Box, Mark

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


@dataclass(frozen=True, eq=False)
class Found:
    """One face."""

    box: Box
    score: float  # how sure the detector is; 1 for a box that a person drew
    landmarks: (
        FloatArray  # eyes, nose, corners of the mouth: 5 × (x, y); not a number where a box was drawn and none are seen
    )
    mark: Mark
    quality: float  # 0 to 1: large, sharp, turned to the camera
    embedding: FloatArray  # of unit length; zeros where it goes on from a face that has one
    small: Picture  # the aligned face in grey, 40 × 40: enough to see a mouth move
    crop: bytes = b""  # a square JPEG for people to look at; empty where nobody will
    follows: int = -1  # in a film, the index of the face of the look before that it goes on from
    since: int = 0  # how many looks ago the face was embedded that it goes on from; 0: it has a vector of its own
    known: float = 0.0  # the best quality of those embedded so far that it goes on from
