"""A face that stays where it was needs no new vector: which faces go on from one look at a film to the next.

Looks come several a second. A face that goes on has the vector of the look that it goes on from, until some looks have
passed or it is seen much better: of a track only the best few faces, and some in between, are embedded. A picture that has
not changed shows who it showed before, and is not looked at again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.media.faces.kinds import Found, Picture
from core.media.faces.suppress import overlaps
from core.problem import FloatArray, IntArray
from core.records import Box

PLACE = 0.4  # intersection over union of a face and the one that it goes on from
CROWDED = 0.2  # ... unless another one overlaps it by more than this
LOOKS_SAME = 0.55  # correlation of the two small grey faces; nine in ten pairs of two people have less
EVERY = 6  # looks from one vector to the next; twice as many where the face is seen badly
BETTER, BADLY = 1.3, 0.5  # by which its quality is a reason for a vector, and for none, against the best one so far
WIDE, HIGH = 64, 36  # blocks of a picture whose colours are compared
STILL = 3.0  # of 255, by which no block changes where nothing moves


def goes_on(before: Sequence[Found], here: Sequence[Found]) -> IntArray:
    """For each face the index of the one before that it goes on from, -1 where there is none for sure."""
    if not before or not here:
        return np.full(len(here), -1, np.int64)
    overlap = overlaps(corners([face.box for face in before]), corners([face.box for face in here]))
    best, back = overlap.argmax(axis=0), overlap.argmax(axis=1)
    column = np.arange(len(here))
    alone = (overlap > CROWDED).sum(axis=0) <= 1
    alike = (_plain(before)[best] * _plain(here)).mean(axis=1)
    sure = (overlap[best, column] >= PLACE) & (back[best] == column) & alone & (alike >= LOOKS_SAME)
    return np.where(sure, best, -1)


def needs_vector(last: Found | None, quality: float) -> bool:
    """Whether a face that goes on from ``last`` is to be embedded."""
    if last is None:
        return True
    wait = EVERY if quality >= BADLY * last.known else 2 * EVERY
    return last.since + 1 >= wait or quality > BETTER * last.known + 0.02


def joined(before: Sequence[Found], here: Sequence[Found]) -> list[Found]:
    """Faces of one look, each with the one of the look before that it goes on from; ``since`` is 0 for those to embed."""
    made = []
    for face, place in zip(here, goes_on(before, here).tolist(), strict=True):
        last = before[place] if place >= 0 else None
        if last is None or needs_vector(last, face.quality):
            known = face.quality if last is None else max(last.known, face.quality)
            made.append(replace(face, follows=place, since=0, known=known))
        else:
            made.append(replace(face, follows=place, since=last.since + 1, known=last.known))
    return made


def outline(picture: Picture) -> FloatArray:
    """The colours of the picture's blocks."""
    import cv2

    return np.asarray(cv2.resize(picture, (WIDE, HIGH), interpolation=cv2.INTER_AREA), np.float32)


def is_still(one: FloatArray, other: FloatArray) -> bool:
    """Whether two outlines are of one unmoved picture."""
    return bool(np.abs(one - other).max() < STILL)


def corners(boxes: Sequence[Box]) -> FloatArray:
    return np.array([(box.left, box.top, box.right, box.bottom) for box in boxes], np.float64).reshape(-1, 4)


def _plain(faces: Sequence[Found]) -> FloatArray:
    """The small grey faces, one row each, with the mean 0 and the variance 1."""
    rows = np.array([face.small for face in faces], np.float32).reshape(len(faces), -1)
    rows -= rows.mean(axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(rows.std(axis=1, keepdims=True), 1e-3))
