"""Faces that somebody marked in a picture, joined with those that were found in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment

from core.errors import BadInput
from core.formats.read.picture_tags import PictureTags
from core.formats.read.xmp import MarkedFace
from core.media.cache import Seen
from core.media.faces.suppress import overlaps
from core.media.looking import Finder
from core.media.video.reader import Pixels
from core.problem import FloatArray
from core.records import Box

SAME = 0.2  # intersection over union of a marked face and a found one; programs draw wider or tighter than we do
NEAR = 0.2  # as much as this counts that each one's middle lies in the other
UNLIKE = 8  # times as large: these are not the same face, wherever their middles are
LARGEST, SMALLEST = 0.8, 8  # of a marked face that was not found: share of the picture, and pixels


@dataclass(frozen=True)
class Said:
    """What a mark says of a face: who it is, "" for nobody, and who says so."""

    path: str
    box: Box
    name: str
    who: str


def boxes_to_add(seen: Seen, tags: PictureTags) -> tuple[list[Box], list[MarkedFace]]:
    """Of marked faces with an answer that were not found: the boxes that can be looked at, and those that cannot."""
    joined = _joined(seen, tags.faces)
    left = [face for k, face in enumerate(tags.faces) if k not in joined and (face.name or face.nobody)]
    boxes = {face: scaled(face, seen.width, seen.height) for face in left}
    odd = [face for face in left if not _is_fit(face, boxes[face])]
    return [box for face, box in boxes.items() if face not in odd], odd


def with_boxes(finder: Finder, seen: Seen, pixels: Pixels, boxes: Sequence[Box]) -> Seen:
    """What was seen, and the faces in these boxes."""
    added = []
    for box in boxes:
        try:
            added.append(finder.embed_box(pixels, box))
        except BadInput:  # there is nothing in it
            continue
    return Seen(seen.width, seen.height, [*seen.faces, *added], seen.picture)


def answers(path: str, seen: Seen, tags: PictureTags) -> list[Said]:
    """What marks say of the faces that were found. What a program only thought is no answer."""
    said = []
    for k, place in _joined(seen, tags.faces).items():
        face = tags.faces[k]
        if (face.name or face.nobody) and face.state != "predicted":
            said.append(Said(path, seen.faces[place].box, face.name, face.author))
    return said


def scaled(face: MarkedFace, width: int, height: int) -> Box:
    return Box(face.left * width, face.top * height, face.right * width, face.bottom * height)


def _is_fit(face: MarkedFace, box: Box) -> bool:
    share = (face.right - face.left) * (face.bottom - face.top)
    return share <= LARGEST and min(box.right - box.left, box.bottom - box.top) >= SMALLEST


def _joined(seen: Seen, marked: Sequence[MarkedFace]) -> dict[int, int]:
    """By marked face, the found one that it is about."""
    return joined([face.box for face in seen.faces], [scaled(face, seen.width, seen.height) for face in marked])


def joined(found: Sequence[Box], marked: Sequence[Box]) -> dict[int, int]:
    """By place among the marked boxes, the place of the found one that it is about."""
    if not marked or not found:
        return {}
    one, other = _corners(marked), _corners(found)
    ratio = _areas(one)[:, None] / np.maximum(_areas(other)[None], 1e-9)
    alike = (ratio < UNLIKE) & (ratio > 1 / UNLIKE)
    score = overlaps(one, other) + NEAR * (alike & _holds(one, other) & _holds(other, one).T)
    rows, columns = linear_sum_assignment(-score)
    return {int(r): int(c) for r, c in zip(rows, columns, strict=True) if score[r, c] >= SAME}


def _holds(outer: FloatArray, inner: FloatArray) -> np.ndarray:
    """Which boxes hold the middle of which others."""
    middle = (inner[:, :2] + inner[:, 2:]) / 2
    inside = (outer[:, None, :2] <= middle[None]) & (middle[None] <= outer[:, None, 2:])
    return np.asarray(inside.all(axis=2))


def _areas(boxes: FloatArray) -> FloatArray:
    return np.asarray((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1]))


def _corners(boxes: Sequence[Box]) -> FloatArray:
    return np.array([(box.left, box.top, box.right, box.bottom) for box in boxes], np.float64).reshape(-1, 4)
