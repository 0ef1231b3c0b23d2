"""The networks that find faces and those that embed them, one row each: a new one is a file and its row.

The first of each is used for new projects. A project keeps to the embedder that made its vectors, as long as it has a row;
where it has none, faces must be found again before others can be added.
"""

from __future__ import annotations

from core.media.faces.facenet import FaceNet
from core.media.faces.kinds import Detector, Embedder
from core.media.faces.mtcnn import Mtcnn
from core.media.faces.yunet import YuNet

DETECTORS: dict[str, type[Detector]] = {one.kind: one for one in (YuNet, Mtcnn)}
EMBEDDERS: dict[str, type[Embedder]] = {one.kind: one for one in (FaceNet,)}
DETECTOR, EMBEDDER = next(iter(DETECTORS)), next(iter(EMBEDDERS))
