"""Photographs by person as vectors: each face as it is, and as film would show it."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from core.arrays import chunks
from core.errors import BadInput
from core.media.faces import crop
from core.media.faces.facenet import FaceNet
from core.media.faces.kinds import Detections, Picture
from core.media.faces.mtcnn import Mtcnn
from core.media.faces.yunet import YuNet
from core.media.pictures import Unreadable, decode
from core.problem import FloatArray, IntArray
from core.solvers.embeddings import FACENET_BARE

AT_ONCE = 8  # crops through the network


@dataclass(frozen=True)
class Copy:
    """How a copy is degraded: the face's height in pixels, from and to; and whether it is blurred and compressed, too."""

    what: str
    least: int = 0
    most: int = 0
    spoilt: bool = False


COPIES = (
    Copy("the photograph"),
    Copy("18 to 47 pixels", 18, 47),
    Copy("18 to 47 pixels, blurred, compressed, badly placed", 18, 47, spoilt=True),
    Copy("40 to 90 pixels, blurred, compressed, badly placed", 40, 90, spoilt=True),
)
BLUR = 0.03  # of the face's height at the most: the width of a Gaussian, or half the way of a moving head
JPEG = (25, 80)  # quality
LIGHT = (0.7, 1.35)  # exponent of the brightness
PLACED = 0.02  # of the face's height: by how much each landmark is off, and twice that each side of the box


@dataclass(frozen=True, eq=False)
class Kind:
    """One of the product's ways from a picture to a vector: how faces are found, how they are cut out."""

    embedder: str
    sure: float  # the detector's score
    detector: Callable[[], Callable[[Picture], Detections]]
    cut: Callable[[Picture, FloatArray, FloatArray], Picture]


@dataclass(frozen=True, eq=False)
class Vectors:
    """The faces of all copies of all photographs with one face: who it is, which photograph and which copy."""

    features: FloatArray
    person: IntArray
    photo: IntArray
    copy: IntArray


def _bare(picture: Picture, box: FloatArray, _: FloatArray) -> Picture:
    """The box alone, as the finder of older projects cut it out."""
    height, width = picture.shape[:2]
    left, top = np.clip(box[:2], 0, (width - 1, height - 1)).astype(int)
    right, bottom = np.maximum(np.clip(box[2:], 0, (width, height)).astype(int), (left + 1, top + 1))
    face = Image.fromarray(picture[top:bottom, left:right])
    return np.asarray(face.resize((crop.SIDE, crop.SIDE), Image.Resampling.BILINEAR))


def _aligned(picture: Picture, box: FloatArray, landmarks: FloatArray) -> Picture:
    return crop.crops(picture, box[None], landmarks[None])[0]


KINDS = (
    Kind(FaceNet.kind, YuNet.sure, lambda: YuNet().detect, _aligned),
    Kind(FACENET_BARE, Mtcnn.sure, lambda: Mtcnn().detect, _bare),
)


def vectors(folder: Path, kind: Kind, tell: Callable[[str], None]) -> Vectors:
    """Vectors of the photographs in a folder that has a folder a person; those without exactly one face are left out."""
    people = sorted(path for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []
    if len(people) < 2:
        raise BadInput(f"{folder}: there is no folder of photographs a person in it; give the path of a gallery")
    network, detect = FaceNet(), kind.detector()
    features: list[FloatArray] = []
    rows: list[tuple[int, int, int]] = []
    photos = 0
    for number, person in enumerate(people):
        faces = list(_faces(sorted(person.iterdir()), detect, kind.sure))
        for place, copy in enumerate(COPIES):
            cuts = [
                kind.cut(*degraded(picture, box, landmarks, copy, f"{place}/{person.name}/{name}"))
                for name, picture, box, landmarks in faces
            ]
            features += [network.embed(cuts[part]) for part in chunks(len(cuts), cells=AT_ONCE)]
            rows += [(number, photos + photo, place) for photo in range(len(faces))]
        photos += len(faces)
        tell(f"{kind.embedder}: {number + 1} of {len(people)} people, {photos} photographs with one face")
    table = np.array(rows, dtype=np.int64)
    return Vectors(np.concatenate(features), table[:, 0], table[:, 1], table[:, 2])


def _faces(
    files: list[Path], detect: Callable[[Picture], Detections], sure: float
) -> Iterator[tuple[str, Picture, FloatArray, FloatArray]]:
    """Name, pixels, box and landmarks of those photographs that show one face."""
    for path in files:
        try:
            picture = decode(path.read_bytes())
        except Unreadable:
            continue
        found = detect(picture)
        (faces,) = np.nonzero(found.scores >= sure)
        if len(faces) == 1:
            yield path.name, picture, found.boxes[faces[0]].astype(np.float64), found.landmarks[faces[0]].astype(np.float64)


def degraded(
    picture: Picture, box: FloatArray, landmarks: FloatArray, copy: Copy, seed: str
) -> tuple[Picture, FloatArray, FloatArray]:
    """A copy of a picture, its box and its landmarks; the same for the same seed."""
    if not copy.most:
        return picture, box, landmarks
    random = np.random.default_rng(zlib.crc32(seed.encode()))
    height = box[3] - box[1]
    shrink = min(1.0, random.uniform(copy.least, copy.most) / height)
    size = [max(1, round(side * shrink)) for side in picture.shape[1::-1]]
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
    scale = np.array(size) / picture.shape[1::-1]
    box, landmarks, height = box * np.tile(scale, 2), landmarks * scale, height * scale[1]
    if copy.spoilt:
        small = _compressed(_blurred(small, random.uniform(0, BLUR) * height, random), random)
        landmarks = landmarks + random.normal(0, PLACED * height, landmarks.shape)
        box = box + random.normal(0, 2 * PLACED * height, 4)
    return small, box, landmarks


def _blurred(picture: Picture, width: float, random: np.random.Generator) -> Picture:
    """Out of focus, or moving in some direction."""
    if random.random() < 0.5:
        return cv2.GaussianBlur(picture, (0, 0), max(width, 0.3)).astype(np.uint8)
    reach, angle = int(max(2, 2 * width + 1)), random.uniform(0, np.pi)
    way = np.round(reach / 2 * np.array([np.cos(angle), np.sin(angle)])).astype(int)
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    cv2.line(kernel, (reach - int(way[0]), reach - int(way[1])), (reach + int(way[0]), reach + int(way[1])), 1.0)
    return cv2.filter2D(picture, -1, kernel / kernel.sum()).astype(np.uint8)


def _compressed(picture: Picture, random: np.random.Generator) -> Picture:
    """Through JPEG, then brighter or darker."""
    _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(random.uniform(*JPEG))])
    light = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), dtype=np.float64) / 255
    return np.round(255 * light ** random.uniform(*LIGHT)).astype(np.uint8)
