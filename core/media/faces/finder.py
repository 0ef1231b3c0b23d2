"""Faces in pictures: where they are, who they resemble, how they look to a person.

``FaceFinder().find(pictures)`` is the front door. Nothing is downloaded and no pixel leaves the machine. torch is
only loaded when a finder is made, so that importing this module costs nothing.
"""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import compress

import numpy as np
from PIL import Image

from core.errors import BadInput
from core.media.faces.kinds import Detector, Embedder, Picture
from core.media.faces.registry import DETECTOR, DETECTORS, EMBEDDER, EMBEDDERS
from core.problem import FloatArray
from core.records import Box, Mark

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # before torch loads: threads that wait must not spin on a busy machine

# 40 portraits made smaller: the nearest neighbour was the same person for all at 24 pixels, 9 of 10 at 20, half at 12.
SMALL = 24  # pixels on the short side
# The same blurred: all right at a sharpness of 0.1, 8 of 10 at 0.045, half at 0.02; as they are they have 0.27 or more.
BLURRED, SHARPNESS_SIDE = 0.045, 48

EMBED_SIDE = 160  # pixels of the square that embedders look at
EMBED_AT_ONCE = 8  # more at a time is no faster
SHOWN_SIDE, SHOWN_MARGIN, SHOWN_QUALITY = 200, 0.3, 88  # of the crop for people: pixels, share of the face's side, of JPEG


@dataclass(frozen=True, eq=False)
class Found:
    """One face."""

    box: Box
    score: float  # how sure the detector is; 1 for a box that a person drew
    landmarks: FloatArray  # eyes, nose, corners of the mouth: 5 × (x, y); not a number where a person drew the box
    mark: Mark
    embedding: FloatArray  # of unit length
    crop: bytes  # a square JPEG for people to look at


class FaceFinder:
    """Finds and embeds faces on all cores.

    Make one a process (it loads for some seconds and holds 600 MB) and hand it lists of a few dozen pictures, so that all
    cores have work. It may be called from any thread, a pipeline's or the app's; its workers are threads of its own, each
    of which computes on one core, which is faster than all cores on one picture. A forked process must make its own.

    The faces of a picture do not depend on the other pictures of the call; a picture that is the same as the one before
    it, as in a film that stands still, is not looked at again.
    """

    def __init__(
        self, embedder: Embedder | None = None, detector: Detector | None = None, threads: int | None = None
    ) -> None:
        """Without an embedder and a detector, the first of the registry."""
        self.embedder: Embedder = embedder or EMBEDDERS[EMBEDDER]()
        self.detector: Detector = detector or DETECTORS[DETECTOR]()
        self._threads = threads or os.cpu_count() or 1
        self._pool = _workers(self._threads)

    def find(self, pictures: Sequence[Picture]) -> list[list[Found]]:
        """The faces of each picture, from left to right."""
        changed = [k == 0 or not np.array_equal(pictures[k - 1], picture) for k, picture in enumerate(pictures)]
        seen = list(self._pool.map(self._look, compress(pictures, changed)))
        embeddings = iter(self._embed([face.pixels for faces in seen for face in faces]))
        found = [[face.embedded(next(embeddings)) for face in faces] for faces in seen]
        return [list(found[k]) for k in np.cumsum(changed) - 1]

    def embed_box(self, picture: Picture, box: Box) -> Found:
        """A face that a person drew a box around; nothing is looked for."""
        corners = np.array([box.left, box.top, box.right, box.bottom])
        inside = _inside(picture, corners)
        if not np.isfinite(corners).all() or not _has_area(inside):
            raise BadInput("the box holds no part of the picture; draw it around a face")
        face = _Seen.of(picture, inside, score=1.0, landmarks=np.full((5, 2), np.nan, np.float32))
        return face.embedded(self._embed([face.pixels])[0])

    def _look(self, picture: Picture) -> list[_Seen]:
        detected = self.detector.detect(picture)
        faces = [
            _Seen.of(picture, inside, float(score), landmarks)
            for box, score, landmarks in zip(detected.boxes, detected.scores, detected.landmarks, strict=True)
            if score >= self.detector.sure and _has_area(inside := _inside(picture, box))
        ]
        return sorted(faces, key=lambda face: (face.box.left, face.box.top))

    def _embed(self, crops: Sequence[Picture]) -> FloatArray:
        """The embeddings of crops, spread over the workers."""
        size = min(EMBED_AT_ONCE, -(-len(crops) // self._threads)) or 1
        parts = [crops[start : start + size] for start in range(0, len(crops), size)]
        none = np.zeros((0, self.embedder.dimension), np.float32)
        return np.concatenate([none, *self._pool.map(self.embedder.embed, parts)])


@dataclass(frozen=True, eq=False)
class _Seen:
    """A face that has no embedding yet."""

    box: Box
    score: float
    landmarks: FloatArray
    mark: Mark
    pixels: Picture  # what an embedder looks at
    crop: bytes

    @staticmethod
    def of(picture: Picture, box: Box, score: float, landmarks: FloatArray) -> _Seen:
        """The face in a box that lies in the picture. Whole pixels of the box fill the square, as embedders are trained."""
        face = Image.fromarray(picture[int(box.top) : int(box.bottom), int(box.left) : int(box.right)])
        pixels = np.asarray(face.resize((EMBED_SIDE, EMBED_SIDE), Image.Resampling.BILINEAR))
        return _Seen(box, score, landmarks, _mark(face), pixels, _shown(picture, box))

    def embedded(self, embedding: FloatArray) -> Found:
        return Found(self.box, self.score, self.landmarks, self.mark, embedding, self.crop)


def _workers(threads: int) -> ThreadPoolExecutor:
    """Threads that compute on one core each, while torch computes elsewhere on as many as before."""
    import torch

    before = torch.get_num_threads()
    all_there = threading.Barrier(threads)

    def start(_: int) -> None:
        torch.get_num_threads()  # the first question of a thread sets it to what all have, so it must come first
        torch.set_num_threads(1)
        all_there.wait()

    pool = ThreadPoolExecutor(threads, thread_name_prefix="faces")
    list(pool.map(start, range(threads)))
    torch.set_num_threads(before)
    return pool


def _inside(picture: Picture, box: FloatArray) -> Box:
    height, width = picture.shape[:2]
    left, top, right, bottom = np.clip(box, 0, (width, height, width, height)).tolist()
    return Box(left, top, right, bottom)


def _has_area(box: Box) -> bool:
    """Whether the box has whole pixels to show."""
    return int(box.right) > int(box.left) and int(box.bottom) > int(box.top)


def _mark(face: Image.Image) -> Mark:
    if min(face.size) < SMALL:
        return "small"
    return "blurred" if sharpness(face) < BLURRED else ""


def sharpness(face: Image.Image) -> float:
    """How much a face changes from pixel to pixel (the variance of its Laplacian), whatever its size and contrast."""
    grey = face.convert("L").resize((SHARPNESS_SIDE, SHARPNESS_SIDE), Image.Resampling.BILINEAR)
    light = np.asarray(grey, dtype=np.float32)
    light = (light - light.mean()) / max(float(light.std()), 1.0)
    padded = np.pad(light, 1, mode="reflect")
    around = padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]
    return float((around - 4 * light).var())


def _shown(picture: Picture, box: Box) -> bytes:
    """A square around the face with a little of what is around it, moved into the picture where it would stick out."""
    height, width = picture.shape[:2]
    side = min(max(box.right - box.left, box.bottom - box.top) * (1 + SHOWN_MARGIN), width, height)
    left = min(max((box.left + box.right - side) / 2, 0), width - side)
    top = min(max((box.top + box.bottom - side) / 2, 0), height - side)
    face = Image.fromarray(picture).resize(
        (SHOWN_SIDE, SHOWN_SIDE), Image.Resampling.BICUBIC, box=(left, top, left + side, top + side)
    )
    file = io.BytesIO()
    face.save(file, "JPEG", quality=SHOWN_QUALITY)
    return file.getvalue()
