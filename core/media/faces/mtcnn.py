"""Finds faces: MTCNN's three networks, with the steps between them done for all candidates at once.

Zhang et al., *Joint Face Detection and Alignment using Multitask Cascaded Convolutional Networks* (2016), with the weights,
thresholds and roundings of facenet-pytorch, whose faces it finds. A first network (P) looks at a pyramid of ever smaller
pictures and proposes boxes, a second (R) refuses most of them, a third (O) decides and places the landmarks.

Most time in facenet-pytorch goes into shrinking pictures and cutting out candidates one by one. Both are means over
rectangles, so here both are read off one integral image.
"""

from __future__ import annotations

import importlib.util
import io
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.arrays import chunks
from core.errors import BadInput
from core.media.faces.kinds import NO_FACE, Detections, Picture
from core.media.faces.known_file import KnownFile, in_package
from core.media.faces.native_ops import make_ready
from core.media.faces.suppress import suppress
from core.problem import FloatArray, IntArray

if TYPE_CHECKING:
    import torch

SMALLEST = 20  # pixels; smaller faces are not looked for
LARGE = 1080  # pixels on the short side; in larger pictures the smallest face grows with them
FACTOR = 0.709  # from one level of the pyramid to the next: half the area
LITTLE, FINE_FACTOR = 256, 0.842  # in pictures this little, twice as many levels cost nothing and miss fewer portraits
CELL, STRIDE = 12, 2  # what the first network sees at once, and how far it steps
THRESHOLDS = (0.6, 0.7, 0.7)  # a candidate's score to pass each network
R_SIDE, O_SIDE = 24, 48  # what the second and third network look at
AT_ONCE = 512  # candidates through a network at a time, so that a crowd needs no gigabytes


WEIGHTS_SHA256 = {
    "pnet": "a2a71925e0b9996a42f63e47efc1ca19043e69558b5c523b978d611dfae49c8f",
    "rnet": "bbb937de72efc9ef83b186c49f5f558467a1d7e3453a8ece0d71a886633f6a86",
    "onet": "165bfbe42940416ccfb977545cf0e976d5bf321f67083ae2aaaa5c764280118d",
}
WEIGHTS = tuple(
    KnownFile(
        what=f"MTCNN weights {name}",
        carrier="package facenet-pytorch",
        sha256=digest,
        place=partial(in_package, "facenet_pytorch", f"data/{name}.pt"),
    )
    for name, digest in WEIGHTS_SHA256.items()
)


class Mtcnn:
    """Loads in a second or two; afterwards ``detect`` may be called from several threads at once."""

    kind = "mtcnn"
    sure = 0.9
    least = sure  # what it is less sure of is mostly no face
    weights = WEIGHTS

    def __init__(self) -> None:
        if importlib.util.find_spec("facenet_pytorch") is None:
            raise BadInput("facenet-pytorch is not installed; run `make setup`")
        make_ready()
        import torch
        from facenet_pytorch.models.mtcnn import ONet, PNet, RNet

        networks = PNet(pretrained=False), RNet(pretrained=False), ONet(pretrained=False)
        for network, file in zip(networks, self.weights, strict=True):
            network.load_state_dict(torch.load(io.BytesIO(file.read()), weights_only=True))  # numbers and nothing else
        self._p, self._r, self._o = (network.eval() for network in networks)

    def detect(self, picture: Picture) -> Detections:
        """All faces in a picture, whatever their score above the last threshold."""
        import torch

        summed = _Summed(picture)
        with torch.inference_mode():
            boxes = summed.touching(self._propose(summed))
            if len(boxes):
                boxes = summed.touching(self._refine(summed, boxes))
            return self._decide(summed, boxes) if len(boxes) else NO_FACE

    def _propose(self, summed: _Summed) -> FloatArray:
        """Square boxes that the first network finds worth a look, from all levels of the pyramid."""
        found = [np.zeros((0, 9), np.float32)]
        for scale in pyramid(summed.height, summed.width):
            shifts, scores = self._p(_normalised(summed.shrunk(scale)[None]))
            candidates = _cells(scores[0, 1].numpy(), shifts[0].numpy(), scale)
            found.append(candidates[suppress(candidates[:, :4], candidates[:, 4], 0.5)])
        boxes = np.concatenate(found)
        boxes = boxes[suppress(boxes[:, :4], boxes[:, 4], 0.7)]
        sides = np.tile(boxes[:, 2:4] - boxes[:, :2], 2)
        return _squared(boxes[:, :4] + boxes[:, 5:] * sides)

    def _refine(self, summed: _Summed, boxes: FloatArray) -> FloatArray:
        """Square boxes that pass the second network, moved as it says."""
        shifts, scores = _look(self._r, summed, boxes, R_SIDE)
        passed = scores[:, 1] > THRESHOLDS[1]
        boxes, shifts, score = boxes[passed], shifts[passed], scores[passed, 1]
        stay = suppress(boxes, score, 0.7)
        return _squared(_moved(boxes[stay], shifts[stay]))

    def _decide(self, summed: _Summed, boxes: FloatArray) -> Detections:
        """The faces that pass the third network."""
        shifts, points, scores = _look(self._o, summed, boxes, O_SIDE)
        passed = scores[:, 1] > THRESHOLDS[2]
        boxes, shifts, points, score = boxes[passed], shifts[passed], points[passed], scores[passed, 1]
        sides = boxes[:, None, 2:] - boxes[:, None, :2] + 1
        landmarks = boxes[:, None, :2] + points.reshape(-1, 2, 5).transpose(0, 2, 1) * sides - 1
        boxes = _moved(boxes, shifts)
        stay = suppress(boxes, score, 0.7, of="smaller")
        return Detections(boxes[stay], score[stay], landmarks[stay])


class _Summed:
    """A picture as its integral image, from which the mean over any rectangle takes four look-ups."""

    def __init__(self, picture: Picture) -> None:
        import cv2

        self.height, self.width = picture.shape[:2]
        # 32 bits may overflow in pictures beyond 8 megapixels; the differences come out right all the same
        self._table: NDArray[np.int32] = np.asarray(cv2.integral(np.ascontiguousarray(picture), sdepth=cv2.CV_32S), np.int32)

    def inside(self, boxes: FloatArray) -> IntArray:
        """The boxes in whole pixels, cut at the picture's edges: left, top, right, bottom; the last two are not included."""
        corners = np.trunc(boxes).astype(np.int64)
        first = corners[:, :2].clip(min=1) - 1
        return np.concatenate([first, np.minimum(corners[:, 2:], (self.width, self.height))], axis=1)

    def touching(self, boxes: FloatArray) -> FloatArray:
        """The boxes of which some pixel lies in the picture."""
        corners = self.inside(boxes)
        return boxes[(corners[:, 2:] > corners[:, :2]).all(axis=1)]

    def shrunk(self, scale: float) -> FloatArray:
        """The whole picture at another size: height × width × 3."""
        top, bottom = _bins(np.array([0]), np.array([self.height]), int(self.height * scale + 1))
        left, right = _bins(np.array([0]), np.array([self.width]), int(self.width * scale + 1))
        rows = self._table.take(bottom[0], axis=0) - self._table.take(top[0], axis=0)
        sums = rows.take(right[0], axis=1) - rows.take(left[0], axis=1)
        return _means(sums, (bottom - top).T * (right - left))

    def cut(self, corners: IntArray, side: int) -> FloatArray:
        """What is in each box, resized to a square: boxes × side × side × 3."""
        left, right = _bins(corners[:, 0], corners[:, 2], side)
        top, bottom = _bins(corners[:, 1], corners[:, 3], side)
        table, columns = self._table.reshape(-1, 3), self.width + 1
        above, below = (top * columns)[:, :, None], (bottom * columns)[:, :, None]
        before, behind = left[:, None, :], right[:, None, :]
        sums = table.take(below + behind, axis=0)
        sums -= table.take(above + behind, axis=0)
        sums -= table.take(below + before, axis=0)
        sums += table.take(above + before, axis=0)
        return _means(sums, (bottom - top)[:, :, None] * (right - left)[:, None, :])


def pyramid(height: int, width: int) -> list[float]:
    """The scales at which a face of the first network's size is between the smallest face and the picture's short side."""
    short = min(height, width)
    scale = CELL / max(SMALLEST, SMALLEST * short / LARGE)
    scales = []
    while short * scale >= CELL:
        scales.append(scale)
        scale *= FINE_FACTOR if short < LITTLE else FACTOR
    return scales


def _look(network: Any, summed: _Summed, boxes: FloatArray, side: int) -> list[FloatArray]:
    """What a network says of each box."""
    corners = summed.inside(boxes)
    answers = [network(_normalised(summed.cut(corners[block], side))) for block in chunks(len(corners), cells=AT_ONCE)]
    return [np.concatenate([answer.numpy() for answer in part]) for part in zip(*answers, strict=True)]


def _bins(start: IntArray, stop: IntArray, many: int) -> tuple[IntArray, IntArray]:
    """Where each of ``many`` equal parts of a length begins and ends; parts that share a pixel both have it."""
    length = (stop - start)[:, None]
    part = np.arange(many)
    return start[:, None] + part * length // many, start[:, None] - (-(part + 1) * length // many)


def _means(sums: NDArray[np.int32], pixels: IntArray) -> FloatArray:
    return np.divide(sums.astype(np.float32), pixels.astype(np.float32)[..., None])


def _cells(scores: FloatArray, shifts: FloatArray, scale: float) -> FloatArray:
    """Boxes, scores and shifts where the first network sees a face: one row each."""
    y, x = np.nonzero(scores >= THRESHOLDS[0])
    corner = STRIDE * np.stack([x, y], axis=1).astype(np.float32)
    first, last = np.floor((corner + 1) / np.float32(scale)), np.floor((corner + CELL) / np.float32(scale))
    return np.concatenate([first, last, scores[y, x, None], shifts[:, y, x].T], axis=1)


def _moved(boxes: FloatArray, shifts: FloatArray) -> FloatArray:
    """Boxes whose corners move by shares of their sides."""
    return boxes + shifts * np.tile(boxes[:, 2:] - boxes[:, :2] + 1, 2)


def _squared(boxes: FloatArray) -> FloatArray:
    """Squares around the same middles, as large as the longer side."""
    sides = boxes[:, 2:] - boxes[:, :2]
    side = sides.max(axis=1, keepdims=True)
    first = boxes[:, :2] + sides * np.float32(0.5) - side * np.float32(0.5)
    return np.concatenate([first, first + side], axis=1)


def _normalised(pictures: FloatArray) -> torch.Tensor:
    """Pictures as the networks take them: pictures × 3 × height × width, values about −1 to 1."""
    import torch

    return torch.from_numpy((pictures - np.float32(127.5)) * np.float32(0.0078125)).permute(0, 3, 1, 2)
