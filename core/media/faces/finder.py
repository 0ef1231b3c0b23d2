"""Faces in pictures: where they are, who they resemble, how they look to a person.

``FaceFinder().find(pictures)`` is the front door. Nothing is downloaded and no pixel leaves the machine. Networks are
only loaded when a finder is made, so that importing this module costs nothing.
"""

from __future__ import annotations

import io
import os
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import compress

import numpy as np
from PIL import Image

from core.arrays import chunks
from core.errors import BadInput
from core.media.faces.crop import crops
from core.media.faces.kinds import Detector, Embedder, Picture
from core.media.faces.registry import DETECTOR, DETECTORS, EMBEDDER, EMBEDDERS
from core.media.faces.suppress import overlaps
from core.problem import FloatArray
from core.records import Box, Mark

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # before torch loads: threads that wait must not spin on a busy machine

# 40 portraits made smaller: the nearest neighbour was the same person for all at 24 pixels, 9 of 10 at 20, half at 12.
SMALL = 24  # pixels on the short side
# The same blurred: all right at a sharpness of 0.1, 8 of 10 at 0.045, half at 0.02; as they are they have 0.27 or more.
BLURRED, SHARPNESS_SIDE = 0.045, 48
# A face of this side and sharpness is as good as any; with the nose so far from the middle, in sides, it is a profile.
CLEAR_SIDE, CLEAR_SHARPNESS, ASIDE = 60, 0.3, 0.25
DRAWN = 0.4  # intersection over union of a box that a person drew and a face that the detector sees in it
SMALL_SIDE = 40  # pixels of the small grey face

EMBED_AT_ONCE = 8  # more at a time is no faster
SHOWN_SIDE, SHOWN_MARGIN, SHOWN_QUALITY = 200, 0.3, 88  # of the crop for people: pixels, share of the face's side, of JPEG


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
    embedding: FloatArray  # of unit length
    small: Picture  # the aligned face in grey, 40 × 40: enough to see a mouth move
    crop: bytes  # a square JPEG for people to look at; empty where nobody will


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

    def find(
        self, pictures: Sequence[Picture], shown: Sequence[bool] | None = None, unsure: bool = False
    ) -> list[list[Found]]:
        """The faces of each picture, from left to right; those without crops for people that are not ``shown``.

        With ``unsure``, faces of which only a track can tell whether they are some come, too.
        """
        shown = [True] * len(pictures) if shown is None else shown
        changed = [
            k == 0 or shown[k] > shown[k - 1] or not np.array_equal(pictures[k - 1], picture)
            for k, picture in enumerate(pictures)
        ]
        least = self.detector.least if unsure else self.detector.sure
        looked = zip(compress(pictures, changed), compress(shown, changed), strict=True)
        seen = list(self._pool.map(lambda view: self._look(view[0], view[1], least), looked))
        embeddings = iter(self._embed([face.pixels for faces in seen for face in faces]))
        found = [[face.embedded(next(embeddings)) for face in faces] for faces in seen]
        return [list(found[k]) for k in np.cumsum(changed) - 1]

    def embed_box(self, picture: Picture, box: Box) -> Found:
        """A face that a person drew a box around; landmarks are those of the face that the detector sees there, if any."""
        corners = _corners(box)
        inside = _inside(picture, corners)
        if not np.isfinite(corners).all() or not _has_area(inside):
            raise BadInput("the box holds no part of the picture; draw it around a face")
        landmarks = self._landmarks(picture, _corners(inside))
        face = _seen(picture, inside, 1.0, landmarks, crops(picture, _corners(inside)[None], landmarks[None])[0], shown=True)
        return face.embedded(self._embed([face.pixels])[0])

    def _landmarks(self, picture: Picture, corners: FloatArray) -> FloatArray:
        """The landmarks of the face that is seen in a box, however unsure; not a number where there is none."""
        found = self.detector.detect(picture)
        place = overlaps(corners[None], found.boxes)[0]
        if not len(place) or place.max() < DRAWN:
            return np.full((5, 2), np.nan, np.float32)
        return np.asarray(found.landmarks[place.argmax()])

    def _look(self, picture: Picture, shown: bool, least: float) -> list[_Seen]:
        found = self.detector.detect(picture)
        inside = [_inside(picture, box) for box in found.boxes]
        use = [k for k, box in enumerate(inside) if found.scores[k] >= least and _has_area(box)]
        cut = crops(picture, found.boxes[use], found.landmarks[use])
        faces = [
            _seen(picture, inside[k], float(found.scores[k]), found.landmarks[k], pixels, shown)
            for k, pixels in zip(use, cut, strict=True)
        ]
        return sorted(faces, key=lambda face: (face.box.left, face.box.top))

    def _embed(self, faces: Sequence[Picture]) -> FloatArray:
        """The embeddings of cut out faces, spread over the workers."""
        size = min(EMBED_AT_ONCE, -(-len(faces) // self._threads)) or 1
        parts = [faces[part] for part in chunks(len(faces), cells=size)]
        none = np.zeros((0, self.embedder.dimension), np.float32)
        return np.concatenate([none, *self._pool.map(self.embedder.embed, parts)])


@dataclass(frozen=True, eq=False)
class _Seen:
    """A face that has no embedding yet."""

    box: Box
    score: float
    landmarks: FloatArray
    mark: Mark
    quality: float
    pixels: Picture  # what an embedder looks at
    crop: bytes

    def embedded(self, embedding: FloatArray) -> Found:
        grey = np.asarray(Image.fromarray(self.pixels).convert("L").resize((SMALL_SIDE, SMALL_SIDE), Image.Resampling.BOX))
        return Found(self.box, self.score, self.landmarks, self.mark, self.quality, embedding, grey, self.crop)


def _seen(picture: Picture, box: Box, score: float, landmarks: FloatArray, pixels: Picture, shown: bool) -> _Seen:
    """The face in a box that lies in the picture."""
    face = Image.fromarray(picture[int(box.top) : int(box.bottom), int(box.left) : int(box.right)])
    sharp = sharpness(face)
    mark: Mark = "small" if min(face.size) < SMALL else "blurred" if sharp < BLURRED else ""
    quality = _quality(box, landmarks, sharp)
    return _Seen(box, score, landmarks, mark, quality, pixels, _shown(picture, box) if shown else b"")


def _quality(box: Box, landmarks: FloatArray, sharp: float) -> float:
    """0 to 1: large, sharp, and turned to the camera, so that the nose is below the middle of the eyes."""
    side = min(box.right - box.left, box.bottom - box.top)
    eyes = landmarks[1] - landmarks[0]
    aside = float((landmarks[2] - landmarks[:2].mean(axis=0)) @ eyes) / max(float(np.hypot(*eyes)), 1e-6) / max(side, 1e-6)
    frontal = 1.0 if np.isnan(aside) else max(0.05, 1 - abs(aside) / ASIDE)
    return frontal * min(1.0, max(0.1, side / CLEAR_SIDE)) * min(1.0, max(0.1, sharp / CLEAR_SHARPNESS))


def _workers(threads: int) -> ThreadPoolExecutor:
    """Threads that compute on one core each, while torch, where a network needs it, computes elsewhere on all cores."""
    pool = ThreadPoolExecutor(threads, thread_name_prefix="faces")
    if "torch" not in sys.modules:
        return pool
    import torch

    before = torch.get_num_threads()
    all_there = threading.Barrier(threads)

    def start(_: int) -> None:
        torch.get_num_threads()  # the first question of a thread sets it to what all have, so it must come first
        torch.set_num_threads(1)
        all_there.wait()

    list(pool.map(start, range(threads)))
    torch.set_num_threads(before)
    return pool


def _corners(box: Box) -> FloatArray:
    return np.array([box.left, box.top, box.right, box.bottom])


def _inside(picture: Picture, box: FloatArray) -> Box:
    height, width = picture.shape[:2]
    left, top, right, bottom = np.clip(box, 0, (width, height, width, height)).tolist()
    return Box(left, top, right, bottom)


def _has_area(box: Box) -> bool:
    """Whether the box has whole pixels to show."""
    return int(box.right) > int(box.left) and int(box.bottom) > int(box.top)


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
