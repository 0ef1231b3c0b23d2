"""Finds the faces of a project again: with a better detector, a better crop, or tracks that it does not have yet.

Frames, captions, names and decisions stay. A face that is found where one was takes its number, so that everything people
said of it stands. One that people spoke of and that is not found any more is described by its box.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO

import numpy as np
from PIL import Image
from scipy.optimize import linear_sum_assignment

from core.errors import BadInput
from core.jobs.ingest import never
from core.media.cache import Cache
from core.media.faces.finder import FaceFinder
from core.media.faces.kinds import Found, Picture
from core.media.faces.suppress import overlaps
from core.media.gathering import follow
from core.media.looking import Finder
from core.media.work import Held, Work
from core.problem import FloatArray
from core.progress import Progress, silent
from core.records import Box, Face, Frame, NewFace, NewTrack, Source
from core.store.files import read_file
from core.store.project import Project
from core.store.replace_faces import Refound, replace_faces
from core.store.tables import face_table

SAME = 0.3  # intersection over union of a face as it was found before, and as it is found now


def find_again(
    project: Project,
    progress: Progress = silent,
    stop: Callable[[], bool] = never,
    finder: FaceFinder | None = None,
) -> str:
    """Finds all faces again, all of them or, where it is told to stop, none; gives what came of it in one line."""
    sources = project.sources()
    unseen = next((source for source in sources if source.kind == "problem"), None)
    if unseen is not None or not sources:
        what = f"{unseen.title} is a problem file, which holds no pictures" if unseen else "the project holds nothing yet"
        raise BadInput(f"{project.folder}: {what}, so no faces can be found again")
    finder = finder or FaceFinder()
    found: list[Refound] = []
    tracks: dict[int, Sequence[NewTrack]] = {}
    cache = Cache(project.cache, f"{finder.detector.kind} {finder.embedder.kind}")
    work = Work(lambda: Held(), cache, Finder(finder), progress, stop)
    for source in sources:
        frames = [frame for frame in project.frames() if frame.source == source.id]
        seen = _film(project, work, source, frames) if source.kind == "video" else None
        if stop():
            return "stopped before the end; nothing was changed"
        if seen is None:
            faces = [_in_picture(finder, frame) for frame in frames]
        else:
            faces, tracks[source.id] = seen
        for frame, new in zip(frames, faces, strict=True):
            found += _matched(project, finder, frame, new)
    if not found:
        raise BadInput(f"{project.folder}: no face was found, so nothing was changed; see whether its pictures are there")
    replace_faces(project.reader, found, tracks, finder.embedder.kind)
    kept = sum(one.number is not None for one in found)
    return f"{len(found)} faces found again, {kept} of them where they were before"


def _film(
    project: Project, work: Work, source: Source, frames: Sequence[Frame]
) -> tuple[list[list[NewFace]], Sequence[NewTrack]] | None:
    """The faces of a film's frames, and all of its tracks; None where the film is gone and its frames' pictures must do."""
    try:
        video = project.to_play(source)
    except BadInput:
        return None
    return follow(work, video, source.content, [frame.time or 0.0 for frame in frames])


def _pixels(frame: Frame) -> Picture:
    if frame.picture is None:
        return np.zeros((1, 1, 3), np.uint8)
    try:
        with Image.open(BytesIO(read_file(frame.picture))) as image:
            return np.asarray(image.convert("RGB"))
    except OSError as error:
        raise BadInput(f"{frame.picture}: the picture cannot be read; put it back first") from error


def _in_picture(finder: FaceFinder, frame: Frame) -> list[NewFace]:
    pixels = _pixels(frame)
    scale = (frame.width or pixels.shape[1]) / pixels.shape[1]
    return [_new(face, _scaled(face.box, scale)) for face in finder.find([pixels])[0]]


def _matched(project: Project, finder: FaceFinder, frame: Frame, new: Sequence[NewFace]) -> list[Refound]:
    """The faces of a frame; each takes the number of the one before that it overlaps."""
    spoken_of = {entry.face for entry in project.log().entries}
    before = face_table.read(project.database, project.folder, frame.id)
    overlap = overlaps(_corners([face.box for face in before]), _corners([face.box for face in new]))
    rows, columns = linear_sum_assignment(-overlap)
    number = {int(c): before[r].id for r, c in zip(rows, columns, strict=True) if overlap[r, c] >= SAME}
    found = [Refound(number.get(k), frame.id, face) for k, face in enumerate(new)]
    lost = [face for face in before if face.id not in number.values() and face.id in spoken_of]
    return found + [Refound(face.id, frame.id, _by_box(finder, frame, face)) for face in lost]


def _by_box(finder: FaceFinder, frame: Frame, face: Face) -> NewFace:
    pixels = _pixels(frame)
    scale = pixels.shape[1] / (frame.width or pixels.shape[1])
    try:
        return _new(finder.embed_box(pixels, _scaled(face.box, scale)), face.box)
    except BadInput:  # there is no picture: it is somebody, but like nobody
        nobody = np.eye(1, finder.embedder.dimension, dtype=np.float32)[0]
        return NewFace(nobody, face.box, None, face.score, face.mark, 0.0)


def _new(face: Found, box: Box) -> NewFace:
    return NewFace(face.embedding, box, face.crop, face.score, face.mark, face.quality)


def _scaled(box: Box, scale: float) -> Box:
    return Box(box.left * scale, box.top * scale, box.right * scale, box.bottom * scale)


def _corners(boxes: Sequence[Box]) -> FloatArray:
    return np.array([(box.left, box.top, box.right, box.bottom) for box in boxes], np.float64).reshape(-1, 4)
