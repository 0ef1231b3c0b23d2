"""A finder without networks: it finds one face in every picture that is not black, and knows people by their colour."""

from collections.abc import Sequence

import numpy as np

from core.media.faces.finder import FaceFinder
from core.media.faces.kinds import Detections, Picture
from core.media.faces.known_file import KnownFile
from core.problem import FloatArray


class MeanColour:
    """An embedder of three numbers."""

    kind = "mean-colour"
    dimension = 3
    weights: tuple[KnownFile, ...] = ()

    def embed(self, crops: Sequence[Picture]) -> FloatArray:
        mean = np.stack(crops).mean(axis=(1, 2)) + 1.0
        return np.asarray(mean / np.linalg.norm(mean, axis=1, keepdims=True), np.float32)


class WholePicture:
    """A detector for which a picture is a face."""

    kind = "whole-picture"
    sure = 0.5
    least = 0.5
    weights: tuple[KnownFile, ...] = ()

    def detect(self, picture: Picture) -> Detections:
        height, width = picture.shape[:2]
        many = int(picture.any())
        boxes = np.array([[0, 0, width, height]] * many, np.float32).reshape(-1, 4)
        return Detections(boxes, np.ones(many, np.float32), np.zeros((many, 5, 2), np.float32))


def pretended_finder() -> FaceFinder:
    return FaceFinder(MeanColour(), WholePicture(), threads=1)
