"""Finds faces: YuNet, one small network that sees the whole picture at once.

Wu et al., *YuNet: A Tiny Millisecond-level Face Detector* (2023), with the weights of OpenCV Zoo, run by OpenCV. On film it
finds more small faces and profiles than MTCNN, in a fifth of the time.
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from core.media.faces.kinds import Detections, Picture
from core.media.faces.known_file import KnownFile
from core.media.faces.suppress import suppress
from core.problem import FloatArray

if TYPE_CHECKING:
    import cv2

WEIGHTS_FILE = "face_detection_yunet_2023mar.onnx"
LOWEST = 0.6  # score of the least certain face that is told
OVERLAP = 0.3  # intersection over union of two boxes that are one face
CANDIDATES = 5000  # boxes compared at the most
SHORTEST, LONGEST = 320, 1280  # pixels on the long side of what is looked at; pictures are enlarged or shrunk to these
# The network misses faces of more than 400 pixels, so that a larger picture is looked at once more in this size. Of 48
# portraits enlarged to faces of 900 pixels it finds 30 without this second look and 45 with it.
CLOSE_UP = 320
_one_at_a_time = threading.Lock()  # the level of OpenCV's log is the whole process's


def weights_path() -> Path:
    """Where set-up puts the weights: into the virtual environment."""
    return Path(sys.prefix) / "share" / "rollcall" / WEIGHTS_FILE


WEIGHTS = KnownFile(
    what="YuNet weights",
    carrier=WEIGHTS_FILE,
    sha256="8f2383e4dd3cfbb4553ea8718107fc0423210dc964f9f4280604804ed2552fa4",
    place=lambda: weights_path(),
)


class YuNet:
    """Loads in a moment; ``detect`` may be called from several threads at once, each has a network."""

    kind = "yunet"
    sure = 0.79  # on film a handbag has .81, a flower .75, a hand .78; small faces in profile have .8 and less
    least = LOWEST
    weights: tuple[KnownFile, ...] = (WEIGHTS,)

    def __init__(self) -> None:
        self._weights = np.frombuffer(WEIGHTS.read(), dtype=np.uint8)
        self._own = threading.local()

    def detect(self, picture: Picture) -> Detections:
        """All faces in a picture, whatever their score above the lowest, best first."""
        longest = max(picture.shape[:2])
        sizes = [min(max(longest, SHORTEST), LONGEST)] + ([CLOSE_UP] if longest > 2 * CLOSE_UP else [])
        seen = np.concatenate([self._look(picture, size / longest) for size in sizes])
        found = seen[suppress(seen[:, :4], seen[:, 4], OVERLAP)]
        # the eye on the left of the picture comes first, as with MTCNN
        return Detections(found[:, :4], found[:, 4], found[:, 5:].reshape(-1, 5, 2))

    def _look(self, picture: Picture, scale: float) -> FloatArray:
        """Box, score and landmarks of each face of a picture in another size: one row each, in the picture's pixels."""
        import cv2

        height, width = picture.shape[:2]
        size = max(1, round(width * scale)), max(1, round(height * scale))
        way = cv2.INTER_AREA if scale < 1.0 else cv2.INTER_LINEAR
        small = picture if scale == 1.0 else cv2.resize(picture, size, interpolation=way)
        network = self._network()
        network.setInputSize(size)
        _, rows = network.detect(cv2.cvtColor(small, cv2.COLOR_RGB2BGR))
        found = np.zeros((0, 15), np.float32) if rows is None else np.asarray(rows, np.float32)
        places = found[:, :14].reshape(-1, 7, 2) * np.array([width / size[0], height / size[1]], np.float32)
        corner, sides, landmarks = places[:, 0], places[:, 1], places[:, 2:].reshape(-1, 10)
        return np.concatenate([corner, corner + sides, found[:, 14:], landmarks], axis=1)

    def _network(self) -> cv2.FaceDetectorYN:
        """This thread's network."""
        import cv2

        if not hasattr(self._own, "network"):
            with _one_at_a_time:
                level = cv2.utils.logging.getLogLevel()
                cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)  # or it tells of targets nobody asked for
                try:
                    self._own.network = cv2.FaceDetectorYN.create(
                        "onnx", self._weights, np.zeros(0, np.uint8), (CLOSE_UP, CLOSE_UP), LOWEST, OVERLAP, CANDIDATES
                    )
                finally:
                    cv2.utils.logging.setLogLevel(level)
        network: cv2.FaceDetectorYN = self._own.network
        return network
