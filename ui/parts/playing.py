"""The film at a frame: what its player shows over the picture, and an answer given there."""

from __future__ import annotations

import numpy as np

from core.problem import NOBODY
from core.records import Frame, Source
from core.store.project import Change, Project
from ui.parts.people import names_to_choose
from ui.widgets.component import theme
from ui.widgets.play import Film, Followed, Line

AROUND = 20.0  # seconds before and after a frame from which tracks and captions are shown
OFFERED = 12  # names to choose from
LASTS = 3.0  # seconds that a caption stays, if the next one does not come before
BEFORE = 1.0  # seconds before the frame from which it plays where shots are not known


def film(project: Project, frame: Frame, source: Source) -> Film:
    """Tracks, captions and the shot around a frame."""
    now = frame.time or 0.0
    timed = [f for f in project.frames() if f.source == source.id and f.time is not None]
    near = sorted((f for f in timed if abs((f.time or 0.0) - now) <= AROUND), key=lambda f: f.time or 0.0)
    start, stop = _shot(project, frame, now)
    return Film(_tracks(project, frame, source, now), _lines(near), start, stop, names_to_choose(project)[:OFFERED], theme())


def _shot(project: Project, frame: Frame, now: float) -> tuple[float, float]:
    """From when to when the people of the frame are in view, which is the shot as far as it is known."""
    tracks = {face.track for face in project.faces(frame.id) if face.track is not None}
    spans = [(track.start, track.stop) for track in project.tracks(frame.source) if track.id in tracks]
    start = min((start for start, _ in spans), default=now - BEFORE)
    return max(start, 0.0), max((stop for _, stop in spans), default=now + LASTS)


def _tracks(project: Project, frame: Frame, source: Source, now: float) -> list[Followed]:
    labels, log = project.current_labels(), project.log()
    wide, high = frame.width or 1, frame.height or 1
    found = []
    for track in project.tracks(source.id):
        rows = np.flatnonzero(labels.track == track.id)
        if track.stop < now - AROUND or track.start > now + AROUND or not len(rows):
            continue
        settled = rows[~labels.waiting[rows]]
        row = int(settled[0] if len(settled) else rows[np.argmax(labels.confidence[rows])])
        name = log.text(int(labels.name[row])) if labels.name[row] >= 0 else ""
        boxes = [(t, b.left / wide, b.top / high, b.right / wide, b.bottom / high) for t, b in track.boxes]
        words = name or ("nobody" if labels.name[row] == NOBODY else "who is this?")
        found.append(Followed(int(labels.face[row]), track.start, track.stop, boxes, name, words, bool(len(settled))))
    return found


def _lines(frames: list[Frame]) -> list[Line]:
    times = [frame.time or 0.0 for frame in frames]
    stops = [min(after, time + LASTS) for time, after in zip(times, [*times[1:], float("inf")], strict=True)]
    rows = zip(times, stops, frames, strict=True)
    return [Line(time, stop, frame.caption) for time, stop, frame in rows if frame.caption]


def answer(project: Project, face: int, name: str) -> list[Change]:
    """The answer for the whole track of a face."""
    labels = project.current_labels()
    rows = labels.rows(np.array([face]))
    track = int(labels.track[rows[0]]) if len(rows) else -1
    faces = labels.face[labels.track == track].tolist() if track >= 0 else [face]
    return [Change("is", face=other, name=name) if name else Change("nobody", face=other) for other in faces]
