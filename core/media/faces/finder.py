"""Faces in pictures: where they are, who they resemble, how they look to a person.

``FaceFinder().find(pictures)`` is the front door, ``follow`` that of films. Nothing is downloaded and no pixel leaves the
machine. Networks are only loaded when a finder is made, so that importing this module costs nothing.
"""

from __future__ import annotations

import io
import os
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import compress

import numpy as np
from PIL import Image

from core.arrays import chunks
from core.errors import BadInput
from core.media.faces.crop import crops
from core.media.faces.following import is_still, joined, outline
from core.media.faces.kinds import Detections, Detector, Embedder, Found, Picture
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

FILM_SIDE = 960  # pixels on the long side of a film's picture in which faces are looked for
EMBED_AT_ONCE = 8  # more at a time is no faster
SHOWN_SIDE, SHOWN_MARGIN, SHOWN_QUALITY = 200, 0.3, 88  # of the crop for people: pixels, share of the face's side, of JPEG


Before = int | Sequence[Found] | None


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
        looked = compress(pictures, changed)
        cuts = list(self._pool.map(lambda picture: self._look(picture, True, self.detector.sure), looked))
        vectors = iter(self._embed([cut.pixels for some in cuts for cut in some]))
        found = [[replace(cut.face, embedding=next(vectors)) for cut in some] for some in cuts]
        return [list(found[k]) for k in np.cumsum(changed) - 1]

    def follow(self, pictures: Sequence[Picture], shown: Sequence[bool], before: Sequence[Before]) -> list[list[Found]]:
        """The faces of looks at a film, also those of which only a track can tell whether they are some.

        ``before`` tells of each which look came before it in its shot: the index of an earlier one here, its faces, or None.
        Only those that are ``shown`` have crops for people.
        """
        same = self._unchanged(pictures, before)
        fresh = [k for k in range(len(pictures)) if same[k] == k]
        looks = self._pool.map(lambda k: self._look(pictures[k], shown[k], self.detector.least, FILM_SIDE), fresh)
        cuts = dict(zip(fresh, looks, strict=True))
        found: list[list[Found]] = []
        wanted: list[tuple[int, int, Picture]] = []  # look, face, pixels
        for k, one in enumerate(before):
            last = found[one] if isinstance(one, int) else one or ()
            if same[k] != k:
                found.append(_unmoved(last, pictures[k], shown[k]))
                continue
            found.append(joined(last, [cut.face for cut in cuts[k]]))
            wanted += [(k, j, cuts[k][j].pixels) for j, face in enumerate(found[k]) if not face.since]
        for (k, j, _), vector in zip(wanted, self._embed([pixels for *_, pixels in wanted]), strict=True):
            found[k][j] = replace(found[k][j], embedding=vector)
        return found

    def _unchanged(self, pictures: Sequence[Picture], before: Sequence[Before]) -> list[int]:
        """For each look the one that it shows the same as: itself where something moved."""
        outlines = list(self._pool.map(outline, pictures))
        same: list[int] = []
        for k, last in enumerate(before):
            base = same[last] if isinstance(last, int) else k
            same.append(base if is_still(outlines[base], outlines[k]) else k)
        return same

    def embed_box(self, picture: Picture, box: Box) -> Found:
        """A face that a person drew a box around; landmarks are those of the face that the detector sees there, if any."""
        corners = _corners(box)
        inside = _inside(picture, corners)
        if not np.isfinite(corners).all() or not _has_area(inside):
            raise BadInput("the box holds no part of the picture; draw it around a face")
        landmarks = self._landmarks(picture, _corners(inside))
        pixels = crops(picture, _corners(inside)[None], landmarks[None])[0]
        return replace(self._cut(picture, inside, 1.0, landmarks, pixels, True).face, embedding=self._embed([pixels])[0])

    def _landmarks(self, picture: Picture, corners: FloatArray) -> FloatArray:
        """The landmarks of the face that is seen in a box, however unsure; not a number where there is none."""
        found = self.detector.detect(picture)
        place = overlaps(corners[None], found.boxes)[0]
        if not len(place) or place.max() < DRAWN:
            return np.full((5, 2), np.nan, np.float32)
        return np.asarray(found.landmarks[place.argmax()])

    def _look(self, picture: Picture, shown: bool, least: float, longest: int | None = None) -> list[_Cut]:
        found = self._detect(picture, longest)
        inside = [_inside(picture, box) for box in found.boxes]
        use = [k for k, box in enumerate(inside) if found.scores[k] >= least and _has_area(box)]
        cut = crops(picture, found.boxes[use], found.landmarks[use])
        faces = [
            self._cut(picture, inside[k], float(found.scores[k]), found.landmarks[k], pixels, shown)
            for k, pixels in zip(use, cut, strict=True)
        ]
        return sorted(faces, key=lambda cut: (cut.face.box.left, cut.face.box.top))

    def _detect(self, picture: Picture, longest: int | None) -> Detections:
        """The faces of a picture, looked for in a smaller one where it is longer than that."""
        import cv2

        scale = max(picture.shape[:2]) / longest if longest else 1.0
        if scale <= 1.0:
            return self.detector.detect(picture)
        size = max(1, round(picture.shape[1] / scale)), max(1, round(picture.shape[0] / scale))
        small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
        found, ratio = self.detector.detect(small), np.array([picture.shape[1] / size[0], picture.shape[0] / size[1]])
        return Detections(found.boxes * np.tile(ratio, 2), found.scores, found.landmarks * ratio)

    def _cut(self, picture: Picture, box: Box, score: float, landmarks: FloatArray, pixels: Picture, shown: bool) -> _Cut:
        """The face in a box that lies in the picture; ``pixels`` are what the embedder sees."""
        face = Image.fromarray(picture[int(box.top) : int(box.bottom), int(box.left) : int(box.right)])
        sharp = sharpness(face)
        mark: Mark = "small" if min(face.size) < SMALL else "blurred" if sharp < BLURRED else ""
        quality = _quality(box, landmarks, sharp)
        grey = np.asarray(Image.fromarray(pixels).convert("L").resize((SMALL_SIDE, SMALL_SIDE), Image.Resampling.BOX))
        none = np.zeros(self.embedder.dimension, np.float32)
        crop = _shown(picture, box) if shown else b""
        return _Cut(Found(box, score, landmarks, mark, quality, none, grey, crop, known=quality), pixels)

    def _embed(self, faces: Sequence[Picture]) -> FloatArray:
        """The embeddings of cut out faces, spread over the workers."""
        size = min(EMBED_AT_ONCE, -(-len(faces) // self._threads)) or 1
        parts = [faces[part] for part in chunks(len(faces), cells=size)]
        none = np.zeros((0, self.embedder.dimension), np.float32)
        return np.concatenate([none, *self._pool.map(self.embedder.embed, parts)])


@dataclass(frozen=True, eq=False)
class _Cut:
    """A face that has no embedding yet, and what an embedder looks at."""

    face: Found
    pixels: Picture


def with_crops(picture: Picture, faces: Sequence[Found]) -> list[Found]:
    """Faces that were found in a picture before, now for people to look at."""
    return [replace(face, crop=_shown(picture, face.box)) for face in faces]


def _unmoved(before: Sequence[Found], picture: Picture, shown: bool) -> list[Found]:
    """The faces of a picture that shows the same as the one before."""
    none = [np.zeros_like(face.embedding) for face in before]
    same = [replace(face, embedding=none[k], crop=b"", follows=k, since=face.since + 1) for k, face in enumerate(before)]
    return with_crops(picture, same) if shown else same


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
