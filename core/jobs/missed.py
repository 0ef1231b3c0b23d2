"""A face that the detector missed: a person drew a box around it."""

from __future__ import annotations

from functools import cache
from io import BytesIO

import numpy as np
from PIL import Image

from core.errors import BadInput
from core.media.faces.finder import FaceFinder
from core.media.faces.registry import EMBEDDERS
from core.records import Box
from core.store.files import read_file
from core.store.project import Project

Share = tuple[float, float, float, float]  # left, top, right, bottom, of the picture's size


def can_embed(project: Project) -> bool:
    """Whether new faces can be described as the project's are: a problem file's vectors may come from anywhere."""
    return project.fact("embedder") in EMBEDDERS


def is_dated(project: Project) -> bool:
    """Whether the faces are described in a way of earlier versions, and could be found again."""
    replaced = {kind for one in EMBEDDERS.values() for kind in one.replaces}
    pictured = all(source.kind != "problem" for source in project.sources())
    return project.fact("embedder") in replaced and pictured


@cache
def finder_of(embedder: str) -> FaceFinder:
    """A finder that describes faces with an embedder of the registry; its networks load for some seconds, once."""
    return FaceFinder(EMBEDDERS[embedder]())


def add_missed(
    project: Project, who: str, frame: int, box: Share, step: str | None = None, finder: FaceFinder | None = None
) -> int:
    """Adds the face in ``box``, described by the project's own embedder or by ``finder``; gives its number."""
    found = project.frames([frame])
    if not found or found[0].picture is None:
        raise BadInput("this frame has no picture to look at; a face can only be added where there is one")
    try:
        with Image.open(BytesIO(read_file(found[0].picture))) as image:
            pixels = np.asarray(image.convert("RGB"))
    except OSError as error:
        raise BadInput(f"{found[0].picture}: the picture cannot be read; put it back or ingest again") from error
    height, width = pixels.shape[:2]
    finder = finder or finder_of(str(project.fact("embedder")))
    face = finder.embed_box(pixels, _scaled(box, width, height))
    full = _scaled(box, found[0].width or width, found[0].height or height)
    return project.add_face(who, frame, full, face.embedding, face.crop, step)


def _scaled(box: Share, width: int, height: int) -> Box:
    left, top, right, bottom = box
    return Box(left * width, top * height, right * width, bottom * height)
