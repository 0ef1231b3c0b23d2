"""Reads pictures with PP-OCR: one network marks where text stands, another reads a line of it.

The weights (PP-OCRv6 small, Apache 2.0) are files of the package rapidocr, which is installed for them alone: nothing of it
is imported. Text on a screen stands level, so boxes are upright rectangles, and nothing is turned.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

import numpy as np

from core.media.faces.known_file import KnownFile, in_package
from core.media.screen.kinds import Written
from core.media.video.reader import Pixels
from core.problem import FloatArray
from core.records import Box

PACKAGE = "package rapidocr 3.10.0"
DETECTOR = KnownFile(
    what="weights that find text",
    carrier=PACKAGE,
    sha256="090f04abcd9d9a7498bc4ebf677e4cb9bdce1fe4197ddb7e529f1ef44e1ff94f",
    place=lambda: in_package("rapidocr", "models/PP-OCRv6_det_small.onnx"),
)
RECOGNISER = KnownFile(
    what="weights that read text",
    carrier=PACKAGE,
    sha256="6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884",
    place=lambda: in_package("rapidocr", "models/PP-OCRv6_rec_small.onnx"),
)
STEP = 32  # the detector's pictures are a multiple of this
TEXT = 0.3  # probability of a pixel of text
LINE = 0.5  # mean probability in the box of a line
ROOM = 1.6  # the marked core of a line is widened by this times its area over its perimeter, as it was trained
SMALLEST = 3  # pixels of a line's core
HEIGHT, NARROWEST, WIDEST = 48, 160, 2400  # of a line as the recogniser sees it
MOST = 60  # lines of one picture; more is a page of print, and no caption


class PpOcr:
    """Loads in a second; one call at a time."""

    kind = "pp-ocr-6-small"
    weights: tuple[KnownFile, ...] = (DETECTOR, RECOGNISER)

    def __init__(self) -> None:
        self._detector, self._recogniser = _session(DETECTOR), _session(RECOGNISER)
        listed = self._recogniser.get_modelmeta().custom_metadata_map["character"].splitlines()
        self._letters = ["", *listed, " "]

    def read(self, picture: Pixels) -> Sequence[Written]:
        """The lines of a picture."""
        boxes = self._find(picture)
        lines = [self._line(picture, box) for box in boxes]
        return [
            Written(text, Box(*map(float, box)), score)
            for box, (text, score) in zip(boxes, lines, strict=True)
            if text.strip()
        ]

    def _find(self, picture: Pixels) -> list[tuple[int, int, int, int]]:
        """Where lines stand: left, top, right, bottom."""
        import cv2

        height, width = picture.shape[:2]
        size = max(STEP, round(width / STEP) * STEP), max(STEP, round(height / STEP) * STEP)
        scaled = np.asarray(cv2.resize(picture, size), np.uint8)
        probable = self._detector.run(None, {self._detector.get_inputs()[0].name: _normal(scaled)[None]})[0][0, 0]
        marked = cv2.dilate((probable > TEXT).astype(np.uint8), np.ones((2, 2), np.uint8))
        many, labels, stats, _ = cv2.connectedComponentsWithStats(marked, connectivity=8)
        found = []
        across, down = width / size[0], height / size[1]
        for k in range(1, many):
            left, top, wide, high = stats[k, :4].tolist()
            part = labels[top : top + high, left : left + wide] == k
            if min(wide, high) < SMALLEST or probable[top : top + high, left : left + wide][part].mean() < LINE:
                continue
            grown = wide * high * ROOM / (2 * (wide + high))
            found.append(
                (
                    max(0, round((left - grown) * across)),
                    max(0, round((top - grown) * down)),
                    min(width, round((left + wide + grown) * across)),
                    min(height, round((top + high + grown) * down)),
                )
            )
        found.sort(key=lambda box: (box[1], box[0]))
        return found[:MOST]

    def _line(self, picture: Pixels, box: tuple[int, int, int, int]) -> tuple[str, float]:
        """The text in a box, and the mean probability of its letters."""
        import cv2

        left, top, right, bottom = box
        part = picture[top:bottom, left:right]
        wide = min(max(1, round(HEIGHT * part.shape[1] / part.shape[0])), WIDEST)
        way = cv2.INTER_AREA if part.shape[0] > HEIGHT else cv2.INTER_CUBIC
        pixels = np.zeros((3, HEIGHT, max(wide, NARROWEST)), np.float32)
        pixels[:, :, :wide] = _normal(np.asarray(cv2.resize(part, (wide, HEIGHT), interpolation=way), np.uint8))
        chances = self._recogniser.run(None, {self._recogniser.get_inputs()[0].name: pixels[None]})[0][0]
        return self._decoded(chances)

    def _decoded(self, chances: FloatArray) -> tuple[str, float]:
        """Letters by connectionist temporal classification: repeated ones are one, blanks fall out."""
        best = chances.argmax(axis=1)
        kept = best != 0
        kept[1:] &= best[1:] != best[:-1]
        sure = chances.max(axis=1)[kept]
        text = "".join(self._letters[k] for k in best[kept].tolist())
        return unicodedata.normalize("NFKC", text), float(sure.mean()) if len(sure) else 0.0  # wide letters are letters


def _session(file: KnownFile) -> Any:
    """One core: reading goes on beside the faces, which have the others."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(file.read(), options, providers=["CPUExecutionProvider"])


def _normal(picture: Pixels) -> FloatArray:
    """Channels first (blue, green, red), values from -1 to 1."""
    return np.ascontiguousarray(picture[..., ::-1].transpose(2, 0, 1), dtype=np.float32) / np.float32(127.5) - np.float32(1)
